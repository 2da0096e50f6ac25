// Attention over batches and heads from its definition, in loops over doubles: what the core is held against, number by
// number. Knows nothing of the project's code.
//
// Everything is nested by [batch][head][token][column]. A head of keys serves h/g heads of queries, 0, 0, 1, 1.

/**
 * @typedef {number[][][][]} Nested
 * @typedef {{
 *   q: Nested, k: Nested, v: Nested, pastKey?: Nested, pastValue?: Nested,
 *   mask?: { shape: number[], data: number[] }, bias?: { shape: number[], data: number[] }, padding?: number[][], kvLengths?: number[],
 *   causal?: 'top-left' | 'bottom-right', window?: [number, number], scale?: number, softcap?: number, temperature?: number, emptyRow?: string,
 *   columns: { key: number, value: number },
 * }} Problem
 */

/**
 * What a mask or bias says about a pair, broadcast from the right; undefined where its keys have come to an end.
 * @param {{ shape: number[], data: number[] }} given @param {number[]} at [b, h, i, j]
 */
function broadcast({ shape, data }, at) {
  let index = 0;
  for (let axis = 0; axis < shape.length; axis++) {
    const place = at[4 - shape.length + axis];
    if (shape[axis] !== 1 && place >= shape[axis]) return undefined;
    index = index * shape[axis] + (shape[axis] === 1 ? 0 : place);
  }
  return data[index];
}

/**
 * May query i see key j? @param {Problem} problem @param {{ b: number, h: number, i: number, j: number }} pair
 * @param {{ queries: number, keys: number, past: number }} counts
 */
function sees({ mask, bias, padding, kvLengths, causal, window }, { b, h, i, j }, { queries, keys, past }) {
  const there = kvLengths ? kvLengths[b] : keys;
  if (j >= there) return false;
  if (padding && padding[padding.length === 1 ? 0 : b][j] === 0) return false;
  if (mask && broadcast(mask, [b, h, i, j]) !== 1) return false;
  if (bias) {
    const added = broadcast(bias, [b, h, i, j]);
    if (added === undefined || added === -Infinity) return false;
  }
  const atTopLeft = kvLengths ? there - queries : past;
  const place = i + (causal === 'top-left' ? atTopLeft : there - queries);
  if (causal && j > place) return false;
  if (window && window[0] !== -1 && j < place - window[0]) return false;
  if (window && window[1] !== -1 && j > place + window[1]) return false;
  return true;
}

/**
 * Every step over all pairs, flat in the order [b, h, i, j], and the output in the order [b, h, i, column]. `size` bounds
 * what was added up on the way to a score, over the temperature.
 * @param {Problem} problem
 */
export function plainAttention(problem) {
  const { q, pastKey, pastValue, bias, columns, emptyRow = 'zero', temperature = 1, softcap } = problem;
  const scale = problem.scale ?? 1 / Math.sqrt(columns.key);
  /** @type {Record<'scaled' | 'softcapped' | 'masked' | 'weights' | 'output', number[]>} */
  const all = { scaled: [], softcapped: [], masked: [], weights: [], output: [] };
  /** @type {boolean[]} */
  const visible = [];
  let size = 0;

  for (let b = 0; b < q.length; b++)
    for (let h = 0; h < q[b].length; h++) {
      const g = Math.floor(h / (q[b].length / problem.k[b].length));
      const k = [...(pastKey?.[b][g] ?? []), ...problem.k[b][g]];
      const v = [...(pastValue?.[b][g] ?? []), ...problem.v[b][g]];
      const counts = { queries: q[b][h].length, keys: k.length, past: pastKey?.[b][g].length ?? 0 };

      for (let i = 0; i < counts.queries; i++) {
        const scores = [], seen = [];
        for (let j = 0; j < k.length; j++) {
          let score = 0, sum = 0;
          for (let c = 0; c < columns.key; c++) {
            score += q[b][h][i][c] * k[j][c];
            sum += Math.abs(q[b][h][i][c] * k[j][c]);
          }
          score *= scale;
          all.scaled.push(score);
          if (softcap) score = softcap * Math.tanh(score / softcap);
          all.softcapped.push(score);
          const mayBeSeen = sees(problem, { b, h, i, j }, counts);
          const added = bias && mayBeSeen ? /** @type {number} */ (broadcast(bias, [b, h, i, j])) : 0;
          score = mayBeSeen ? score + added : -Infinity;
          all.masked.push(score);
          visible.push(mayBeSeen);
          seen.push(mayBeSeen);
          scores.push(score / temperature);
          size = Math.max(size, (sum * Math.abs(scale) + Math.abs(added)) / temperature);
        }

        const largest = Math.max(...scores.filter((_, j) => seen[j]));
        const exps = scores.map((score, j) => (seen[j] ? Math.exp(score - largest) : 0));
        const total = exps.reduce((sum, exp) => sum + exp, 0);
        const empty = /** @type {Record<string, number>} */ ({ zero: 0, nan: NaN, uniform: 1 / k.length })[emptyRow];
        const weights = exps.map((exp) => (seen.includes(true) ? exp / total : empty));
        all.weights.push(...weights);
        for (let c = 0; c < columns.value; c++) {
          let mixed = 0;
          // With no keys at all this is an empty sum, 0, whatever an empty row becomes: there is no weight to be NaN.
          for (let j = 0; j < k.length; j++) if (seen[j] || !seen.includes(true)) mixed += weights[j] * v[j][c];
          all.output.push(mixed);
        }
      }
    }
  return { ...all, visible, size };
}
