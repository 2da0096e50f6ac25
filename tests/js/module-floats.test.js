// Matrices of floats have a way of their own into the core, which must not be seen.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps, causalMask } from './formula.js';
import { withMemory } from './memory.js';
import { AttentionError, errorOf, loadAttention, randomNumbers, rowsOf } from './module.js';

const core = await loadAttention();
const random = randomNumbers(5);

/** @param {number} rows @param {number} cols */
const matrix = (rows, cols) => ({ shape: [rows, cols], data: Float32Array.from({ length: rows * cols }, () => random() * 4 - 2) });

/** @param {number} n @param {number} m @param {number} d @param {number} size */
const inputs = (n, m, d, size) => ({ q: matrix(n, d), k: matrix(m, d), v: matrix(m, size), precision: /** @type {const} */ ('float32') });

/** @param {ArrayLike<number>} numbers */
const largest = (numbers) => Array.from(numbers).reduce((most, number) => Math.max(most, Math.abs(number)), 0);

/**
 * Against plain loops over doubles, within what is promised of the largest value that a row sees.
 * @param {any} call @param {import('../../web/module/attention.d.ts').TensorOut} output @param {string} what
 */
function assertAttention(call, output, what) {
  const { scale = 1 / Math.sqrt(call.q.shape[1]), causal = false, temperature } = call;
  const [q, k, v] = [call.q, call.k, call.v].map(rowsOf), lengths = [q, k].map((rows) => Math.max(...rows.map((row) => Math.hypot(...row))));
  const mask = causal ? causalMask(q.length, k.length, 'top-left') : undefined;
  const allowed = 6e-7 + Math.sqrt(call.q.shape[1]) * lengths[0] * lengths[1] * Math.abs(scale) * 2 ** -24;
  const wanted = attentionSteps({ q, k, v, mask, scale, temperature }).output;
  assert.deepEqual(output.shape, [q.length, v[0].length]);
  assert.ok(output.data instanceof Float32Array);
  rowsOf(output).forEach((row, i) => {
    const seen = largest(v.slice(0, causal ? i + 1 : v.length).flat());
    row.forEach((cell, j) => assert.ok(Math.abs(cell - wanted[i][j]) <= allowed * seen, `${what} [${i}, ${j}]: ${cell} instead of ${wanted[i][j]}`));
  });
}

/** @param {Float32Array} numbers, told apart where they are equal too: 0 and −0, and any two NaN */
const bits = (numbers) => Array.from(new Uint32Array(numbers.slice().buffer));

/** @param {number[]} shape */
const tensor = (...shape) => ({ shape, data: matrix(1, shape.reduce((all, length) => all * length)).data });

/** One head of a tensor, as a matrix. @param {{ shape: number[], data: Float32Array }} of @param {number | undefined} sideBySide @param {number} batch @param {number} head */
function headOf({ shape, data }, sideBySide, batch, head) {
  const [tokens, width] = shape.slice(-2), heads = sideBySide ?? shape.at(-3) ?? 1, columns = sideBySide ? width / sideBySide : width;
  const at = (/** @type {number} */ row, /** @type {number} */ col) => (sideBySide ? (batch * tokens + row) * width + head * columns + col : ((batch * heads + head) * tokens + row) * columns + col);
  return { shape: [tokens, columns], data: Float32Array.from({ length: tokens * columns }, (_, i) => data[at(Math.floor(i / columns), i % columns)]) };
}

