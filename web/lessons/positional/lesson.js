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
  { id: 'turned', values: { ...START, ...KOREAN, encoding: 'rotary', layout: 'interleaved' } },
  { id: 'near-first', values: { ...START, ...KOREAN, encoding: 'alibi', heads: 8, head: 1, causal: 'on' } },
  { id: 'no-order', values: { ...START, ...KOREAN, encoding: 'none' } },
];

/** There with and without an encoding. */
export const firstStep = 'X';

/** Properties with a field in the panel of numbers, at which their problems are shown. */
export const fields = ['X', 'heads', 'head'];
export const furtherFields = ['base', 'offset', 'positions', 'dimension', 'at', 'lag'];

export const matrices = [{ name: 'X', kind: 'query', rows: 'n', cols: 'd', labels: { rows: 'x', cols: null } }];

/** What the rows that are compared are made of. @param {any} state */
function madeOf({ encoding, combine }) {
  const x = part('\\htmlClass{query}{X}', 'X', 'X');
  const p = part('P', 'P', 'P');
  const end = sign(',\\qquad', ', ');
  if (encoding === 'rotary') return [part('R', 'R', 'R'), sign('=\\operatorname{rot}(', '= rot('), x, sign(')', ')'), end];
  if (encoding !== 'sinusoidal') return [];
  const made = combine === 'add' ? [x, sign('+', '+'), p] : [sign('[', '['), x, sign(',\\;', ', '), p, sign(']', ']')];
  return [part('H', 'H', 'H'), sign('=', '='), ...made, end];
}

/** Which rows are queries and keys, and which are values. @type {Record<string, [string, string]>} */
const ROWS = { sinusoidal: ['H', 'H'], rotary: ['R', 'X'] };

/** @param {any} state @param {(key: string) => boolean} has whether the trace has a step */
export function formula(state, has) {
  const [h, v] = ROWS[state.encoding] ?? ['X', 'X'];
  return [
    ...madeOf(state),
    part('\\operatorname{softmax}', 'softmax', 'weights', 'row-max', 'shifted', 'exp', 'row-sum'),
    sign('\\big(', '('),
    part(`${h}\\,{${h}}^{\\top}`, `${h}·${h}ᵀ`, 'scores'),
    part('/\\sqrt{d_k}', '/√d_k', 'scaled'),
    ...(has('biased') ? [part('+\\,B', '+ B', 'biased', 'bias')] : []),
    ...(has('masked') ? [part('+\\,M', '+ M', 'masked')] : []),
    sign('\\big)', ')'),
    part(`\\cdot\\,${v}`, `· ${v}`, 'output'),
  ];
}

/** Any tokens will do. */
export const check = () => [];

/** Steps that the texts speak of in another way, by encoding. @type {Record<string, Record<string, string>>} */
const SHOWN_AS = {
  rotary: { scores: 'scores-turned', output: 'output-turned' },
  alibi: { biased: 'penalised', output: 'output-near' },
  none: { output: 'output-unordered' },
};

/** Under which name the texts speak of a step. @param {any} state @param {string} key */
export const shownAs = ({ encoding, combine }, key) =>
  (key === 'H' ? (combine === 'add' ? 'added' : 'concatenated') : SHOWN_AS[encoding]?.[key] ?? key);

export const extraProse = () => [];

export const predicts = false;

/** Queries, keys and values are all rows of the same tokens. @param {{ key: string, shape: number[] }} step @returns {import('../../trace.js').Labels} */
export function labelsOf({ key, shape }) {
  const base = key.replace(/^grad\//, '').split('/')[0];
  const isSquare = !['X', 'P', 'H', 'R', 'output'].includes(base) && !(/^row-(max|sum)$/.test(base) && shape[1] === 1);
  return { rows: 'x', cols: isSquare ? 'x' : null };
}

export { figure, request, settings };
