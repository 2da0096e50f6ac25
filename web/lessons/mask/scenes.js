// What the sections below the steps show, computed by the core. Those on one row have one query, and the visitor's list as
// its scores: d_k = 1, q = 1, k_j = x_j.
import { stepOf } from '../../trace.js';
import { request, visibleIn, WORDS } from './model.js';

/**
 * @typedef {import('../../module/lessons.js').LessonCore} Core
 * @typedef {import('../../trace.js').Trace} Trace
 */

/** @param {unknown} trace @param {string} key @returns {number[]} */
const valuesOf = (trace, key) => [.../** @type {any} */ (stepOf(/** @type {Trace} */ (trace), key)).values];

/** The values of the one-row scenes: 10, 20, 30, … @param {number[]} x */
const valueColumn = (x) => x.map((_, j) => [10 * (j + 1)]);

/** Attention of one query. @param {Core} core @param {number[]} x @param {any} [more] what else the call says */
function row(core, x, { V = valueColumn(x), options = {}, precision, ...inputs } = /** @type {any} */ ({})) {
  return core.trace({ recipe: 'attention', precision, inputs: { Q: [[1]], K: x.map((score) => [score]), V, ...inputs }, options });
}

/** The visitor's list. @param {any} state @returns {number[]} */
const rowIn = ({ x }) => x[0];

/** 1 for every key but the last. @param {number[]} x */
const butLast = (x) => x.map((_, j) => (j < x.length - 1 ? 1 : 0));

/** Σ a_j·b_j, with nothing left out. @param {Core} core @param {number[]} a @param {number[]} b */
const product = (core, a, b) => core.products({ shape: [1, a.length], data: Float64Array.from(a) }, { shape: [1, b.length], data: Float64Array.from(b) }).data[0];

/** The sum of a row. @param {Core} core @param {number[]} weights */
const sumOf = (core, weights) => product(core, weights, weights.map(() => 1));

/** The last key hidden in three ways, of which one is right. @param {Core} core @param {any} state */
export function ways(core, state) {
  const x = rowIn(state);
  const visible = butLast(x);
  const before = valuesOf(row(core, x, { mask: [visible] }), 'weights');
  const after = valuesOf(row(core, x), 'weights').map((weight, j) => (visible[j] ? weight : 0));
  const timesZero = valuesOf(row(core, x.map((score, j) => (visible[j] ? score : 0))), 'weights');
  return [{ way: 'before', weights: before }, { way: 'after', weights: after }, { way: 'times-zero', weights: timesZero }]
    .map((each) => ({ ...each, sum: sumOf(core, each.weights) }));
}

const LARGE = -1e9;

/**
 * A large negative number in place of −∞, with one key hidden and with all. float16, whose largest number is 65504, turns
 * −1e9 into −∞ (IEEE 754); the core has no such numbers, so that line is −∞ by its own name.
 * @type {{ hidden: 'last' | 'all', numbers: 'exact' | 'float64' | 'float32' | 'float16', B: number, precision?: 'float32', emptyRow?: 'nan' }[]}
 */
const FINITE = [
  { hidden: 'last', numbers: 'exact', B: -Infinity }, { hidden: 'last', numbers: 'float64', B: LARGE }, { hidden: 'last', numbers: 'float32', B: LARGE, precision: 'float32' },
  { hidden: 'all', numbers: 'exact', B: -Infinity }, { hidden: 'all', numbers: 'float64', B: LARGE }, { hidden: 'all', numbers: 'float32', B: LARGE, precision: 'float32' },
  { hidden: 'all', numbers: 'float16', B: -Infinity, emptyRow: 'nan' },
];

/** @param {Core} core @param {any} state */
export const finite = (core, state) => FINITE.map(({ hidden, numbers, B, precision, emptyRow }) => {
  const x = rowIn(state);
  const bias = x.map((_, j) => (hidden === 'all' || j === x.length - 1 ? B : 0));
  const trace = row(core, x, { bias: [bias], precision, options: { emptyRow } });
  return { hidden, numbers, B, scores: valuesOf(trace, stepOf(/** @type {any} */ (trace), 'masked') ? 'masked' : 'biased'), weights: valuesOf(trace, 'weights') };
});

