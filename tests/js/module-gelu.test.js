// gelu(): x·Φ(x), and its form with tanh.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention } from './module.js';

const core = await loadAttention();

/** @param {any} x @param {any} [options] */
const gelu = (x, options = {}) => [...core.gelu({ x, ...options }).data];

describe('gelu', () => {
  test('is x·Φ(x)', () => // Φ from Abramowitz & Stegun 1964, table 26.1
    assertClose([gelu([0, 1, -1, 2])], [[0, 0.841344746068543, -0.158655253931457, 2 * 0.977249868051821]], 1e-14));

  test('with tanh is what Keras says', () => // keras/src/ops/nn_test.py
    assertClose([gelu([-1, 0, 1, 2, 3], { approximate: 'tanh' })], [[-0.15880796, 0, 0.841192, 1.9545977, 2.9963627]], 1e-7));

  test('has a tail to the end of the numbers', () => {
    // −log₁₀(1 − Φ(x)) from Abramowitz & Stegun 1964, table 26.2.
    for (const [x, logarithm] of [[5, 6.54265], [10, 23.11805], [20, 88.5601]]) assert.ok(Math.abs(-Math.log10(gelu([-x])[0] / -x) - logarithm) < 6e-6);
    for (const approximate of ['none', 'tanh']) {
      assert.ok(gelu([-8.5], { approximate })[0] < 0);
      for (let x = 0.25; x < 12; x += 0.25) {
        const [right, left] = gelu([x, -x], { approximate });
        assert.ok(Math.abs(right - left - x) <= 4e-16 * x);
      }
    }
  });

  test('at the ends', () => {
    for (const approximate of ['none', 'tanh'])
      for (const precision of ['float64', 'float32'])
        assert.deepEqual(gelu([Infinity, -Infinity, NaN, 1e30, -1e30], { approximate, precision }), [Infinity, -0, NaN, precision === 'float32' ? Math.fround(1e30) : 1e30, -0]);
  });

  test('keeps any shape', () => {
    assert.deepEqual(core.gelu({ x: 1 }).shape, []);
    assert.deepEqual(core.gelu({ x: [[[1], [2]]] }).shape, [1, 2, 1]);
    assert.deepEqual(core.gelu({ x: [] }).shape, [0]);
  });

  test('in float32 is rounded once', () => {
    const x = Float32Array.from({ length: 400 }, (_, i) => i / 16 - 13);
    for (const approximate of /** @type {const} */ (['none', 'tanh'])) {
      const narrow = core.gelu({ x, approximate, precision: 'float32' }).data;
      assert.ok(narrow instanceof Float32Array);
      assert.deepEqual(narrow, Float32Array.from(core.gelu({ x, approximate }).data));
    }
  });

  for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['nothing', {}, 'missing', 'x'],
    ['text', { x: 'one' }, 'not-a-number', 'x'],
    ['an unknown form', { x: 1, approximate: 'sigmoid' }, 'not-a-choice', 'approximate'],
    ['true as a form', { x: 1, approximate: true }, 'not-a-choice', 'approximate'],
    ['an unknown precision', { x: 1, precision: 'bfloat16' }, 'not-a-choice', 'precision'],
    ['a misspelt option', { x: 1, aproximate: 'tanh' }, 'unknown-option', 'aproximate'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => core.gelu(call), { code, field }));
});
