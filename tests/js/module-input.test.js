// What goes in and what comes out: every form of numbers is taken, results belong to the caller, errors say what to fix.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { EXAMPLES } from './formula.js';
import { AttentionError, assertClose, compileAttention, dist, errorOf, loadAttention, rowsOf } from './module.js';

const core = await loadAttention();
const { q, k, v } = EXAMPLES.a.input;
const right = rowsOf(core.attention({ q, k, v }).output);

describe('numbers are taken', () => {
  const flat = [1, 0, 0, 2];
  for (const [what, keys] of /** @type {[string, any][]} */ ([
    ['as nested arrays', k],
    ['as rows that are typed arrays', [Float64Array.of(1, 0), Float32Array.of(0, 2)]],
    ['as a tensor of Float64Array', { shape: [2, 2], data: Float64Array.from(flat) }],
    ['as a tensor of Float32Array', { shape: [2, 2], data: Float32Array.from(flat) }],
    ['as a tensor of Uint8Array', { shape: [2, 2], data: Uint8Array.from(flat) }],
    ['as a tensor of Int32Array', { shape: [2, 2], data: Int32Array.from(flat) }],
    ['as a tensor of BigInt64Array', { shape: [2, 2], data: BigInt64Array.from(flat, BigInt) }],
    ['as a tensor of a plain array', { shape: [2, 2], data: flat }],
    ['as part of a longer buffer', { shape: [2, 2], data: Float64Array.of(7, 7, ...flat, 7).subarray(2, 6) }],
    ['with booleans', [[true, false], [false, 2]]],
  ]))
    test(what, () => assert.deepEqual(rowsOf(core.attention({ q, k: keys, v }).output), right));

  test('as masks of booleans, bytes and numbers', () => {
    const one = rowsOf(core.attention({ q, k, v, mask: [[0, 1]] }).output);
    assert.deepEqual(one, [[0, 1]]);
    for (const mask of /** @type {any[]} */ ([[[false, true]], { shape: [1, 2], data: Uint8Array.of(0, 1) }]))
      assert.deepEqual(rowsOf(core.attention({ q, k, v, mask }).output), one);
  });

  test('with an infinite bias, and cells that are NaN', () => {
    assert.deepEqual(rowsOf(core.attention({ q, k, v, bias: [[-Infinity, 0]] }).output), [[0, 1]]);
    assert.ok(core.attention({ q: [[NaN, 1]], k, v }).output.data.every(Number.isNaN));
  });
});

describe('results belong to the caller', () => {
  test('a later call does not change them', () => {
    const first = core.attention({ q, k, v, keep: 'weights' });
    const trace = core.trace({ recipe: 'attention', inputs: { q, k, v } });
    const shares = core.softmax({ x: [1, 2, 3] });
    const before = structuredClone({ first, trace, shares });
    core.attention({ q: [[9, -9]], k, v, keep: 'weights' });
    core.trace({ recipe: 'attention', inputs: { q: [[5, 5]], k, v } });
    core.softmax({ x: [3, 2, 1] });
    const large = { shape: [600, 600], data: new Float64Array(360000).fill(0.1) };
    core.attention({ q: large, k: large, v: large }); // the memory of the core has to grow for this one
    assert.deepEqual({ first, trace, shares }, before);
  });

  test('changing them changes no later call', () => {
    core.attention({ q, k, v }).output.data.fill(7);
    assert.deepEqual(rowsOf(core.attention({ q, k, v }).output), right);
  });

  test('what went in is left alone', () => {
    const data = Float64Array.of(1, 0, 0, 2);
    const mask = [[true, false]];
    core.trace({ recipe: 'attention', inputs: { q, k: { shape: [2, 2], data }, v, mask } }).steps[1].values.fill(7);
    assert.deepEqual([...data], [1, 0, 0, 2]);
    assert.deepEqual(mask, [[true, false]]);
  });
});

