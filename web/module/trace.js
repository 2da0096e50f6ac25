// Computations step by step: traces, the terms of a cell, gradients.
import { index, keyOf, requestOf } from './recipes.js';
import { plainObject, refuseUnknown } from './tensor.js';

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'trace' | 'explain' | 'gradient'>} */
export function traceCalls(ask) {
  /** @param {any} description @returns {any} */
  function traceOf(description) {
    const { tensors, request } = requestOf(description);
    const { steps } = ask('trace', tensors, request);
    return {
      recipe: request.recipe,
      // A trace is asked about later, when the caller's numbers may be others.
      inputs: Object.fromEntries(Object.entries(tensors).map(([name, { shape, data }]) => [name, { shape, data: Float64Array.from(data) }])),
      options: description.options ?? {},
      precision: request.precision,
      ...(request.gradient && { gradient: request.gradient }),
      steps,
    };
  }

  return {
    trace(call) {
      refuseUnknown(plainObject(call, 'call'), ['recipe', 'inputs', 'options', 'precision']);
      const { recipe, inputs, options, precision } = call;
      return traceOf({ recipe, inputs, options, precision });
    },

    explain(trace, key, row, col) {
      const { tensors, request } = requestOf(trace);
      return ask('explain', tensors, { ...request, key: keyOf(key, 'key'), row: index(row, 'row'), col: index(col, 'col') }).explanation;
    },

    gradient(trace, request) {
      const { of, wrt } = plainObject(request, 'request');
      const { key, row, col } = plainObject(of, 'of');
      return traceOf({ ...trace, gradient: { key, row, col, wrt } });
    },
  };
}
