// What attention must do whatever the numbers are: properties that follow from its definition, for random shapes,
// heads, masks and options.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { loadAttention } from './module.js';

const core = await loadAttention();
const RUNS = { numRuns: 400, seed: 4 };

/** @typedef {{ shape: number[], data: any }} Tensor */

const cell = fc.double({ min: -4, max: 4, noNaN: true });

/** @param {...number} shape @returns {fc.Arbitrary<Tensor>} */
const tensor = (...shape) => {
  const length = shape.reduce((all, each) => all * each, 1);
  return fc.array(cell, { minLength: length, maxLength: length }).map((data) => ({ shape, data }));
};

const mask = (/** @type {number[]} */ ...shape) => {
  const length = shape.reduce((all, each) => all * each, 1);
  return fc.array(fc.constantFrom(0, 1, 1), { minLength: length, maxLength: length }).map((data) => ({ shape, data }));
};

/** q, k, v of b batches, h = g·share heads, and a mask. */
const call = fc.record({
  b: fc.integer({ min: 1, max: 2 }), g: fc.integer({ min: 1, max: 2 }), share: fc.integer({ min: 1, max: 2 }),
  n_q: fc.integer({ min: 1, max: 5 }), n_k: fc.integer({ min: 1, max: 5 }), d_k: fc.integer({ min: 1, max: 4 }), d_v: fc.integer({ min: 1, max: 3 }),
  temperature: fc.constantFrom(1, 0.5, 2), softcap: fc.constantFrom(0, 3),
}).chain(({ b, g, share, n_q, n_k, d_k, d_v, temperature, softcap }) => fc.record({
  q: tensor(b, g * share, n_q, d_k), k: tensor(b, g, n_k, d_k), v: tensor(b, g, n_k, d_v), mask: mask(b, g * share, n_q, n_k),
  temperature: fc.constant(temperature), softcap: fc.constant(softcap),
}));

/** @param {ArrayLike<number>} actual @param {ArrayLike<number>} expected @param {number} [tolerance] */
function assertNear(actual, expected, tolerance = 1e-12) {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < actual.length; i++) {
    const near = Object.is(actual[i], expected[i]) || Math.abs(actual[i] - expected[i]) <= tolerance * Math.max(1, Math.abs(expected[i]));
    assert.ok(near, `${i}: ${actual[i]}, expected ${expected[i]}`);
  }
}

/** With the axis before the last in another order. @param {Tensor} tensor @param {number[]} order @returns {Tensor} */
function reordered({ shape, data }, order) {
  const [n, d] = shape.slice(-2);
  const result = Array.from(data);
  for (let at = 0; at < data.length; at++) {
    const matrix = Math.floor(at / (n * d)), row = Math.floor(at / d) % n;
    result[at] = data[(matrix * n + order[row]) * d + at % d];
  }
  return { shape, data: result };
}

/** With the last axis in another order. @param {Tensor} tensor @param {number[]} order @returns {Tensor} */
const columnsReordered = ({ shape, data }, order) =>
  ({ shape, data: Array.from(data, (_, at) => data[at - at % order.length + order[at % order.length]]) });

const shuffled = (/** @type {number} */ length, /** @type {number[]} */ keys) =>
  Array.from({ length }, (_, i) => i).sort((a, b) => keys[a] - keys[b]);

