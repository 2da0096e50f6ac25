// Predict the next number: which well-known mistake gives what somebody typed?
import { cellOf, stepOf } from '../../trace.js';
import { request } from './model.js';

/** @typedef {import('../../trace.js').Trace} Trace */

/** Half of the last decimal that was typed, but never so much that another number would pass. @param {string} text @param {number} right */
function tolerance(text, right) {
  const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
  const decimals = (/\.(\d*)/.exec(mantissa)?.[1].length ?? 0) - Number(exponent);
  return Math.min(0.5 * 10 ** -decimals, 0.05 * Math.abs(right)) * 1.000001 + 1e-12;
}

export const predictTask = {
  /**
   * The verdict on `text` for cell (row, col) of a step, as the key of a section of the prose.
   * @param {import('../../module/lessons.js').LessonCore} core
   * @param {any} state @param {Trace} trace @param {string} key @param {number} row @param {number} col @param {string} text
   */
  judge(core, state, trace, key, row, col, text) {
    const guess = Number(text.trim().replace(/\u2212/g, '-'));
    if (text.trim() === '' || !Number.isFinite(guess)) return 'predict-no-number';
    const near = (/** @type {number} */ value, /** @type {number} */ within) => Math.abs(guess - value) <= within;
    const right = cellOf(trace, key, row, col);
    const close = tolerance(text.trim(), right);
    if (near(right, close)) return 'predict-right';

    const call = request(state);
    const variant = (/** @type {number} */ scale) => cellOf(/** @type {any} */ (core.trace({ ...call, options: { ...call.options, scale } })), key, row, col);
    if (state.scale === 'on' && key !== 'scores') {
      if (near(variant(1), close)) return 'predict-no-scale';
      if (near(variant(1 / state.Q[0].length), close)) return 'predict-d-k';
    }
    const shape = /** @type {any} */ (stepOf(trace, key)).shape;
    for (let other = 0; other < shape[0]; other++)
      if (other !== row && near(cellOf(trace, key, other, col), close)) return 'predict-wrong-row';
    for (let other = 0; other < shape[1]; other++)
      if (other !== col && near(cellOf(trace, key, row, other), close)) return 'predict-wrong-column';
    if (near(right, Math.max(close, Math.abs(right) * 0.01))) return 'predict-rounded';
    return 'predict-unknown';
  },
};
