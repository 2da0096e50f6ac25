// attention(): the numbers, against the definition.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps, causalMask, EXAMPLES } from './formula.js';
import { assertClose, loadAttention, randomMask, randomMatrix, randomNumbers, rowsOf, version } from './module.js';

const core = await loadAttention();

/** @param {any} call */
const output = (call) => rowsOf(core.attention(call).output);

const random = randomNumbers(1);
const q = randomMatrix(random, 4, 3);
const k = randomMatrix(random, 6, 3);
const v = randomMatrix(random, 6, 5);
const mask = randomMask(random, 4, 6);
const bias = randomMatrix(random, 4, 6);

describe('attention', () => {
  for (const [name, { input, digits }] of Object.entries(EXAMPLES))
    test(`has the digits of example ${name}`, () => assertClose(output(input), digits.output, 5e-10));

  for (const [what, options] of Object.entries({
    'plain': {},
    'with a scale': { scale: 0.3 },
    'with a negative scale': { scale: -1 },
    'with a temperature': { temperature: 0.25 },
    'with a mask': { mask },
    'with a bias': { bias },
    'with everything': { mask, bias, scale: 0.7, temperature: 2 },
  }))
    test(`${what} is what the definition says`, () =>
      assertClose(output({ q, k, v, ...options }), attentionSteps({ q, k, v, ...options }).output, 1e-13));

  test('of a hundred random shapes is what the definition says', () => {
    for (let seed = 0; seed < 100; seed++) {
      const next = randomNumbers(seed);
      const [nq, nk, dk, dv] = Array.from({ length: 4 }, () => 1 + Math.floor(7 * next()));
      const call = { q: randomMatrix(next, nq, dk), k: randomMatrix(next, nk, dk), v: randomMatrix(next, nk, dv), mask: randomMask(next, nq, nk), temperature: 0.2 + next() };
      assertClose(output(call), attentionSteps(call).output, 1e-12, `seed ${seed}`);
    }
  });

  test('adds the bias before it divides by the temperature', () => {
    assertClose(output({ q: [[0]], k: [[0], [0]], v: [[1], [0]], bias: [[2, 0]], temperature: 2 }), [[1 / (1 + Math.exp(-1))]], 1e-15);
  });

  test('is the even mean of the values where all scores are equal', () => {
    const mean = v[0].map((_, c) => v.reduce((sum, row) => sum + row[c], 0) / v.length);
    assertClose(output({ q: [[0, 0, 0]], k, v }), [mean], 1e-15);
  });
});

