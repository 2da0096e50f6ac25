// attentionGradient(): against the tape's gradients, and against slopes between two points close by.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, randomMask, randomMatrix, randomNumbers, rowsOf } from './module.js';

const core = await loadAttention();
const TOLERANCES = /** @type {const} */ ([['float64', 1e-11], ['float32', 2e-5]]);
const NAMES = /** @type {const} */ (['q', 'k', 'v']);

/** @param {() => number} random @param {number[]} shape */
const tensor = (random, ...shape) => ({ shape, data: Float64Array.from({ length: shape.reduce((all, length) => all * length, 1) }, () => Math.fround(random() * 2 - 1)) });

/** Σ outputGradient·output for these inputs. @param {any} call */
function loss({ outputGradient, precision, ...call }) {
  const output = core.streamingAttention(call).data;
  return output.reduce((/** @type {number} */ sum, /** @type {number} */ cell, /** @type {number} */ i) => sum + cell * outputGradient.data[i], 0);
}

/** Its slope in every number of an input. @param {any} call @param {'q' | 'k' | 'v'} name */
function slopes(call, name) {
  const { shape, data } = call[name], step = 2 ** -17;
  return { shape, data: data.map((/** @type {number} */ _, /** @type {number} */ at) => {
    const [above, below] = [step, -step].map((by) => loss({ ...call, [name]: { shape, data: data.map((/** @type {number} */ cell, /** @type {number} */ i) => cell + (i === at ? by : 0)) } }));
    return (above - below) / (2 * step);
  }) };
}

/** @param {any} actual @param {any} expected @param {number} tolerance @param {string} what */
function assertSame(actual, expected, tolerance, what) {
  assert.deepEqual(actual.shape, expected.shape, what);
  assertClose([[...actual.data]], [[...expected.data]], tolerance, what);
}