describe('heads of floats', () => {
  /** What they are called, their tensors and how many lie side by side. @type {[string, any][]} */
  const calls = [
    ['three heads', { q: tensor(3, 5, 4), k: tensor(3, 6, 4), v: tensor(3, 6, 2) }],
    ['batches of heads', { q: tensor(2, 3, 5, 4), k: tensor(2, 3, 5, 4), v: tensor(2, 3, 5, 7) }],
    ['heads of queries that share keys', { q: tensor(2, 6, 3, 4), k: tensor(2, 2, 3, 4), v: tensor(2, 2, 3, 5) }],
    ['heads side by side', { q: tensor(5, 12), k: tensor(7, 12), v: tensor(7, 6), heads: 3 }],
    ['batches of heads side by side', { q: tensor(2, 33, 40), k: tensor(2, 33, 40), v: tensor(2, 33, 16), heads: 4 }],
    ['heads side by side that share keys', { q: tensor(2, 4, 12), k: tensor(2, 4, 6), v: tensor(2, 4, 2), heads: 4, kvHeads: 2 }],
    ['one head side by side', { q: tensor(3, 4), k: tensor(3, 4), v: tensor(3, 4), heads: 1 }],
  ];
  for (const [name, given] of calls)
    test(`${name}: each is attention of its own, and the same as the general way answers`, () => {
      const { q, k, heads, kvHeads = heads } = given;
      const batches = q.shape.length === (heads ? 3 : 4) ? q.shape[0] : 1, count = heads ?? q.shape.at(-3), groups = kvHeads ?? k.shape.at(-3);
      for (const causal of q.shape.at(-2) === k.shape.at(-2) ? [false, true] : [false]) {
        const call = { ...given, causal, precision: /** @type {const} */ ('float32') }, output = core.streamingAttention(call);
        for (let batch = 0; batch < batches; batch++)
          for (let head = 0; head < count; head++) {
            const shared = Math.floor(head / (count / groups));
            const own = { q: headOf(q, heads, batch, head), k: headOf(k, kvHeads, batch, shared), v: headOf(given.v, kvHeads, batch, shared), causal };
            const found = headOf(/** @type {any} */ (output), heads, batch, head);
            assertAttention(own, { ...found, data: found.data }, `${name}, batch ${batch}, head ${head}`);
          }
        const general = core.streamingAttention({ ...call, temperature: 1 });
        assert.deepEqual(output.shape, general.shape);
        assert.deepEqual(bits(/** @type {any} */ (output.data)), bits(/** @type {any} */ (general.data)));
        assert.deepEqual(core.attention(call), { output });
      }
    });

  test('whose length is a lie write nothing beyond their room', () => {
    const call = { q: tensor(2, 5, 4), k: tensor(2, 5, 4), v: tensor(2, 5, 4), precision: /** @type {const} */ ('float32') }, right = core.streamingAttention(call);
    let asked = 0;
    class Shrinking extends Float32Array { get length() { return asked++ === 0 ? 1 << 18 : 0; } }
    const liar = { shape: [2, 1 << 15, 4], data: new Shrinking(1 << 18) };
    try { core.streamingAttention({ ...call, q: liar }); } catch (error) { assert.ok(error instanceof AttentionError); }
    assert.deepEqual(core.streamingAttention(call), right);
  });

  test('that do not fit are refused as doubles are', () => {
    const [q, k, v] = [tensor(2, 4, 12), tensor(2, 4, 6), tensor(2, 4, 2)], four = tensor(1, 4, 3, 2);
    for (const wrong of [
      { q, k, v }, { q, k, v, heads: 5 }, { q, k, v, heads: 4, kvHeads: 3 }, { q, k, v, heads: 0 }, { q, k, v, heads: 1.5 }, { q, k, v, heads: '4', kvHeads: 2 }, { q, k, v, kvHeads: 2 },
      { q, k: tensor(3, 4, 6), v, heads: 4, kvHeads: 2 }, { q, k: tensor(4, 6), v, heads: 4, kvHeads: 2 }, { q, k, v: tensor(2, 5, 2), heads: 4, kvHeads: 2 },
      { q: four, k: four, v: four, heads: 2 }, { q: four, k: tensor(1, 3, 3, 2), v: tensor(1, 3, 3, 2) }, { q: tensor(1, 1, 4, 3, 2), k: four, v: four },
    ]) {
      const refused = (/** @type {'float32' | 'float64'} */ precision) => errorOf(() => core.attention(/** @type {any} */ ({ ...wrong, precision })));
      const { code, field, message } = refused('float64');
      assert.deepEqual([refused('float32').code, refused('float32').field, refused('float32').message], [code, field, message]);
    }
  });
});

