// trace() and explain(): the steps are the computation, and every cell is made of its terms.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps, EXAMPLES } from './formula.js';
import { assertClose, errorOf, loadAttention, randomMask, randomMatrix, randomNumbers, rowsOf, stepRows } from './module.js';

/** @import { Explanation, Step, Trace } from '../../web/module/attention.d.ts' */

const core = await loadAttention();

const random = randomNumbers(2);
const inputs = { q: randomMatrix(random, 3, 4), k: randomMatrix(random, 5, 4), v: randomMatrix(random, 5, 2) };
const mask = [[1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]];
const bias = randomMatrix(random, 3, 5);

/** @param {any} [extra] @param {any} [options] @param {any} [precision] */
const traceOf = (extra = {}, options = {}, precision = undefined) =>
  core.trace({ recipe: 'attention', inputs: { ...inputs, ...extra }, options, precision });

/** @param {Trace} trace */
const keys = (trace) => trace.steps.map(({ key }) => key);

describe('a softcap', () => {
  const trace = traceOf({ mask, bias }, { softcap: 1.5 });
  const [scaled, capped] = ['scaled', 'softcapped'].map((key) => stepRows(trace, key));

  test('is a step of its own, c·tanh(z/c), before bias and mask', () => {
    assert.ok(keys(trace).indexOf('scaled') < keys(trace).indexOf('softcapped') && keys(trace).indexOf('softcapped') < keys(trace).indexOf('biased'));
    assertClose(capped, scaled.map((row) => row.map((z) => 1.5 * Math.tanh(z / 1.5))), 1e-14);
    assertClose(rowsOf(core.attention({ ...inputs, mask, bias, softcap: 1.5 }).output), stepRows(trace, 'output'), 0);
    assert.ok(!keys(traceOf({}, { softcap: 0 })).includes('softcapped'), '0 is none');
  });

  test('has a gradient, 1 − tanh²(z/c) of what comes from above', () => {
    const gradient = core.gradient(trace, { of: { key: 'output', row: 0, col: 1 }, wrt: 'K' });
    const [above, below] = ['grad/softcapped', 'grad/scaled'].map((key) => stepRows(gradient, key));
    assertClose(below, above.map((row, i) => row.map((g, j) => g * (1 - Math.tanh(scaled[i][j] / 1.5) ** 2))), 1e-14);
  });

  test('is explained by the cell it caps', () => {
    const { form, terms } = core.explain(trace, 'softcapped', 2, 3);
    assert.equal(form, 'map');
    assert.deepEqual(terms.map(({ cells }) => cells.map(({ key, row, col }) => [key, row, col])), [[['scaled', 2, 3]]]);
  });
});