describe('attention', () => {
  test('gives rows of weights that sum to 1, or to 0 where nothing may be seen', () => {
    fc.assert(fc.property(call, (given) => {
      const { data, shape } = /** @type {any} */ (core.attention({ ...given, keep: 'weights' }).kept);
      const n_k = shape.at(-1);
      for (let row = 0; row < data.length / n_k; row++) {
        const weights = data.subarray(row * n_k, (row + 1) * n_k);
        const sees = given.mask.data.slice(row * n_k, (row + 1) * n_k);
        weights.forEach((/** @type {number} */ weight, /** @type {number} */ key) => assert.ok(sees[key] ? weight >= 0 : weight === 0));
        assertNear([weights.reduce((/** @type {number} */ sum, /** @type {number} */ weight) => sum + weight, 0)], [sees.includes(1) ? 1 : 0]);
      }
    }), RUNS);
  });

  test('does not know the order of keys: keys, values and mask in another order give the same', () => {
    fc.assert(fc.property(call, fc.array(cell, { minLength: 5, maxLength: 5 }), (given, keys) => {
      const order = shuffled(given.k.shape[2], keys);
      const moved = { ...given, k: reordered(given.k, order), v: reordered(given.v, order), mask: columnsReordered(given.mask, order) };
      assertNear(core.attention(moved).output.data, core.attention(given).output.data);
    }), RUNS);
  });

  test('follows the order of queries: each row is computed for itself', () => {
    fc.assert(fc.property(call, fc.array(cell, { minLength: 5, maxLength: 5 }), (given, keys) => {
      const order = shuffled(given.q.shape[2], keys);
      const moved = { ...given, q: reordered(given.q, order), mask: reordered(given.mask, order) };
      assertNear(core.attention(moved).output.data, reordered(core.attention(given).output, order).data, 0);
    }), RUNS);
  });

  test('sees differences of scores alone: a bias that is the same for a whole row changes nothing', () => {
    fc.assert(fc.property(call, fc.double({ min: -50, max: 50, noNaN: true }), (given, shift) => {
      assertNear(core.attention({ ...given, bias: [shift] }).output.data, core.attention(given).output.data, 1e-11);
    }), RUNS);
  });

  test('under a causal mask does not know the future: what stands after a query changes nothing for it', () => {
    fc.assert(fc.property(call, cell, fc.integer({ min: 0, max: 4 }), (given, other, from) => {
      // From key `from` on everything is another number, for queries before it.
      const changed = (/** @type {Tensor} */ { shape, data }) => ({
        shape, data: Array.from(data, (number, at) => (Math.floor(at / shape[3]) % shape[2] >= from ? other : number)),
      });
      const { mask: _, ...causal } = { ...given, causal: /** @type {const} */ ('top-left') };
      const [before, after] = [causal, { ...causal, k: changed(given.k), v: changed(given.v) }].map((each) => core.attention(each).output);
      const [n_q, d_v] = before.shape.slice(-2);
      before.data.forEach((number, at) => {
        if (Math.floor(at / d_v) % n_q < from) assert.equal(after.data[at], number);
      });
    }), RUNS);
  });

  test('is linear in the values', () => {
    fc.assert(fc.property(call, fc.double({ min: -3, max: 3, noNaN: true }), (given, factor) => {
      const scaled = { ...given, v: { ...given.v, data: given.v.data.map((/** @type {number} */ number) => factor * number) } };
      assertNear(core.attention(scaled).output.data, Array.from(core.attention(given).output.data, (number) => factor * number));
    }), RUNS);
  });

  test('lies between the smallest and the largest value that a query may see', () => {
    fc.assert(fc.property(call, ({ mask: _, ...given }) => {
      const { data, shape } = core.attention(given).output;
      const [b, h, n_q, d_v] = shape;
      const [, g, n_k] = given.v.shape;
      data.forEach((number, at) => {
        const [batch, head, column] = [Math.floor(at / (h * n_q * d_v)), Math.floor(at / (n_q * d_v)) % h, at % d_v];
        assert.ok(batch < b);
        const matrix = batch * g + Math.floor(head / (h / g));
        const values = Array.from({ length: n_k }, (_, key) => given.v.data[(matrix * n_k + key) * d_v + column]);
        assert.ok(number >= Math.min(...values) - 1e-12 && number <= Math.max(...values) + 1e-12);
      });
    }), RUNS);
  });

  test('as a stream is what it is with all weights in memory', () => {
    fc.assert(fc.property(call, (given) => assertNear(core.streamingAttention(given).data, core.attention(given).output.data)), RUNS);
  });

  test('of one head is what its trace says, to the last bit', () => {
    fc.assert(fc.property(call, ({ q, k, v, mask: pairs, temperature }) => {
      const first = (/** @type {Tensor} */ { shape, data }) => ({ shape: shape.slice(2), data: data.slice(0, shape[2] * shape[3]) });
      const inputs = { q: first(q), k: first(k), v: first(v), mask: first(pairs) };
      const { steps } = core.trace({ recipe: 'attention', inputs, options: { temperature } });
      assert.deepEqual([...core.attention({ ...inputs, temperature }).output.data], [...steps.at(-1)?.values ?? []]);
    }), RUNS);
  });

  test('of heads side by side, times W_O, is the sum of every head times its own rows of W_O', () => {
    // Concat(head_1 … head_h)·W_O = Σ_h head_h·W_O^(h): Vaswani et al. 2017, 3.2.2.
    fc.assert(fc.property(fc.record({ n: fc.integer({ min: 1, max: 4 }), h: fc.integer({ min: 1, max: 3 }), d: fc.integer({ min: 1, max: 3 }) })
      .chain(({ n, h, d }) => fc.record({ x: tensor(n, h * d), w: tensor(h * d, 4), h: fc.constant(h), d: fc.constant(d) })), ({ x, w, h, d }) => {
      const together = core.matmul({ a: core.attention({ q: x, k: x, v: x, heads: h }).output, b: w });
      const sum = new Float64Array(together.data.length);
      for (let head = 0; head < h; head++) {
        const part = (/** @type {Tensor} */ { shape: [n], data }) => ({ shape: [n, d], data: Array.from({ length: n * d }, (_, at) => data[Math.floor(at / d) * h * d + head * d + at % d]) });
        const own = core.attention({ q: part(x), k: part(x), v: part(x) }).output;
        const block = { shape: [d, 4], data: w.data.slice(head * d * 4, (head + 1) * d * 4) };
        core.matmul({ a: own, b: block }).data.forEach((number, at) => { sum[at] += number; });
      }
      assertNear(together.data, sum);
    }), RUNS);
  });

  test('with a cache is the last rows of attention over everything', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 6 }).chain((n) => fc.record({ x: tensor(n, 3), y: tensor(n, 2), cut: fc.integer({ min: 0, max: n }) })), ({ x, y, cut }) => {
      const whole = core.attention({ q: x, k: x, v: y, causal: true });
      const rows = (/** @type {Tensor} */ { shape: [n, d], data }, /** @type {number} */ from, /** @type {number} */ to) => ({ shape: [to - from, d], data: data.slice(from * d, to * d), n });
      const n = x.shape[0];
      const late = core.attention({ q: rows(x, cut, n), k: rows(x, cut, n), v: rows(y, cut, n), pastKey: rows(x, 0, cut), pastValue: rows(y, 0, cut), causal: true });
      assertNear(late.output.data, whole.output.data.slice(cut * 2));
      assert.deepEqual([...late.presentKey?.data ?? []], [...x.data]);
    }), RUNS);
  });
});