describe('what may be seen', () => {
  for (const anchor of /** @type {const} */ (['top-left', 'bottom-right']))
    for (const [queries, keys] of [[4, 6], [4, 4], [4, 2]])
      test(`causal ${anchor}, ${queries} queries and ${keys} keys`, () => {
        const input = { q, k: k.slice(0, keys), v: v.slice(0, keys) };
        const expected = attentionSteps({ ...input, mask: causalMask(queries, keys, anchor) }).output;
        assertClose(output({ ...input, causal: anchor }), expected, 1e-13);
      });

  test('causal true is clear where both lengths are the same', () => {
    const input = { q, k: k.slice(0, 4), v: v.slice(0, 4) };
    assert.deepEqual(output({ ...input, causal: true }), output({ ...input, causal: 'top-left' }));
    assert.deepEqual(output({ ...input, causal: true }), output({ ...input, causal: 'bottom-right' }));
  });

  test('causal and a mask forbid together', () => {
    const both = causalMask(4, 6, 'top-left').map((row, i) => row.map((cell, j) => cell * mask[i][j]));
    assert.deepEqual(output({ q, k, v, mask, causal: 'top-left' }), output({ q, k, v, mask: both }));
  });

  test('a bias of −∞ forbids like a mask', () => {
    const forbidding = mask.map((row) => row.map((cell) => (cell ? 0 : -Infinity)));
    assert.deepEqual(output({ q, k, v, bias: forbidding }), output({ q, k, v, mask }));
  });

  test('nothing hidden leaks, not even NaN and infinities', () => {
    const hidden = [[1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]];
    const bad = [NaN, Infinity, -Infinity, NaN];
    const spoilt = (/** @type {number[][]} */ rows) => rows.map((row, j) => (j < 2 ? row : row.map(() => bad[j - 2])));
    assert.deepEqual(output({ q, k: spoilt(k), v: spoilt(v), mask: hidden }), output({ q, k, v, mask: hidden }));
  });

  test('a NaN that may be seen shows', () => {
    const spoilt = v.map((row, j) => (j === 5 ? row.map(() => NaN) : row));
    assert.ok(output({ q, k, v: spoilt }).flat().every(Number.isNaN));
  });

  for (const [emptyRow, weight, row] of /** @type {[any, number, number[]][]} */ ([
    [undefined, 0, Array(5).fill(0)],
    ['zero', 0, Array(5).fill(0)],
    ['nan', NaN, Array(5).fill(NaN)],
    ['uniform', 1 / 6, v[0].map((_, c) => v.reduce((sum, each) => sum + each[c], 0) / 6)],
  ]))
    test(`a row that may see nothing, emptyRow ${emptyRow}`, () => {
      const mask = [[0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]];
      const { output: found, kept } = core.attention({ q: q.slice(0, 2), k, v, mask, emptyRow, keep: 'weights' });
      assertClose(rowsOf(/** @type {any} */ (kept)), [Array(6).fill(weight), [1, 0, 0, 0, 0, 0]], 1e-15, 'weights');
      assertClose(rowsOf(found), [row, v[0]], 1e-15, 'output');
    });

  test('without any keys the output is zero', () => {
    const nothing = (/** @type {number} */ cols) => ({ shape: [0, cols], data: new Float64Array() });
    assert.deepEqual(output({ q, k: nothing(3), v: nothing(2) }), Array(4).fill([0, 0]));
  });
});

describe('keep', () => {
  const steps = attentionSteps({ q, k, v, mask, temperature: 2 });
  for (const keep of ['scaled', 'masked', 'weights'])
    test(`gives the ${keep} step too`, () => {
      const { kept } = core.attention(/** @type {any} */ ({ q, k, v, mask, temperature: 2, keep }));
      assertClose(rowsOf(/** @type {any} */ (kept)), steps[keep], 1e-13);
    });

  test('gives the scaled scores for a mask that is not there', () => {
    const { kept } = core.attention({ q, k, v, keep: 'masked' });
    assertClose(rowsOf(/** @type {any} */ (kept)), steps.scaled, 1e-15);
  });

  test('is not there unasked', () => assert.equal('kept' in core.attention({ q, k, v }), false));
});

describe('precision', () => {
  test('float64 is the default, float32 answers in float32', () => {
    assert.ok(core.attention({ q, k, v }).output.data instanceof Float64Array);
    const { output: narrow, kept } = core.attention({ q, k, v, precision: 'float32', keep: 'weights' });
    assert.ok(narrow.data instanceof Float32Array);
    assert.ok(kept?.data instanceof Float32Array);
    assertClose(rowsOf(narrow), attentionSteps({ q, k, v }).output, 1e-6);
  });

  test('float32 computes in float32', () => {
    const tiny = 2 ** -30; // lost beside 1 in 24 bits
    const scores = (/** @type {any} */ precision) => core.attention({ q: [[1, 1]], k: [[1, tiny]], v: [[1]], scale: 1, keep: 'scaled', precision }).kept;
    assert.equal(scores('float64')?.data[0], 1 + tiny);
    assert.equal(scores('float32')?.data[0], 1);
  });
});

test('the module has the version of the package', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  assert.equal(version, manifest.version);
  assert.equal(core.version, manifest.version);
});