describe('the core is loaded', () => {
  const file = path.join(dist, 'attention.wasm');
  const works = async (/** @type {any} */ wasm) => assert.deepEqual(rowsOf((await loadAttention({ wasm })).attention({ q, k, v }).output), right);

  test('from bytes', async () => works(await readFile(file)));
  test('from an ArrayBuffer', async () => works(new Uint8Array(await readFile(file)).buffer));
  test('from an address', async () => works(pathToFileURL(file)));
  test('from an address as text', async () => works(pathToFileURL(file).href));
  test('compiled once, for several', async () => {
    const compiled = await compileAttention();
    await works(compiled);
    await works(compiled);
  });
  test('or says that it cannot be', async () => {
    await assert.rejects(loadAttention({ wasm: pathToFileURL(path.join(dist, 'nowhere.wasm')) }));
    await assert.rejects(loadAttention({ wasm: Uint8Array.of(1, 2, 3) }));
  });
  test('or says that there is no memory for it', async (t) => {
    t.mock.method(WebAssembly, 'instantiate', () => Promise.reject(new RangeError('no memory')));
    const never = new Promise((_, reject) => setTimeout(reject, 5000, new Error('it never answers')).unref());
    await assert.rejects(Promise.race([loadAttention(), never]), /no memory/);
  });
});

