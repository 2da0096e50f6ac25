// Lists with something to show, computed by the core: what lecture notes claim, what the knobs do, where numbers end.
import { stepOf } from '../../trace.js';

/**
 * @typedef {import('../../module/lessons.js').LessonCore} Core
 * @typedef {{ x: number[], weights: number[] }} Shares
 */

/** @param {Core} core @param {number[]} x @param {number} [temperature] @param {'float64' | 'float32'} [precision] */
const sharesOf = (core, x, temperature = 1, precision = 'float64') => [...core.step({ recipe: 'softmax', precision, inputs: { x: [x] }, options: { temperature } }, 'weights').values];

/** @param {Core} core @param {number[][]} lists @returns {Shares[]} */
const all = (core, lists) => lists.map((x) => ({ x, weights: sharesOf(core, x) }));

/** Large scores against large differences. @param {Core} core */
export function claims(core) {
  /** @param {number} x */
  const exp = (x) => core.step({ recipe: 'softmax', inputs: { x: [[x]] }, options: { softmax: 'plain' } }, 'exp').values[0];
  const large = exp(10) - exp(9);
  const small = exp(2) - exp(1);
  return { large, small, ratio: large / small, shares: all(core, [[10, 9], [2, 1], [10, 0], [1, 0]]) };
}

/** Twice the scores, not twice the shares. @param {Core} core */
export const doubled = (core) => all(core, [[2, 1, 0], [4, 2, 0]]);

const TEMPERATURES = [0, 0.1, 0.5, 1, 2, 10, 1e6];

/** The same list from the limit T = 0 to nearly even. @param {Core} core @param {any} state */
export const temperatures = (core, { x, precision }) => TEMPERATURES.map((T) => ({ T, weights: sharesOf(core, x[0], T, precision) }));

/** The same list moved, multiplied, and divided by the temperature that does the same. @param {Core} core @param {any} state */
export function knobs(core, { x: [x], shift, factor }) {
  const weights = (/** @type {(cell: number) => number} */ change, T = 1) => sharesOf(core, x.map(change), T);
  return [
    { knob: 'none', weights: weights((cell) => cell) },
    { knob: 'shift', weights: weights((cell) => cell + shift) },
    { knob: 'factor', weights: weights((cell) => factor * cell) },
    ...(factor > 0 ? [{ knob: 'temperature', weights: weights((cell) => cell, Math.min(1 / factor, Number.MAX_VALUE)) }] : []),
  ];
}

/**
 * Where the numbers of a precision end: the last list that goes well, and the first that does not.
 * float32 ends at 3.4028235e38 = e^88.7228, float64 at 1.7976931e308 = e^709.7827 (IEEE 754).
 * @type {{ precision: 'float32' | 'float64', x: number[] }[]}
 */
const LIMITS = [
  { precision: 'float32', x: [88.72] }, { precision: 'float32', x: [88.73] },
  { precision: 'float32', x: [88.02, 88.02] }, { precision: 'float32', x: [88.03, 88.03] },
  { precision: 'float32', x: [88.5, 88.5] }, { precision: 'float32', x: [89, 80] }, { precision: 'float32', x: [-104, -105] },
  { precision: 'float64', x: [709.78] }, { precision: 'float64', x: [709.79] }, { precision: 'float64', x: [710, 700] },
];

/** @param {Core} core */
export const overflow = (core) => LIMITS.map(({ precision, x }) => {
  const trace = /** @type {any} */ (core.trace({ recipe: 'softmax', precision, inputs: { x: [x] }, options: { softmax: 'plain', compareSoftmax: true } }));
  const values = (/** @type {string} */ key) => [.../** @type {any} */ (stepOf(trace, key)).values];
  return { precision, x, exp: values('exp'), sum: values('row-sum')[0], plain: values('weights'), stable: values('stable/weights') };
});

/** Shares without exp, where scores may be negative: x/Σx. @param {Core} core */
export const withoutExp = (core) => [[3, 1], [2, -1], [1, -1]].map((x) => {
  const sum = x.reduce((all, cell) => all + cell, 0);
  return { x, ratios: x.map((cell) => cell / sum), weights: sharesOf(core, x) };
});
