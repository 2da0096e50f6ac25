// Lesson 2: softmax and temperature.
import { figure } from './figure.js';
import { isBroken, request } from './model.js';
import { settings } from './settings.js';
import { stepOf } from '../../trace.js';
import { part, sign } from '../../views/formula.js';
import { checkTemperature } from '../temperature.js';

/** The numbers that an example sets; what it does not name is as at the start. */
const START = { T: 1, factor: 1, shift: 0, softmax: 'stable', precision: 'float64' };

export const examples = [
  { id: 'three', values: { ...START, x: [[2, 1, 0]] } },
  { id: 'large', values: { ...START, x: [[10, 9]] } },
  { id: 'several', values: { ...START, x: [[3, 2.9, 2.8, 0, -1]] } },
  { id: 'overflow', values: { ...START, softmax: 'plain', precision: 'float32', x: [[88.5, 88.5]] } },
];

export const firstStep = 'weights';

/** Properties with a field in the panel of numbers, at which their problems are shown. */
export const fields = ['x', 'T', 'shift', 'factor'];
export const furtherFields = /** @type {string[]} */ ([]);

export const matrices = [{ name: 'x', kind: 'score', rows: 'one', cols: 'n', labels: { rows: null, cols: 'x' } }];

/** @param {unknown} _ @param {(key: string) => boolean} has whether the trace has a step */
export function formula(_, has) {
  return [
    part('\\operatorname{softmax}', 'softmax', 'weights'),
    sign('\\big(', '('),
    ...(has('multiplied') ? [part('a', 'a', 'multiplied')] : []),
    part('x', 'x', 'x'),
    ...(has('moved') ? [part('+\\,c', '+ c', 'moved')] : []),
    ...(has('tempered') ? [part('/\\,T', '/T', 'tempered')] : []),
    sign('\\big)_i', ')ᵢ'),
    ...(has('exp')
      ? [sign('=', '='), part('e^{z_i}', 'exp zᵢ', 'exp', 'row-max', 'shifted'), sign('\\Big/', '/'), part('\\textstyle\\sum_j e^{z_j}', 'Σⱼ exp zⱼ', 'row-sum')]
      : []),
  ];
}

/** Any list will do; T = 0 is the limit. @param {any} state */
export const check = ({ T, precision }) => (T === 0 ? [] : checkTemperature(T, precision));

/** Under which name the texts speak of a step. @param {any} state @param {string} key @param {import('../../trace.js').Trace | null} trace */
export function shownAs({ T }, key, trace) {
  if (key !== 'weights') return key;
  if (isBroken(stepOf(trace, key)?.values ?? [1])) return 'weights-broken';
  return T === 0 ? 'weights-limit' : 'softmax-weights';
}

export const extraProse = () => [];

export const predicts = false;

/** @param {{ key: string, shape: number[] }} step @returns {import('../../trace.js').Labels} */
export const labelsOf = ({ key, shape }) => ({ rows: null, cols: shape[1] === 1 && /row-(max|sum)/.test(key) ? null : 'x' });

export { figure, request, settings };