describe('trace', () => {
  for (const [name, { input, digits }] of Object.entries(EXAMPLES)) {
    const trace = core.trace({ recipe: 'attention', inputs: input, options: { compareSoftmax: true } });
    test(`has the digits of example ${name}`, () => {
      for (const [key, rows] of Object.entries(digits)) assertClose(stepRows(trace, key), rows, 5e-10, key);
    });
    test(`has every step of example ${name} as the definition says`, () => {
      for (const [key, rows] of Object.entries(attentionSteps(input))) assertClose(stepRows(trace, key), rows, 1e-12, key);
    });
  }

  const always = ['row-max', 'shifted', 'exp', 'row-sum', 'weights', 'output'];
  for (const [what, extra, options, expected] of /** @type {[string, any, any, string[]][]} */ ([
    ['nothing but Q, K and V', {}, {}, ['Q', 'K', 'V', 'scores', 'scaled', ...always]],
    ['a mask', { mask }, {}, ['Q', 'K', 'V', 'mask', 'scores', 'scaled', 'masked', ...always]],
    ['a causal mask', {}, { causal: 'top-left' }, ['Q', 'K', 'V', 'mask', 'scores', 'scaled', 'masked', ...always]],
    ['a mask that allows all', { mask: mask.map((row) => row.map(() => 1)) }, {}, ['Q', 'K', 'V', 'scores', 'scaled', ...always]],
    ['a temperature', {}, { temperature: 2 }, ['Q', 'K', 'V', 'scores', 'scaled', 'tempered', ...always]],
    ['a bias', { bias }, {}, ['Q', 'K', 'V', 'bias', 'scores', 'scaled', 'biased', ...always]],
    ['softmax by hand', {}, { softmax: 'plain' }, ['Q', 'K', 'V', 'scores', 'scaled', 'exp', 'row-sum', 'weights', 'output']],
    ['both softmaxes', {}, { compareSoftmax: true }, ['Q', 'K', 'V', 'scores', 'scaled', ...always, 'plain/exp', 'plain/row-sum', 'plain/weights']],
    ['both softmaxes, by hand first', {}, { softmax: 'plain', compareSoftmax: true },
      ['Q', 'K', 'V', 'scores', 'scaled', 'exp', 'row-sum', 'weights', 'output', ...always.slice(0, 5).map((key) => `stable/${key}`)]],
  ]))
    test(`has these steps for ${what}`, () => assert.deepEqual(keys(traceOf(extra, options)), expected));

  test('has every step as the definition says, with mask, bias, scale and temperature', () => {
    const trace = traceOf({ mask, bias }, { scale: 0.7, temperature: 2 });
    const expected = attentionSteps({ ...inputs, mask, bias, scale: 0.7, temperature: 2 });
    const seen = (/** @type {number[][]} */ rows) => rows.filter((_, row) => row !== 1); // the empty row has no maximum to shift by
    for (const key of ['scores', 'scaled', 'biased', 'masked', 'tempered']) assertClose(stepRows(trace, key), expected[key], 1e-12, key);
    for (const key of always) assertClose(seen(stepRows(trace, key)), seen(expected[key]), 1e-12, key);
    assert.deepEqual(stepRows(trace, 'weights')[1], [0, 0, 0, 0, 0]);
    assert.deepEqual(stepRows(trace, 'output')[1], [0, 0]);
  });

  test('ends in what attention() answers', () => {
    for (let seed = 0; seed < 20; seed++) {
      const next = randomNumbers(seed);
      const call = { q: randomMatrix(next, 2, 3), k: randomMatrix(next, 4, 3), v: randomMatrix(next, 4, 3), mask: randomMask(next, 2, 4) };
      assert.deepEqual(stepRows(core.trace({ recipe: 'attention', inputs: call }), 'output'), rowsOf(core.attention(call).output));
    }
  });

  test('carries what it was made from, and the formula of every step', () => {
    const trace = traceOf({ mask }, { temperature: 2 });
    assert.equal(trace.recipe, 'attention');
    assert.deepEqual(trace.options, { temperature: 2 });
    assert.equal(trace.precision, 'float64');
    for (const step of trace.steps) {
      assert.equal(step.values.length, step.shape[0] * step.shape[1], step.key);
      assert.ok(step.symbol && (step.op === 'input' || step.tex.includes('=')), `${step.key} has no formula`);
      for (const input of [...step.inputs, ...(step.mask ? [step.mask] : [])])
        assert.ok(keys(trace).indexOf(input) < keys(trace).indexOf(step.key), `${step.key} comes before its input ${input}`);
    }
  });

  test('takes q and Q alike', () => {
    const { q, k, v } = inputs;
    assert.deepEqual(core.trace({ recipe: 'attention', inputs: { Q: q, K: k, V: v } }).steps, traceOf().steps);
  });

  test('in float32 holds Float32Arrays', () => {
    for (const { key, values } of traceOf({ mask }, {}, 'float32').steps) assert.ok(values instanceof Float32Array, key);
  });

  test('of self-attention is that of Q = K = V = X', () => {
    const x = inputs.k;
    const self = core.trace({ recipe: 'self-attention', inputs: { X: x }, options: { causal: true } });
    const three = core.trace({ recipe: 'attention', inputs: { q: x, k: x, v: x }, options: { causal: true } });
    for (const key of ['scores', 'masked', 'weights', 'output']) assert.deepEqual(stepRows(self, key), stepRows(three, key), key);
  });

  test('of the recurrent cell is h ← w·h + x', () => {
    const x = [[1], [-2], [0.5], [4]];
    const trace = core.trace({ recipe: 'recurrent', inputs: { x }, options: { w: 0.5 } });
    let h = 0;
    x.forEach(([number], i) => assert.deepEqual(stepRows(trace, `h${i + 1}`), [[(h = 0.5 * h + number)]]));
  });
});

