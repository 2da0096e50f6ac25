// The same in a browser: bundled with the libraries, and asked by kernels.mjs.

import * as jax from '@jax-js/jax';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import * as ort from 'onnxruntime-web/wasm';
import { measure } from './measure.mjs';

/** @param {string} only */
async function measureHere(only) {
  setWasmPaths(new URL('tfjs/', location.href).href);
  await tf.setBackend('wasm');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('ort/', location.href).href;
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  const { loadAttention } = await import(/* @vite-ignore */ new URL('dist/attention.js', location.href).href);
  return measure({ core: await loadAttention(), tf, ort, jax }, { only, tell: (name) => console.log(name) });
}

Object.assign(globalThis, { measureHere });
