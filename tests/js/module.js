// The built module as other projects use it, and what its tests share.
// DIST is the folder of another build than dist/.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const dist = path.resolve(process.env.DIST ?? fileURLToPath(new URL('../../dist', import.meta.url)));

/** @type {typeof import('../../web/module/attention.js')} */
const module = await import(pathToFileURL(path.join(dist, 'attention.js')).href);
export const { AttentionError, compileAttention, loadAttention, version } = module;

/** A tensor or matrix of the module as nested rows. @param {{ shape: number[], data?: any, values?: any }} tensor @returns {number[][]} */
export function rowsOf({ shape: [rows, cols], data, values = data }) {
  return Array.from({ length: rows }, (_, row) => Array.from(values.slice(row * cols, (row + 1) * cols)));
}

/** @param {any} trace @param {string} key @returns {number[][]} */
export const stepRows = (trace, key) => rowsOf(trace.steps.find((/** @type {any} */ step) => step.key === key));

/** Reproducible numbers in [0, 1): mulberry32. @param {number} seed */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Cells between −2 and 2. @param {() => number} random @param {number} rows @param {number} cols */
export const randomMatrix = (random, rows, cols) =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => 4 * random() - 2));

/** About two of three pairs allowed. @param {() => number} random @param {number} rows @param {number} cols */
export const randomMask = (random, rows, cols) =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => (random() < 0.67 ? 1 : 0)));

/**
 * Same shape, and each number within `tolerance` (of its size where that is over 1); infinities and NaN the same.
 * @param {number[][]} actual @param {number[][]} expected @param {number} tolerance @param {string} [what]
 */
export function assertClose(actual, expected, tolerance, what = '') {
  assert.deepEqual(actual.map(({ length }) => length), expected.map(({ length }) => length), `${what}: shape`);
  expected.forEach((row, i) => row.forEach((number, j) => {
    const found = actual[i][j];
    const near = Object.is(found, number) || found === number || Math.abs(found - number) <= tolerance * Math.max(1, Math.abs(number));
    assert.ok(near, `${what} [${i}, ${j}]: ${found}, expected ${number}`);
  }));
}

/** Checks that `call` throws the module's own error, and gives it back. @param {() => unknown} call @param {{ code?: string, field?: string }} [expected] */
export function errorOf(call, { code, field } = {}) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof AttentionError, `threw ${error} instead of an AttentionError`);
    if (code !== undefined) assert.equal(error.code, code, error.message);
    if (field !== undefined) assert.equal(error.field, field, error.message);
    return error;
  }
  assert.fail(`no error, expected ${code} at ${field}`);
}
