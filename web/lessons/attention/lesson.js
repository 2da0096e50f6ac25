// Lesson 1: attention by hand.
import { rowsOf, stepOf } from '../../trace.js';
import { labelsOf } from './labels.js';
import { check, drawnMask, request } from './model.js';
import { settings } from './settings.js';
import { part, sign } from '../../views/formula.js';

/** The given examples of the lesson. */
export const examples = [
  { id: 'a', values: { Q: [[1, 1]], K: [[1, 0], [0, 2]], V: [[1, 0], [0, 1]] } },
  { id: 'b', values: { Q: [[2, 0]], K: [[2, 0], [0, 2]], V: [[10, 0], [0, 10]] } },
];

export const firstStep = 'scores';

/** Properties with a field in the panel of numbers, at which their problems are shown. */
export const fields = ['Q', 'K', 'V', 'T'];

/** Those with one further down. */
export const furtherFields = ['w', 'match', 'E'];

/** The matrices a visitor edits, and the properties that share a length with each other. */
export const matrices = [
  { name: 'Q', kind: 'query', rows: 'n_q', cols: 'd_k', labels: { rows: 'q', cols: null } },
  { name: 'K', kind: 'key', rows: 'n_k', cols: 'd_k', labels: { rows: 'k', cols: null } },
  { name: 'V', kind: 'value', rows: 'n_k', cols: 'd_v', labels: { rows: 'v', cols: null } },
];

const SOFTMAX_STEPS = ['row-max', 'shifted', 'exp', 'row-sum', 'weights'];

/**
 * The formula, read from the inside out; columns turn every product round. A part is there only with its step.
 * @param {any} state @param {(key: string) => boolean} has whether the trace has a step
 */
export function formula({ convention, scale }, has) {
  const columns = convention === 'columns';
  const query = part('\\htmlClass{query}{Q}', 'Q', 'Q');
  const key = part('\\htmlClass{key}{K}', 'K', 'K');
  const value = part('\\htmlClass{value}{V}', 'V', 'V');
  const product = columns
    ? part('\\htmlClass{key}{K}^{\\top}\\htmlClass{query}{Q}', 'KᵀQ', 'scores')
    : part('\\htmlClass{query}{Q}\\htmlClass{key}{K}^{\\top}', 'QKᵀ', 'scores');
  const tempered = has('tempered');
  const weights = [
    part('\\operatorname{softmax}', 'softmax', 'weights', ...SOFTMAX_STEPS),
    sign('\\big(', '('),
    ...(tempered && has('masked') ? [sign('(', '(')] : []),
    product,
    ...(scale === 'on' ? [part('/\\sqrt{d_k}', '/√d_k', 'scaled')] : []),
    ...(has('masked') ? [part('+\\,M', '+ M', 'masked')] : []),
    ...(tempered && has('masked') ? [sign(')', ')')] : []),
    ...(tempered ? [part('/\\,T', '/T', 'tempered')] : []),
    sign('\\big)', ')'),
  ];
  const output = columns
    ? part('\\htmlClass{value}{V}\\,\\cdot', 'V ·', 'output')
    : part('\\cdot\\,\\htmlClass{value}{V}', '· V', 'output');
  return [
    sign('\\operatorname{Attention}(', 'Attention('), query, sign(',', ','), key, sign(',', ','), value, sign(')\\;=\\;', ') = '),
    ...(columns ? [output, ...weights] : [...weights, output]),
  ];
}

/** Under which name the texts speak of a step. @param {any} state @param {string} key */
export const shownAs = ({ scale }, key) => (key === 'scaled' && scale === 'off' ? 'scaled-off' : key);

/** Further sections of the prose that the numbers call for. @param {any} state @param {import('../../trace.js').Trace} trace @param {string | null} example @param {string} key */
export function extraProse(state, trace, example, key) {
  const asGiven = example && state.mask === 'none' && state.T === 1 && state.scale === 'on';
  const mask = stepOf(trace, 'mask');
  const emptyRow = mask && rowsOf(mask).some((row) => row.every((cell) => cell === 0));
  return [
    ...(state.convention === 'columns' ? ['columns'] : []),
    ...(key === 'output' && asGiven ? [`result-${example}`] : []),
    ...(emptyRow && ['masked', 'row-max', 'row-sum', 'weights', 'output'].includes(key) ? ['mask-empty'] : []),
  ];
}

/** Whether the next number can be predicted. */
export const predicts = true;

export { check, drawnMask, labelsOf, request, settings };
