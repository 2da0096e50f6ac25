// softmax(): along any axis, at any temperature, in the precision that was asked for.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, randomNumbers } from './module.js';

const core = await loadAttention();

/** @param {any} x @param {any} [options] */
const softmax = (x, options = {}) => [...core.softmax({ x, ...options }).data];

/** Straight from the definition, one line of numbers after the other. @param {{ shape: number[], data: Float64Array }} tensor @param {number} axis @param {number} temperature */
function defined({ shape, data }, axis, temperature) {
  const inner = shape.slice(axis + 1).reduce((all, length) => all * length, 1);
  const stride = inner * shape[axis];
  return data.map((number, at) => {
    const first = Math.floor(at / stride) * stride + (at % inner);
    let sum = 0;
    for (let i = 0; i < shape[axis]; i++) sum += Math.exp((data[first + i * inner] - number) / temperature);
    return 1 / sum;
  });
}

describe('softmax', () => {
  const random = randomNumbers(4);
  for (const shape of [[5], [1], [3, 4], [2, 3, 4], [2, 1, 3, 2], [4, 0]])
    for (let axis = 0; axis < shape.length; axis++)
      test(`along axis ${axis} of [${shape}]`, () => {
        const x = { shape, data: Float64Array.from({ length: shape.reduce((all, length) => all * length, 1) }, () => 6 * random() - 3) };
        for (const temperature of [1, 0.4]) {
          const found = core.softmax({ x, axis, temperature });
          assert.deepEqual(found.shape, shape);
          assertClose([[...found.data]], [[...defined(x, axis, temperature)]], 1e-14);
          assert.deepEqual(softmax(x, { axis: axis - shape.length, temperature }), [...found.data], 'counted from the end');
        }
      });

  test('of floats beside a row with infinity, and where a float over the temperature is none', () => {
    const precision = 'float32', infinity = 'limit';
    for (const [row, temperature] of /** @type {[number[], number][]} */ ([[[7855.83837890625, 7855.91064453125], 0.1], [[1000.125, 1003.25, -4000, 20], 3], [[1e4, 1], 1e-35], [[1e10, 1], 1e-31], [[1e-30, 0], 1e-31]])) {
      const tensor = { shape: [1, row.length], data: Float64Array.from(row, Math.fround) };
      const expected = [...defined(tensor, 1, temperature)];
      assertClose([softmax([row], { temperature, precision })], [expected], 5e-7);
      const both = softmax([row.map((_, at) => (at === 0 ? Infinity : 0)), row], { temperature, infinity, precision });
      assertClose([both.slice(row.length)], [expected], 5e-7);
    }
  });

  test('is along the last axis by default', () => assert.deepEqual(softmax([[0, 0], [5, 5]]), [0.5, 0.5, 0.5, 0.5]));

  test('sees differences only', () => assertClose([softmax([10, 9])], [softmax([2, 1])], 1e-15));

  test('sums to 1 and is never negative', () => {
    const shares = softmax(Array.from({ length: 64 }, () => 40 * random() - 20));
    assert.ok(shares.every((share) => share >= 0));
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-14);
  });

  test('has limits at temperature 0 and Infinity', () => {
    assert.deepEqual(softmax([1, 3, 2], { temperature: 0 }), [0, 1, 0]);
    assert.deepEqual(softmax([3, 1, 3], { temperature: 0 }), [0.5, 0, 0.5]);
    assert.deepEqual(softmax([1, 3, 2, -8], { temperature: Infinity }), [0.25, 0.25, 0.25, 0.25]);
  });

  test('of large scores is NaN by hand and a number when stable', () => {
    assertClose([softmax([800, 799])], [softmax([1, 0])], 1e-15);
    assert.deepEqual(softmax([800, 0], { stable: false }), [NaN, 0]);
  });

  test('of an infinite score is NaN, or on request the limit of one that grows: everything to it, shared between several', () => {
    assert.ok(softmax([3, Infinity]).some(Number.isNaN));
    const limit = (/** @type {number[]} */ x) => softmax(x, { infinity: 'limit' });
    assert.deepEqual(limit([3, Infinity]), [0, 1]);
    assert.deepEqual(limit([Infinity, -Infinity, Infinity]), [0.5, 0, 0.5]);
    assert.deepEqual(limit([2, 1]), softmax([2, 1]));
    assert.ok(limit([NaN, Infinity]).every(Number.isNaN));
    errorOf(() => softmax([1], { infinity: 'wins' }), { code: 'not-a-choice', field: 'infinity' });
  });

  test('shows where float32 ends', () => {
    const byHand = (/** @type {number[]} */ x) => softmax(x, { stable: false, precision: 'float32' });
    assert.deepEqual(byHand([88.5, 88.5]), [0, 0]); // each exp is finite, their sum is not
    assert.deepEqual(byHand([89, 80]), [NaN, 0]);
    assert.deepEqual(softmax([88.5, 88.5], { precision: 'float32' }), [0.5, 0.5]);
    assert.ok(core.softmax({ x: [1, 2], precision: 'float32' }).data instanceof Float32Array);
  });

  for (const axis of [1, -2, 0.5, NaN, '0', null, 1n, -1n])
    test(`refuses axis ${typeof axis} ${axis} of a list`, () => void errorOf(() => softmax([1, 2], { axis }), { code: 'bad-axis', field: 'axis' }));

  test('refuses a lone number, which has no axis', () => void errorOf(() => softmax(3), { code: 'bad-axis', field: 'axis' }));

  // 1/T is infinite, so scores would be, and their differences NaN; the limit is at hand for 0 alone.
  for (const [temperature, precision] of [[5e-324, 'float64'], [1e-309, 'float64'], [1e-50, 'float32'], [1e-39, 'float32']])
    test(`refuses temperature ${temperature} in ${precision}`, () => void errorOf(() => softmax([1, 2], { temperature, precision }), { code: 'temperature-not-positive', field: 'temperature' }));

  test('is as precise in float32 whatever becomes of infinity, where there is none', () => {
    const x = { shape: [2, 50_000], data: Float32Array.from({ length: 100_000 }, (_, i) => Math.sin(i * 1.7)) };
    const found = softmax(x, { infinity: 'limit', precision: 'float32' }), wanted = softmax(x);
    const largest = wanted.reduce((most, weight) => Math.max(most, weight));
    assert.ok(found.every((weight, at) => Math.abs(weight - wanted[at]) <= 5e-7 * largest));
    assert.deepEqual(softmax([3e38, 1], { temperature: 0.5, infinity: 'limit', precision: 'float32' }), [1, 0]);
    assert.deepEqual(softmax([1e39, 1], { infinity: 'limit', precision: 'float32' }), [1, 0]);
  });
  test('takes a temperature beyond float32 as Infinity there', () => {
    assert.deepEqual(softmax([1, 2, -Infinity], { temperature: 1e300, precision: 'float32' }), [0.5, 0.5, 0]);
  });

  for (const temperature of [-1, NaN, '1'])
    test(`refuses temperature ${temperature}`, () => void errorOf(() => softmax([1, 2], { temperature }), { code: 'temperature-not-positive', field: 'temperature' }));
});
