// From state to numbers: asks the core, and keeps the last answer while the numbers have a problem.
import { exists, stepOf } from './steps.js';

/**
 * @typedef {import('./module/attention.d.ts').AttentionCore} Core
 * @typedef {import('./module/attention.d.ts').Trace} Trace
 * @typedef {import('./views/message.js').Problem} Problem
 * @typedef {{ trace: Trace | null, reach: any, problems: Problem[], stale: boolean }} Result
 */

/** @type {Result} */
export const NOTHING_YET = { trace: null, reach: null, problems: [], stale: false };

/** @param {ReturnType<typeof import('./engine.js').createEngine>} engine */
export function createModel(engine) {
  /** @type {{ w: number, match: number, value: any } | null} */
  let reach = null;

  /** It depends on two sliders only. @param {Core} core @param {any} lesson @param {any} state */
  function reachOf(core, lesson, { w, match }) {
    if (!reach || reach.w !== w || reach.match !== match) reach = { w, match, value: lesson.reach(core, { w, match }) };
    return reach.value;
  }

  /** @param {Core} core @param {any} lesson @param {any} state @returns {Trace} */
  function traceOf(core, lesson, state) {
    const trace = core.trace(lesson.request(state));
    const { gradient } = state;
    const step = gradient && stepOf(trace, gradient.key);
    const isThere = step && exists(step, gradient) && lesson.matrices.some((/** @type {any} */ { name }) => name === gradient.wrt);
    return isThere ? core.gradient(trace, { of: gradient, wrt: gradient.wrt }) : trace;
  }

  return {
    /** @param {any} lesson @param {any} state @param {Result} last @param {{ reach: boolean }} wanted @returns {Result} */
    compute(lesson, state, last, wanted) {
      const problems = lesson.check(state);
      if (problems.length > 0) return { ...last, problems, stale: true };
      const asked = engine.ask((core) => ({ trace: traceOf(core, lesson, state), reach: wanted.reach ? reachOf(core, lesson, state) : null }));
      if (!asked) return last;
      return 'problem' in asked
        ? { ...last, problems: [asked.problem], stale: true }
        : { ...asked.answer, problems: [], stale: false };
    },

    /** @param {Trace} trace @param {{ key: string, row: number, col: number }} place */
    explain(trace, { key, row, col }) {
      const asked = engine.ask((core) => core.explain(trace, key, row, col));
      return asked && 'answer' in asked ? asked.answer : null;
    },
  };
}
