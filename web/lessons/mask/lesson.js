// Lesson 9: masking. What the first look needs.
import { labelsOf } from '../attention/labels.js';
import { check, drawnMask } from '../attention/model.js';
import { figure } from './figure.js';
import { request, visibleIn } from './model.js';
import { settings } from './settings.js';
import { part, sign } from '../../views/formula.js';

/** Given values. Without a mask every query likes the key of the next token best: it would copy the answer. */
const SENTENCE = {
  Q: [[1, 0], [1, 1], [0, 1], [2, 0]],
  K: [[1, 1], [3, 0], [2, 2], [0, 3]],
  V: [[1, 0], [0, 1], [1, 1], [2, 0]],
};
const START = { ...SENTENCE, mask: 'causal', padding: 0, emptyRow: 'zero' };

export const examples = [
  { id: 'causal', values: START },
  { id: 'ahead', values: { ...START, mask: 'none' } },
  { id: 'padded', values: { ...START, mask: 'none', padding: 2 } },
  { id: 'causal-padded', values: { ...START, padding: 2 } },
  { id: 'cached', values: { ...START, Q: SENTENCE.Q.slice(2), mask: 'causal-end' } },
  { id: 'empty-row', values: { ...START, mask: 'drawn', allow: [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]] } },
];

/** What a mask does is seen here first. */
export const firstStep = 'weights';

/** Properties with a field in the panel of numbers, at which their problems are shown. */
export const fields = ['Q', 'K', 'V', 'padding'];

/** Those with one further down. */
export const furtherFields = ['x'];

export const matrices = [
  { name: 'Q', kind: 'query', rows: 'n_q', cols: 'd_k', labels: { rows: 'q', cols: null } },
  { name: 'K', kind: 'key', rows: 'n_k', cols: 'd_k', labels: { rows: 'k', cols: null } },
  { name: 'V', kind: 'value', rows: 'n_k', cols: 'd_v', labels: { rows: 'v', cols: null } },
];

/** @param {unknown} _ @param {(key: string) => boolean} has whether the trace has a step */
export const formula = (_, has) => [
  part('\\operatorname{softmax}', 'softmax', 'weights', 'row-max', 'shifted', 'exp', 'row-sum'),
  sign('\\big(', '('),
  part('\\htmlClass{query}{Q}\\htmlClass{key}{K}^{\\top}', 'QKᵀ', 'scores', 'Q', 'K'),
  part('/\\sqrt{d_k}', '/√d_k', 'scaled'),
  has('masked') ? part('+\\,B', '+ B', 'masked') : sign('+\\,0', '+ 0'),
  sign('\\big)', ')'),
  part('\\cdot\\,\\htmlClass{value}{V}', '· V', 'output', 'V'),
];

/** Under which name the texts speak of a step. @param {unknown} _ @param {string} key */
export const shownAs = (_, key) => key;

/** Further sections of the prose that the numbers call for. @param {any} state @param {import('../../trace.js').Trace} trace @param {string | null} example @param {string} key */
export function extraProse(state, trace, example, key) {
  const emptyRow = visibleIn(trace).some((row) => row.every((sees) => sees === 0));
  const isCausal = state.mask === 'causal' || state.mask === 'causal-end';
  const atMask = key === 'masked' || key === 'weights';
  return [
    ...(example === 'ahead' && key === 'weights' ? ['unmasked'] : []),
    ...(atMask && isCausal && state.Q.length < state.K.length ? ['corner'] : []),
    ...(atMask && state.padding > 0 && state.mask !== 'drawn' ? ['padded'] : []),
    ...(emptyRow && ['masked', 'row-max', 'row-sum', 'weights', 'output'].includes(key) ? [`empty-${state.emptyRow}`] : []),
  ];
}

/** Whether the next number can be predicted. */
export const predicts = true;

export { check, drawnMask, figure, labelsOf, request, settings };
