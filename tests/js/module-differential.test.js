// attention() over every layout, mask and option, against the definition in plain loops. Thousands of configurations, drawn
// from a seed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAttention, randomNumbers } from './module.js';
import { plainAttention } from './plain-attention.js';

const core = await loadAttention();

/** ATTENTION_CONFIGURATIONS draws more of them. */
const COUNT = Number(process.env.ATTENTION_CONFIGURATIONS ?? 6000);
const SEED = 20_170_612;

/** @typedef {import('./plain-attention.js').Problem} Problem */
/** @typedef {{ shape: number[], data: any }} Tensor */

/** A problem, and the same as a call of the module. @param {number} seed */
function configuration(seed) {
  const random = randomNumbers(seed);
  const chance = (/** @type {number} */ share) => random() < share;
  const whole = (/** @type {number} */ least, /** @type {number} */ most) => least + Math.floor((most - least + 1) * random());
  const pick = (/** @type {any[]} */ choices) => choices[whole(0, choices.length - 1)];

  const layout = pick(['[n,d]', '[h,n,d]', '[b,h,n,d]', 'packed [n,hd]', 'packed [b,n,hd]']);
  const isPacked = layout.startsWith('packed');
  const batches = layout.includes('b,') ? (chance(0.04) ? 0 : whole(1, 3)) : 1;
  const kvHeads = layout === '[n,d]' ? 1 : whole(1, 3);
  const heads = layout === '[n,d]' ? 1 : kvHeads * whole(1, 3);
  const tokens = () => pick([0, 1, 1, 2, 3, 4, 5, 7]);
  const queries = tokens(), fresh = tokens();
  const past = chance(0.25) ? whole(0, 4) : undefined;
  const keys = fresh + (past ?? 0);
  const columns = { key: pick([1, 2, 3, 4, 8]), value: pick([0, 1, 2, 3, 5]) };
  const precision = pick(['float64', 'float32']);

  // From far below to far above 1, as far as single precision can still tell scores apart; numbers are exact in both.
  const size = pick([1e-3, 1, 1, 3, 20, precision === 'float64' ? 1e4 : 1]);
  const number = () => Math.fround(chance(0.05) ? pick([0, -0, 1, -1]) : size * (2 * random() - 1));
  const nest = (/** @type {number[]} */ [length, ...rest], /** @type {() => any} */ leaf) => /** @type {any} */ (length === undefined ? leaf() : Array.from({ length }, () => nest(rest, leaf)));
  const input = (/** @type {number} */ h, /** @type {number} */ n, /** @type {number} */ d) => nest([batches, h, n, d], number);

  /** Broadcast from the right to [b, h, n_q, n_k]; sometimes with fewer keys than there are. @param {() => number} leaf */
  function pairs(leaf) {
    const full = [batches, heads, queries, keys];
    const shape = full.map((length) => (chance(0.3) ? 1 : length)).slice(4 - whole(1, 4));
    const last = shape.length - 1;
    // One key would stand for all of them; none forbids them all.
    if (shape[last] > 2 && chance(0.2)) shape[last] = pick([0, whole(2, shape[last] - 1)]);
    return { shape, data: Array.from({ length: shape.reduce((all, length) => all * length, 1) }, leaf) };
  }
  const share = pick([0.1, 0.5, 0.9]);
  const kvLengths = past === undefined && chance(0.2) ? nest([batches], () => whole(0, keys)) : undefined;
  /** @type {Problem} */
  const problem = {
    q: input(heads, queries, columns.key), k: input(kvHeads, fresh, columns.key), v: input(kvHeads, fresh, columns.value),
    pastKey: past === undefined ? undefined : input(kvHeads, past, columns.key),
    pastValue: past === undefined ? undefined : input(kvHeads, past, columns.value),
    mask: chance(0.35) ? pairs(() => Number(chance(share))) : undefined,
    bias: chance(0.35) ? pairs(() => (chance(0.2) ? -Infinity : Math.fround(4 * random() - 2))) : undefined,
    padding: chance(0.2) ? nest([chance(0.3) ? 1 : batches, keys], () => Number(chance(0.7))) : undefined,
    kvLengths,
    causal: pick([undefined, undefined, 'top-left', 'bottom-right']),
    window: chance(0.2) ? [pick([-1, 0, 1, 2, 3, 5, 8, 1000, Infinity]), pick([-1, 0, 1, 2, 3, 5, 8, 1000, Infinity])] : undefined,
    scale: chance(0.3) ? Math.fround(pick([0, -1, 0.1, 1, 2 * random()])) : undefined,
    softcap: chance(0.2) ? pick([0.5, 2, 30]) : undefined,
    temperature: chance(0.3) ? pick([0.125, 0.5, 2, 100]) : undefined,
    emptyRow: pick([undefined, undefined, 'zero', 'nan', 'uniform']),
    columns,
  };

  /** As the caller has it. @param {any} nested @param {number} h @param {number} n @param {number} d @param {boolean} [packed] @returns {Tensor} */
  function laidOut(nested, h, n, d, packed = isPacked) {
    const flat = packed
      ? nested.flatMap((/** @type {any} */ perHead) => Array.from({ length: n }, (_, i) => perHead.map((/** @type {any} */ rows) => rows[i]))).flat(2)
      : nested.flat(3);
    const lead = layout.includes('b,') ? [batches] : [];
    const shape = packed ? [...lead, n, h * d] : [...lead, ...(layout === '[n,d]' ? [] : [h]), n, d];
    return { shape, data: pick([() => flat, () => Float64Array.from(flat), () => Float32Array.from(flat)])() };
  }
  const yesNo = (/** @type {any} */ tensor) => tensor && (chance(0.5) ? { ...tensor, data: Uint8Array.from(tensor.data) } : { ...tensor, data: tensor.data.map(Boolean) });
  const { columns: _, ...given } = problem;
  const call = {
    ...given,
    q: laidOut(problem.q, heads, queries, columns.key), k: laidOut(problem.k, kvHeads, fresh, columns.key), v: laidOut(problem.v, kvHeads, fresh, columns.value),
    pastKey: past === undefined ? undefined : laidOut(problem.pastKey, kvHeads, past, columns.key, false),
    pastValue: past === undefined ? undefined : laidOut(problem.pastValue, kvHeads, past, columns.value, false),
    mask: yesNo(problem.mask),
    padding: problem.padding && yesNo({ shape: [problem.padding.length, keys], data: problem.padding.flat() }),
    kvLengths: kvLengths && { shape: [batches], data: kvLengths },
    heads: isPacked || chance(0.2) && layout === '[b,h,n,d]' ? heads : undefined,
    kvHeads: isPacked && (heads !== kvHeads || chance(0.5)) ? kvHeads : undefined,
    precision,
  };
  return { seed, layout, isPacked, problem, call, counts: { batches, heads, kvHeads, queries, keys, past }, precision };
}