describe('errors', () => {
  const attention = (/** @type {any} */ call) => () => core.attention({ q, k, v, ...call });
  const trace = (/** @type {any} */ call) => () => core.trace({ recipe: 'attention', inputs: { q, k, v }, ...call });
  const traced = core.trace({ recipe: 'attention', inputs: { q, k, v } });
  const explain = (/** @type {any[]} */ ...place) => () => core.explain(traced, .../** @type {[any, any, any]} */ (place));
  const gradient = (/** @type {any} */ of, /** @type {any} */ wrt) => () => core.gradient(traced, { of, wrt });

  for (const [what, call, code, field, parts = []] of /** @type {[string, () => unknown, string, string, string[]?][]} */ ([
    ['q and k of different width', attention({ k: [[1, 2, 3], [4, 5, 6]] }), 'dimension-mismatch', 'k', ['[2, 3]', '[1, 2]']],
    ['k and v of different length', attention({ v: [[1], [2], [3]] }), 'dimension-mismatch', 'v', ['[3, 1]', '[2, 2]']],
    ['a mask of another shape', attention({ mask: [[1, 1, 1]] }), 'dimension-mismatch', 'mask', ['[1, 3]', '[1, 2]', '[2, 2]']],
    ['a bias of another shape', attention({ bias: [[1], [1]] }), 'dimension-mismatch', 'bias', ['[2, 1]', '[1, 2]', '[2, 2]']],
    ['causal true between different lengths', attention({ causal: true }), 'ambiguous-causal', 'causal', ['[1, 2]', '[2, 2]', 'top-left', 'bottom-right']],
    ['causal that is a word', attention({ causal: 'yes' }), 'not-a-choice', 'causal', ['top-left', 'bottom-right']],
    ['no k', attention({ k: undefined }), 'missing', 'k'],
    ['q null', attention({ q: null }), 'missing', 'q'],
    ['ragged rows', attention({ k: [[1, 2], [3]] }), 'ragged', 'k'],
    ['a row that is a number', attention({ k: [[1, 2], 3] }), 'ragged', 'k'],
    ['text in a cell', attention({ v: [['1', 2], [3, 4]] }), 'not-a-number', 'v'],
    ['an empty cell', attention({ v: [[undefined, 2], [3, 4]] }), 'not-a-number', 'v'],
    ['text as a matrix', attention({ q: '1,1' }), 'not-a-number', 'q'],
    ['a list as a matrix', attention({ q: [1, 1] }), 'bad-rank', 'q', ['[2]']],
    ['a number as a matrix', attention({ q: 1 }), 'bad-rank', 'q'],
    ['five dimensions', attention({ q: [[[[[1, 1]]]]] }), 'bad-rank', 'q', ['[1, 1, 1, 1, 2]']],
    ['heads for q alone', attention({ q: [[[1, 1]]] }), 'bad-rank', 'k', ['[1, 1, 2]']],
    ['no columns', attention({ q: [[]], k: [[], []] }), 'empty', 'q', ['[1, 0]']],
    ['a shape that the data do not fill', attention({ q: { shape: [1, 2], data: [1] } }), 'bad-shape', 'q', ['[1, 2]']],
    ['a negative shape', attention({ q: { shape: [-1, -2], data: [1, 2] } }), 'bad-shape', 'q'],
    ['a shape with a hole', attention({ q: { shape: [1, , 2], data: [] } }), 'bad-shape', 'q'],
    ['a shape that is a number', attention({ q: { shape: 2, data: [1, 2] } }), 'bad-shape', 'q'],
    ['a mask of halves', attention({ mask: [[0.5, 1]] }), 'not-a-mask', 'mask'],
    ['temperature 0', attention({ temperature: 0 }), 'temperature-not-positive', 'temperature'],
    ['temperature −1', attention({ temperature: -1 }), 'temperature-not-positive', 'temperature'],
    ['temperature NaN', attention({ temperature: NaN }), 'temperature-not-positive', 'temperature'],
    ['temperature as text', attention({ temperature: '2' }), 'temperature-not-positive', 'temperature'],
    ['an infinite scale', attention({ scale: Infinity }), 'not-finite', 'scale'],
    ['an unknown precision', attention({ precision: 'float16' }), 'not-a-choice', 'precision', ['float64', 'float32']],
    ['an unknown emptyRow', attention({ emptyRow: 'one' }), 'not-a-choice', 'emptyRow', ['zero', 'nan', 'uniform']],
    ['an unknown step to keep', attention({ keep: 'output' }), 'not-a-choice', 'keep', ['weights']],
    ['a misspelt option', attention({ temprature: 2 }), 'unknown-option', 'temprature', ['temperature']],
    ['an unknown recipe', trace({ recipe: 'magic' }), 'not-a-choice', 'recipe', ['attention']],
    ['a misspelt option of a trace', trace({ options: { scaling: 2 } }), 'unknown-option', 'scaling'],
    ['an input that the recipe has not', trace({ inputs: { q, k, v, w: 1 } }), 'unknown-option', 'w'],
    ['a recurrent cell without w', () => core.trace(/** @type {any} */ ({ recipe: 'recurrent', inputs: { x: [[1]] }, options: {} })), 'not-finite', 'w'],
    ['a recurrent cell over a matrix', () => core.trace({ recipe: 'recurrent', inputs: { x: [[1, 2]] }, options: { w: 1 } }), 'dimension-mismatch', 'x', ['[1, 2]']],
    ['explaining an unknown step', explain('mystery', 0, 0), 'no-such-step', 'key', ['mystery']],
    ['explaining a row that is not there', explain('scores', 1, 0), 'no-such-cell', 'cell', ['[1, 2]']],
    ['explaining a column that is not there', explain('scores', 0, 2), 'no-such-cell', 'cell', ['[1, 2]']],
    ['explaining row −1', explain('scores', -1, 0), 'no-such-cell', 'row'],
    ['explaining half a row', explain('scores', 0, 0.5), 'no-such-cell', 'col'],
    ['a gradient of an unknown step', gradient({ key: 'mystery', row: 0, col: 0 }, 'Q'), 'no-such-step', 'of', ['mystery']],
    ['a gradient with respect to an unknown step', gradient({ key: 'output', row: 0, col: 0 }, 'X'), 'no-such-step', 'wrt', ['X']],
    ['a gradient of a cell that is not there', gradient({ key: 'output', row: 0, col: 9 }, 'Q'), 'no-such-cell', 'cell', ['[1, 2]']],
    ['a gradient of nothing', gradient(undefined, 'Q'), 'not-an-object', 'of'],
  ]))
    test(`name the field: ${what}`, () => {
      const { message } = errorOf(call, { code, field });
      for (const part of parts) assert.ok(message.includes(part), `"${message}" does not name ${part}`);
    });

  test('are Errors with a name', () => {
    const error = errorOf(attention({ q: 1 }));
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'AttentionError');
    assert.equal(new AttentionError('a', 'b', 'c').message, 'c');
  });

  test('leave the module usable', () => {
    errorOf(attention({ k: [[1]] }));
    errorOf(attention({ q: 'x' }));
    assert.deepEqual(rowsOf(core.attention({ q, k, v }).output), right);
    assertClose([[...core.softmax({ x: [0, 0] }).data]], [[0.5, 0.5]], 0);
  });

  test('are thrown for a row that the core cannot count to', () => {
    for (const row of [2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1]) errorOf(explain('scores', row, 0), { code: 'no-such-cell' });
  });

  for (const tokens of [17000, 24000]) // their scores are 2.3 and 4.6 GB
    test(`say that ${tokens} tokens do not fit into memory, and leave the module usable`, () => {
      const long = { shape: [tokens, 1], data: new Float64Array(tokens) };
      errorOf(attention({ q: long, k: long, v: long }), { code: 'out-of-memory' });
      assert.deepEqual(rowsOf(core.attention({ q, k, v }).output), right);
    });

  test('are those of the module when the call has no argument to speak of', () => {
    for (const call of ['attention', 'trace', 'explain', 'gradient', 'softmax', 'sinusoidal'])
      for (const argument of [undefined, null, 3, 'x', []]) errorOf(() => /** @type {any} */ (core)[call](argument));
  });
});

