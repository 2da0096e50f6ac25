// The recipe 'softmax': scores multiplied, moved and divided, and where exp ends in either precision.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention, stepRows } from './module.js';

const core = await loadAttention();

/** @param {number[][]} x @param {any} [options] @param {any} [precision] */
const traceOf = (x, options = {}, precision = undefined) => core.trace({ recipe: 'softmax', inputs: { x }, options, precision });

/** Bridle 1990. @param {number[]} row */
function defined(row) {
  const exps = row.map((cell) => Math.exp(cell));
  return exps.map((exp) => exp / exps.reduce((sum, each) => sum + each, 0));
}

const stable = ['row-max', 'shifted', 'exp', 'row-sum', 'weights'];
const plain = ['exp', 'row-sum', 'weights'];

describe('softmax step by step', () => {
  for (const [what, options, expected] of /** @type {[string, any, string[]][]} */ ([
    ['nothing else', {}, ['x', ...stable]],
    ['options that do nothing', { factor: 1, shift: 0, temperature: 1, softmax: 'stable', compareSoftmax: false }, ['x', ...stable]],
    ['softmax by hand', { softmax: 'plain' }, ['x', ...plain]],
    ['a factor', { factor: 2 }, ['x', 'multiplied', ...stable]],
    ['a shift', { shift: 2 }, ['x', 'c', 'moved', ...stable]],
    ['a temperature', { temperature: 2 }, ['x', 'tempered', ...stable]],
    ['everything', { factor: 2, shift: 2, temperature: 2, softmax: 'plain' }, ['x', 'c', 'multiplied', 'moved', 'tempered', ...plain]],
    ['both softmaxes', { compareSoftmax: true }, ['x', ...stable, ...plain.map((key) => `plain/${key}`)]],
    ['both softmaxes, by hand first', { compareSoftmax: true, softmax: 'plain' }, ['x', ...plain, ...stable.map((key) => `stable/${key}`)]],
    ['temperature 0', { temperature: 0 }, ['x', 'row-max', 'shifted', 'weights']],
    ['temperature 0 by hand, compared', { temperature: 0, softmax: 'plain', compareSoftmax: true }, ['x', 'row-max', 'shifted', 'weights']],
  ]))
    test(`has these steps for ${what}`, () => assert.deepEqual(traceOf([[1, 2]], options).steps.map(({ key }) => key), expected));

  test('multiplies, then moves, then divides', () => {
    const trace = traceOf([[1, -2], [0, 4]], { factor: 3, shift: -1, temperature: 2 });
    assert.deepEqual(stepRows(trace, 'c'), [[-1, -1], [-1, -1]]);
    assert.deepEqual(stepRows(trace, 'multiplied'), [[3, -6], [0, 12]]);
    assert.deepEqual(stepRows(trace, 'moved'), [[2, -7], [-1, 11]]);
    assert.deepEqual(stepRows(trace, 'tempered'), [[1, -3.5], [-0.5, 5.5]]);
    assertClose(stepRows(trace, 'weights'), [defined([1, -3.5]), defined([-0.5, 5.5])], 1e-15);
  });

  test('is what the definition says, and what softmax() answers', () => {
    const x = [[2, 1, 0], [-3, 0.5, 4]];
    const trace = traceOf(x, { compareSoftmax: true });
    assertClose(stepRows(trace, 'weights'), x.map(defined), 1e-15);
    assertClose(stepRows(trace, 'plain/weights'), x.map(defined), 1e-15);
    for (const temperature of [0, 0.3, 2])
      assert.deepEqual(stepRows(traceOf(x, { temperature }), 'weights').flat(), [...core.softmax({ x, temperature }).data]);
  });

  test('does not change when all scores move, and does when they are multiplied', () => {
    const weights = (/** @type {any} */ options) => stepRows(traceOf([[2, 1, 0]], options), 'weights');
    assertClose(weights({ shift: 100 }), weights({}), 1e-14);
    assertClose(weights({ factor: 2 }), [[0.867, 0.117, 0.016]], 5e-4);
    assert.deepEqual(weights({ factor: 2 }), weights({ temperature: 0.5 }));
  });

  test('at temperature 0 gives all to the largest, and shares between ties', () => {
    const trace = traceOf([[1, 3, 2], [3, 1, 3]], { temperature: 0 });
    assert.deepEqual(stepRows(trace, 'weights'), [[0, 1, 0], [0.5, 0, 0.5]]);
    assert.equal(trace.steps.at(-1)?.op, 'is-max');
  });

  test('has the gradient weight·(δ − weight)', () => {
    const [a, b, c] = defined([2, 1, 0]);
    const gradient = core.gradient(traceOf([[2, 1, 0]]), { of: { key: 'weights', row: 0, col: 0 }, wrt: 'x' });
    assertClose(stepRows(gradient, 'grad/x'), [[a * (1 - a), -a * b, -a * c]], 1e-15);
  });
});

