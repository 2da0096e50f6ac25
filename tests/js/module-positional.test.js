// sinusoidal() and the recipe 'positional': positions as numbers, and attention that can see them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps } from './formula.js';
import { assertClose, errorOf, loadAttention, randomMatrix, randomNumbers, rowsOf, stepRows } from './module.js';

const core = await loadAttention();

/** Straight from the paper (Vaswani et al. 2017, section 3.5). @param {number[]} positions @param {number} d @param {number} base */
const paper = (positions, d, base = 10000) => positions.map((pos) => Array.from({ length: d }, (_, col) => {
  const angle = pos / base ** ((col - (col % 2)) / d);
  return col % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
}));

/** @param {any} call */
const encoding = (call) => rowsOf(core.sinusoidal(call));

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((sum, number, i) => sum + number * b[i], 0);

const range = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);

describe('sinusoidal', () => {
  for (const dModel of [1, 2, 3, 8, 16, 33])
    for (const base of [1, 100, 10000, 1e6])
      test(`of width ${dModel} and base ${base} is the formula`, () =>
        assertClose(encoding({ positions: 40, dModel, base }), paper(range(40), dModel, base), 2e-13));

  test('has 10000, interleaved and no offset when nothing is said', () =>
    assert.deepEqual(encoding({ positions: 5, dModel: 6 }), encoding({ positions: 5, dModel: 6, base: 10000, layout: 'interleaved', offset: 0 })));

  test('takes a list of positions, whole or not', () => {
    const positions = [3, -1, 0.5, 1000];
    for (const given of [positions, Float64Array.from(positions), { shape: [4], data: positions }])
      assertClose(encoding({ positions: given, dModel: 4 }), paper(positions, 4), 1e-12);
  });

  test('adds the offset to every position', () => {
    assertClose(encoding({ positions: 3, dModel: 4, offset: 7 }), paper([7, 8, 9], 4), 1e-13);
    assertClose(encoding({ positions: [1, 5], dModel: 4, offset: -2 }), paper([-1, 3], 4), 1e-13);
  });

  test('in halves has the sines first', () => {
    for (const dModel of [4, 5]) {
      const columns = range(dModel).sort((a, b) => (a % 2) - (b % 2) || a - b);
      const expected = encoding({ positions: 6, dModel }).map((row) => columns.map((col) => row[col]));
      assert.deepEqual(encoding({ positions: 6, dModel, layout: 'halves' }), expected);
    }
  });

  test('falls with the distance at first', () => {
    const rows = encoding({ positions: 6, dModel: 16 });
    assertClose([rows.map((row) => dot(rows[0], row))], [[8, 7.49, 6.37, 5.54, 5.56, 6.14]], 1e-3);
  });

  test('gives products that depend on the distance alone, if no sine is left alone', () => {
    const spread = (/** @type {number} */ dModel) => {
      const rows = encoding({ positions: 9, dModel });
      return Math.max(...range(8).flatMap((i) => range(8).map((j) => Math.abs(dot(rows[i], rows[j]) - dot(rows[i + 1], rows[j + 1])))));
    };
    assert.ok(spread(8) < 1e-12);
    assert.ok(spread(3) > 1e-5); // its lone sine is slow
  });

  test('of 1024 positions and 512 columns is quick', () => {
    const start = performance.now();
    const { shape, data } = core.sinusoidal({ positions: 1024, dModel: 512 });
    assert.ok(performance.now() - start < 1000);
    assert.deepEqual(shape, [1024, 512]);
    assertClose([[...data.slice(-512)]], paper([1023], 512), 1e-12);
  });

  test('of nothing is nothing', () => {
    assert.deepEqual(core.sinusoidal({ positions: 0, dModel: 3 }).shape, [0, 3]);
    assert.deepEqual(core.sinusoidal({ positions: [], dModel: 3 }).shape, [0, 3]);
  });

  test('in float32 is rounded, and its positions are not', () => {
    const positions = [1, 16777217]; // the second is no float
    const narrow = core.sinusoidal({ positions, dModel: 8, precision: 'float32' });
    assert.ok(narrow.data instanceof Float32Array);
    assert.ok(core.sinusoidal({ positions, dModel: 8 }).data instanceof Float64Array);
    assert.deepEqual(narrow.data, Float32Array.from(core.sinusoidal({ positions, dModel: 8 }).data));
  });

  for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['no positions', { positions: undefined }, 'missing', 'positions'],
    ['−1 positions', { positions: -1 }, 'bad-size', 'positions'],
    ['half a position', { positions: 0.5 }, 'bad-size', 'positions'],
    ['NaN positions', { positions: NaN }, 'bad-size', 'positions'],
    ['too many positions', { positions: 2 ** 30 }, 'bad-size', 'positions'],
    ['too many numbers', { positions: 2 ** 20, dModel: 5 }, 'bad-size', 'positions'],
    ['a matrix of positions', { positions: [[1, 2]] }, 'bad-rank', 'positions'],
    ['text', { positions: ['1'] }, 'not-a-number', 'positions'],
    ['a position that is NaN', { positions: [1, NaN] }, 'not-finite', 'positions'],
    ['an infinite position', { positions: [Infinity] }, 'not-finite', 'positions'],
    ['a position beyond all numbers', { positions: [1e308], offset: 1e308 }, 'not-finite', 'positions'],
    ['a position beyond 2⁵³', { positions: [1e17] }, 'bad-position', 'positions'],
    ['no width', { dModel: undefined }, 'bad-size', 'dModel'],
    ['width 0', { dModel: 0 }, 'bad-size', 'dModel'],
    ['half a width', { dModel: 2.5 }, 'bad-size', 'dModel'],
    ['a width as text', { dModel: '4' }, 'bad-size', 'dModel'],
    ['base 0', { base: 0 }, 'bad-base', 'base'],
    ['base −2', { base: -2 }, 'bad-base', 'base'],
    ['an infinite base', { base: Infinity }, 'bad-base', 'base'],
    ['a base as text', { base: '2' }, 'bad-base', 'base'],
    ['an unknown layout', { layout: 'split' }, 'not-a-choice', 'layout'],
    ['an infinite offset', { offset: Infinity }, 'not-finite', 'offset'],
    ['an unknown precision', { precision: 'float16' }, 'not-a-choice', 'precision'],
    ['a misspelt option', { d_model: 4 }, 'unknown-option', 'd_model'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => core.sinusoidal({ positions: 3, dModel: 4, ...call }), { code, field }));
});

