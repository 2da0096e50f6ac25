// What more than one kind of case is composed of, from calls of the module.

import { reshaped, tensorOf, times } from './cases.js';

/**
 * Attention of rows of given scores: each row is a head with one query, whose keys are the scores themselves.
 * @param {any} core @param {number[][]} scores @param {any} options of attention; masks are [rows, keys] @returns {any} weights [rows, keys]
 */
export function weightsOf(core, scores, { mask, bias, keep = 'weights', ...options } = {}) {
  const [rows, keys] = tensorOf(scores).shape;
  const perHead = (/** @type {any} */ value) => value && reshaped(value, [tensorOf(value).shape[0], 1, keys]);
  const { kept } = core.attention({
    q: reshaped(times(rows, () => 1), [rows, 1, 1]), k: reshaped(scores, [rows, keys, 1]), v: reshaped(times(rows * keys), [rows, keys, 1]),
    scale: 1, mask: perHead(mask), bias: perHead(bias), keep, ...options,
  });
  return { shape: [rows, keys], data: kept.data };
}

/** Which pairs attention lets see each other, 1 or 0, [.., n_q, n_k]. @param {any} core @param {number[]} lead batches and heads @param {number} queries @param {number} keys @param {any} options */
export function sightOf(core, lead, queries, keys, options) {
  const zeros = (/** @type {number} */ tokens) => ({ shape: [...lead, tokens, 1], data: new Float64Array(lead.reduce((all, n) => all * n, tokens)) });
  const { kept } = core.attention({ q: zeros(queries), k: zeros(keys), v: zeros(keys), keep: 'masked', ...options });
  return { shape: kept.shape, data: Array.from(kept.data, (score) => (score === -Infinity ? 0 : 1)) };
}

/**
 * log Σ wᵢ·exp(xᵢ) of a row: the row maximum and the row sum of attention over one query whose biases are x + log w. So
 * what has no weight is forbidden, and nothing at all is the logarithm of an empty sum.
 * @param {any} core @param {number[]} x @param {number[]} weights @param {string} precision
 */
export function logSumExp(core, x, weights, precision) {
  // ∞ − ∞ has no value: here the sum is taken as it is written.
  const softmax = x.includes(Infinity) ? 'plain' : 'stable';
  const column = { shape: [x.length, 1], data: new Float64Array(x.length) };
  const bias = { shape: [1, x.length], data: x.map((number, at) => number + Math.log(weights[at])) };
  const { steps } = core.trace({ recipe: 'attention', inputs: { q: [[0]], k: column, v: column, bias }, options: { softmax }, precision });
  const only = (/** @type {string} */ key) => steps.find((/** @type {any} */ step) => step.key === key)?.values[0];
  const sum = Math.log(only('row-sum'));
  return softmax === 'plain' || sum === -Infinity ? sum : only('row-max') + sum;
}

/**
 * The timing signal of tensor2tensor: sines, then cosines, of frequencies base^(−i/(⌊d/2⌋ − 1)); an odd last column is 0.
 * Over 2n columns the paper's frequencies are base^(−i/n), so another base gives these.
 * @param {any} core @param {number[]} positions @param {number} d @param {number} base @param {string} precision
 */
export function timingSignal(core, positions, d, base, precision) {
  const half = Math.floor(d / 2);
  const { data } = core.sinusoidal({ positions, dModel: 2 * half, base: base ** (half / (half - 1)), layout: 'halves', precision });
  return times(positions.length, (row) => times(d, (col) => (col < 2 * half ? data[row * 2 * half + col] : 0)));
}
