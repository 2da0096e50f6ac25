// One measured number a row, and the plain table of all rows.

/**
 * @typedef {'KB' | 'ms' | 's' | 'µs' | 'points'} Unit
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {number | null} value        null: could not be measured; the note says why
 * @property {Unit} unit
 * @property {number} [atMost]            budget
 * @property {number} [atLeast]           budget
 * @property {number} [against]           another measurement, for scale
 * @property {string} [note]
 */

/** @type {Record<Unit, number>} */
const DECIMALS = { KB: 1, ms: 1, s: 2, µs: 1, points: 0 };

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {Row} row @returns {string[]} */
function cells({ what, value, unit, atMost, atLeast, against, note = '' }) {
  const text = (/** @type {number} */ number) => `${number.toFixed(DECIMALS[unit])}${unit === 'points' ? '' : ` ${unit}`}`;
  const limit = atMost ?? atLeast ?? against;
  const budget = atMost !== undefined ? `≤ ${text(atMost)}` : atLeast !== undefined ? `≥ ${text(atLeast)}` : against !== undefined ? `(${text(against)})` : '';
  if (value === null) return [what, '–', budget, '', note];
  const missed = (atMost !== undefined && value > atMost) || (atLeast !== undefined && value < atLeast);
  return [what, text(value), budget, limit === undefined ? '' : (value / limit).toFixed(2), [missed ? 'OVER' : '', note].filter(Boolean).join(' ')];
}

/** @param {Row[]} rows */
export function printRows(rows) {
  const lines = [['what', 'measured', 'budget', 'ratio', ''], ...rows.map(cells)];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const [what, measured, budget, ratio, note] of lines)
    console.log([what.padEnd(widths[0]), measured.padStart(widths[1]), budget.padStart(widths[2]), ratio.padStart(widths[3]), note].join('  ').trimEnd());
}
