// The public module: attention and what belongs to it, computed, traced, explained and differentiated by the WebAssembly
// core. attention.d.ts describes it.
import createCore from 'glue:attention';
import { openCore } from './core.js';
import { atTheDoor } from './door.js';
import { alibiCalls } from './alibi.js';
import { floatsOf } from './floats.js';
import { geluCalls } from './gelu.js';
import { logSoftmaxCalls } from './log-softmax.js';
import { normalizationCalls } from './normalization.js';
import { withOwnNames } from './own-names.js';
import { productCalls } from './product.js';
import { rotaryCalls } from './rotary.js';
import { attentionCalls } from './scaled-dot-product.js';
import { sinusoidalCalls } from './sinusoidal.js';
import { softmaxCalls } from './softmax.js';
import { traceCalls } from './trace.js';
import { version } from './version.js';
import { warmUpCalls } from './warm-up.js';

export { compileAttention } from './core.js';
export { AttentionError } from './error.js';
export { version };

/** Loads the core. @type {typeof import('./attention.d.ts').loadAttention} */
export async function loadAttention({ wasm } = {}) {
  const { core, ask } = await openCore(createCore, wasm);
  const floats = floatsOf(core);
  const calls = {
    ...withOwnNames(traceCalls(ask)),
    ...attentionCalls(ask, floats),
    ...productCalls(ask, floats),
    ...softmaxCalls(ask, floats),
    ...logSoftmaxCalls(ask),
    ...normalizationCalls(ask),
    ...geluCalls(ask),
    ...sinusoidalCalls(ask),
    ...rotaryCalls(ask),
    ...alibiCalls(ask),
  };
  return { version, ...atTheDoor(calls), ...warmUpCalls(calls) };
}
