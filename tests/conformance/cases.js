// Cases with known answers from outside the project, read where they lie: the folder that ATTENTION_DATA names.
// It holds onnx/*.json (one operator test each), literals.json (numbers of other projects' tests) and bugs.json (wrong
// numbers that were reported in public).

import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Undefined when there is none. */
export const folder = process.env.ATTENTION_DATA || undefined;

/** @typedef {{ shape: number[], data: ArrayLike<number> }} Tensor */
/** @typedef {{ abs?: number, rel?: number }} Tolerance */

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(path.join(/** @type {string} */ (folder), name), 'utf8'));

const SPECIAL = /** @type {Record<string, number>} */ ({ nan: NaN, inf: Infinity, '-inf': -Infinity });

/** JSON has no NaN and no infinities; they stand there as words. Other words stay. @param {any} value @returns {any} */
function plain(value) {
  if (typeof value === 'string') return SPECIAL[value] ?? value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
  return value;
}

export function onnxCases() {
  const names = readdirSync(path.join(/** @type {string} */ (folder), 'onnx')).filter((name) => name.endsWith('.json')).sort();
  return names.map((name) => plain(read(`onnx/${name}`)));
}
export const literalCases = () => plain(read('literals.json').cases);
export const bugCases = () => plain(read('bugs.json').bugs);

/** Numbers, nested lists or a tensor, as a tensor. @param {any} value @returns {Tensor} */
export function tensorOf(value) {
  if (value?.shape) return value;
  const shape = [];
  for (let level = value; Array.isArray(level); level = level[0]) shape.push(level.length);
  return { shape, data: [value].flat(Infinity).map(Number) };
}

/** @param {any} value @param {number[]} shape @returns {Tensor} */
export const reshaped = (value, shape) => ({ shape, data: tensorOf(value).data });

/** @param {number} count @param {(index: number) => any} [of] */
export const times = (count, of = (index) => index) => Array.from({ length: count }, (_, index) => of(index));

/** Where the first number is that is further off than abs + rel·|expected|; NaN and infinities must be the same. @param {Tensor} actual @param {Tensor} expected @param {Tolerance} tolerance */
function firstFar(actual, expected, { abs = 0, rel = 0 }) {
  return times(expected.data.length).findIndex((at) => {
    const [found, right] = [actual.data[at], expected.data[at]];
    return !(Object.is(found, right) || found === right || Math.abs(found - right) <= abs + rel * Math.abs(right));
  });
}

/** @param {any} actual @param {any} expected @param {Tolerance} tolerance */
export function isNear(actual, expected, tolerance) {
  const [one, other] = [tensorOf(actual), tensorOf(expected)];
  return one.data.length === other.data.length && firstFar(one, other, tolerance) < 0;
}

/** @param {any} actual @param {any} expected @param {Tolerance} tolerance @param {string} what */
export function assertNear(actual, expected, tolerance, what) {
  const [one, other] = [tensorOf(actual), tensorOf(expected)];
  assert.deepEqual(one.shape, other.shape, `${what}: shape`);
  assert.equal(one.data.length, other.data.length, `${what}: how many numbers`);
  const at = firstFar(one, other, tolerance);
  assert.ok(at < 0, `${what}: number ${at} is ${one.data[at]}, not ${other.data[at]}`);
}

/** What 24 bits allow of numbers around 1, and the nine digits of the ONNX files. */
export const SINGLE = { abs: 1e-6, rel: 1e-5 };

/** A stated tolerance, not below what single precision can hold. @param {Tolerance} stated @param {string} precision @returns {Tolerance} */
export function inReach({ abs = 0, rel = 0 }, precision) {
  return precision === 'float64' ? { abs, rel } : { abs: Math.max(abs, SINGLE.abs), rel: Math.max(rel, SINGLE.rel) };
}
