// From state to numbers: asks the core, and keeps the last answer while the numbers have a problem.
import { exists } from './trace.js';

/**
 * @typedef {import('./module/lessons.js').LessonCore} Core
 * @typedef {import('./trace.js').Trace} Trace
 * @typedef {import('./views/message.js').Problem} Problem
 * @typedef {{ trace: Trace | null, derived: Record<string, any>, problems: Problem[], stale: boolean }} Result
 */

/** @type {Result} */
export const NOTHING_YET = { trace: null, derived: {}, problems: [], stale: false };

/** @param {ReturnType<typeof import('./engine.js').createEngine>} engine */
export function createModel(engine) {
  /** What was derived last, and from what. @type {Map<any, { from: any[], value: any }>} */
  const known = new Map();

  /** What a lesson shows besides its trace. @param {Core} core @param {Record<string, any>} rules @param {any} state */
  function derivedOf(core, rules, state) {
    return Object.fromEntries(Object.entries(rules).map(([name, rule]) => {
      const from = rule.of.map((/** @type {string} */ property) => state[property]);
      const last = known.get(rule);
      if (last?.from.every((value, i) => Object.is(value, from[i]))) return [name, last.value];
      const value = rule.compute(core, state);
      known.set(rule, { from, value });
      return [name, value];
    }));
  }

  /** @param {Core} core @param {any} lesson @param {any} state @returns {Trace} */
  function traceOf(core, lesson, state) {
    const trace = core.trace(lesson.request(state));
    const { gradient } = state;
    const step = gradient && trace.steps.find(({ key }) => key === gradient.key);
    const isTyped = (/** @type {string} */ key) => lesson.matrices.some((/** @type {any} */ { name }) => name === key);
    const isThere = step && exists(step, gradient) && isTyped(gradient.wrt);
    const whole = isThere ? core.gradient(trace, { of: gradient, wrt: gradient.wrt }) : trace;
    return { ...whole, steps: whole.steps.map((each) => ({ ...each, labels: lesson.labelsOf(each), typed: isTyped(each.key) })) };
  }

  return {
    /** @param {any} lesson @param {any} state @param {Result} last @param {Record<string, any>} derived rules of what else is wanted @returns {Result} */
    compute(lesson, state, last, derived) {
      const problems = lesson.check(state);
      if (problems.length > 0) return { ...last, problems, stale: true };
      const asked = engine.ask((core) => ({ trace: traceOf(core, lesson, state), derived: derivedOf(core, derived, state) }));
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
