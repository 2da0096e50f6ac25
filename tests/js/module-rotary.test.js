// rotary(): pairs turned by their position, in every layout that q and k have.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, randomMatrix, randomNumbers, rowsOf } from './module.js';

const core = await loadAttention();

/** @param {any} call */
const rows = (call) => rowsOf(core.rotary(call));

/** As complex numbers, (u + iv)·e^(i·pos·base^(−2j/r)). @param {number[]} row @param {number} position @param {[number, number][]} pairs @param {number} base */
function definition(row, position, pairs, base) {
  const result = [...row];
  pairs.forEach(([u, v], j) => {
    const angle = position * base ** (-j / pairs.length);
    result[u] = row[u] * Math.cos(angle) - row[v] * Math.sin(angle);
    result[v] = row[u] * Math.sin(angle) + row[v] * Math.cos(angle);
  });
  return result;
}

/** @param {number} r @param {boolean} interleaved @returns {[number, number][]} */
const pairsOf = (r, interleaved) => Array.from({ length: r / 2 }, (_, i) => (interleaved ? [2 * i, 2 * i + 1] : [i, i + r / 2]));

const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, cell, i) => sum + cell * b[i], 0);

/** @param {number[]} shape @param {number} seed */
function randomTensor(shape, seed) {
  const random = randomNumbers(seed);
  return { shape, data: Float64Array.from({ length: shape.reduce((all, length) => all * length) }, () => 4 * random() - 2) };
}

/** [b, h, n, d] from [b, n, h·d]. @param {{ shape: number[], data: any }} tensor @param {number} heads */
function unpacked({ shape: [b, n, width], data }, heads) {
  const d = width / heads;
  const cells = [];
  for (let batch = 0; batch < b; batch++)
    for (let head = 0; head < heads; head++)
      for (let token = 0; token < n; token++)
        for (let i = 0; i < d; i++) cells.push(data[(batch * n + token) * width + head * d + i]);
  return { shape: [b, heads, n, d], data: cells };
}

