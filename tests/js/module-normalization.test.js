// layerNorm() and rmsNorm(): rows brought to one scale, over the last axes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, randomMatrix, randomNumbers, rowsOf } from './module.js';

const core = await loadAttention();

describe('layerNorm', () => {
  const x = randomMatrix(randomNumbers(1), 5, 8);

  test('gives rows of mean 0 and variance 1', () => {
    for (const row of rowsOf(core.layerNorm({ x, epsilon: 0 }).output)) {
      assert.ok(Math.abs(row.reduce((sum, cell) => sum + cell, 0)) < 1e-14);
      assert.ok(Math.abs(row.reduce((sum, cell) => sum + cell * cell, 0) / row.length - 1) < 1e-14);
    }
  });

  test('divides by n, and has an epsilon of 1e-5', () => // PyTorch's own, from codertimo/BERT-pytorch issue 30
    assertClose([[...core.layerNorm({ x: [1, 0, 0, 0] }).output.data]], [[1.732, -0.5773, -0.5773, -0.5773]], 1e-4));

  test('adds epsilon under the root', () => {
    assert.deepEqual([...core.layerNorm({ x: [1, -1], epsilon: 3 }).output.data], [0.5, -0.5]);
    assert.equal(core.layerNorm({ x: [0, 0] }).invStdDev.data[0], 1 / Math.sqrt(1e-5));
  });

  test('says what it took off, with 1 from the axis on', () => {
    const cube = { shape: [2, 3, 4], data: Float64Array.from({ length: 24 }, (_, i) => i * i) };
    for (const [axis, shape] of /** @type {[number, number[]][]} */ ([[0, [1, 1, 1]], [1, [2, 1, 1]], [2, [2, 3, 1]]])) {
      const { output, mean, invStdDev } = core.layerNorm({ x: cube, axis });
      assert.deepEqual([output.shape, mean.shape, invStdDev.shape], [[2, 3, 4], shape, shape]);
      const length = 24 / mean.data.length;
      cube.data.forEach((cell, i) => {
        const line = Math.floor(i / length);
        assert.ok(Math.abs((cell - mean.data[line]) * invStdDev.data[line] - output.data[i]) < 1e-13);
      });
      assert.deepEqual(core.layerNorm({ x: cube, axis: axis - 3 }), { output, mean, invStdDev });
    }
  });

  test('scales and moves by the shape of what is normalised, or one that is broadcast to it', () => {
    const cube = { shape: [2, 2, 2], data: [1, -1, 1, -1, 1, -1, 1, -1] };
    const output = (/** @type {any} */ call) => [...core.layerNorm({ x: cube, epsilon: 0, ...call }).output.data];
    assert.deepEqual(output({ scale: [2, 3], bias: 1 }), [3, -2, 3, -2, 3, -2, 3, -2]);
    assert.deepEqual(output({ axis: 1, bias: [[10], [20]] }), [11, 9, 21, 19, 11, 9, 21, 19]);
    assert.deepEqual(output({ axis: 0, scale: [[10], [20]] }), [10, -10, 20, -20, 10, -10, 20, -20]);
  });

  test('is not misled by a row far from 0, in float32 either', () => {
    const near = Float32Array.from({ length: 60 }, (_, i) => (i * i % 61) / 4), far = near.map((cell) => cell + 65536);
    const [expected, found] = [near, far].map((row) => [...core.layerNorm({ x: row, epsilon: 0, precision: 'float32' }).output.data]);
    assertClose([found], [expected], 1e-6);
  });

  test('gives Float32Array for float32', () => {
    const { output, mean, invStdDev } = core.layerNorm({ x, precision: 'float32' });
    for (const { data } of [output, mean, invStdDev]) assert.ok(data instanceof Float32Array);
  });
});

