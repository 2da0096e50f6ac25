// What the lesson asks the core, from its state.
import { checkTemperature } from '../temperature.js';

/** Where a causal mask is anchored. */
export const CAUSAL = /** @type {Record<string, 'top-left' | 'bottom-right'>} */ ({ causal: 'top-left', 'causal-end': 'bottom-right' });

/** Where a cell may be seen as drawn: `allow` where it reaches, everything beyond. @param {any} state */
export function drawnMask({ Q, K, allow }) {
  return Q.map((/** @type {unknown} */ _, /** @type {number} */ i) => K.map((/** @type {unknown} */ __, /** @type {number} */ j) => allow?.[i]?.[j] ?? 1));
}

/** The call that describes a state to the core. @param {any} state */
export function request(state) {
  return {
    recipe: /** @type {const} */ ('attention'),
    inputs: { Q: state.Q, K: state.K, V: state.V, ...(state.mask === 'drawn' && { mask: drawnMask(state) }) },
    options: {
      ...(state.scale === 'off' && { scale: 1 }),
      temperature: state.T,
      causal: CAUSAL[state.mask] ?? false,
      softmax: state.softmax,
      compareSoftmax: true,
    },
  };
}

/**
 * What is wrong with the numbers together; each alone is checked by its property.
 * @param {any} state
 * @returns {import('../../engine.js').Problem[]}
 */
export function check({ Q, K, V, T }) {
  const shape = (/** @type {number[][]} */ matrix) => `${matrix.length}×${matrix[0].length}`;
  const problems = checkTemperature(T, 'float64');
  if (Q[0].length !== K[0].length)
    problems.push({ code: 'dimension-mismatch', field: 'K', detail: { shapeQ: shape(Q), shapeK: shape(K) } });
  if (K.length !== V.length)
    problems.push({ code: 'rows-mismatch', field: 'V', detail: { shapeK: shape(K), shapeV: shape(V) } });
  return problems;
}