/** Packed [b, n, h, d] in the order [b, h, n, d]. @param {ArrayLike<number>} data @param {any} counts @param {number} d */
function unpacked(data, { batches, heads, queries }, d) {
  return Array.from({ length: data.length }, (_, at) => {
    const c = at % d, i = Math.floor(at / d) % queries, h = Math.floor(at / d / queries) % heads, b = Math.floor(at / d / queries / heads);
    return data[((b * queries + i) * heads + h) * d + c];
  }).slice(0, batches * heads * queries * d);
}

/** @param {any} configuration @param {ArrayLike<number>} actual @param {number[]} expected @param {number} tolerance @param {string} what */
function assertNear({ seed, layout, call }, actual, expected, tolerance, what) {
  assert.equal(actual.length, expected.length, `seed ${seed}, ${layout}: length of ${what}`);
  for (let at = 0; at < expected.length; at++) {
    const near = Object.is(actual[at], expected[at]) || actual[at] === expected[at] || Math.abs(actual[at] - expected[at]) <= tolerance;
    if (!near) assert.fail(`seed ${seed}, ${layout}: ${what}[${at}] is ${actual[at]}, not ${expected[at]} ± ${tolerance}; ${JSON.stringify(call, (_, part) => (part?.buffer ? Array.from(part) : part)).slice(0, 900)}`);
  }
}

