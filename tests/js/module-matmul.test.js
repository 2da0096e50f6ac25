// matmul(): products by NumPy's rules, https://numpy.org/doc/stable/reference/generated/numpy.matmul.html

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, randomMatrix, randomNumbers, rowsOf } from './module.js';

const core = await loadAttention();

/** @param {any} a @param {any} b @param {any} [options] */
const matmul = (a, b, options = {}) => core.matmul({ a, b, ...options });

describe('matmul', () => {
  test('is what the page of NumPy says', () => {
    assert.deepEqual(rowsOf(matmul([[1, 0], [0, 1]], [[4, 1], [2, 2]])), [[4, 1], [2, 2]]);
    assert.deepEqual(matmul([[1, 0], [0, 1]], [1, 2]), { shape: [2], data: Float64Array.of(1, 2) });
    assert.deepEqual(matmul([1, 2], [[1, 0], [0, 1]]), { shape: [2], data: Float64Array.of(1, 2) });
    const a = { shape: [2, 2, 4], data: Float64Array.from({ length: 16 }, (_, i) => i) }, b = { shape: [2, 4, 2], data: a.data };
    const product = matmul(a, b);
    assert.deepEqual(product.shape, [2, 2, 2]);
    assert.equal(product.data[1], 34); // cell (0, 0, 1): 0·1 + 1·3 + 2·5 + 3·7
    assert.deepEqual(matmul([2, 3], [2, 3]), { shape: [], data: Float64Array.of(13) });
  });

  test('takes every pair of shapes that fit', () => {
    const shapes = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
      matmul(...[a, b].map((shape) => ({ shape, data: new Float64Array(shape.reduce((all, length) => all * length, 1)) }))).shape;
    assert.deepEqual(shapes([4], [2, 4, 1]), [2, 1]);
    assert.deepEqual(shapes([9, 5, 7, 4], [9, 5, 4, 3]), [9, 5, 7, 3]);
    assert.deepEqual(shapes([3, 1, 3, 4], [1, 2, 4, 2]), [3, 2, 3, 2]);
    assert.deepEqual(shapes([2, 0], [0, 3]), [2, 3]);
    assert.deepEqual(shapes([0, 2], [2, 3]), [0, 3]);
  });

  test('is associative, and its transposed is the product of the transposed', () => {
    const random = randomNumbers(1);
    const [a, b, c] = [randomMatrix(random, 3, 4), randomMatrix(random, 4, 5), randomMatrix(random, 5, 2)];
    const transposed = (/** @type {number[][]} */ rows) => rows[0].map((_, col) => rows.map((row) => row[col]));
    assertClose(rowsOf(matmul(matmul(a, b), c)), rowsOf(matmul(a, matmul(b, c))), 1e-13);
    assertClose(rowsOf(matmul(transposed(b), transposed(a))), transposed(rowsOf(matmul(a, b))), 1e-15);
  });

  test('sums in the precision that was asked for', () => {
    const { data } = matmul([1, 1, 1], [2 ** 24, 1, 1], { precision: 'float32' });
    assert.deepEqual(data, Float32Array.of(2 ** 24)); // 2²⁴ + 1 is no float
    assert.deepEqual(matmul([1, 1, 1], [2 ** 24, 1, 1]).data, Float64Array.of(2 ** 24 + 2));
  });

  test('passes NaN and infinity to their row and column alone', () =>
    assert.deepEqual(rowsOf(matmul([[0, 1], [1, 1]], [[Infinity, 2], [3, 4]])), [[NaN, 4], [Infinity, 6]]));

  test('refuses a product that no memory holds, and goes on', () => {
    const [a, b] = [[65536, 1], [1, 65536]].map((shape) => ({ shape, data: new Float64Array(65536) }));
    assert.match(errorOf(() => matmul(a, b), { code: 'bad-size', field: 'b' }).message, /\[1, 65536\].*\[65536, 1\]/);
    errorOf(() => matmul({ ...a, data: new Float64Array(65536) }, { shape: [1, 30000], data: new Float64Array(30000) }), { code: 'out-of-memory' });
    assert.deepEqual([...matmul([1], [2]).data], [2]);
  });

  for (const [what, a, b, code, field] of /** @type {[string, any, any, string, string][]} */ ([
    ['nothing', undefined, [1], 'missing', 'a'],
    ['nothing on the right', [1], null, 'missing', 'b'],
    ['a number', 2, [1], 'bad-rank', 'a'],
    ['a number on the right', [1], 2, 'bad-rank', 'b'],
    ['lengths that differ', [[1, 2, 3]], [[1, 2, 3]], 'dimension-mismatch', 'b'],
    ['lists that differ', [1, 2], [1, 2, 3], 'dimension-mismatch', 'b'],
    ['a length of 1 that is not broadcast', [[1, 2]], [[1, 2]], 'dimension-mismatch', 'b'],
    ['batches that differ', [[[1]], [[1]]], [[[1]], [[1]], [[1]]], 'dimension-mismatch', 'b'],
    ['text', [['1']], [[1]], 'not-a-number', 'a'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => matmul(a, b), { code, field }));

  test('names the field: a misspelt option', () => void errorOf(() => matmul([1], [1], { precison: 'float32' }), { code: 'unknown-option', field: 'precison' }));
  test('says both shapes', () => assert.match(errorOf(() => matmul([[1, 2, 3]], [[1, 2]])).message, /\[1, 2\].*\[1, 3\]/));
});
