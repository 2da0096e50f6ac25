// Traces of every kind that each lesson can show: their step keys and the operations of their gradients.

import { loadAttention } from './module.js';

const core = await loadAttention();
const inputs = { q: [[1, 0.5], [0, 1]], k: [[1, 0], [0, 2], [1, 1]], v: [[1, 0], [0, 1], [2, 2]] };
const mask = [[1, 0, 1], [0, 0, 0]];
const x = [[2, 1, 0]];

/** By lesson: its traces, and the inputs that a gradient can be taken with respect to. @type {Record<string, { traces: any[], wrt: string[] }>} */
const shown = {
  attention: {
    traces: [
      core.trace({ recipe: 'attention', inputs, options: { compareSoftmax: true } }),
      core.trace({ recipe: 'attention', inputs: { ...inputs, mask, bias: [[0, 1, 2], [1, 0, 0]] }, options: { compareSoftmax: true, temperature: 2 } }),
      core.trace({ recipe: 'attention', inputs, options: { softmax: 'plain', compareSoftmax: true, scale: 1 } }),
    ],
    wrt: ['Q', 'K', 'V'],
  },
  softmax: {
    traces: [
      core.trace({ recipe: 'softmax', inputs: { x }, options: { factor: 2, shift: 3, temperature: 0.5, compareSoftmax: true } }),
      core.trace({ recipe: 'softmax', inputs: { x }, options: { softmax: 'plain', compareSoftmax: true } }),
      core.trace({ recipe: 'softmax', inputs: { x }, options: { temperature: 0 } }),
    ],
    wrt: ['x'],
  },
  mask: {
    traces: [
      core.trace({ recipe: 'attention', inputs, options: { causal: 'top-left' } }),
      core.trace({ recipe: 'attention', inputs: { ...inputs, mask }, options: { emptyRow: 'uniform' } }),
    ],
    wrt: ['Q', 'K', 'V'],
  },
  positional: {
    traces: [
      core.trace({ recipe: 'positional', inputs: { X: inputs.k } }),
      core.trace({ recipe: 'positional', inputs: { X: inputs.k }, options: { combine: 'concatenate', causal: 'top-left' } }),
      core.trace({ recipe: 'positional', inputs: { X: inputs.k }, options: { encoding: 'rotary' } }),
      core.trace({ recipe: 'positional', inputs: { X: inputs.k }, options: { encoding: 'alibi', causal: 'top-left' } }),
      core.trace({ recipe: 'positional', inputs: { X: inputs.k }, options: { encoding: 'none' } }),
    ],
    wrt: ['X'],
  },
};

/** @param {string} key */
const isGradient = (key) => key.startsWith('grad/');

/** @type {Record<string, { stepKeys: Set<string>, gradientSteps: any[] }>} */
export const lessons = Object.fromEntries(Object.entries(shown).map(([lesson, { traces, wrt }]) => {
  const steps = traces.flatMap((trace) => trace.steps);
  const gradients = traces.flatMap((trace) => trace.steps.filter((/** @type {any} */ { op }) => op !== 'input').flatMap((/** @type {any} */ { key }) =>
    wrt.flatMap((name) => core.gradient(trace, { of: { key, row: 0, col: 0 }, wrt: name }).steps.filter((step) => isGradient(step.key)))));
  return [lesson, { stepKeys: new Set(steps.map(({ key }) => key)), gradientSteps: [...new Map(gradients.map((step) => [step.key, step])).values()] }];
}));