/** The cell that an explanation's terms give. @param {Step} step @param {Explanation} explanation @param {number} col */
function recombined({ op }, { form, terms }, col) {
  const product = (/** @type {Explanation['terms'][0]} */ { cells, factor, divisor }) => (cells.reduce((all, { value }) => all * value, 1) * factor) / divisor;
  if (form === 'sum') return terms.map(product).reduce((sum, value) => sum + value, 0);
  if (form === 'max') return Math.max(...terms.map(product));
  const cells = terms[0].cells.map(({ value }) => value);
  switch (op) {
    case 'exp': return Math.exp(cells[0]);
    case 'select': return cells[0];
    case 'divide-rows': return cells[0] / cells[1];
    case 'is-max': {
      const max = Math.max(...cells);
      const own = terms[0].cells.find((cell) => cell.col === col)?.value;
      return own === max ? 1 / cells.filter((value) => value === max).length : 0;
    }
    default: throw new Error(`a map of an unknown kind: ${op}`);
  }
}

/** Checks every cell of every step; gives the operations that were seen. @param {Trace} trace */
function explainAll(trace) {
  const valueAt = (/** @type {{ key: string, row: number, col: number }} */ { key, row, col }) => stepRows(trace, key)[row][col];
  for (const step of trace.steps)
    for (let row = 0; row < step.shape[0]; row++)
      for (let col = 0; col < step.shape[1]; col++) {
        const explanation = core.explain(trace, step.key, row, col);
        const where = `${step.key} (${step.op}) [${row}, ${col}]`;
        const value = valueAt({ key: step.key, row, col });
        assert.equal(explanation.result, value, where);
        for (const term of explanation.terms)
          for (const cell of term.cells) {
            assert.ok(step.inputs.includes(cell.key), `${where} has a term from ${cell.key}, which is no input`);
            assert.equal(cell.value, valueAt(cell), where);
          }
        if (explanation.terms.length > 0) assertClose([[recombined(step, explanation, col)]], [[value]], 1e-12, where);
        else assert.ok(step.op === 'input' || [0, -Infinity, NaN].some((empty) => Object.is(value, empty) || Object.is(value, -0)), `${where} has no terms and is ${value}`);
      }
  return trace.steps.map(({ op }) => op);
}

