// Matrices of floats have a way of their own into the core, which must not be seen.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AttentionError, errorOf, loadAttention, randomNumbers } from './module.js';

/** The memory of the core that was loaded last, which the module keeps to itself: caught where it is made. @type {WebAssembly.Memory} */
let memory;
const { instantiate } = WebAssembly;
/** @type {any} */ (WebAssembly).instantiate = async (/** @type {any[]} */ ...args) => {
  const made = await /** @type {any} */ (instantiate)(...args);
  memory = /** @type {any} */ (Object.values(made.exports).find((part) => part instanceof WebAssembly.Memory));
  return made;
};
const core = await loadAttention();
const random = randomNumbers(5);

/** @param {number} rows @param {number} cols */
const matrix = (rows, cols) => ({ shape: [rows, cols], data: Float32Array.from({ length: rows * cols }, () => random() * 4 - 2) });

/** @param {number} n @param {number} m @param {number} d @param {number} size */
const inputs = (n, m, d, size) => ({ q: matrix(n, d), k: matrix(m, d), v: matrix(m, size), precision: /** @type {const} */ ('float32') });

describe('three matrices of floats', () => {
  test('give what they give as nested lists, and with options that change nothing', () => {
    for (const [n, m, d, size] of [[1, 1, 1, 1], [8, 8, 8, 8], [3, 5, 2, 7], [40, 33, 9, 12], [2, 200, 65, 3]]) {
      const call = inputs(n, m, d, size);
      const output = core.streamingAttention(call);
      assert.deepEqual(output.shape, [n, size]);
      assert.ok(output.data instanceof Float32Array);
      assert.deepEqual(core.attention(call), { output });
      assert.deepEqual(core.streamingAttention({ ...call, temperature: 1 }), output);
      const nested = (/** @type {any} */ { shape: [rows, cols], data }) => Array.from({ length: rows }, (_, i) => [...data.slice(i * cols, (i + 1) * cols)]);
      assert.deepEqual(core.streamingAttention({ ...call, q: nested(call.q), k: nested(call.k), v: nested(call.v) }), output);
      for (const options of [{ scale: 0.3 }, { scale: 0 }, ...(n === m ? [{ causal: true }] : [])])
        assert.deepEqual(core.streamingAttention({ ...call, ...options }), core.streamingAttention({ ...call, ...options, temperature: 1 }), JSON.stringify(options));
    }
  });

  test('grow memory, and belong to the caller', () => {
    const small = core.streamingAttention(inputs(2, 3, 2, 2));
    const before = [...small.data];
    const large = core.streamingAttention(inputs(3000, 2000, 64, 300));
    assert.deepEqual(large.shape, [3000, 300]);
    assert.ok(large.data.every(Number.isFinite));
    assert.deepEqual([...small.data], before);
  });

  test('leave the room that they took to other calls, and go on', async () => {
    const x = { shape: [4096, 2048], data: new Float32Array(4096 * 2048).fill(1) };
    const general = async (/** @type {boolean} */ isAfterFloats) => {
      const fresh = await loadAttention();
      const small = inputs(3, 4, 2, 5), right = core.streamingAttention(small);
      for (let round = 0; isAfterFloats && round < 3; round++) {
        const { data } = fresh.softmax({ x, precision: 'float32' });
        assert.ok(data.every((cell) => cell === 1 / 2048));
        assert.deepEqual(fresh.streamingAttention(small), right);
      }
      fresh.rmsNorm({ x, precision: 'float32' });
      return memory.buffer.byteLength;
    };
    const alone = await general(false), after = await general(true);
    assert.ok(after <= alone + 2 ** 22, `${after / 2 ** 20} MiB instead of ${alone / 2 ** 20}`);
  });

  test('are refused as anywhere else', () => {
    const call = inputs(3, 4, 2, 5);
    /** @type {[any, string, string][]} */
    const wrong = [
      [{ ...call, k: matrix(4, 3) }, 'dimension-mismatch', 'k'],
      [{ ...call, v: matrix(5, 3) }, 'dimension-mismatch', 'v'],
      [{ ...call, causal: true }, 'ambiguous-causal', 'causal'],
      [{ ...call, scale: NaN }, 'not-finite', 'scale'],
      [{ ...call, casual: false }, 'unknown-option', 'casual'],
      [{ ...call, q: { shape: [3, 3], data: call.q.data } }, 'bad-shape', 'q'],
      [{ ...call, q: { shape: [1.5, 4], data: call.q.data } }, 'bad-shape', 'q'],
      [{ ...call, q: { shape: [1.5, 4], data: call.q.data }, k: matrix(5, 4) }, 'bad-shape', 'q'],
      [{ ...call, q: { shape: ['3', 2], data: call.q.data } }, 'bad-shape', 'q'],
      [{ ...call, scale: 1e300 }, 'not-finite', 'scale'],
      [{ ...call, q: null }, 'missing', 'q'],
    ];
    for (const [each, code, field] of wrong) errorOf(() => core.streamingAttention(each), { code, field });
  });

  test('with options behind the getters of a class, or that are not listed, are computed with them', () => {
    const call = inputs(5, 5, 3, 2);
    const { precision, ...matrices } = call;
    const others = { causal: 'bottom-right', mask: [[1, 0, 1, 1, 1]], bias: [[0, 2, 0, 0, 1]], padding: [1, 1, 0, 1, 1], kvLengths: [3], window: [1, 1], softcap: 0.5, temperature: 3, emptyRow: 'nan', heads: 1, keep: 'weights' };
    for (const [name, value] of Object.entries({ ...others, scale: 2, causal: true })) {
      class Options {
        get precision() { return precision; }
      }
      Object.defineProperty(Options.prototype, name, { get: () => value });
      const behind = Object.assign(new Options(), matrices);
      const hidden = Object.defineProperty({ ...call }, name, { value, enumerable: false });
      const attend = (/** @type {any} */ given) => core.attention(given);
      for (const given of [behind, hidden]) assert.deepEqual(attend(given), attend({ ...call, [name]: value }), name);
    }
    for (const [name, value, code] of /** @type {[string, any, string][]} */ ([['mask', null, 'missing'], ['temperature', -1, 'temperature-not-positive'], ['mask', [[2]], 'not-a-mask'], ['window', 3, 'bad-size']]))
      errorOf(() => core.attention(Object.create({ ...call }, { [name]: { value } })), { code, field: name });
  });

  test('whose length is a lie write nothing beyond their room', () => {
    const call = inputs(3, 4, 2, 5);
    const right = core.streamingAttention(call);
    const data = Object.defineProperty(new Float32Array(1 << 20).fill(7), 'length', { value: 6 });
    assert.throws(() => core.streamingAttention({ ...call, q: { shape: [3, 2], data } }), AttentionError);
    assert.throws(() => core.streamingAttention({ ...call, temperature: 1, q: { shape: [3, 2], data } }), AttentionError);
    assert.deepEqual(core.streamingAttention(call), right);
  });
});

