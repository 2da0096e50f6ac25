// The compiled core: fetched, compiled, and asked. Numbers go in through its arena, answers come back as plain data.
import { AttentionError } from './error.js';

/**
 * @typedef {import('./tensor.js').Plain} Plain
 * @typedef {(call: string, tensors: Record<string, Plain>, request: any) => any} Ask   throws what the core refuses;
 *   the numbers of a request with `floats` go in as floats
 */

/** @type {typeof import('./attention.d.ts').compileAttention} */
export async function compileAttention(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(/** @type {any} */ (wasm));
  const inPage = wasm !== undefined && typeof document !== 'undefined';
  const url = new URL(wasm ?? 'attention.wasm', inPage ? document.baseURI : import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new AttentionError('wasm-missing', 'wasm', `${url} answered ${response.status}`);
  const fallback = response.clone();
  // A host that serves .wasm under another type than application/wasm cannot stream.
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await fallback.arrayBuffer()));
}

/** Emscripten's loader waits for ever when instantiating fails, so the failure is passed on here. @param {(options: any) => Promise<any>} createCore @param {WebAssembly.Module} module @returns {Promise<any>} */
function instantiate(createCore, module) {
  return new Promise((resolve, reject) => {
    createCore({
      instantiateWasm(/** @type {any} */ imports, /** @type {any} */ done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)).catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}

/** @param {(options: any) => Promise<any>} createCore Emscripten's loader @param {Parameters<typeof compileAttention>[0]} wasm @returns {Promise<{ core: any, ask: Ask }>} */
export async function openCore(createCore, wasm) {
  const core = await instantiate(createCore, await compileAttention(wasm));

  /** @param {Record<string, Plain>} tensors @param {boolean} floats */
  function writeInputs(tensors, floats) {
    const entries = Object.entries(tensors);
    const count = entries.reduce((sum, [, tensor]) => sum + tensor.data.length, 0);
    const start = core.reserve(floats ? Math.ceil(count / 2) : count);
    if (start === 0 && count > 0) throw new AttentionError('out-of-memory', '', 'not enough memory for numbers of this size');
    const arena = floats ? new Float32Array(core.HEAPF64.buffer, start, count) : new Float64Array(core.HEAPF64.buffer, start, count);
    let at = 0;
    return entries.map(([name, { shape, data }]) => {
      arena.set(data, at);
      at += data.length;
      return { name, shape };
    });
  }

  /** @type {Ask} */
  const ask = (call, tensors, request) => {
    const answer = core[call]({ ...request, inputs: writeInputs(tensors, Boolean(request.floats)) });
    if (!answer.ok) throw new AttentionError(answer.error.code, answer.error.field, answer.error.message);
    return answer;
  };
  return { core, ask };
}
