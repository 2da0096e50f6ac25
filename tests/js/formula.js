// Attention from its definition, in plain loops: what the core is held against. Knows nothing of the project's code.

/** @typedef {number[][]} Rows */

const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);

/**
 * Key j is visible to query i when j ≤ i + offset.
 * @param {number} queries @param {number} keys @param {'top-left' | 'bottom-right'} anchor
 */
export const causalMask = (queries, keys, anchor) =>
  range(queries).map((i) => range(keys).map((j) => (j <= i + (anchor === 'top-left' ? 0 : keys - queries) ? 1 : 0)));

/**
 * Every step of softmax((q·kᵀ·scale + bias) / temperature)·v; where `mask` is 0 a pair is left out, and a row without any is 0.
 * @param {{ q: Rows, k: Rows, v: Rows, mask?: Rows, bias?: Rows, scale?: number, temperature?: number }} input
 * @returns {Record<string, Rows>}
 */
export function attentionSteps({ q, k, v, mask, bias, scale = 1 / Math.sqrt(q[0].length), temperature = 1 }) {
  const visible = (/** @type {number} */ i, /** @type {number} */ j) => !mask || mask[i][j] === 1;
  const cells = (/** @type {(i: number, j: number) => number} */ at) => q.map((_, i) => k.map((__, j) => at(i, j)));
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, number) => all + number, 0);

  const scores = cells((i, j) => sum(q[i].map((number, r) => number * k[j][r])));
  const scaled = cells((i, j) => scores[i][j] * scale);
  const biased = cells((i, j) => scaled[i][j] + (bias?.[i][j] ?? 0));
  const masked = cells((i, j) => (visible(i, j) ? biased[i][j] : -Infinity));
  const tempered = cells((i, j) => masked[i][j] / temperature);
  const rowMax = tempered.map((row) => [Math.max(...row)]);
  const shifted = cells((i, j) => (visible(i, j) ? tempered[i][j] - rowMax[i][0] : -Infinity));
  const exp = cells((i, j) => Math.exp(shifted[i][j]));
  const rowSum = exp.map((row) => [sum(row)]);
  const weights = cells((i, j) => (visible(i, j) ? exp[i][j] / rowSum[i][0] : 0));
  const output = q.map((_, i) => v[0].map((__, c) => sum(v.map((row, j) => (visible(i, j) ? weights[i][j] * row[c] : 0)))));
  return {
    scores, scaled,
    ...(bias && { biased }), ...(mask && { masked }), ...(temperature !== 1 && { tempered }),
    'row-max': rowMax, shifted, exp, 'row-sum': rowSum, weights, output,
  };
}

/** The two examples that the lesson works through by hand. */
export const EXAMPLES = {
  a: {
    link: '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1',
    input: { q: [[1, 1]], k: [[1, 0], [0, 2]], v: [[1, 0], [0, 1]] },
    // Nine decimals, worked out by hand from the definition.
    digits: {
      scores: [[1, 2]], scaled: [[0.707106781, 1.414213562]], weights: [[0.330238451, 0.669761549]], output: [[0.330238451, 0.669761549]],
      'plain/exp': [[2.028114982, 4.113250379]], 'plain/row-sum': [[6.141365360]], 'plain/weights': [[0.330238451, 0.669761549]],
    },
  },
  b: {
    link: '#1/attention?Q=2,0&K=2,0;0,2&V=10,0;0,10',
    input: { q: [[2, 0]], k: [[2, 0], [0, 2]], v: [[10, 0], [0, 10]] },
    digits: {
      scores: [[4, 0]], scaled: [[2.828427125, 0]], weights: [[0.944192781, 0.055807219]], output: [[9.441927808, 0.558072192]],
      'plain/exp': [[16.918828679, 1]], 'plain/row-sum': [[17.918828679]], 'plain/weights': [[0.944192781, 0.055807219]],
    },
  },
};
