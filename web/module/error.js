/** What a caller did wrong: `code` for programs, `field` for the argument, both shapes in the message. */
export class AttentionError extends Error {
  /** @param {string} code @param {string} field @param {string} message */
  constructor(code, field, message) {
    super(message);
    this.name = 'AttentionError';
    this.code = code;
    this.field = field;
  }
}
