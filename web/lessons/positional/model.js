// What the lesson asks the core, from its state.

/** Every way to tell the positions. */
export const ENCODINGS = ['sinusoidal', 'rotary', 'alibi', 'none'];

/** The head that is shown, from 1: the last one where there are fewer. @param {any} state @returns {number} */
export const headOf = ({ heads, head }) => Math.min(heads, head);

/** What the core needs to know of an encoding. @type {Record<string, (state: any) => any>} */
const OPTIONS = {
  sinusoidal: ({ combine, base, layout, offset }) => ({ combine, base, layout, offset }),
  rotary: ({ base, layout, offset }) => ({ encoding: 'rotary', base, layout, offset }),
  alibi: (state) => ({ encoding: 'alibi', heads: state.heads, head: headOf(state) - 1 }),
  none: () => ({ encoding: 'none' }),
};

/** The call that describes a state to the core. @param {any} state */
export function request(state) {
  const { X, encoding, causal } = state;
  return {
    recipe: /** @type {const} */ ('positional'),
    inputs: { X },
    options: { causal: /** @type {'top-left' | false} */ (causal === 'on' ? 'top-left' : false), ...OPTIONS[encoding](state) },
  };
}

/** Whether it names every row once. @param {number[] | undefined} order @param {number} count */
export const isOrder = (order, count) => order?.length === count && Array.from({ length: count }, (_, row) => row).every((row) => order.includes(row));

/** The order that the sentence is compared with: the one that was made, or first and third exchanged. @param {any} state @returns {number[]} */
export function orderOf({ X, order }) {
  const rows = X.map((/** @type {unknown} */ _, /** @type {number} */ i) => i);
  if (isOrder(order?.[0], rows.length)) return order[0];
  const other = Math.min(2, rows.length - 1);
  return rows.map((/** @type {number} */ row) => (row === 0 ? other : row === other ? 0 : row));
}

/** The two tokens whose scores are drawn, query and key: those chosen, where there are such. @param {any} state @returns {[number, number]} */
export function pairOf({ X, pair }) {
  const last = X.length - 1;
  const [query, key] = pair[0];
  const isThere = (/** @type {unknown} */ row) => Number.isInteger(row) && Number(row) >= 0 && Number(row) <= last;
  return [isThere(query) ? query : 0, isThere(key) ? key : Math.min(2, last)];
}

/** Words of the examples; other tokens have only their letter. */
export const VOCABULARY = 8;

/** What a row of X is called. @param {any} state @param {number} row @param {import('../../i18n/index.js').Translate} t */
export function tokenWord({ tokens }, row, t) {
  const id = tokens[0][row];
  return Number.isInteger(id) && id >= 0 && id < VOCABULARY ? t(`positional.token.${id}`) : null;
}