/**
 * A score is off by an ulp of what was added up for it, times the number of terms and steps; a weight by as much of itself,
 * since exp turns an absolute error into a relative one; an output by as much of the values.
 * @param {any} configuration @param {ReturnType<typeof plainAttention>} expected
 */
function tolerances({ problem, precision }, { size }) {
  const ulp = precision === 'float64' ? 2 ** -52 : 2 ** -23;
  const score = ulp * 12 * (size * (problem.temperature ?? 1) + 1e-6);
  const weight = Math.min(1, ulp * (16 + 12 * size));
  const values = [problem.v, problem.pastValue ?? []].flat(5).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { scaled: score, softcapped: score, masked: score, weights: 2 * weight, output: 4 * weight * values };
}

const configurations = Array.from({ length: COUNT }, (_, at) => configuration(SEED + at));
const withExpected = configurations.map((each) => ({ ...each, expected: plainAttention(each.problem) }));

describe(`${COUNT} random configurations from seed ${SEED}`, () => {
  test('reach every kind of mask, layout and option, and rows that see nothing, one key, and many', () => {
    const having = (/** @type {(each: any) => any} */ of) => withExpected.filter(of).length;
    for (const option of ['mask', 'bias', 'padding', 'kvLengths', 'causal', 'window', 'pastKey', 'scale', 'softcap', 'temperature', 'emptyRow'])
      assert.ok(having(({ call }) => call[option] !== undefined) > COUNT / 12, option);
    for (const layout of ['[n,d]', '[h,n,d]', '[b,h,n,d]', 'packed [n,hd]', 'packed [b,n,hd]']) assert.ok(having((each) => each.layout === layout) > COUNT / 10, layout);
    assert.ok(having(({ counts }) => counts.kvHeads > 1 && counts.heads > counts.kvHeads) > COUNT / 10, 'grouped queries');
    assert.ok(having(({ counts }) => counts.kvHeads === 1 && counts.heads > 1) > COUNT / 10, 'multi-query');
    assert.ok(having(({ counts }) => counts.queries === 0 || counts.keys === 0) > COUNT / 20, 'no queries or no keys');
    assert.ok(having(({ expected }) => expected.visible.includes(false) && expected.visible.includes(true)) > COUNT / 4, 'partly hidden');
  });

  test('give the output of the definition', () => {
    for (const each of withExpected) {
      const { output } = core.attention(each.call);
      const { key, value } = each.problem.columns;
      const width = each.isPacked ? each.counts.heads * value : value;
      assert.deepEqual(output.shape, [...each.call.q.shape.slice(0, -1), width], `seed ${each.seed}: shape, d_k ${key}`);
      assert.ok(output.data instanceof (each.precision === 'float64' ? Float64Array : Float32Array));
      const found = each.isPacked ? unpacked(output.data, each.counts, value) : output.data;
      assertNear(each, found, each.expected.output, tolerances(each, each.expected).output, 'output');
    }
  });

  for (const keep of /** @type {const} */ (['scaled', 'softcapped', 'masked', 'weights']))
    test(`give the ${keep} step of the definition, and the same output with it`, () => {
      for (const each of withExpected.filter(({ seed }) => seed % 2 === 0)) {
        const { kept, output } = core.attention({ ...each.call, keep });
        const { batches, heads, queries, keys } = each.counts;
        const lead = each.layout.includes('b,') ? [batches, heads] : each.layout === '[n,d]' ? [] : [heads];
        assert.deepEqual(kept?.shape, [...lead, queries, keys], `seed ${each.seed}: shape of ${keep}`);
        assertNear(each, /** @type {any} */ (kept).data, each.expected[keep], tolerances(each, each.expected)[keep], keep);
        // Floats that keep nothing take a faster way.
        const alone = core.attention(each.call).output;
        if (each.precision === 'float64') assert.deepEqual(output, alone, `seed ${each.seed}: keep ${keep}`);
        else assertNear(each, output.data, Array.from(alone.data), tolerances(each, each.expected).output, `output with ${keep}`);
      }
    });

  test('give back all keys and values, exactly, where there is a cache', () => {
    for (const each of withExpected.filter(({ counts }) => counts.past !== undefined)) {
      const { presentKey, presentValue } = core.attention(each.call);
      const { batches, kvHeads, keys } = each.counts;
      const lead = each.layout.includes('b,') ? [batches, kvHeads] : each.layout === '[n,d]' ? [] : [kvHeads];
      for (const [present, past, now, width] of /** @type {[any, any, any, number][]} */ ([[presentKey, each.problem.pastKey, each.problem.k, each.problem.columns.key], [presentValue, each.problem.pastValue, each.problem.v, each.problem.columns.value]])) {
        assert.deepEqual(present.shape, [...lead, keys, width], `seed ${each.seed}`);
        const joined = past.map((/** @type {any} */ perHead, /** @type {number} */ b) => perHead.map((/** @type {any} */ rows, /** @type {number} */ g) => [...rows, ...now[b][g]]));
        assert.deepEqual(Array.from(present.data), joined.flat(3), `seed ${each.seed}`);
      }
    }
  });

  test('give the same without all weights in memory', () => {
    for (const each of withExpected) {
      const streamed = core.streamingAttention(each.call);
      const { output } = core.attention(each.call);
      assert.deepEqual(streamed.shape, output.shape, `seed ${each.seed}`);
      assertNear(each, streamed.data, Array.from(output.data), tolerances(each, each.expected).output, 'streamed output');
    }
  });

  test('are, head by head, the traces of the recipe attention, bit for bit', () => {
    let heads = 0;
    for (const each of withExpected.filter(({ problem, counts, seed }) => !problem.softcap && counts.queries > 0 && problem.columns.value > 0 && seed % 2 === 0)) {
      const { problem, counts: { batches, heads: h, kvHeads, queries, keys }, expected, precision } = each;
      const { output } = core.attention({ ...each.call, keep: 'weights' });
      const all = each.isPacked ? unpacked(output.data, each.counts, problem.columns.value) : Array.from(output.data);
      for (let b = 0; b < batches; b++)
        for (let head = 0; head < h; head++) {
          const g = Math.floor(head / (h / kvHeads));
          const at = (b * h + head) * queries;
          const matrix = (/** @type {any} */ rows, /** @type {number} */ columns) => ({ shape: [rows.length, columns], data: rows.flat() });
          const sight = expected.visible.slice(at * keys, (at + queries) * keys);
          const { steps } = core.trace({
            recipe: 'attention',
            inputs: {
              q: matrix(problem.q[b][head], problem.columns.key),
              k: matrix([...(problem.pastKey?.[b][g] ?? []), ...problem.k[b][g]], problem.columns.key),
              v: matrix([...(problem.pastValue?.[b][g] ?? []), ...problem.v[b][g]], problem.columns.value),
              // All that hides a key, as one mask; a bias for what can be seen.
              mask: { shape: [queries, keys], data: sight.map(Number) },
              bias: problem.bias && { shape: [queries, keys], data: sight.map((seen, pair) => (seen ? biasAt(problem.bias, [b, head, Math.floor(pair / keys), pair % keys]) : 0)) },
            },
            options: { scale: problem.scale, temperature: problem.temperature, emptyRow: /** @type {any} */ (problem.emptyRow) },
            precision: /** @type {any} */ (precision),
          });
          const traced = steps.find(({ key }) => key === 'output')?.values;
          const width = problem.columns.value;
          assert.deepEqual(Array.from(/** @type {any} */ (traced)), all.slice(at * width, (at + queries) * width), `seed ${each.seed}, batch ${b}, head ${head}`);
          heads++;
        }
    }
    assert.ok(heads > COUNT / 2);
  });
});

/** @param {any} bias @param {number[]} at */
function biasAt({ shape, data }, at) {
  const places = at.slice(4 - shape.length);
  return data[shape.reduce((/** @type {number} */ index, /** @type {number} */ length, /** @type {number} */ axis) => index * length + (length === 1 ? 0 : places[axis]), 0)];
}
