// What a link names that is not there: a step, a cell, a number to predict. It is known once the numbers were computed.
import { currentKey, exists, stepKeys, stepOf, walkedKeys } from '../trace.js';

/**
 * @typedef {import('../views/message.js').Problem} Problem
 * @typedef {object} Asked
 * @property {{ status: string, values: Record<string, any> }} link
 * @property {any} state                            with the link's values in it
 * @property {import('../trace.js').Trace} trace
 * @property {string[]} closed                      steps that are to be opened by predicting
 * @property {any} lesson
 */

/** @param {string} field @param {string} code @param {Record<string, any>} detail @returns {Problem} */
export const misfit = (field, code, detail) => ({ field, code, detail });

/** @param {number[]} shape */
const sizeOf = ([rows, cols]) => `${rows}×${cols}`;

/** A step and a cell in it. @param {Asked} asked @param {string} field @param {import('../trace.js').Place} place */
function placeMisfits({ trace }, field, { key, row, col }) {
  const step = stepOf(trace, key);
  if (!step) return [misfit(field, 'no-such-step', { text: key, choices: [...new Set([...walkedKeys(trace), ...stepKeys(trace)])] })];
  return exists(step, { row, col }) ? [] : [misfit(field, 'no-such-cell', { text: `${row},${col}`, step: key, size: sizeOf(step.shape) })];
}

/** What each key asks for. @type {Record<string, (asked: Asked, value: any) => Problem[]>} */
const CHECKS = {
  predict: ({ lesson }, predict) => (predict === 1 && !lesson.predicts ? [misfit('predict', 'no-predictions', {})] : []),
  gradient(asked, gradient) {
    const missing = placeMisfits(asked, 'gradient', gradient);
    const inputs = asked.lesson.matrices.map((/** @type {any} */ { name }) => name);
    if (missing.length > 0) return missing;
    if (!inputs.includes(gradient.wrt)) return [misfit('gradient', 'not-a-choice', { choices: inputs })];
    return asked.closed.includes(gradient.key) ? [misfit('gradient', 'gradient-closed', { text: gradient.key })] : [];
  },
  step({ link, trace, lesson }, step) {
    const isThere = currentKey(trace, step, lesson.firstStep) === step;
    // Of a gradient that is not there, that is said.
    return isThere || (link.values.gradient && step.startsWith('grad/')) ? [] : [misfit('step', 'no-such-step', { text: step, choices: stepKeys(trace) })];
  },
  cell(asked, cell) {
    const { trace, lesson, link } = asked;
    return placeMisfits(asked, 'cell', { key: currentKey(trace, link.values.step ?? null, lesson.firstStep), ...cell });
  },
  pin: (asked, pin) => placeMisfits(asked, 'pin', pin),
  allow({ state: { mask, Q, K } }, allow) {
    const [actual, expected] = [[allow.length, allow[0].length], [Q.length, K.length]].map(sizeOf);
    return mask !== 'drawn' || actual === expected ? [] : [misfit('allow', 'mask-size', { actual, expected })];
  },
};

/** What is said of any link; a page's own may hold what its numbers no longer have, and shows what it showed. */
const OF_ANY = ['predict', 'gradient'];

/** @param {Asked} asked @param {typeof CHECKS} [own] what the keys of a lesson ask for @returns {Problem[]} */
export function misfits(asked, own = {}) {
  const { link: { status, values }, state } = asked;
  return Object.entries({ ...CHECKS, ...own }).flatMap(([name, check]) => {
    // What the visitor has changed meanwhile is theirs.
    const isAsked = name in values && (state[name] === null || state[name] === values[name]);
    return isAsked && (status === 'unchecked' || OF_ANY.includes(name)) ? check(asked, values[name]) : [];
  });
}
