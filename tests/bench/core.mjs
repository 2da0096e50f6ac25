// The core alone, in node, beside a plain JavaScript loop that computes the same output in the same run.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from './table.mjs';

/** @typedef {import('./table.mjs').Row} Row */

const SIZES = [4, 16, 64];
const WARM_UP = 100; // ms, for node to compile what it runs often
const ROUNDS = 25;
const ROUND_LENGTH = 4; // ms; many calls are timed together, since one can be shorter than the clock's step

/** @param {number} size @param {number} seed */
const matrix = (size, seed) =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (__, col) => ((row * 7 + col * 5 + seed) % 19) / 10 - 0.9));

/**
 * softmax(Q·Kᵀ/√d)·V as one would write it by hand; nothing is kept but the output.
 * @param {number[][]} Q @param {number[][]} K @param {number[][]} V
 */
function plainAttention(Q, K, V) {
  const root = Math.sqrt(K[0].length);
  return Q.map((query) => {
    const scores = K.map((key) => {
      let sum = 0;
      for (let i = 0; i < key.length; i++) sum += query[i] * key[i];
      return sum / root;
    });
    let max = -Infinity;
    for (const score of scores) if (score > max) max = score;
    let total = 0;
    for (let j = 0; j < scores.length; j++) total += scores[j] = Math.exp(scores[j] - max);
    const output = new Float64Array(V[0].length);
    for (let j = 0; j < scores.length; j++)
      for (let i = 0; i < output.length; i++) output[i] += scores[j] / total * V[j][i];
    return output;
  });
}

/** @param {number} count @param {() => void} call */
function timed(count, call) {
  const start = performance.now();
  for (let i = 0; i < count; i++) call();
  return performance.now() - start;
}

/** The calls by turns, so that a busy moment meets all of them; µs each. @param {Record<string, () => void>} calls @returns {Record<string, number>} */
function medians(calls) {
  const runs = Object.entries(calls).map(([name, call]) => {
    for (const start = performance.now(); performance.now() < start + WARM_UP;) call();
    let count = 1;
    while (timed(count, call) < ROUND_LENGTH) count *= 2;
    return { name, call, count, times: /** @type {number[]} */ ([]) };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const run of runs) run.times.push(timed(run.count, run.call) / run.count * 1000);
  return Object.fromEntries(runs.map(({ name, times }) => [name, median(times)]));
}

/** @param {{ dist: string }} place @returns {Promise<Row[]>} */
export async function core({ dist }) {
  const { loadAttention } = await import(pathToFileURL(path.join(dist, 'attention.js')).href);
  const attention = await loadAttention();
  return SIZES.flatMap((size) => {
    const [Q, K, V] = [matrix(size, 1), matrix(size, 4), matrix(size, 8)];
    const request = { recipe: 'attention', inputs: { Q, K, V } };
    const trace = attention.trace(request);
    const there = attention.attention({ q: Q, k: K, v: V }).output.data;
    const here = plainAttention(Q, K, V).flatMap((row) => [...row]);
    if (here.some((cell, i) => Math.abs(cell - there[i]) > 1e-12)) throw new Error('the plain loop and the core disagree');
    const times = medians({
      plain: () => plainAttention(Q, K, V),
      attention: () => attention.attention({ q: Q, k: K, v: V }),
      trace: () => attention.trace(request),
      explain: () => attention.explain(trace, 'output', 0, 0),
      gradient: () => attention.gradient(trace, { of: { key: 'output', row: 0, col: 0 }, wrt: 'Q' }),
    });
    /** @param {string} what @param {string} name @returns {Row} */
    const row = (what, name) => ({ what: `  ${what}`, value: times[name], unit: 'µs', against: times.plain });
    return [
      { what: `core in node, ${size}×${size}: a plain JavaScript loop`, value: times.plain, unit: /** @type {const} */ ('µs'), note: 'in brackets below' },
      row('attention', 'attention'), row('trace', 'trace'), row('explain a cell', 'explain'), row('gradient', 'gradient'),
    ];
  });
}
