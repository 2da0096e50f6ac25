// Traces of every kind that the page can show: their step keys and the operations of their gradients.

import { loadAttention } from './module.js';

const core = await loadAttention();
const inputs = { q: [[1, 0.5], [0, 1]], k: [[1, 0], [0, 2], [1, 1]], v: [[1, 0], [0, 1], [2, 2]] };
const mask = [[1, 0, 1], [0, 0, 0]];

const traces = [
  core.trace({ recipe: 'attention', inputs, options: { compareSoftmax: true } }),
  core.trace({ recipe: 'attention', inputs: { ...inputs, mask, bias: [[0, 1, 2], [1, 0, 0]] }, options: { compareSoftmax: true, temperature: 2 } }),
  core.trace({ recipe: 'attention', inputs, options: { softmax: 'plain', compareSoftmax: true, scale: 1 } }),
];
const gradients = traces.flatMap((trace) => trace.steps.filter(({ op }) => op !== 'input').flatMap(({ key }) =>
  ['Q', 'K', 'V'].map((wrt) => core.gradient(trace, { of: { key, row: 0, col: 0 }, wrt }))));

export const stepKeys = new Set(traces.flatMap(({ steps }) => steps.map(({ key }) => key)));
export const gradientSteps = [...new Map(gradients.flatMap(({ steps }) => steps.filter(({ key }) => key.startsWith('grad/'))).map((step) => [step.key, step])).values()];
