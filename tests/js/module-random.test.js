// Thousands of malformed calls: whatever comes in, the answer is a result or an AttentionError, and the core lives on.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { EXAMPLES } from './formula.js';
import { AttentionError, dist, loadAttention, rowsOf } from './module.js';

const core = await loadAttention();
const { q, k, v } = EXAMPLES.a.input;
const right = rowsOf(core.attention({ q, k, v }).output);
const trace = core.trace({ recipe: 'attention', inputs: { q, k, v } });

const odd = fc.oneof(
  fc.constantFrom(undefined, null, true, false, NaN, Infinity, -Infinity, -0, -1, 2 ** 31, 2 ** 32, 2 ** 53, 1e308, 5e-324, '', 'x', '0', 1n, -1n, 2n ** 80n),
  fc.constantFrom(Symbol('s'), () => 1, new Date(0), /x/, new Map(), Object.create(null), new DataView(new ArrayBuffer(8)), new Error('e')),
  fc.integer({ min: -3, max: 5 }),
  fc.double(),
);
const cell = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) }, { weight: 1, arbitrary: odd });
const rows = fc.array(fc.array(cell, { maxLength: 3 }), { maxLength: 3 });
const tensor = fc.record({
  shape: fc.oneof(fc.array(fc.oneof(fc.nat(3), odd), { maxLength: 4 }), odd),
  data: fc.oneof(fc.array(cell, { maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), fc.float64Array({ maxLength: 9 }), odd),
}, { requiredKeys: [] });
const numbers = fc.oneof(fc.constantFrom(q, k, v), rows, tensor, fc.array(fc.array(rows, { maxLength: 2 }), { maxLength: 2 }), odd);

const options = fc.record({
  scale: odd, temperature: odd, causal: fc.oneof(fc.constantFrom('top-left', 'bottom-right', true), odd),
  emptyRow: fc.oneof(fc.constantFrom('zero', 'nan', 'uniform'), odd), softmax: fc.oneof(fc.constantFrom('stable', 'plain'), odd), compareSoftmax: odd, extra: odd,
}, { requiredKeys: [] });
const positions = fc.record({
  encoding: fc.oneof(fc.constantFrom('sinusoidal', 'none'), odd), combine: fc.oneof(fc.constantFrom('add', 'concatenate'), odd),
  width: fc.oneof(fc.nat(5), odd), base: odd, layout: fc.oneof(fc.constantFrom('interleaved', 'halves'), odd), offset: odd, causal: odd,
}, { requiredKeys: [] });
const scores = fc.record({ factor: odd, shift: odd, temperature: odd, softmax: fc.oneof(fc.constantFrom('stable', 'plain'), odd), compareSoftmax: odd }, { requiredKeys: [] });
const precision = fc.oneof(fc.constantFrom(undefined, 'float32', 'float64'), odd);

const calls = {
  attention: fc.tuple(fc.tuple(fc.record({ q: numbers, k: numbers, v: numbers, mask: numbers, bias: numbers, keep: odd, precision }, { requiredKeys: [] }), options)
    .map(([call, rest]) => ({ ...call, ...rest }))),
  softmax: fc.tuple(fc.record({ x: numbers, axis: odd, temperature: odd, stable: odd, precision }, { requiredKeys: [] })),
  sinusoidal: fc.tuple(fc.record({ positions: fc.oneof(fc.nat(9), numbers), dModel: fc.oneof(fc.nat(9), odd), base: odd, layout: fc.oneof(fc.constantFrom('interleaved', 'halves'), odd), offset: odd, precision }, { requiredKeys: [] })),
  trace: fc.tuple(fc.record({
    recipe: fc.oneof(fc.constantFrom('attention', 'self-attention', 'positional', 'softmax', 'recurrent'), odd),
    inputs: fc.oneof(fc.record({ q: numbers, k: numbers, v: numbers, mask: numbers }, { requiredKeys: [] }), fc.record({ X: numbers }), fc.record({ x: numbers }), odd),
    options: fc.oneof(options, positions, scores, fc.record({ w: odd }), odd),
    precision,
  }, { requiredKeys: [] })),
  explain: fc.tuple(fc.oneof(fc.constant(trace), fc.constant({ ...trace, inputs: undefined }), odd), fc.oneof(fc.constantFrom('scores', 'output'), odd), odd, odd),
  gradient: fc.tuple(
    fc.oneof(fc.constant(trace), fc.constant({ ...trace, recipe: 'recurrent' }), odd),
    fc.oneof(fc.record({ of: fc.oneof(fc.record({ key: fc.oneof(fc.constantFrom('output', 'Q'), odd), row: odd, col: odd }), odd), wrt: fc.oneof(fc.constantFrom('Q', 'v'), odd) }), odd)),
};

/** Large shapes are slow, not wrong: they have their own test. @param {unknown} value */
const isSmall = (value) => !/** @type {any} */ (JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part)) ?? '').match(/"shape":\[[^\]]*\d{7}/);

describe('malformed calls', () => {
  for (const [name, parameters] of Object.entries(calls))
    test(`of ${name} end in a result or an AttentionError`, () => {
      fc.assert(fc.property(/** @type {fc.Arbitrary<any[]>} */ (parameters).filter(isSmall), (args) => {
        try {
          /** @type {any} */ (core)[name](...args);
        } catch (error) {
          if (!(error instanceof AttentionError)) throw error;
          assert.ok(error.code && typeof error.field === 'string' && error.message);
        }
      }), { numRuns: 1500, seed: 1 });
      assert.deepEqual(rowsOf(core.attention({ q, k, v }).output), right);
    });

  // In a process of their own, so that one that never answers can be ended.
  for (const [what, x] of [
    ['with billions of rows of nothing', '{ shape: [2 ** 31, 0], data: [] }'],
    ['with more rows of nothing than the core can count', '{ shape: [2 ** 32 + 1, 0], data: [] }'],
    ['with arrays that hold themselves', '(() => { const endless = []; endless.push(endless); return endless; })()'],
  ])
    for (const call of [`core.softmax({ x: ${x} })`, `core.attention({ q: [[1]], k: [[1]], v: ${x} })`])
      test(`${what} are refused at once by ${call.slice(5, call.indexOf('('))}`, () => {
        const script = `import { loadAttention } from ${JSON.stringify(pathToFileURL(path.join(dist, 'attention.js')).href)};
          const core = await loadAttention();
          try { ${call}; console.log('a result'); } catch (error) { console.log(error.name); }`;
        const answer = execFileSync(process.execPath, ['--max-old-space-size=200', '--input-type=module', '--eval', script], { timeout: 10000, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
        assert.equal(answer.trim(), 'AttentionError');
      });
});
