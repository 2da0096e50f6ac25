// Predict the next number: which well-known mistake gives what somebody typed?
import { cellOf } from '../../trace.js';
import { judged } from '../judge.js';
import { request } from './model.js';

export const predictTask = {
  /**
   * The verdict on `text` for cell (row, col) of a step, as the key of a section of the prose.
   * @param {import('../../module/lessons.js').LessonCore} core
   * @param {any} state @param {import('../../trace.js').Trace} trace @param {string} key @param {number} row @param {number} col @param {string} text
   */
  judge(core, state, trace, key, row, col, text) {
    const call = request(state);
    const variant = (/** @type {number} */ scale) => cellOf(/** @type {any} */ (core.trace({ ...call, options: { ...call.options, scale } })), key, row, col);
    return judged(trace, { key, row, col }, text, () => (state.scale === 'on' && key !== 'scores'
      ? [['predict-no-scale', variant(1)], ['predict-d-k', variant(1 / state.Q[0].length)]] : []));
  },
};