for (const [precision, tolerance] of TOLERANCES)
  describe(`attentionGradient in ${precision}`, () => {
    test('is what the tape records', () => {
      const random = randomNumbers(5);
      const [q, k, v, given] = [randomMatrix(random, 3, 4), randomMatrix(random, 5, 4), randomMatrix(random, 5, 2), randomMatrix(random, 3, 2)];
      const mask = randomMask(random, 3, 5), bias = randomMatrix(random, 3, 5);
      const options = { scale: 0.4, softcap: 1.5, temperature: 0.7, causal: /** @type {const} */ ('bottom-right') };
      const found = core.attentionGradient({ q, k, v, mask, bias, outputGradient: given, ...options, precision });
      const trace = core.trace({ recipe: 'attention', inputs: { q, k, v, mask, bias }, options });
      for (const name of NAMES) {
        const sum = rowsOf(found[name]).map((row) => row.map(() => 0));
        given.forEach((cells, row) => cells.forEach((weight, col) => {
          const { steps } = core.gradient(trace, { of: { key: 'output', row, col }, wrt: name });
          const step = steps.find(({ key }) => key === `grad/${name.toUpperCase()}`);
          assert.ok(step);
          rowsOf(step).forEach((numbers, i) => numbers.forEach((number, j) => { sum[i][j] += weight * number; }));
        }));
        assertClose(rowsOf(found[name]), sum, tolerance, name);
      }
    });

    const random = randomNumbers(6);
    const [q, k, v, given] = [tensor(random, 2, 4, 3, 2), tensor(random, 2, 2, 5, 2), tensor(random, 2, 2, 5, 3), tensor(random, 2, 4, 3, 3)];
    const packed = { q: tensor(random, 3, 8), k: tensor(random, 5, 4), v: tensor(random, 5, 6), outputGradient: tensor(random, 3, 12), heads: 4, kvHeads: 2 };
    /** @type {[string, any][]} */
    const calls = [
      ['matrices', { q: tensor(random, 3, 2), k: tensor(random, 5, 2), v: tensor(random, 5, 4), outputGradient: tensor(random, 3, 4) }],
      ['shared heads', { q, k, v, outputGradient: given }],
      ['heads side by side', packed],
      ['lengths', { q, k, v, outputGradient: given, kvLengths: [2, 5] }],
      ['padding and a window', { q, k, v, outputGradient: given, padding: [[1, 1, 0, 1, 1], [0, 1, 1, 1, 1]], window: [2, 1] }],
      ['keys from before', { q, k, v, outputGradient: given, pastKey: tensor(random, 2, 2, 3, 2), pastValue: tensor(random, 2, 2, 3, 3), causal: 'top-left' }],
      ['a mask of fewer keys, and a row that sees none', { q, k, v, outputGradient: given, mask: [[1, 1, 0], [0, 0, 0], [0, 1, 1]] }],
    ];
    for (const [name, call] of calls)
      test(`${name}: is the slope of the output`, () => {
        const found = core.attentionGradient({ ...call, precision });
        for (const input of NAMES) {
          assert.ok(found[input].data instanceof (precision === 'float32' ? Float32Array : Float64Array));
          assertSame(found[input], slopes(call, input), Math.max(tolerance, 1e-8), input);
        }
      });

    test('what stands behind a mask reaches nothing', () => {
      const [a, b, c, d] = [tensor(random, 3, 2), tensor(random, 4, 2), tensor(random, 4, 2), tensor(random, 3, 2)];
      const call = { q: a, k: b, v: c, outputGradient: d, mask: [1, 0, 1, 1], precision };
      const clean = core.attentionGradient(call);
      for (const poison of [NaN, Infinity, -Infinity])
        for (const hidden of [b, c]) {
          const before = hidden.data[2];
          hidden.data[2] = poison;
          const found = core.attentionGradient(call);
          for (const input of NAMES) assertSame(found[input], clean[input], 1e-6, `${poison}, ${input}`);
          hidden.data[2] = before;
        }
    });

    test('without queries or keys there is nothing to change', () => {
      const none = core.attentionGradient({ q: { shape: [0, 2], data: [] }, k: tensor(random, 3, 2), v: tensor(random, 3, 1), outputGradient: { shape: [0, 1], data: [] }, precision });
      assert.deepEqual(NAMES.map((name) => [none[name].shape, [...none[name].data]]), [[[0, 2], []], [[3, 2], [0, 0, 0, 0, 0, 0]], [[3, 1], [0, 0, 0]]]);
      const alone = core.attentionGradient({ q: tensor(random, 1, 2), k: { shape: [0, 2], data: [] }, v: { shape: [0, 3], data: [] }, outputGradient: tensor(random, 1, 3), precision });
      assert.deepEqual([...alone.q.data], [0, 0]);
    });
  });

describe('attentionGradient refuses', () => {
  const good = { q: [[1, 2]], k: [[1, 2], [3, 4]], v: [[1, 2, 3], [4, 5, 6]], outputGradient: [[1, 0, 0]] };
  for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['no gradient of the output', { ...good, outputGradient: undefined }, 'missing', 'outputGradient'],
    ['one of another shape', { ...good, outputGradient: [[1, 0]] }, 'dimension-mismatch', 'outputGradient'],
    ['one without the axes of q', { ...good, outputGradient: [1, 0, 0] }, 'dimension-mismatch', 'outputGradient'],
    ['another policy of empty rows', { ...good, emptyRow: 'uniform' }, 'not-a-choice', 'emptyRow'],
    ['a place for the answer, since there are three', { ...good, out: new Float64Array(3) }, 'unknown-option', 'out'],
    ['steps to keep', { ...good, keep: 'weights' }, 'unknown-option', 'keep'],
    ['keys of another width', { ...good, k: [[1], [3]] }, 'dimension-mismatch', 'k'],
    ['no call', null, 'not-an-object', 'call'],
  ]))
    test(what, () => void errorOf(() => core.attentionGradient(call), { code, field }));
});
