// Questions about a trace, for everybody: which steps it has, which of them are walked through, what one cell is. Pure.

/**
 * @typedef {{ rows: string | null, cols: string | null }} Labels   letters of the tokens along both sides; null: plain numbers
 * @typedef {import('./module/attention.d.ts').Step & { labels: Labels, typed: boolean }} Step   as a lesson shows it; typed: its numbers are the visitor's
 * @typedef {Omit<import('./module/attention.d.ts').Trace, 'steps'> & { steps: Step[] }} Trace
 * @typedef {{ key: string, row: number, col: number }} Place
 */

/** Beyond this many cells together, tables show a window. */
const ALL_STEPS_LIMIT = 1500;

/** @param {Trace | null} trace @param {string} key */
export const stepOf = (trace, key) => trace?.steps.find((step) => step.key === key);

/** @param {string} key */
export const isGradient = (key) => key.startsWith('grad/');

/** A step of the computation itself: not what only enters it, nor a comparison beside it. @param {string} key */
const isWalked = (key) => !['mask', 'output-mask', 'c'].includes(key) && !key.includes('/');

/** @param {Trace | null} trace @param {(key: string) => boolean} which */
const keysOf = (trace, which) => (trace?.steps ?? []).map(({ key }) => key).filter(which);

/** Keys of the steps of the computation, in order. @param {Trace | null} trace */
export const walkedKeys = (trace) => keysOf(trace, isWalked);

/** Keys of the steps to walk through: of the computation, or of its gradient when that is open. @param {Trace | null} trace */
export const stepKeys = (trace) => (trace?.gradient ? keysOf(trace, isGradient) : walkedKeys(trace));

/** The steps that were computed, for the overview. @param {Trace | null} trace */
export const computedSteps = (trace) => (trace?.steps ?? []).filter(({ key, op }) =>
  isGradient(key) || (op !== 'input' && !key.includes('/')));

/** The step on the stage: the wanted one, if it is there. @param {Trace | null} trace @param {string | null} wanted @param {string} first */
export function currentKey(trace, wanted, first) {
  if (wanted !== null && stepOf(trace, wanted) && (isGradient(wanted) || isWalked(wanted))) return wanted;
  return trace?.gradient ? stepKeys(trace)[0] : first;
}

/** The nearest cell that exists. @param {Step} step @param {{ row: number, col: number } | null} cell @returns {Place} */
export function placeIn({ key, shape: [rows, cols] }, cell) {
  return { key, row: Math.min(cell?.row ?? 0, rows - 1), col: Math.min(cell?.col ?? 0, cols - 1) };
}

/** @param {Place | null} a @param {Place | null} b */
export const samePlace = (a, b) => Boolean(a && b && a.key === b.key && a.row === b.row && a.col === b.col);

/** @param {Step} step @param {{ row: number, col: number }} cell */
export const exists = ({ shape }, { row, col }) => row < shape[0] && col < shape[1];

/** @param {Trace | null} trace */
export const isLarge = (trace) => (trace?.steps ?? []).reduce((cells, { shape }) => cells + shape[0] * shape[1], 0) > ALL_STEPS_LIMIT;

/** One cell; NaN where there is none. @param {Trace | null} trace @param {string} key @param {number} row @param {number} col */
export function cellOf(trace, key, row, col) {
  const step = stepOf(trace, key);
  return step && exists(step, { row, col }) ? step.values[row * step.shape[1] + col] : NaN;
}

/** Which cells of a step the mask forbids. @param {Trace | null} trace @param {Step} step */
export function forbiddenIn(trace, step) {
  const mask = step.mask && stepOf(trace, step.mask);
  if (!mask || mask.shape[0] !== step.shape[0] || mask.shape[1] !== step.shape[1]) return undefined;
  return (/** @type {{ row: number, col: number }} */ { row, col }) => mask.values[row * mask.shape[1] + col] === 0;
}

/** @param {Step} step @returns {number[][]} */
export const rowsOf = ({ shape: [rows, cols], values }) =>
  Array.from({ length: rows }, (_, row) => [...values.slice(row * cols, (row + 1) * cols)]);

/** All numbers of a step, tabs between columns. @param {Step} step */
export const asText = (step) => rowsOf(step).map((row) => row.join('\t')).join('\n');