describe('products of two matrices of floats', () => {
  test('are those of the same matrices with an axis more, and of nested lists', () => {
    for (const [rows, depth, cols] of [[1, 1, 1], [8, 8, 8], [5, 3, 17], [100, 300, 9]]) {
      const a = matrix(rows, depth), b = matrix(depth, cols);
      const output = core.matmul({ a, b, precision: 'float32' });
      assert.deepEqual(output.shape, [rows, cols]);
      assert.ok(output.data instanceof Float32Array);
      const stacked = core.matmul({ a: { shape: [1, rows, depth], data: a.data }, b, precision: 'float32' });
      assert.deepEqual(stacked, { shape: [1, rows, cols], data: output.data });
      assert.deepEqual(core.matmul({ a: { shape: a.shape, data: [...a.data] }, b: { shape: b.shape, data: Float64Array.from(b.data) }, precision: 'float32' }), output);
    }
  });

  test('that do not fit are refused, and empty ones are empty', () => {
    errorOf(() => core.matmul({ a: matrix(2, 3), b: matrix(2, 3), precision: 'float32' }), { code: 'dimension-mismatch', field: 'b' });
    assert.deepEqual(core.matmul({ a: { shape: [2, 0], data: [] }, b: { shape: [0, 2], data: [] }, precision: 'float32' }), { shape: [2, 2], data: new Float32Array(4) });
  });
});

describe('softmax of floats', () => {
  test('is that of float64 within 5e-7 of the largest of a line, along any axis', () => {
    for (const [rows, cols] of [[1, 1], [3, 4], [7, 129]])
      for (const axis of [0, 1])
        for (const temperature of [1, 0.25]) {
          const x = matrix(rows, cols);
          const { shape, data } = core.softmax({ x, axis, temperature, precision: 'float32' });
          const exact = core.softmax({ x, axis, temperature }).data;
          assert.deepEqual(shape, [rows, cols]);
          assert.ok(data instanceof Float32Array);
          assert.ok(data.every((cell, i) => Math.abs(cell - exact[i]) <= 5e-7));
        }
  });

  test('leaves what was handed in as it was, and knows the limits', () => {
    const x = matrix(2, 3), before = [...x.data];
    core.softmax({ x, precision: 'float32' });
    assert.deepEqual([...x.data], before);
    assert.deepEqual([...core.softmax({ x: [[1, 3, 3]], temperature: 0, precision: 'float32' }).data], [0, 0.5, 0.5]);
    assert.deepEqual([...core.softmax({ x: [[1, 3, -Infinity]], temperature: Infinity, precision: 'float32' }).data], [0.5, 0.5, 0]);
  });
});