describe('rmsNorm', () => {
  test('takes off no mean', () => {
    assertClose([[...core.rmsNorm({ x: [3, 4], epsilon: 0 }).data]], [[0.6 * Math.SQRT2, 0.8 * Math.SQRT2]], 1e-15);
    assert.deepEqual([...core.rmsNorm({ x: [2, 2], epsilon: 12 }).data], [0.5, 0.5]);
  });

  test('does not see the size of its row', () => {
    const x = randomMatrix(randomNumbers(2), 4, 6);
    assert.deepEqual(core.rmsNorm({ x: x.map((row) => row.map((cell) => 8 * cell)), epsilon: 0 }), core.rmsNorm({ x, epsilon: 0 }));
  });

  test('of rows of mean 0 is layer normalisation', () => {
    const x = randomMatrix(randomNumbers(3), 4, 6).map((row) => [...row, ...row.map((cell) => -cell)]);
    assertClose(rowsOf(core.rmsNorm({ x })), rowsOf(core.layerNorm({ x }).output), 1e-14);
  });

  test('is what Keras says', () => // keras/src/layers/normalization/rms_normalization_test.py
    assertClose([[...core.rmsNorm({ x: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], epsilon: 1e-6, precision: 'float32' }).data]],
      [[0, 0.18731716, 0.37463433, 0.5619515, 0.74926865, 0.9365858, 1.123903, 1.3112202, 1.4985373, 1.6858544]], 1.5e-6));

  test('goes over the axes that layerNorm goes over', () => {
    const x = { shape: [2, 3, 4], data: Float64Array.from({ length: 24 }, (_, i) => i - 7) };
    const scale = { shape: [3, 1], data: [1, 10, 100] };
    const { shape, data } = core.rmsNorm({ x, axis: -2, scale, epsilon: 0 });
    assert.deepEqual(shape, [2, 3, 4]);
    const root = Math.sqrt(x.data.slice(0, 12).reduce((sum, cell) => sum + cell * cell, 0) / 12);
    assertClose([[...data.slice(0, 12)]], [[...x.data.slice(0, 12)].map((cell, i) => cell / root * 10 ** Math.floor(i / 4))], 1e-13);
  });
});

for (const [name, call] of /** @type {[string, (call: any) => unknown][]} */ ([['layerNorm', core.layerNorm], ['rmsNorm', core.rmsNorm]]))
  describe(`${name} names the field`, () => {
    const x = [[1, 2, 3], [4, 5, 7]];
    for (const [what, change, code, field] of /** @type {[string, any, string, string][]} */ ([
      ['nothing', { x: undefined }, 'missing', 'x'],
      ['a number without axes', { x: 3 }, 'bad-axis', 'axis'],
      ['an axis too many', { axis: 2 }, 'bad-axis', 'axis'],
      ['an axis before the first', { axis: -3 }, 'bad-axis', 'axis'],
      ['null as axis', { axis: null }, 'bad-axis', 'axis'],
      ['a negative epsilon', { epsilon: -1e-5 }, 'bad-epsilon', 'epsilon'],
      ['an epsilon beyond float32', { epsilon: 1e300, precision: 'float32' }, 'bad-epsilon', 'epsilon'],
      ['an infinite epsilon', { epsilon: Infinity }, 'not-finite', 'epsilon'],
      ['NaN as epsilon', { epsilon: NaN }, 'not-finite', 'epsilon'],
      ['text as epsilon', { epsilon: '1e-5' }, 'not-finite', 'epsilon'],
      ['a scale of another length', { scale: [1, 2] }, 'dimension-mismatch', 'scale'],
      ['a scale of more axes', { scale: x }, 'dimension-mismatch', 'scale'],
      ['text as scale', { scale: ['1', '1', '1'] }, 'not-a-number', 'scale'],
      ['an unknown precision', { precision: 16 }, 'not-a-choice', 'precision'],
      ['a misspelt option', { eps: 1e-5 }, 'unknown-option', 'eps'],
    ]))
      test(what, () => void errorOf(() => call({ x, ...change }), { code, field }));

    test('with both shapes', () => assert.match(errorOf(() => call({ x, scale: [1, 2] })).message, /\[2\].*\[2, 3\]/));
  });

test('rmsNorm has no bias', () => void errorOf(() => core.rmsNorm(/** @type {any} */ ({ x: [1], bias: [1] })), { code: 'unknown-option', field: 'bias' }));
test('layerNorm names the field: a bias of another length', () =>
  assert.match(errorOf(() => core.layerNorm({ x: [[1, 2]], bias: [1, 2, 3] }), { code: 'dimension-mismatch', field: 'bias' }).message, /\[3\].*\[1, 2\]/));
