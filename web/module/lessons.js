// The part of the module that the lessons use, with a core of its own: what they do not need, no visitor waits for.
import createCore from 'glue:lesson';
import { openCore } from './core.js';
import { requestOf } from './recipes.js';
import { traceCalls } from './trace.js';

export { compileAttention } from './core.js';
export { AttentionError } from './error.js';

/** @typedef {import('./tensor.js').Plain} Plain */

/** @param {Parameters<typeof openCore>[1]} wasm */
export async function loadCore(wasm) {
  const { ask } = await openCore(createCore, wasm);
  return {
    ...traceCalls(ask),
    /** One step of a trace: to hand all of them over takes longer than to compute them. @param {Parameters<import('./attention.d.ts').AttentionCore['trace']>[0]} call @param {string} key @returns {import('./attention.d.ts').Step} */
    step(call, key) {
      const { tensors, request } = requestOf(call);
      return ask('trace', tensors, { ...request, only: key }).steps[0];
    },
    /** The encoding of these positions, whose properties the page has checked. @param {{ positions: number[], dModel: number, base: number, layout: 'interleaved' | 'halves', offset?: number }} call @returns {Plain} */
    sinusoidal: ({ positions, dModel, base, layout, offset = 0 }) =>
      ask('sinusoidal', { positions: { shape: [positions.length, 1], data: Float64Array.from(positions) } }, { precision: 'float64', options: { dModel, base, layout, offset } }).output,
    /** Every product of a row of `a` and a row of `b`. @param {Plain} a @param {Plain} b @returns {Plain} */
    products: (a, b) => ask('products', { a, b }, {}).output,
  };
}

/** @typedef {Awaited<ReturnType<typeof loadCore>>} LessonCore */
