// The same in a browser: bundled with the libraries, and asked by kernels.mjs.

import * as jax from '@jax-js/jax';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import * as ort from 'onnxruntime-web/wasm';
import { measure } from './measure.mjs';
import { measureTraining } from './training.mjs';

/** @param {string} only */
async function measureHere(only) {
  setWasmPaths(new URL('tfjs/', location.href).href);
  await tf.setBackend('wasm');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('ort/', location.href).href;
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  const { loadAttention } = await import(/* @vite-ignore */ new URL('dist/attention.js', location.href).href);
  const tell = (/** @type {string} */ name) => console.log(name);
  const bytes = async (/** @type {string} */ name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
  const libraries = { core: await loadAttention(), resident: await bytes('resident.wasm'), tf, ort, jax };
  return { measured: await measure(libraries, { only, tell }), trained: await measureTraining({ wasm: await bytes('training.wasm'), tf }, { only, tell }) };
}

Object.assign(globalThis, { measureHere });
