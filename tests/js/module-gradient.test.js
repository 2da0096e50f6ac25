// gradient(): as a trace of further steps, equal to finite differences.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, loadAttention, randomMask, randomMatrix, randomNumbers, stepRows } from './module.js';

const core = await loadAttention();
const STEP = 2 ** -17;

/**
 * How `cell(inputs)` changes with every cell of one input: central differences.
 * @param {(inputs: any) => number} cell @param {any} inputs @param {string} wrt
 */
function differences(cell, inputs, wrt) {
  const moved = (/** @type {number} */ row, /** @type {number} */ col, /** @type {number} */ by) => {
    const rows = inputs[wrt].map((/** @type {number[]} */ each) => [...each]);
    rows[row][col] += by;
    return cell({ ...inputs, [wrt]: rows });
  };
  return inputs[wrt].map((/** @type {number[]} */ each, /** @type {number} */ row) =>
    each.map((_, col) => (moved(row, col, STEP) - moved(row, col, -STEP)) / (2 * STEP)));
}

/** @param {any} call a trace's recipe, inputs and options @param {{ key: string, row: number, col: number }} of @param {string} wrt */
function check(call, of, wrt) {
  const cell = (/** @type {any} */ inputs) => stepRows(core.trace({ ...call, inputs }), of.key)[of.row][of.col];
  const trace = core.gradient(core.trace(call), { of, wrt });
  assertClose(stepRows(trace, `grad/${wrt}`), differences(cell, call.inputs, wrt), 1e-8, `d ${of.key}[${of.row}, ${of.col}] / d ${wrt}`);
}

describe('gradient equals finite differences', () => {
  const random = randomNumbers(3);
  const inputs = { Q: randomMatrix(random, 3, 4), K: randomMatrix(random, 5, 4), V: randomMatrix(random, 5, 2) };
  const mask = [[1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [1, 0, 1, 1, 1]];

  for (const [what, call] of /** @type {[string, any][]} */ ([
    ['attention', { inputs }],
    ['masked attention', { inputs: { ...inputs, mask } }],
    ['causal attention with scale and temperature', { inputs, options: { causal: 'bottom-right', scale: 0.8, temperature: 0.7 } }],
    ['attention with softmax by hand', { inputs, options: { softmax: 'plain' } }],
    ['attention with a bias', { inputs: { ...inputs, bias: randomMatrix(random, 3, 5) } }],
  ]))
    for (const wrt of ['Q', 'K', 'V'])
      test(`${what}, with respect to ${wrt}, of a cell of every step`, () => {
        const attention = { recipe: 'attention', ...call };
        for (const { key, op, shape } of core.trace(attention).steps)
          if (op !== 'input' && key !== 'masked' && key !== 'shifted' && key !== 'tempered')
            check(attention, { key, row: shape[0] - 1, col: shape[1] - 1 }, wrt);
      });

  test('of every output of random shapes', () => {
    for (let seed = 0; seed < 15; seed++) {
      const next = randomNumbers(seed);
      const [nq, nk, dk, dv] = Array.from({ length: 4 }, () => 1 + Math.floor(4 * next()));
      const call = { recipe: 'attention', inputs: { Q: randomMatrix(next, nq, dk), K: randomMatrix(next, nk, dk), V: randomMatrix(next, nk, dv), mask: randomMask(next, nq, nk) } };
      for (const wrt of ['Q', 'K', 'V']) check(call, { key: 'output', row: nq - 1, col: dv - 1 }, wrt);
    }
  });

  test('self-attention, where X is used three times', () => {
    const call = { recipe: 'self-attention', inputs: { X: randomMatrix(random, 4, 3) }, options: { causal: true } };
    check(call, { key: 'output', row: 3, col: 1 }, 'X');
    check(call, { key: 'weights', row: 2, col: 0 }, 'X');
  });
});

describe('gradient', () => {
  test('of the recurrent cell is w to the power of the distance', () => {
    for (const w of [0.5, 0.9, 1, 1.2]) {
      const trace = core.trace({ recipe: 'recurrent', inputs: { x: Array(32).fill([1]) }, options: { w } });
      assertClose(stepRows(core.gradient(trace, { of: { key: 'h32', row: 0, col: 0 }, wrt: 'x1' }), 'grad/x1'), [[w ** 31]], 1e-14, `w = ${w}`);
    }
  });

  const call = { recipe: /** @type {const} */ ('attention'), inputs: { Q: [[1, 0.5]], K: [[1, 0], [0, 2]], V: [[1, 0], [0, 1]] } };
  const trace = core.trace(call);

  test('appends its steps to those of the computation', () => {
    const gradient = core.gradient(trace, { of: { key: 'output', row: 0, col: 1 }, wrt: 'Q' });
    assert.deepEqual(gradient.steps.slice(0, trace.steps.length), trace.steps);
    assert.ok(gradient.steps.slice(trace.steps.length).every(({ key }) => key.startsWith('grad/')));
    assert.deepEqual(stepRows(gradient, 'grad/output'), [[0, 1]]);
    assert.deepEqual(gradient.gradient, { key: 'output', row: 0, col: 1, wrt: 'Q' });
  });

  test('is zero with respect to what the cell does not depend on', () =>
    assert.deepEqual(stepRows(core.gradient(trace, { of: { key: 'weights', row: 0, col: 0 }, wrt: 'V' }), 'grad/V'), [[0, 0], [0, 0]]));

  test('of an input with respect to itself is the cell alone', () =>
    assert.deepEqual(stepRows(core.gradient(trace, { of: { key: 'K', row: 1, col: 0 }, wrt: 'K' }), 'grad/K'), [[0, 0], [1, 0]]));

  test('takes a step in between', () => {
    const gradient = core.gradient(trace, { of: { key: 'output', row: 0, col: 0 }, wrt: 'scores' });
    const [[a, b]] = stepRows(trace, 'weights');
    // out = a·1 + b·0, and the scores reach the weights through softmax(s/√2): da/ds₁ = a·b/√2.
    assertClose(stepRows(gradient, 'grad/scores'), [[(a * b) / Math.SQRT2, (-a * b) / Math.SQRT2]], 1e-12);
  });

  test('says q for Q too', () =>
    assert.deepEqual(core.gradient(trace, { of: { key: 'output', row: 0, col: 1 }, wrt: 'q' }).steps, core.gradient(trace, { of: { key: 'output', row: 0, col: 1 }, wrt: 'Q' }).steps));

  test('is finite where the mask leaves nothing', () => {
    const empty = core.trace({ ...call, inputs: { ...call.inputs, mask: [[0, 0]] } });
    for (const wrt of ['Q', 'K', 'V'])
      assert.ok(stepRows(core.gradient(empty, { of: { key: 'output', row: 0, col: 0 }, wrt }), `grad/${wrt}`).flat().every((cell) => cell === 0), wrt);
  });
});
