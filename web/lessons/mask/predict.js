// Predict the next number: the mistakes that masks invite.
import { cellOf, rowsOf, stepOf } from '../../trace.js';
import { judged } from '../judge.js';
import { request, visibleIn } from './model.js';

export const predictTask = {
  /**
   * The verdict on `text` for cell (row, col) of a step, as the key of a section of the prose.
   * @param {import('../../module/lessons.js').LessonCore} core
   * @param {any} state @param {import('../../trace.js').Trace} trace @param {string} key @param {number} row @param {number} col @param {string} text
   */
  judge(core, state, trace, key, row, col, text) {
    const call = request(state);
    const at = (/** @type {any} */ changed) => cellOf(/** @type {any} */ (core.trace({ ...call, ...changed })), key, row, col);
    const { Q, K, V } = call.inputs;
    return judged(trace, { key, row, col }, text, () => {
      if (key === 'scores') return [];
      const pairs = visibleIn(trace);
      const scaled = rowsOf(/** @type {any} */ (stepOf(trace, 'scaled')));
      // Takes every forbidden score to 0.
      const bias = pairs.map((line, i) => line.map((sees, j) => (sees ? 0 : -scaled[i][j])));
      const free = { causal: /** @type {const} */ (false) };
      return [
        ...(stepOf(trace, 'mask') ? /** @type {[string, number][]} */ ([
          ['predict-unmasked', at({ inputs: { Q, K, V }, options: free })],
          ['predict-times-zero', at({ inputs: { Q, K, V, bias }, options: free })],
        ]) : []),
        ['predict-no-scale', at({ options: { ...call.options, scale: 1 } })],
        ['predict-d-k', at({ options: { ...call.options, scale: 1 / Q[0].length } })],
      ];
    });
  },
};
