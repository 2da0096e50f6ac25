// Lesson 11: positional encoding. What the first look needs.
import { figure } from './figure.js';
import { request } from './model.js';
import { settings } from './settings.js';
import { part, sign } from '../../views/formula.js';

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
  const none = encoding === 'none';
  const h = none ? 'X' : 'H';
  const made = combine === 'add' ? { before: sign('', ''), between: sign('+', '+'), after: sign('', '') } : { before: sign('[', '['), between: sign(',\\;', ', '), after: sign(']', ']') };
  return [
    ...(none ? [] : [
      part('H', 'H', 'H'), sign('=', '='), ...(made.before.plain ? [made.before] : []), part('\\htmlClass{query}{X}', 'X', 'X'), made.between,
      part('P', 'P', 'P'), ...(made.after.plain ? [made.after] : []), sign(',\\qquad', ', '),
    ]),
    part('\\operatorname{softmax}', 'softmax', 'weights', 'row-max', 'shifted', 'exp', 'row-sum'),
    sign('\\big(', '('),
    part(`${h}\\,{${h}}^{\\top}`, `${h}·${h}ᵀ`, 'scores'),
    part('/\\sqrt{d_k}', '/√d_k', 'scaled'),
    ...(has('masked') ? [part('+\\,M', '+ M', 'masked')] : []),
    sign('\\big)', ')'),
    part(`\\cdot\\,${h}`, `· ${h}`, 'output'),
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
