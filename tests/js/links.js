// Links of the lesson `attention`, and any view that somebody may share.

import fc from 'fast-check';
import { PROPERTIES } from '../../web/properties.js';
import { crc32 } from '../../web/share/checksum.js';
import { formatLink, parseLink } from '../../web/share/link.js';
import * as packing from '../../web/share/packed.js';
import { matrix, valueOf } from './values.js';

/** @typedef {{ [name: string]: any }} Values */

export const LESSON = 'attention';
export const known = { lessons: [LESSON] };

/** @param {string} hash */
export const parse = (hash) => parseLink(hash, PROPERTIES, known, packing);

/** @param {Values} values */
export const format = (values) => formatLink({ lesson: LESSON, values }, PROPERTIES, packing);

/** @param {Values} values */
export const readable = (values) => formatLink({ lesson: LESSON, values }, PROPERTIES);

/** @param {[string, number[][]][]} matrices */
export const pack = (matrices) => /** @type {string} */ (packing.pack(matrices, crc32));

/** @param {string} text */
export const unpack = (text) => packing.unpack(text, crc32);

/** @param {number} rows @param {number} cols @param {() => number} cell @returns {number[][]} */
export const filled = (rows, cols, cell) => Array.from({ length: rows }, () => Array.from({ length: cols }, cell));

/** Equally distributed in [0, 1), the same in every run. @param {number} seed */
export function random(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** @param {() => number} next */
export const normal = (next) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

export const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
export const typed = fc.tuple(fc.integer({ min: -20_000, max: 20_000 }), fc.integer({ min: 0, max: 4 })).map(([integer, decimals]) => Number(`${integer}e-${decimals}`));
export const awkward = fc.constantFrom(0.1, -0, 0, 5e-324, 1e-300, 1e300, -1.7976931348623157e308, 2 ** 53, 2 ** 53 + 2, -(2 ** 53) - 4, 2 ** 51, 2 ** 51 - 1, 1 - 2 ** 51, 1e21,
  1 / 3, 0.1 + 0.2, 1e-7, 123456789.125, 9007199254740991, 2.2250738585072014e-308, 1e15, 1e16, -4503599627370497.5);

/** Matrices as people type them, and now and then of any numbers. */
const matrices = {
  rows: 9, cols: 12,
  /** @param {number} rows @param {number} cols */
  matrixOf: (rows, cols) => fc.oneof({ weight: 3, arbitrary: matrix(typed, rows, cols) }, { weight: 1, arbitrary: matrix(fc.oneof(finite, awkward), rows, cols) }),
};

export const LESSONS = [...new Set([LESSON, ...PROPERTIES.flatMap(({ lessons }) => (lessons === '*' ? [] : lessons))])];

/** A view of a lesson, as the page would share it: some keys set, always a language. @param {string} lesson */
export const viewsOf = (lesson) => {
  const own = PROPERTIES.filter(({ lessons }) => lessons === '*' || lessons.includes(lesson)).map((property) => ({ ...property, ...property.in?.[lesson] }));
  return fc.record(Object.fromEntries(own.map((property) => [property.name, valueOf(property, matrices)])), { requiredKeys: ['lang'], noNullPrototype: true });
};

/**
 * What may become of a link on its way, at one place.
 * @param {string[]} others what may come in; it differs from link to link, so that every character meets every kind of place
 * @returns {[string, (link: string, at: number) => string][]}
 */
export function accidents(others) {
  const strange = (/** @type {string} */ link, /** @type {number} */ at) => others[(at + link.length) % others.length];
  return [
    ['deleted', (link, at) => link.slice(0, at) + link.slice(at + 1)],
    ['swapped with the next', (link, at) => link.slice(0, at) + (link[at + 1] ?? '') + link[at] + link.slice(at + 2)],
    ['inserted', (link, at) => link.slice(0, at) + strange(link, at) + link.slice(at)],
    ['replaced', (link, at) => link.slice(0, at) + strange(link, at) + link.slice(at + 1)],
  ];
}
