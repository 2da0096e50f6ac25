/** What a caller did wrong: `code` for programs, `field` for the argument, both shapes in the message. */
export class AttentionError extends Error {
  /** @param {string} code @param {string} field @param {string} message @param {ErrorOptions} [options] */
  constructor(code, field, message, options) {
    super(message, options);
    this.name = 'AttentionError';
    this.code = code;
    this.field = field;
  }
}
