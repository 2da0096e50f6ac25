// What the lesson asks the core, from its state.

/** The call that describes a state to the core. @param {any} state */
export function request({ X, encoding, combine, causal, base, layout, offset }) {
  return {
    recipe: /** @type {const} */ ('positional'),
    inputs: { X },
    options: { causal: /** @type {'top-left' | false} */ (causal === 'on' ? 'top-left' : false), ...(encoding === 'none' ? { encoding } : { combine, base, layout, offset }) },
  };
}

/** The order that the sentence is compared with: the one that was made, or first and third exchanged. @param {any} state @returns {number[]} */
export function orderOf({ X, order }) {
  const rows = X.map((/** @type {unknown} */ _, /** @type {number} */ i) => i);
  const made = order?.[0];
  if (made?.length === rows.length && rows.every((/** @type {number} */ row) => made.includes(row))) return made;
  const other = Math.min(2, rows.length - 1);
  return rows.map((/** @type {number} */ row) => (row === 0 ? other : row === other ? 0 : row));
}

/** Words of the examples; other tokens have only their letter. */
const VOCABULARY = 8;

/** What a row of X is called. @param {any} state @param {number} row @param {import('../../i18n/index.js').Translate} t */
export function tokenWord({ tokens }, row, t) {
  const id = tokens[0][row];
  return Number.isInteger(id) && id >= 0 && id < VOCABULARY ? t(`positional.token.${id}`) : null;
}