/** A row in which everything is hidden, under each policy. @param {Core} core @param {any} state */
export const policies = (core, state) => /** @type {const} */ (['zero', 'nan', 'uniform']).map((emptyRow) => {
  const x = rowIn(state);
  const trace = row(core, x, { mask: [x.map(() => 0)], options: { emptyRow } });
  return { emptyRow, weights: valuesOf(trace, 'weights'), output: valuesOf(trace, 'output')[0] };
});

/** A NaN in the hidden value, met in the ways to hide it. @param {Core} core @param {any} state */
export function leaks(core, state) {
  const x = rowIn(state);
  const visible = butLast(x);
  const poisoned = valueColumn(x).map((value, j) => (visible[j] ? value : [NaN]));
  const last = x.length - 1;
  const large = [x.map((_, j) => (visible[j] ? 0 : LARGE))];
  const after = valuesOf(row(core, x), 'weights').map((weight, j) => (visible[j] ? weight : 0));
  const of = (/** @type {string} */ way, /** @type {number[][]} */ V, /** @type {any} */ how) => {
    const trace = row(core, x, { ...how, V });
    return { way, hidden: V[last][0], weight: valuesOf(trace, 'weights')[last], output: valuesOf(trace, 'output')[0] };
  };
  return [
    of('skipped', valueColumn(x), { mask: [visible] }),
    of('skipped', poisoned, { mask: [visible] }),
    of('added', poisoned, { bias: large }),
    { way: 'after', hidden: NaN, weight: after[last], output: product(core, after, poisoned.flat()) },
  ];
}

/** The first tokens, as many as have words. @param {any} state */
const few = ({ Q, K, V }) => ({ Q: Q.slice(0, WORDS), K: K.slice(0, WORDS), V: V.slice(0, WORDS) });

/** A short sentence filled up: padding hidden as keys, its own rows all the same. @param {Core} core @param {any} state */
export function batch(core, state) {
  const { Q, K, V } = few(state);
  const real = Math.max(1, K.length - 2);
  const trace = core.trace(request({ Q, K, V, mask: 'none', padding: K.length - real, emptyRow: 'zero' }));
  const [weights, output] = [valuesOf(trace, 'weights'), valuesOf(trace, 'output')];
  const width = V[0].length;
  return {
    real, pairs: visibleIn(/** @type {any} */ (trace)),
    rows: Q.map((/** @type {unknown} */ _, /** @type {number} */ i) => {
      const shares = weights.slice(i * K.length, (i + 1) * K.length);
      return { weights: shares, sum: sumOf(core, shares), output: output.slice(i * width, (i + 1) * width) };
    }),
  };
}

/** The last two queries with all keys, under a causal mask from either corner. @param {Core} core @param {any} state */
export function corners(core, state) {
  const { K, V } = few(state);
  const Q = state.Q.slice(-2);
  return /** @type {const} */ (['causal', 'causal-end']).map((mask) => ({ mask, pairs: visibleIn(/** @type {any} */ (core.trace(request({ Q, K, V, mask, padding: 0, emptyRow: 'zero' })))) }));
}

/** The mask in use, and the weights when it is read the wrong way round. @param {Core} core @param {any} state */
export function misread(core, state) {
  const call = request(state);
  const pairs = visibleIn(/** @type {any} */ (core.trace(call)));
  const wrong = { ...call, inputs: { ...call.inputs, mask: pairs.map((each) => each.map((sees) => 1 - sees)) }, options: { emptyRow: state.emptyRow } };
  const { shape, values } = core.step(wrong, 'weights');
  return { pairs, weights: { shape, values } };
}

/** The masks of a model that generates and of one that fills gaps, over the words of the sentence. @param {Core} core */
export function readers(core) {
  const X = Array.from({ length: WORDS }, () => [0]);
  return /** @type {const} */ ([['GPT', 'top-left'], ['BERT', false]]).map(([model, causal]) => {
    const pairs = visibleIn(/** @type {any} */ (core.trace({ recipe: 'self-attention', inputs: { X }, options: { causal } })));
    return { model, pairs, seen: pairs.flat().reduce((sum, sees) => sum + sees, 0), all: pairs.flat().length };
  });
}