// ln of the largest float32 is 88.7228…, of half of it 88.0297…; for float64 709.7827… and 709.0896…
describe('exp ends', () => {
  for (const [precision, one, alone, two, twins, high, low] of /** @type {[any, number, number, number, number, number, number][]} */ ([
    ['float32', 88.72, 88.73, 88.02, 88.03, 88.5, -104.01],
    ['float64', 709.78, 709.79, 709.08, 709.09, 709.5, -746],
  ])) {
    const hand = (/** @type {number[]} */ row) => traceOf([row], { softmax: 'plain', compareSoftmax: true }, precision);
    const step = (/** @type {number[]} */ row, /** @type {string} */ key) => stepRows(hand(row), key)[0];

    test(`in ${precision} for one score above ${one}`, () => {
      assert.ok(Number.isFinite(step([one], 'exp')[0]));
      assert.deepEqual(step([one], 'weights'), [1]);
      assert.deepEqual(step([alone], 'exp'), [Infinity]);
      assert.deepEqual(step([alone], 'weights'), [NaN]);
    });

    test(`in ${precision} for the sum of two equal scores above ${two}`, () => {
      assert.ok(Number.isFinite(step([two, two], 'row-sum')[0]));
      assert.deepEqual(step([two, two], 'weights'), [0.5, 0.5]);
      assert.deepEqual(step([twins, twins], 'row-sum'), [Infinity]);
    });

    test(`in ${precision} with weights that are zero where only the sum is infinite`, () => {
      assert.ok(step([high, high], 'exp').every(Number.isFinite));
      assert.deepEqual(step([high, high], 'row-sum'), [Infinity]);
      assert.deepEqual(step([high, high], 'weights'), [0, 0]);
    });

    test(`in ${precision} with NaN where an exp is infinite, and where all are zero`, () => {
      assert.deepEqual(step([high + 0.5, 80], 'weights'), [NaN, 0]);
      assert.deepEqual(step([low, low - 1], 'exp'), [0, 0]);
      assert.deepEqual(step([low, low - 1], 'weights'), [NaN, NaN]);
    });

    test(`in ${precision} never with the maximum subtracted`, () => {
      for (const score of [one, alone, two, twins, high, low]) {
        assert.deepEqual(step([score, score], 'stable/weights'), [0.5, 0.5]);
        assertClose([step([score + 1, score], 'stable/weights')], [defined([1, 0])], 1e-5);
      }
    });
  }

  test('in float32 at (89, 80)', () => assert.deepEqual(stepRows(traceOf([[89, 80]], { softmax: 'plain' }, 'float32'), 'weights'), [[NaN, 0]]));

  test('through a factor and a shift too', () => {
    assert.deepEqual(stepRows(traceOf([[0.5, 0.5]], { shift: 88, softmax: 'plain' }, 'float32'), 'weights'), [[0, 0]]);
    assert.deepEqual(stepRows(traceOf([[8.9, 8]], { factor: 10, softmax: 'plain' }, 'float32'), 'weights'), [[NaN, 0]]);
  });

  test('and no policy for empty rows hides it', () => {
    for (const emptyRow of /** @type {const} */ (['zero', 'nan', 'uniform'])) {
      const inputs = { Q: [[-800]], K: [[1], [1], [0]], V: [[1], [2], [3]], mask: [[1, 1, 0]] };
      const trace = core.trace({ recipe: 'attention', inputs, options: { softmax: 'plain', scale: 1, emptyRow } });
      assert.deepEqual(stepRows(trace, 'weights'), [[NaN, NaN, 0]], emptyRow);
    }
  });
});

describe('softmax step by step refuses', () => {
  for (const [what, options, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['temperature −1', { temperature: -1 }, 'temperature-not-positive', 'temperature'],
    ['temperature Infinity', { temperature: Infinity }, 'temperature-not-positive', 'temperature'],
    ['temperature as text', { temperature: '0' }, 'temperature-not-positive', 'temperature'],
    ['an infinite factor', { factor: Infinity }, 'not-finite', 'factor'],
    ['a factor as text', { factor: '2' }, 'not-finite', 'factor'],
    ['a shift that is NaN', { shift: NaN }, 'not-finite', 'shift'],
    ['an unknown softmax', { softmax: 'hard' }, 'not-a-choice', 'softmax'],
    ['an option of attention', { scale: 2 }, 'unknown-option', 'scale'],
  ]))
    test(what, () => void errorOf(() => traceOf([[1, 2]], options), { code, field }));

  test('a list, and inputs it has not', () => {
    errorOf(() => core.trace(/** @type {any} */ ({ recipe: 'softmax', inputs: { x: [1, 2] } })), { code: 'bad-rank', field: 'x' });
    errorOf(() => core.trace(/** @type {any} */ ({ recipe: 'softmax', inputs: { x: [[1]], mask: [[1]] } })), { code: 'unknown-option', field: 'mask' });
    errorOf(() => core.trace(/** @type {any} */ ({ recipe: 'softmax', inputs: {} })), { code: 'missing', field: 'x' });
  });

  test('what a float32 cannot hold', () => {
    errorOf(() => traceOf([[1]], { shift: 1e300 }, 'float32'), { code: 'not-finite', field: 'shift' });
    errorOf(() => traceOf([[1]], { temperature: 1e-60 }, 'float32'), { code: 'temperature-not-positive', field: 'temperature' });
  });
});
