// What is measured, in node and in a browser alike: the shortest of many times, the libraries by turns, so that a busy moment
// meets all of them.

import { jaxJs, onnxruntime, ours, plain, resident, tensorflow } from './contenders.mjs';
import { peak } from './peak.mjs';

/** @typedef {import('./contenders.mjs').Contender} Contender @typedef {import('./contenders.mjs').Numbers} Numbers */
/** @typedef {{ name: string, times: Record<string, number | string>, flops?: number, peak: number }} Measured   times in µs, or why there is none */

const ROUNDS = 20;
const ROUND = 15; // ms for each library in each round, up to twice that; one call where that takes longer
const AGREES = 2e-4;

/** Small whole parts, the same in every run. @param {number} rows @param {number} cols @param {number} seed @returns {Numbers} */
function numbers(rows, cols, seed) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, () => 2 * next() - 1) };
}

/** As weights are: products keep the size of what goes in. @param {Numbers} of @returns {Numbers} */
const thin = ({ rows, cols, data }) => ({ rows, cols, data: data.map((cell) => cell * Math.sqrt(3 / rows)) });

/** @param {number} n @param {number} d @param {{ causal?: boolean, copies?: boolean }} [options] */
const attention = (n, d, { causal = false, copies = false } = {}) => ({
  name: `attention ${n} × ${d}${causal ? ', causal' : ''}${copies ? ', copies in and out' : ''}`, call: 'attention',
  work: { q: numbers(n, d, 1), k: numbers(n, d, 2), v: numbers(n, d, 3), causal, copies }, flops: 4 * n * n * d / (causal ? 2 : 1),
});

export const WORKLOADS = [
  ...[[8, 8], [16, 64], [64, 64]].map(([n, d]) => attention(n, d, { copies: true })),
  attention(256, 64), attention(1024, 64), attention(1024, 64, { causal: true }), attention(1025, 65), attention(4096, 64),
  ...[64, 1024].map((n) => ({ name: `attention and its gradients ${n} × 64`, call: 'gradients', work: { ...attention(n, 64).work, given: numbers(n, 64, 12) }, flops: 2 * 7 * n * n * 64 })),
  { name: 'softmax 1024 × 1024', call: 'softmax', work: numbers(1024, 1024, 4) },
  { name: 'multi-head attention 512 × 768, 12 heads, projections', call: 'multiHead', work: { x: numbers(512, 768, 7), projections: [8, 9, 10, 11].map((seed) => thin(numbers(768, 768, seed))), heads: 12 }, flops: 4 * 2 * 512 * 768 ** 2 + 4 * 512 ** 2 * 768 },
  { name: 'matmul 512 × 512', call: 'matmul', work: { a: numbers(512, 512, 5), b: numbers(512, 512, 6) }, flops: 2 * 512 ** 3 },
];

/** Plain loops take seconds on what is larger. */
const TOO_LONG = 5e8;

/** Time of one call, in µs, of as many as fit a round. @param {{ run: () => unknown }} contender @param {number} count */
export async function timed({ run }, count) {
  const start = performance.now();
  // Awaiting costs where nothing is awaited.
  for (let i = 0; i < count; i++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) * 1000 / count;
}

/**
 * @param {{ core: any, resident: Uint8Array, tf?: any, ort?: any, jax?: any }} libraries   resident: build/wasm/resident.wasm
 * @param {{ only?: string, tell?: (line: string) => void }} [options] only: workloads whose name holds this
 * @returns {Promise<Measured[]>}
 */
export async function measure({ core, resident: wasm, tf, ort, jax }, { only = '', tell = () => {} } = {}) {
  const libraries = { ours: ours(core), 'ours, no copies': await resident(wasm), ...(tf && { tfjs: tensorflow(tf, false), 'tfjs, obvious': tensorflow(tf, true) }), ...(ort && { ort: onnxruntime(ort) }), ...(jax && { jax: jaxJs(jax) }), plain };
  const measuredPeak = await peak();
  /** @type {Measured[]} */
  const measured = [];
  for (const { name, call, work, flops } of WORKLOADS.filter((each) => each.name.includes(only))) {
    tell(name);
    /** @type {Record<string, number | string>} */
    const times = {};
    /** @type {{ name: string, contender: Contender, count: number }[]} */
    const running = [];
    /** @type {Float32Array | undefined} */
    let expected;
    for (const [library, calls] of Object.entries(libraries)) {
      if (!(call in calls) || (library === 'plain' && (flops ?? 0) > TOO_LONG)) continue;
      try {
        const contender = await /** @type {any} */ (calls)[call](work);
        const answer = await contender.answer();
        expected ??= answer;
        const reference = /** @type {Float32Array} */ (expected);
        if (answer.length !== reference.length || answer.some((/** @type {number} */ cell, /** @type {number} */ i) => !(Math.abs(cell - reference[i]) <= AGREES))) throw new Error('another answer');
        for (let i = 0; i < 3; i++) await timed(contender, 1);
        for (const start = performance.now(); performance.now() < start + 100;) await timed(contender, 1);
        // A browser's clock stands still during a short call, so more and more are timed together.
        let count = 1;
        const shortest = async () => Math.min(await timed(contender, count), await timed(contender, count), await timed(contender, count)) * count;
        while (await shortest() < ROUND * 1000) count *= 2;
        running.push({ name: library, contender, count });
        times[library] = Infinity;
      } catch (error) {
        times[library] = `${/** @type {Error} */ (error).message ?? error}`.slice(0, 60);
      }
    }
    let most = 0;
    for (let round = 0; round < ROUNDS; round++) {
      most = Math.max(most, measuredPeak());
      for (const { name: library, contender, count } of running) times[library] = Math.min(/** @type {number} */ (times[library]), await timed(contender, count));
    }
    for (const { contender } of running) await contender.close?.();
    measured.push({ name, times, flops, peak: most });
  }
  return measured;
}
