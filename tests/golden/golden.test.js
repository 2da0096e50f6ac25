// The module against answers of other engines, which were written down here. The scripts that wrote them lie beside: they
// need those engines, this test does not.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { onnxOutputs } from '../conformance/onnx.js';
import { loadAttention } from '../js/module.js';

const core = await loadAttention();

const SPECIAL = /** @type {Record<string, number>} */ ({ nan: NaN, inf: Infinity, '-inf': -Infinity });
const revived = (/** @type {any} */ { shape, data }) => ({ shape, data: data.map((/** @type {any} */ x) => SPECIAL[x] ?? x) });
const revive = (/** @type {any} */ tensors) => Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, revived(tensor)]));

/**
 * What a case asks for. @param {any} each @param {string} precision @returns {Record<string, { shape: number[], data: any }>}
 */
function answer({ call, options, inputs, outputs }, precision) {
  const request = { ...revive(inputs), ...options, precision };
  if (call === 'attention' && outputs.kept && !request.keep) request.keep = 'weights';
  const result = /** @type {any} */ (core)[call](request);
  return result.shape ? { output: result } : result;
}

/** @param {any} actual @param {any} expected @param {number} tolerance of a number, or of 1 where that is larger @param {string} what */
function assertNear(actual, expected, tolerance, what) {
  assert.deepEqual(actual.shape, expected.shape, `${what}: shape`);
  expected.data.forEach((/** @type {number} */ right, /** @type {number} */ at) => {
    const found = actual.data[at];
    assert.ok(Object.is(found, right) || found === right || Math.abs(found - right) <= tolerance * Math.max(1, Math.abs(right)), `${what}[${at}] is ${found}, not ${right}`);
  });
}

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** What is printed of each file. @param {any} versions */
const named = (versions) => Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ');

const numpy = read('numpy.json');
describe(`NumPy (${named(numpy.versions)})`, () => {
  for (const each of numpy.cases)
    test(each.name, () => {
      const expected = revive(each.outputs);
      const largest = Math.max(1, ...[each.inputs.q, each.inputs.k].map((given) => Math.max(1, ...(given?.data ?? []).map(Math.abs))));
      // Both compute in double: a few hundred roundings, of scores up to the square of what goes in.
      for (const [name, actual] of Object.entries(answer(each, 'float64'))) assertNear(actual, expected[name], 2e-14 * largest ** 2, name);
      // Single precision has 2²⁹ times less of each.
      for (const [name, actual] of Object.entries(answer(each, 'float32'))) assertNear(actual, expected[name], 2e-6 * largest ** 2, name);
      if (each.call === 'attention') {
        const { output } = expected;
        assertNear(core.streamingAttention(/** @type {any} */ ({ ...revive(each.inputs), ...each.options })), output, 2e-14 * largest ** 2, 'streamed');
      }
    });
});

/** What is asked: options, and what is given in which shape. @param {any} each */
const summary = ({ attributes, inputs }) =>
  [...Object.entries(attributes).map(([name, value]) => `${name} ${value}`), ...inputs.map((/** @type {any} */ { name, shape }) => `${name} [${shape}]`)].join(', ');

const onnxruntime = read('onnxruntime.json');
describe(`onnxruntime (${named(onnxruntime.versions)})`, () => {
  for (const { name, ...rest } of onnxruntime.cases)
    test(`${name}: ${summary(rest)}`, () => {
      const each = { ...rest, inputs: rest.inputs.map((/** @type {any} */ input) => ({ ...input, ...revived(input) })) };
      for (const precision of ['float64', 'float32'])
        // Its answers are in single precision, of numbers up to 10.
        for (const [output, actual, expected] of onnxOutputs(core, each, precision)) assertNear(actual, revived(expected), 1e-5, `${output}, ${precision}`);
    });
});