describe('rotary', () => {
  const x = randomMatrix(randomNumbers(1), 6, 8);

  for (const interleaved of [false, true])
    for (const rotaryDim of [2, 4, 8])
      for (const base of [1, 100, 10000])
        test(`turns ${rotaryDim} of 8 numbers with base ${base}${interleaved ? ', interleaved' : ''}`, () =>
          assertClose(rows({ x, interleaved, rotaryDim, base }), x.map((row, position) => definition(row, position, pairsOf(rotaryDim, interleaved), base)), 1e-14));

  test('has halves, base 10000 and all of the head when nothing is said', () =>
    assert.deepEqual(core.rotary({ x }), core.rotary({ x, base: 10000, interleaved: false, rotaryDim: 8, positions: [0, 1, 2, 3, 4, 5] })));

  test('is what others compute', () => {
    // fairseq, tests/test_rotary_positional_embedding.py.
    assertClose(rows({ x: [[1.5409961, -0.2934289], [-2.1787894, 0.5684313], [-1.0845224, -1.3985955]] }), [[1.541, -0.2934], [-1.6555, -1.5263], [1.7231, -0.4041]], 1e-4);
    // Keras Hub, rotary_embedding_test.py; the second is linear scaling by 5 at position 12.
    assertClose(rows({ x: [[1, 1, 1, 1, 1, 1]], positions: [3] }), [[-1.1311, 0.8515, 0.9935, -0.8489, 1.1291, 1.0064]], 1e-4);
    assertClose(rows({ x: [[1, 1, 1, 1]], positions: [12 / 5] }), [[-1.412856817, 0.975714266, -0.061930716, 1.023709655]], 1.5e-6);
  });

  test('lets a product see the distance alone', () => {
    const [q, k] = x;
    const product = (/** @type {number} */ at, /** @type {number} */ other) => dot(rows({ x: [q], positions: [at] })[0], rows({ x: [k], positions: [other] })[0]);
    for (const distance of [0, 1, 5, -2])
      for (const start of [1, 50, 1000]) assert.ok(Math.abs(product(start + distance, start) - product(distance, 0)) < 1e-11);
    assert.ok(Math.abs(product(3, 0) - product(0, 3)) > 1e-3, 'which of the two comes first counts');
  });

  test('keeps lengths, and everything at position 0', () => {
    rows({ x }).forEach((row, i) => assert.ok(Math.abs(Math.hypot(...row) - Math.hypot(...x[i])) < 1e-14));
    assert.deepEqual(rows({ x, positions: Array(6).fill(0) }), x);
  });

  test('takes [h, n, d] and [b, h, n, d], and both packed', () => {
    const packed = randomTensor([2, 3, 8], 2), open = unpacked(packed, 2), positions = [[0, 5, 2], [1, 1, 30]];
    const found = core.rotary({ x: open, positions });
    assert.deepEqual(found.shape, [2, 2, 3, 4]);
    assert.deepEqual(core.rotary({ x: open, positions, heads: 2 }), found);
    const repacked = core.rotary({ x: packed, positions, heads: 2 });
    assert.deepEqual(repacked.shape, [2, 3, 8]);
    assert.deepEqual(unpacked(repacked, 2).data, [...found.data]);

    for (const batch of [0, 1])
      for (const head of [0, 1]) {
        const at = (batch * 2 + head) * 12;
        const one = { shape: [3, 4], data: open.data.slice(at, at + 12) };
        assert.deepEqual([...found.data.slice(at, at + 12)], [...core.rotary({ x: one, positions: positions[batch] }).data]);
      }
    const three = core.rotary({ x: { shape: [4, 3, 4], data: open.data }, positions: [0, 5, 2] });
    assert.deepEqual(three.shape, [4, 3, 4]);
    assert.deepEqual([...three.data.slice(0, 24)], [...found.data.slice(0, 24)]);
    const two = core.rotary({ x: { shape: [3, 8], data: packed.data.slice(0, 24) }, positions: [0, 5, 2], heads: 2 });
    assert.deepEqual(two.shape, [3, 8]);
    assert.deepEqual([...two.data], [...repacked.data.slice(0, 24)]);
  });

  describe('with caches', () => {
    const angles = Array.from({ length: 20 }, (_, position) => [0, 1, 2, 3].map((i) => position * 10000 ** (-i / 4)));
    const cos = angles.map((row) => row.map(Math.cos)), sin = angles.map((row) => row.map(Math.sin));

    test('turns as computed angles do', () => {
      assertClose(rows({ x, cos, sin }), rows({ x }), 1e-14);
      assertClose(rows({ x, cos, sin, positions: [19, 3, 3, 0, 7, 1] }), rows({ x, positions: [19, 3, 3, 0, 7, 1] }), 1e-14);
    });

    test('or with one row for each token of each batch', () => {
      const positions = [[4, 5, 6], [9, 0, 2]], batched = randomTensor([2, 2, 3, 8], 3);
      const pick = (/** @type {number[][]} */ cache) => positions.map((row) => row.map((position) => cache[position]));
      assert.deepEqual(core.rotary({ x: batched, cos: pick(cos), sin: pick(sin) }), core.rotary({ x: batched, cos, sin, positions }));
    });

    for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
      ['cos alone', { sin: undefined }, 'missing', 'sin'],
      ['sin alone', { cos: undefined }, 'missing', 'cos'],
      ['another sin', { sin: sin.slice(1) }, 'dimension-mismatch', 'sin'],
      ['too few rows', { cos: cos.slice(0, 5), sin: sin.slice(0, 5) }, 'dimension-mismatch', 'cos'],
      ['a width of d', { rotaryDim: 4 }, 'dimension-mismatch', 'cos'],
      ['position 20 of 20', { positions: [0, 1, 2, 3, 4, 20] }, 'bad-position', 'positions'],
      ['position −1', { positions: [0, 1, 2, 3, 4, -1] }, 'bad-position', 'positions'],
      ['half a position', { positions: [0, 1, 2, 3, 4, 0.5] }, 'bad-position', 'positions'],
      ['a base besides', { base: 10000 }, 'given-twice', 'base'],
    ]))
      test(`names the field: ${what}`, () => void errorOf(() => core.rotary({ x, cos, sin, ...call }), { code, field }));

    test('says both shapes', () =>
      assert.match(errorOf(() => core.rotary({ x, cos, sin, rotaryDim: 4 })).message, /\[20, 4\].*\[6, 8\]/));
  });

  test('in float32 has angles of double', () => {
    const call = { x: [[1, 0, 1, 0]], positions: [16777217], interleaved: true }; // the position is no float
    const narrow = core.rotary({ ...call, precision: 'float32' });
    assert.ok(narrow.data instanceof Float32Array);
    assertClose([[...narrow.data]], rows(call), 2 ** -23);
  });

  for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['nothing', { x: undefined }, 'missing', 'x'],
    ['a list', { x: [1, 2] }, 'bad-rank', 'x'],
    ['five axes', { x: [[[[[1, 2]]]]] }, 'bad-rank', 'x'],
    ['an odd width', { x: [[1, 2, 3]] }, 'bad-rotary-dim', 'rotaryDim'],
    ['an odd rotaryDim', { rotaryDim: 3 }, 'bad-rotary-dim', 'rotaryDim'],
    ['a rotaryDim beyond the head', { rotaryDim: 10 }, 'bad-rotary-dim', 'rotaryDim'],
    ['rotaryDim 0', { rotaryDim: 0 }, 'bad-size', 'rotaryDim'],
    ['half a rotaryDim', { rotaryDim: 2.5 }, 'bad-size', 'rotaryDim'],
    ['heads that do not divide', { heads: 3 }, 'dimension-mismatch', 'heads'],
    ['null as rotaryDim', { rotaryDim: null }, 'bad-size', 'rotaryDim'],
    ['no heads', { heads: 0 }, 'bad-size', 'heads'],
    ['heads as text', { heads: '2' }, 'bad-size', 'heads'],
    ['other heads than x has', { x: [[[[1, 2]]]], heads: 2 }, 'dimension-mismatch', 'heads'],
    ['too few positions', { positions: [0, 1] }, 'dimension-mismatch', 'positions'],
    ['a number as positions', { positions: 6 }, 'dimension-mismatch', 'positions'],
    ['an infinite position', { positions: [0, 1, 2, 3, 4, Infinity] }, 'not-finite', 'positions'],
    ['a position that is NaN', { positions: [0, 1, 2, 3, 4, NaN] }, 'not-finite', 'positions'],
    ['a position beyond 2⁵³', { positions: [0, 1, 2, 3, 4, -1e16] }, 'bad-position', 'positions'],
    ['base 0', { base: 0 }, 'bad-base', 'base'],
    ['an infinite base', { base: Infinity }, 'not-finite', 'base'],
    ['interleaved as a number', { interleaved: 1 }, 'not-a-choice', 'interleaved'],
    ['an unknown precision', { precision: 'float16' }, 'not-a-choice', 'precision'],
    ['a misspelt option', { rotary_dim: 4 }, 'unknown-option', 'rotary_dim'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => core.rotary({ x, ...call }), { code, field }));

  test('says both shapes of positions that do not fit', () =>
    assert.match(errorOf(() => core.rotary({ x, positions: [0, 1] })).message, /\[2\].*\[6, 8\].*\[6\]/));

  test('of no tokens is nothing', () => assert.deepEqual(core.rotary({ x: { shape: [2, 0, 4], data: [] } }).shape, [2, 0, 4]));
});
