// Predict the next number: is what somebody typed right, or what a well-known mistake gives?
import { cellOf, stepOf } from '../trace.js';

/** Half of the last decimal that was typed, but never so much that another number would pass. @param {string} text @param {number} right */
function tolerance(text, right) {
  const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
  const decimals = (/\.(\d*)/.exec(mantissa)?.[1].length ?? 0) - Number(exponent);
  return Math.min(0.5 * 10 ** -decimals, 0.05 * Math.abs(right)) * 1.000001 + 1e-12;
}

/**
 * The verdict on `text` for a cell, as the key of a section of the prose.
 * @param {import('../trace.js').Trace} trace @param {import('../trace.js').Place} place @param {string} text
 * @param {() => [verdict: string, value: number][]} mistakes   what the lesson's own give at that cell, tried in this order
 */
export function judged(trace, { key, row, col }, text, mistakes) {
  const plain = text.trim().replace(/\u2212/g, '-').replace(/∞|\binf(inity)?$/i, 'Infinity');
  const guess = Number(plain);
  const right = cellOf(trace, key, row, col);
  if (/^nan$/i.test(plain) && Number.isNaN(right)) return 'predict-right';
  if (plain === '' || Number.isNaN(guess)) return 'predict-no-number';
  const near = (/** @type {number} */ value, /** @type {number} */ within) => guess === value || Math.abs(guess - value) <= within;
  const close = tolerance(plain, right);
  if (near(right, close)) return 'predict-right';
  for (const [verdict, value] of mistakes()) if (near(value, close)) return verdict;
  const shape = /** @type {any} */ (stepOf(trace, key)).shape;
  for (let other = 0; other < shape[0]; other++)
    if (other !== row && near(cellOf(trace, key, other, col), close)) return 'predict-wrong-row';
  for (let other = 0; other < shape[1]; other++)
    if (other !== col && near(cellOf(trace, key, row, other), close)) return 'predict-wrong-column';
  if (Number.isFinite(right) && near(right, Math.max(close, Math.abs(right) * 0.01))) return 'predict-rounded';
  return 'predict-unknown';
}
