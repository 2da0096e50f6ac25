// Lesson 11: positional encoding. What the first look needs.
import { figure } from './figure.js';
import { request } from './model.js';
import { settings } from './settings.js';

/** What an example sets besides its sentence. */
const START = { encoding: 'sinusoidal', combine: 'add', causal: 'off', order: null };

/** Given values, of moderate size; a word has the same wherever it stands. */
const DOG = [2, 0, 1, 0];
const MAN = [1, 2, 0, 0];
const BITES = [0, 1, 2, 1];
const KOREAN = { X: [DOG, [0, 0, 1, 1], MAN, [0, 1, 0, 2], BITES], tokens: [[0, 1, 2, 3, 4]] };
const ENGLISH = { X: [DOG, BITES, MAN], tokens: [[5, 6, 7]] };

export const examples = [
  { id: 'particles', values: { ...START, ...KOREAN } },
  { id: 'dog-bites-man', values: { ...START, ...ENGLISH } },
  { id: 'no-order', values: { ...START, ...KOREAN, encoding: 'none' } },
];

/** There with and without an encoding. */
export const firstStep = 'X';

/** Properties with a field in the panel of numbers, at which their problems are shown. */
export const fields = ['X'];
export const furtherFields = ['base', 'offset', 'positions', 'dimension', 'at', 'lag'];

export const matrices = [{ name: 'X', kind: 'query', rows: 'n', cols: 'd', labels: { rows: 'x', cols: null } }];

/** @param {any} state @param {(key: string) => boolean} has whether the trace has a step */
export function formula({ encoding, combine }, has) {
  const step = (/** @type {string} */ tex, /** @type {string} */ plain, /** @type {string} */ key, /** @type {string[]} */ ...also) =>
    ({ tex, plain, step: key, steps: [key, ...also] });
  const text = (/** @type {string} */ tex, /** @type {string} */ plain) => ({ tex, plain });
  const none = encoding === 'none';
  const h = none ? 'X' : 'H';
  const made = combine === 'add' ? { before: text('', ''), between: text('+', '+'), after: text('', '') } : { before: text('[', '['), between: text(',\\;', ', '), after: text(']', ']') };
  return [
    ...(none ? [] : [
      step('H', 'H', 'H'), text('=', '='), ...(made.before.plain ? [made.before] : []), step('\\htmlClass{query}{X}', 'X', 'X'), made.between,
      step('P', 'P', 'P'), ...(made.after.plain ? [made.after] : []), text(',\\qquad', ', '),
    ]),
    step('\\operatorname{softmax}', 'softmax', 'weights', 'row-max', 'shifted', 'exp', 'row-sum'),
    text('\\big(', '('),
    step(`${h}\\,{${h}}^{\\top}`, `${h}·${h}ᵀ`, 'scores'),
    step('/\\sqrt{d_k}', '/√d_k', 'scaled'),
    ...(has('masked') ? [step('+\\,M', '+ M', 'masked')] : []),
    text('\\big)', ')'),
    step(`\\cdot\\,${h}`, `· ${h}`, 'output'),
  ];
}

/** Any tokens will do. */
export const check = () => [];

/** Under which name the texts speak of a step. @param {any} state @param {string} key */
export const shownAs = ({ encoding, combine }, key) =>
  (key === 'H' ? (combine === 'add' ? 'added' : 'concatenated') : key === 'output' && encoding === 'none' ? 'output-unordered' : key);

export const extraProse = () => [];

export const predicts = false;

/** Queries, keys and values are all the same rows here. @param {{ key: string, shape: number[] }} step @returns {import('../../trace.js').Labels} */
export function labelsOf({ key, shape }) {
  const base = key.replace(/^grad\//, '').split('/')[0];
  const isSquare = !['X', 'P', 'H', 'output'].includes(base) && !(/^row-(max|sum)$/.test(base) && shape[1] === 1);
  return { rows: 'x', cols: isSquare ? 'x' : null };
}

export { figure, request, settings };