describe('three matrices of floats', () => {
  test('give what plain loops over doubles give, and the same as nested lists and with options that change nothing', () => {
    for (const [n, m, d, size] of [[1, 1, 1, 1], [8, 8, 8, 8], [3, 5, 2, 7], [40, 33, 9, 12], [2, 300, 65, 3], [280, 280, 4, 5]]) {
      const call = inputs(n, m, d, size);
      for (const options of [{}, { scale: 0.3 }, { scale: 0 }, { scale: -1 }, ...(n === m ? [{ causal: true }] : [])]) {
        const given = { ...call, ...options }, what = `${[n, m, d, size]} ${JSON.stringify(options)}`;
        const output = core.streamingAttention(given);
        assertAttention(given, output, what);
        assert.deepEqual(core.attention(given), { output }, what);
        assert.deepEqual(core.streamingAttention({ ...given, temperature: 1 }), output, what);
        assert.deepEqual(core.streamingAttention({ ...given, q: rowsOf(call.q), k: rowsOf(call.k), v: rowsOf(call.v) }), output, what);
      }
    }
  });

  test('give the same as a part of a longer buffer, and of one that is shared', () => {
    const call = inputs(5, 6, 3, 4), output = core.streamingAttention(call);
    const placed = (/** @type {any} */ { shape, data }, /** @type {ArrayBufferLike} */ buffer) => {
      const part = new Float32Array(buffer, 12, data.length);
      new Float32Array(buffer).fill(NaN);
      part.set(data);
      return { shape, data: part };
    };
    for (const Kind of [ArrayBuffer, SharedArrayBuffer]) {
      const [q, k, v] = [call.q, call.k, call.v].map((matrix) => placed(matrix, new Kind(4 * matrix.data.length + 20)));
      assert.deepEqual(core.streamingAttention({ ...call, q, k, v }), output, Kind.name);
      const x = placed(call.q, new Kind(4 * call.q.data.length + 20)), before = bits(x.data);
      assert.deepEqual(core.softmax({ x, precision: 'float32' }), core.softmax({ x: call.q, precision: 'float32' }), Kind.name);
      assert.deepEqual(core.matmul({ a: x, b: { shape: [3, 5], data: x.data }, precision: 'float32' }), core.matmul({ a: call.q, b: { shape: [3, 5], data: call.q.data }, precision: 'float32' }), Kind.name);
      assert.deepEqual(bits(x.data), before, Kind.name);
    }
  });

  test('without columns of values, or without queries, have an empty answer', () => {
    const call = inputs(3, 4, 2, 5);
    assert.deepEqual(core.streamingAttention({ ...call, v: matrix(4, 0) }), { shape: [3, 0], data: new Float32Array(0) });
    assert.deepEqual(core.streamingAttention({ ...call, q: matrix(0, 2) }), { shape: [0, 5], data: new Float32Array(0) });
    assert.deepEqual(core.streamingAttention({ ...call, k: matrix(0, 2), v: matrix(0, 5) }), { shape: [3, 5], data: new Float32Array(15) });
  });

  test('what a row may not see changes no bit of it', () => {
    for (const n of [9, 140, 300]) {
      const call = { ...inputs(n, n, 5, 6), causal: true }, from = Math.floor(n / 2);
      const seen = core.streamingAttention(call), masked = { ...call, causal: false, mask: { shape: [1, n], data: Array.from({ length: n }, (_, j) => Number(j < from)) } };
      const behind = core.streamingAttention(masked);
      for (const poison of [0, -7, 3e38, Infinity, -Infinity, NaN])
        for (const name of /** @type {const} */ (['k', 'v'])) {
          const { shape, data } = call[name], other = { shape, data: data.map((cell, at) => (at >= from * shape[1] ? poison : cell)) };
          const what = `${poison} in ${name} of ${n}`, early = from * 6;
          assert.deepEqual(bits(core.streamingAttention({ ...call, [name]: other }).data.subarray(0, early)), bits(seen.data.subarray(0, early)), what);
          assert.deepEqual(bits(core.streamingAttention({ ...masked, [name]: other }).data), bits(behind.data), `${what}, behind a mask`);
        }
    }
  });

  test('are as precise in long rows, and at either end of the temperature', () => {
    const ones = (/** @type {number} */ value, /** @type {number} */ rows) => ({ shape: [rows, 3], data: new Float32Array(rows * 3).fill(value) });
    for (const value of [0.1, 0.7, 1 / 3]) {
      const { data } = core.streamingAttention({ q: ones(0, 1), k: ones(1, 20000), v: ones(value, 20000), precision: 'float32' });
      assert.ok(data.every((cell) => Math.abs(cell / Math.fround(value) - 1) <= 5e-7), `${value}: ${data}`);
    }
    const call = inputs(7, 9, 4, 3), [k, v] = [call.k, call.v].map(rowsOf);
    const hot = core.streamingAttention({ ...call, temperature: 1e30 }), cold = core.streamingAttention({ ...call, temperature: 1e-30 });
    rowsOf(call.q).forEach((query, i) => {
      const scores = k.map((key) => key.reduce((sum, cell, r) => sum + cell * query[r], 0));
      assert.deepEqual(rowsOf(cold)[i], v[scores.indexOf(Math.max(...scores))]);
      rowsOf(hot)[i].forEach((cell, c) => assert.ok(Math.abs(cell - v.reduce((sum, row) => sum + row[c], 0) / 9) <= 5e-7 * largest(v.flat())));
    });
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
      const { core: fresh, memory } = await withMemory(loadAttention);
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
    const halves = { kvHeads: 1, pastKey: matrix(2, 3), pastValue: matrix(2, 2) };
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
    for (const [name, value] of Object.entries(halves))
      errorOf(() => core.attention(Object.defineProperty({ ...call }, name, { value, enumerable: false })), { code: 'missing' });
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
  test('are sums over doubles within what is promised, those of the same matrices with an axis more, and of lists', () => {
    for (const [rows, depth, cols] of [[1, 1, 1], [8, 8, 8], [5, 3, 17], [100, 300, 9]]) {
      const a = matrix(rows, depth), b = matrix(depth, cols);
      const output = core.matmul({ a, b, precision: 'float32' });
      assert.deepEqual(output.shape, [rows, cols]);
      assert.ok(output.data instanceof Float32Array);
      rowsOf(output).forEach((row, i) => row.forEach((cell, j) => {
        const terms = Array.from({ length: depth }, (_, step) => a.data[i * depth + step] * b.data[step * cols + j]);
        const [sum, sizes] = [terms, terms.map(Math.abs)].map((numbers) => numbers.reduce((all, number) => all + number, 0));
        assert.ok(Math.abs(cell - sum) <= depth * 2 ** -24 * sizes, `[${i}, ${j}]: ${cell} instead of ${sum}`);
      }));
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
    for (const [rows, cols] of [[1, 1], [3, 4], [7, 129], [2, 3000]])
      for (const axis of [0, 1])
        for (const temperature of [1, 0.25, 2 ** -100, 2 ** 100, 2 ** -101, 2 ** 101]) {
          const x = matrix(rows, cols);
          const { shape, data } = core.softmax({ x, axis, temperature, precision: 'float32' });
          const exact = core.softmax({ x, axis, temperature }).data;
          assert.deepEqual(shape, [rows, cols]);
          assert.ok(data instanceof Float32Array);
          const lineOf = (/** @type {number} */ at) => (axis === 1 ? Math.floor(at / cols) : at % cols);
          const most = Array.from({ length: axis === 1 ? rows : cols }, () => 0);
          exact.forEach((weight, at) => { most[lineOf(at)] = Math.max(most[lineOf(at)], weight); });
          data.forEach((cell, at) => assert.ok(Math.abs(cell - exact[at]) <= 5e-7 * most[lineOf(at)], `${[rows, cols]}, axis ${axis}, temperature ${temperature}: ${cell} instead of ${exact[at]}`));
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

test('warmUp changes no answer, and leaves memory as small as it was', async () => {
  const { core: fresh, memory } = await withMemory(() => loadAttention());
  const call = inputs(5, 6, 3, 4), before = fresh.streamingAttention(call), room = memory.buffer.byteLength;
  assert.equal(await fresh.warmUp(), undefined);
  assert.deepEqual(fresh.streamingAttention(call), before);
  assert.equal(memory.buffer.byteLength, room);
});