describe('what cannot be read', () => {
  const fail = () => { throw new RangeError('not today'); };
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const gone = new Float64Array([1, 2]);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  for (const [what, x] of /** @type {[string, any][]} */ ([
    ['a getter that throws', { shape: [1], get data() { return fail(); } }],
    ['a proxy that throws', new Proxy([], { get: fail, has: fail })],
    ['a proxy that was revoked', proxy],
    ['numbers whose buffer was given away', gone],
  ]))
    test(`${what} is an AttentionError with its cause`, () => {
      const error = errorOf(() => core.softmax({ x }), { code: 'unreadable' });
      assert.ok(error.cause instanceof Error);
      assert.match(error.message, new RegExp(error.cause.message.slice(0, 20).replace(/[%.]/g, '.')));
    });

  test('what was thrown need not be an Error', () => {
    for (const thrown of [undefined, 'text', Symbol('s'), Object.create(null), proxy])
      errorOf(() => core.gelu(/** @type {any} */ ({ get x() { throw thrown; } })), { code: 'unreadable' });
  });
});

describe('millions of rows, heads or columns without a number', () => {
  const nothing = (/** @type {number[]} */ ...shape) => ({ shape, data: [] });
  for (const [what, call] of /** @type {[string, () => any][]} */ ([
    ['softmax', () => core.softmax({ x: nothing(2 ** 31 - 1, 0), axis: 0 })],
    ['logSoftmax', () => core.logSoftmax({ x: nothing(2 ** 31 - 1, 0), axis: 0 })],
    ['attention', () => core.attention({ q: nothing(1, 2 ** 22, 0, 1), k: nothing(1, 2 ** 22, 0, 1), v: nothing(1, 2 ** 22, 0, 1) }).output],
    ['rotary', () => core.rotary({ x: nothing(0, 2 ** 28) })],
  ]))
    // Each took 4 to 40 seconds when it went through them all.
    test(`are answered at once by ${what}`, () => {
      const started = performance.now();
      assert.equal(call().data.length, 0);
      assert.ok(performance.now() - started < 2000);
    });
});
