// Answers that go where the caller wants them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps } from './formula.js';
import { errorOf, loadAttention, randomNumbers, rowsOf } from './module.js';

const core = await loadAttention();
const random = randomNumbers(9);
const KINDS = /** @type {const} */ ({ float64: Float64Array, float32: Float32Array });
const PRECISIONS = /** @type {const} */ (['float64', 'float32']);

/** @param {'float64' | 'float32'} precision @param {number[]} shape */
const tensor = (precision, ...shape) => ({ shape, data: KINDS[precision].from({ length: shape.reduce((all, length) => all * length) }, () => random() * 4 - 2) });

/** Calls of every way into the core, and the shapes of their answers. @param {'float64' | 'float32'} precision @returns {[string, (out?: any) => any, number[]][]} */
function calls(precision) {
  const [q, k, v] = [tensor(precision, 3, 2), tensor(precision, 4, 2), tensor(precision, 4, 5)], heads = tensor(precision, 2, 3, 4);
  const [a, b, x] = [tensor(precision, 3, 4), tensor(precision, 4, 2), tensor(precision, 3, 4)];
  return [
    ['streamingAttention', (out) => core.streamingAttention({ q, k, v, precision, out }), [3, 5]],
    ['streamingAttention with a mask', (out) => core.streamingAttention({ q, k, v, mask: [1, 0, 1, 1], precision, out }), [3, 5]],
    ['attention of heads', (out) => core.attention({ q: heads, k: heads, v: heads, precision, out }).output, [2, 3, 4]],
    ['attention with its weights', (out) => core.attention({ q, k, v, keep: 'weights', precision, out }).output, [3, 5]],
    ['matmul', (out) => core.matmul({ a, b, precision, out }), [3, 2]],
    ['matmul of batches', (out) => core.matmul({ a: heads, b, precision, out }), [2, 3, 2]],
    ['softmax', (out) => core.softmax({ x, precision, out }), [3, 4]],
    ['softmax of columns', (out) => core.softmax({ x, axis: 0, precision, out }), [3, 4]],
    ['softmax at temperature 0', (out) => core.softmax({ x, temperature: 0, precision, out }), [3, 4]],
  ];
}

for (const precision of PRECISIONS)
  describe(`out, in ${precision}`, () => {
    for (const [name, call, shape] of calls(precision)) {
      const size = shape.reduce((all, length) => all * length);
      const kind = KINDS[precision];

      test(`${name}: takes the answer, and nothing beside it changes`, () => {
        const around = new kind(size + 2).fill(7);
        const out = around.subarray(1, size + 1);
        const answer = call(out);
        assert.equal(answer.data, out);
        assert.deepEqual(answer.shape, shape);
        assert.deepEqual(out.slice(), call().data);
        assert.deepEqual([around[0], around[size + 1]], [7, 7]);
      });

      test(`${name}: is refused when it does not fit, and stays as it was`, () => {
        const other = precision === 'float32' ? Float64Array : Float32Array;
        for (const out of [new kind(size - 1), new kind(size + 1), new other(size), Array.from({ length: size }, () => 0), null, size]) {
          const error = errorOf(() => call(out), { code: 'bad-shape', field: 'out' });
          assert.match(error.message, new RegExp(`${kind.name} of ${size} numbers`));
          if (ArrayBuffer.isView(out)) assert.ok(Array.from(/** @type {any} */ (out)).every((cell) => cell === 0));
        }
      });
    }

    test('may be what the numbers came from', () => {
      const [q, k, v] = [tensor(precision, 4, 3), tensor(precision, 4, 3), tensor(precision, 4, 3)];
      const wanted = attentionSteps({ q: rowsOf(q), k: rowsOf(k), v: rowsOf(v) }).output.flat();
      const { data } = core.streamingAttention({ q, k, v, precision, out: v.data });
      assert.equal(data, v.data);
      wanted.forEach((cell, i) => assert.ok(Math.abs(cell - data[i]) < 1e-6));

      const x = { shape: [1, 2], data: KINDS[precision].of(0, Math.log(3)) };
      core.softmax({ x, precision, out: x.data });
      [0.25, 0.75].forEach((share, i) => assert.ok(Math.abs(share - x.data[i]) < 1e-7));
    });
  });