describe('attention with positions', () => {
  const X = [[1, 0], [0, 2], [-1, 1], [2, -1]];
  const order = [2, 0, 3, 1];
  const shuffled = (/** @type {number[][]} */ rows) => order.map((row) => rows[row]);
  /** @param {any} options @param {number[][]} [rows] */
  const traceOf = (options = {}, rows = X) => core.trace({ recipe: 'positional', inputs: { X: rows }, options });
  /** How far the output of the shuffled rows is from the shuffled output. @param {any} options */
  const change = (options) => {
    const [found, expected] = [stepRows(traceOf(options, shuffled(X)), 'output'), shuffled(stepRows(traceOf(options), 'output'))];
    return Math.max(...found.flatMap((row, i) => row.map((cell, j) => Math.abs(cell - expected[i][j]))));
  };
  const keys = (/** @type {any} */ options) => traceOf(options).steps.map(({ key }) => key);
  const rest = ['scores', 'scaled', 'row-max', 'shifted', 'exp', 'row-sum', 'weights', 'output'];

  test('knows no order without them', () => assert.ok(change({ encoding: 'none' }) <= 1e-12));
  test('knows a little with a causal mask', () => assert.ok(change({ encoding: 'none', causal: true }) > 0.1));
  test('knows the order once P is added', () => assert.ok(change({}) > 0.1));
  test('knows the order once P stands beside', () => assert.ok(change({ combine: 'concatenate', width: 4 }) > 0.01));

  test('has these steps', () => {
    assert.deepEqual(keys({}), ['X', 'P', 'H', ...rest]);
    assert.deepEqual(keys({ encoding: 'none' }), ['X', ...rest]);
    assert.deepEqual(keys({ combine: 'concatenate', causal: true, temperature: 2, softmax: 'plain' }),
      ['X', 'P', 'H', 'mask', 'scores', 'scaled', 'masked', 'tempered', 'exp', 'row-sum', 'weights', 'output']);
  });

  test('has a step of its own for what came after', () => {
    assert.deepEqual(keys({ encoding: 'rotary' }), ['X', 'R', ...rest]);
    assert.deepEqual(keys({ encoding: 'alibi' }), ['X', 'bias', 'scores', 'scaled', 'biased', ...rest.slice(2)]);
    assert.deepEqual(keys({ encoding: 'alibi', causal: true }), ['X', 'bias', 'mask', 'scores', 'scaled', 'biased', 'masked', ...rest.slice(2)]);
    assert.ok(!core.trace({ recipe: 'positional', inputs: { X: [[1, 2]] }, options: { encoding: 'alibi' } }).steps.some(({ key }) => key === 'bias'), 'one token has no distance');
  });

  test('knows the order once rows are turned, or distance costs', () => {
    for (const encoding of ['rotary', 'alibi']) assert.ok(change({ encoding }) > 0.1, encoding);
  });

  for (const precision of /** @type {const} */ (['float64', 'float32']))
    for (const layout of ['interleaved', 'halves'])
      test(`turns queries and keys as rotary() does, ${layout}, in ${precision}`, () => {
        const rows = [[1, 0, 2, -1, 0.5], [0, 2, 1, 1, -1], [-1, 1, 0, 3, 2]]; // the fifth column has no partner
        const trace = core.trace({ recipe: 'positional', inputs: { X: rows }, options: { encoding: 'rotary', layout, base: 100, offset: 3, causal: true }, precision });
        const call = { positions: [3, 4, 5], base: 100, interleaved: layout === 'interleaved', rotaryDim: 4, precision };
        const R = rowsOf(core.rotary({ x: rows, ...call }));
        const close = precision === 'float64' ? 1e-14 : 1e-6;
        assertClose(stepRows(trace, 'R'), R, close);
        const { output, kept } = core.attention({ q: R, k: R, v: rows, causal: true, keep: 'weights', precision });
        assertClose(stepRows(trace, 'output'), rowsOf(output), close);
        assertClose(stepRows(trace, 'weights'), rowsOf(/** @type {any} */ (kept)), close);
      });

  test('has rotary scores that a shift of all positions leaves as they are', () => {
    const scores = (/** @type {any} */ options) => stepRows(traceOf(options), 'scores');
    assertClose(scores({ encoding: 'rotary', offset: 1000 }), scores({ encoding: 'rotary' }), 1e-11);
    assert.notDeepEqual(scores({ offset: 1000 }), scores({}));
    assert.throws(() => assertClose(scores({ offset: 1000 }), scores({}), 0.01));
  });

  for (const precision of /** @type {const} */ (['float64', 'float32']))
    for (const heads of [8, 12, 6])
      test(`adds the slopes of ${heads} heads as alibiSlopes() has them, in ${precision}`, () => {
        const slopes = [...core.alibiSlopes({ heads, precision }).data];
        for (const causal of [false, true])
          for (const [head, slope] of slopes.entries()) {
            const trace = core.trace({ recipe: 'positional', inputs: { X }, options: { encoding: 'alibi', heads, head, causal }, precision });
            const bias = X.map((_, i) => X.map((__, j) => (i === j ? 0 : -slope * Math.abs(i - j))));
            assertClose(stepRows(trace, 'bias'), bias, precision === 'float64' ? 0 : 1e-7);
            assertClose(stepRows(trace, 'output'), rowsOf(core.attention({ q: X, k: X, v: X, bias, causal, precision }).output), precision === 'float64' ? 1e-14 : 1e-6);
          }
      });

  test('explains a turned cell by the two that it was made of', () => {
    const { form, terms, result } = core.explain(traceOf({ encoding: 'rotary' }), 'R', 1, 0);
    assert.equal(form, 'sum');
    assert.deepEqual(terms.map(({ cells }) => cells.map(({ key, row, col }) => [key, row, col])), [[['X', 1, 0]], [['X', 1, 1]]]);
    assertClose([[result]], [[X[1][0] * Math.cos(1) - X[1][1] * Math.sin(1)]], 1e-15);
  });

  test('without them is self-attention', () =>
    assert.deepEqual(traceOf({ encoding: 'none', causal: true }).steps, core.trace({ recipe: 'self-attention', inputs: { X }, options: { causal: true } }).steps));

  test('is attention of X + P', () => {
    const P = paper([5, 6, 7, 8], 2, 100);
    const trace = traceOf({ base: 100, offset: 5 });
    assertClose(stepRows(trace, 'P'), P, 1e-14);
    const H = X.map((row, i) => row.map((cell, j) => cell + P[i][j]));
    for (const [key, rows] of Object.entries(attentionSteps({ q: H, k: H, v: H }))) assertClose(stepRows(trace, key), rows, 1e-12, key);
  });

  test('or of [X, P], whose scores are X·Xᵀ + P·Pᵀ', () => {
    const P = encoding({ positions: 4, dModel: 5, layout: 'halves' });
    const trace = traceOf({ combine: 'concatenate', width: 5, layout: 'halves' });
    assert.deepEqual(stepRows(trace, 'H'), X.map((row, i) => [...row, ...P[i]]));
    assertClose(stepRows(trace, 'scores'), X.map((x, i) => X.map((y, j) => dot(x, y) + dot(P[i], P[j]))), 1e-14);
    assertClose(stepRows(trace, 'scaled'), stepRows(trace, 'scores').map((row) => row.map((cell) => cell / Math.sqrt(7))), 1e-14);
  });

  for (const options of [{}, { causal: true }, { combine: 'concatenate', width: 3 }, { combine: 'concatenate', encoding: 'sinusoidal', softmax: 'plain', scale: 0.4 }, { encoding: 'rotary', layout: 'halves', causal: true, offset: 2 }, { encoding: 'alibi', heads: 6, head: 4 }])
    test(`has the gradient that finite differences measure: ${JSON.stringify(options)}`, () => {
      const start = randomMatrix(randomNumbers(6), 3, 2);
      const step = 2 ** -17;
      for (const [row, col] of [[0, 0], [2, 1]]) {
        const at = (/** @type {number} */ i, /** @type {number} */ j, /** @type {number} */ by) =>
          stepRows(traceOf(options, start.map((cells, r) => cells.map((cell, c) => cell + (r === i && c === j ? by : 0)))), 'output')[row][col];
        const expected = start.map((cells, i) => cells.map((_, j) => (at(i, j, step) - at(i, j, -step)) / (2 * step)));
        assertClose(stepRows(core.gradient(traceOf(options, start), { of: { key: 'output', row, col }, wrt: 'X' }), 'grad/X'), expected, 1e-8);
      }
    });

  test('explains a cell of [X, P] by the one cell it was', () => {
    const trace = traceOf({ combine: 'concatenate', width: 3 });
    const from = (/** @type {number} */ col) => core.explain(trace, 'H', 1, col).terms.map(({ cells }) => cells.map(({ key, row, col }) => [key, row, col]));
    assert.deepEqual(from(1), [[['X', 1, 1]]]);
    assert.deepEqual(from(2), [[['P', 1, 0]]]);
  });

  for (const [what, options, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['an unknown encoding', { encoding: 'learned' }, 'not-a-choice', 'encoding'],
    ['an unknown way to combine', { combine: 'multiply' }, 'not-a-choice', 'combine'],
    ['another width to add', { width: 3 }, 'dimension-mismatch', 'width'],
    ['width 0 beside', { combine: 'concatenate', width: 0 }, 'bad-size', 'width'],
    ['half a width', { combine: 'concatenate', width: 1.5 }, 'bad-size', 'width'],
    ['base 0', { base: 0 }, 'bad-base', 'base'],
    ['base 0 to turn by', { encoding: 'rotary', base: 0 }, 'bad-base', 'base'],
    ['an unknown layout to turn', { encoding: 'rotary', layout: 'thirds' }, 'not-a-choice', 'layout'],
    ['a turn beyond 2⁵³', { encoding: 'rotary', offset: 1e17 }, 'bad-position', 'positions'],
    ['no heads', { encoding: 'alibi', heads: 0 }, 'bad-size', 'heads'],
    ['too many heads', { encoding: 'alibi', heads: 65537 }, 'bad-size', 'heads'],
    ['half a head', { encoding: 'alibi', head: 0.5 }, 'bad-size', 'head'],
    ['a head that is not there', { encoding: 'alibi', heads: 4, head: 4 }, 'no-such-head', 'head'],
    ['an infinite offset', { offset: Infinity }, 'not-finite', 'offset'],
    ['temperature 0', { temperature: 0 }, 'temperature-not-positive', 'temperature'],
    ['a misspelt option', { bass: 2 }, 'unknown-option', 'bass'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => traceOf(options), { code, field }));

  test('names the field: X without columns', () => void errorOf(() => traceOf({}, [[], []]), { field: 'X' }));
});
