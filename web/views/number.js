// How numbers are shown. Full precision stays in the DOM (data-value); only what is seen is rounded.

const MINUS = '\u2212';
const LARGEST_PLAIN = 1e7;

/** @param {string} text */
const typographic = (text) => text.replace(/-/g, MINUS).replace('e+', 'e');

/** A number with a fixed number of decimals, or with an exponent when those would say nothing. @param {number} value @param {number} digits */
export function rounded(value, digits) {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  const size = Math.abs(value);
  if (size >= LARGEST_PLAIN || (size > 0 && Number(size.toFixed(digits)) === 0))
    return typographic(value.toExponential(Math.min(digits, 3)));
  return typographic(Object.is(Number(value.toFixed(digits)), -0) ? (0).toFixed(digits) : value.toFixed(digits));
}

/** Decimals that the finite numbers need, at most `digits`. @param {ArrayLike<number>} values @param {number} digits */
export function decimalsOf(values, digits) {
  let needed = 0;
  for (let i = 0; i < values.length && needed < digits; i++) {
    if (!Number.isFinite(values[i])) continue;
    while (needed < digits && Number(values[i].toFixed(needed)) !== values[i]) needed++;
  }
  return needed;
}

/** A number alone: no decimals that say nothing. @param {number} value @param {number} digits */
export const shown = (value, digits) => rounded(value, decimalsOf([value], digits));

/** A number as somebody would type it: shortest, all digits. @param {number} value */
export const typed = (value) => typographic(Object.is(value, -0) ? '-0' : String(value));

/** For data-value: what Number() reads back. @param {number} value */
export const exact = (value) => (Object.is(value, -0) ? '-0' : String(value));

/** "(2, 1, 0)" @param {ArrayLike<number>} list */
export const listText = (list) => `(${Array.from(list, typed).join(', ')})`;
