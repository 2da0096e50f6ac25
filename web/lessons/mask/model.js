// What the lesson asks the core, from its state; what its mask lets through; what its tokens are called.
import { CAUSAL, drawnMask } from '../attention/model.js';
import { rowsOf, stepOf } from '../../trace.js';

/** Which keys are no padding, a row per query. @param {any} state */
const paddingMask = ({ Q, K, padding }) => Q.map(() => K.map((/** @type {unknown} */ _, /** @type {number} */ j) => (j < K.length - padding ? 1 : 0)));

/** Whether a key is padding. A mask that is drawn is just what is drawn. @param {any} state @param {number} key */
const isPadding = ({ K, mask, padding }, key) => mask !== 'drawn' && key >= K.length - padding;

/** The call that describes a state to the core. @param {any} state */
export function request(state) {
  const { Q, K, V, mask, padding, emptyRow } = state;
  const pairs = mask === 'drawn' ? drawnMask(state) : padding > 0 ? paddingMask(state) : undefined;
  return {
    recipe: /** @type {const} */ ('attention'),
    inputs: { Q, K, V, ...(pairs && { mask: pairs }) },
    options: { causal: CAUSAL[mask] ?? false, emptyRow },
  };
}

/** The pairs of query and key: 1 where the one may see the other. @param {import('../../trace.js').Trace | null} trace @returns {number[][]} */
export function visibleIn(trace) {
  const mask = stepOf(trace, 'mask');
  if (mask) return rowsOf(mask);
  return rowsOf(/** @type {any} */ (stepOf(trace, 'scores'))).map((row) => row.map(() => 1));
}

/** The mask as numbers to add: B. @param {number[][]} pairs */
export const additive = (pairs) => pairs.map((row) => row.map((sees) => (sees ? 0 : -Infinity)));

/** What fills up short sentences is called so in every language. */
export const PAD = '[PAD]';

/** Words of the sentence; further tokens have only their letter. */
export const WORDS = 4;

/** @param {import('../../i18n/index.js').Translate} t @param {number} token */
export const wordOf = (t, token) => (token < WORDS ? t(`masking.token.${token}`) : null);

/**
 * Words of keys and queries. Of fewer queries than keys it is known that they are the last tokens, as when text is
 * generated and earlier keys were kept; of more, nothing is known.
 * @param {any} state @param {import('../../i18n/index.js').Translate} t @returns {{ keys: (string | null)[], queries: (string | null)[] }}
 */
export function wordsOf(state, t) {
  const { Q, K } = state;
  const keys = K.map((/** @type {unknown} */ _, /** @type {number} */ j) => (isPadding(state, j) ? PAD : wordOf(t, j)));
  const queries = Q.map((/** @type {unknown} */ _, /** @type {number} */ i) => (Q.length <= K.length ? keys[K.length - Q.length + i] : null));
  return { keys, queries };
}