describe('explain', () => {
  const seen = new Set();
  for (const [what, trace] of /** @type {[string, Trace][]} */ ([
    ['attention', traceOf()],
    ['attention with everything', traceOf({ mask, bias }, { scale: 0.7, temperature: 2, compareSoftmax: true })],
    ['attention by hand', traceOf({ mask }, { softmax: 'plain', compareSoftmax: true })],
    ['attention with ties', core.trace({ recipe: 'attention', inputs: { q: [[1, 1]], k: [[1, 1], [1, 1], [0, 1]], v: [[1], [2], [3]] } })],
    ['self-attention', core.trace({ recipe: 'self-attention', inputs: { X: inputs.k }, options: { causal: true } })],
    ['attention with positions added', core.trace({ recipe: 'positional', inputs: { X: inputs.k }, options: { causal: true } })],
    ['attention with positions beside', core.trace({ recipe: 'positional', inputs: { X: inputs.k }, options: { combine: 'concatenate', width: 3 } })],
    ['softmax', core.trace({ recipe: 'softmax', inputs: { x: bias }, options: { factor: 2, shift: 1, temperature: 3, compareSoftmax: true } })],
    ['softmax at temperature 0', core.trace({ recipe: 'softmax', inputs: { x: [[1, 2, 2]] }, options: { temperature: 0 } })],
    ['a recurrent cell', core.trace({ recipe: 'recurrent', inputs: { x: [[1], [2], [3]] }, options: { w: 0.9 } })],
  ])) {
    test(`recombines to every cell of ${what}`, () => explainAll(trace).forEach((op) => seen.add(op)));
    test(`recombines to every cell of the gradients of ${what}`, () => {
      const of = /** @type {Step} */ (trace.steps.findLast(({ key }) => key === 'output' || key === 'weights' || /^h\d+$/.test(key)));
      for (const { key } of trace.steps.filter(({ op, key }) => op === 'input' && key !== 'mask' && key !== 'bias'))
        explainAll(core.gradient(trace, { of: { key: of.key, row: 0, col: 0 }, wrt: key })).forEach((op) => seen.add(op));
    });
  }

  test('has met every operation that a lesson can show', () =>
    assert.deepEqual([...seen].sort(), ['add', 'columns', 'concatenate', 'divide-rows', 'exp', 'input', 'is-max', 'matmul', 'multiply', 'row-max', 'row-sum', 'scale', 'select', 'spread', 'subtract-column']));

  test('leaves hidden pairs out', () => {
    const trace = traceOf({ mask });
    assert.deepEqual(core.explain(trace, 'output', 0, 1).terms.map(({ cells }) => cells[0].col), [0, 1, 3]);
    assert.deepEqual(core.explain(trace, 'row-sum', 0, 0).terms.length, 3);
    assert.deepEqual(core.explain(trace, 'masked', 0, 2).terms, []);
    assert.deepEqual(core.explain(trace, 'output', 1, 0).terms, []);
  });

  test('works on a trace that was stored and read again', () => {
    const trace = core.trace({ recipe: 'attention', inputs: EXAMPLES.a.input });
    const stored = JSON.parse(JSON.stringify({ recipe: trace.recipe, inputs: EXAMPLES.a.input, options: trace.options, precision: trace.precision }));
    assert.deepEqual(core.explain(stored, 'scores', 0, 1), core.explain(trace, 'scores', 0, 1));
  });
});

describe('an input that is wrong', () => {
  const [row, twoRows, wide] = [[[1]], [[1], [2]], [[1, 2]]];
  for (const [what, call, code, field, words] of /** @type {[string, any, string, string, RegExp][]} */ ([
    ['capitals, one missing', { recipe: 'attention', inputs: { Q: row } }, 'missing', 'K', /^K is missing$/],
    ['small letters, one missing', { recipe: 'attention', inputs: { q: row } }, 'missing', 'k', /^k is missing$/],
    ['capitals of different width', { recipe: 'attention', inputs: { Q: wide, K: row, V: row } }, 'dimension-mismatch', 'K', /^K \[1, 1\] .* Q \[1, 2\]/],
    ['small letters of different length', { recipe: 'attention', inputs: { q: row, k: row, v: twoRows } }, 'dimension-mismatch', 'v', /^v \[2, 1\] .* k \[1, 1\]/],
    ['both kinds', { recipe: 'attention', inputs: { q: wide, K: row, V: row } }, 'dimension-mismatch', 'K', /^K \[1, 1\] .* q \[1, 2\]/],
    ['nothing', { recipe: 'attention', inputs: {} }, 'missing', 'Q', /^Q is missing$/],
    ['rows of tokens', { recipe: 'self-attention', inputs: { X: 3 } }, 'bad-rank', 'X', /^X /],
    ['a list of scores', { recipe: 'softmax', inputs: {} }, 'missing', 'x', /^x is missing$/],
  ]))
    test(`is called as the caller calls it: ${what}`, () => assert.match(errorOf(() => core.trace(call), { code, field }).message, words));
});

test('a step that is not there is named as it was asked for', () => {
  const trace = core.trace({ recipe: 'attention', inputs: { Q: [[1, 2]], K: [[1, 0]], V: [[3]] } });
  assert.match(errorOf(() => core.explain(trace, 'k', 0, 0)).message, /'k'/);
});
