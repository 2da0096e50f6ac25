// Any value that a property may have, for tests that try many.

import fc from 'fast-check';

/** @import { Property } from '../../web/properties.js' */

const key = fc.constantFrom('scores', 'row-max', 'grad/scores', 'head2/weights', 'W_Q', 'a.b', 'constructor');
const position = fc.integer({ min: 0, max: 63 });

/**
 * @param {fc.Arbitrary<number>} cell
 * @param {number} maxRows
 * @param {number} maxCols
 * @returns {fc.Arbitrary<number[][]>}
 */
export const matrix = (cell, maxRows, maxCols) =>
  fc.tuple(fc.integer({ min: 1, max: maxRows }), fc.integer({ min: 1, max: maxCols })).chain(([rows, cols]) =>
    fc.array(fc.array(cell, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }));

/**
 * @param {Property} property
 * @param {{ rows: number, cols: number, matrixOf: (rows: number, cols: number) => fc.Arbitrary<number[][]> }} matrices   the largest that are tried, and what is in them
 * @returns {fc.Arbitrary<any>}
 */
export function valueOf({ type, min = 0, minExclusive, max = 1, choices = [], maxRows = 1, maxCols = 1 }, { rows, cols, matrixOf }) {
  const [most, widest] = [Math.min(maxRows, rows), Math.min(maxCols, cols)];
  switch (type) {
    case 'matrix': return matrixOf(most, widest);
    case 'bits': return matrix(fc.constantFrom(0, 1), most, widest);
    case 'number': return fc.double({ min, minExcluded: minExclusive, max, noNaN: true });
    case 'integer': return fc.integer({ min, max });
    case 'choice': return fc.constantFrom(...choices);
    case 'choices': return fc.subarray(choices, { minLength: 1 });
    case 'key': return key;
    case 'cell': return fc.record({ row: position, col: position }, { noNullPrototype: true });
    case 'pin': return fc.record({ key, row: position, col: position }, { noNullPrototype: true });
    case 'gradient': return fc.record({ key, row: position, col: position, wrt: key }, { noNullPrototype: true });
    // A text of nothing but blanks says nothing, and is left out.
    default: return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');
  }
}
