// logSoftmax(): the logarithm of softmax along any axis, without the loss of taking one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, randomNumbers } from './module.js';

const core = await loadAttention();

/** @param {any} x @param {any} [options] */
const logSoftmax = (x, options = {}) => [...core.logSoftmax({ x, ...options }).data];

describe('logSoftmax', () => {
  test('never takes the logarithm of a softmax', () => {
    for (const precision of ['float64', 'float32']) {
      assert.deepEqual(logSoftmax([0, -1000], { precision }), [0, -1000]);
      assert.deepEqual(logSoftmax([1000, 1], { precision }), [0, -999]); // SciPy, test_logsumexp.py
    }
  });

  test('is what 200 digits say', () => // SciPy, scipy/special/tests/test_logsumexp.py
    assertClose([logSoftmax([0, 1, 2, 3])], [[-3.4401896985611953, -2.4401896985611953, -1.4401896985611953, -0.44018969856119533]], 1e-15));

  test('sums to 1 as exponentials, and is log of softmax where that is no loss, along every axis', () => {
    const random = randomNumbers(1);
    for (const shape of [[5], [3, 4], [2, 3, 4], [2, 1, 3, 2]])
      for (let axis = 0; axis < shape.length; axis++) {
        const x = { shape, data: Float64Array.from({ length: shape.reduce((all, length) => all * length) }, () => 6 * random() - 3) };
        const found = core.logSoftmax({ x, axis });
        assert.deepEqual(found.shape, shape);
        assertClose([[...found.data]], [[...core.softmax({ x, axis }).data].map(Math.log)], 1e-13);
        assert.deepEqual(logSoftmax(x, { axis: axis - shape.length }), [...found.data], 'counted from the end');
        const inner = shape.slice(axis + 1).reduce((all, length) => all * length, 1);
        const sums = new Map();
        found.data.forEach((cell, at) => {
          const line = Math.floor(at / (inner * shape[axis])) * inner + (at % inner);
          sums.set(line, (sums.get(line) ?? 0) + Math.exp(cell));
        });
        for (const sum of sums.values()) assert.ok(Math.abs(sum - 1) < 1e-14);
      }
  });

  test('is along the last axis by default', () => assertClose([logSoftmax([[1, 1], [7, 7]])], [Array(4).fill(-Math.LN2)], 1e-15));

  test('of infinities', () => {
    assertClose([logSoftmax([0, -Infinity, 0])], [[-Math.LN2, -Infinity, -Math.LN2]], 1e-15);
    for (const x of [[1, Infinity, 2], [1, NaN, -Infinity], [-Infinity, -Infinity, -Infinity]]) assert.deepEqual(logSoftmax(x), [NaN, NaN, NaN]);
  });

  test('of nothing is nothing', () => {
    assert.deepEqual(core.logSoftmax({ x: { shape: [4, 0], data: [] } }).shape, [4, 0]);
    assert.deepEqual(core.logSoftmax({ x: { shape: [4, 0], data: [] }, axis: 0 }).shape, [4, 0]);
  });

  test('computes in the precision that was asked for, and gives data away', () => {
    const narrow = core.logSoftmax({ x: [0.1, 0.2], precision: 'float32' });
    assert.ok(narrow.data instanceof Float32Array);
    const wide = core.logSoftmax({ x: [0.1, 0.2] });
    assert.ok(wide.data instanceof Float64Array);
    const before = [...wide.data];
    core.logSoftmax({ x: [5, 6] });
    assert.deepEqual([...wide.data], before);
  });

  for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['nothing', {}, 'missing', 'x'],
    ['a number without axes', { x: 3 }, 'bad-axis', 'axis'],
    ['an axis too many', { x: [[1]], axis: 2 }, 'bad-axis', 'axis'],
    ['null for every axis', { x: [[1]], axis: null }, 'bad-axis', 'axis'],
    ['half an axis', { x: [1], axis: 0.5 }, 'bad-axis', 'axis'],
    ['ragged rows', { x: [[1, 2], [3]] }, 'ragged', 'x'],
    ['an unknown precision', { x: [1], precision: 'half' }, 'not-a-choice', 'precision'],
    ['a temperature', { x: [1], temperature: 2 }, 'unknown-option', 'temperature'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => core.logSoftmax(call), { code, field }));

  test('names the field: no call', () => void errorOf(() => core.logSoftmax(/** @type {any} */ (undefined)), { code: 'not-an-object' }));
});
