// Wrong numbers that were reported in public: what the module says to the same inputs, by the names that a case gives to
// its right and its wrong answers.

import { strict as assert } from 'node:assert';
import { reshaped, times } from './cases.js';
import { logSumExp, sightOf, timingSignal, weightsOf } from './parts.js';

/** Cases that have no numbers of their own. @type {Record<string, string>} */
export const LEFT_OUT = {
  'onnx-own-expected-values': 'points to onnx/*.json, which are all run; the withdrawn tensors are not in the folder',
};

const zeros = (/** @type {number} */ rows, columns = 1) => reshaped(times(rows * columns, () => 0), [rows, columns]);
const flat = (/** @type {any} */ tensor) => Array.from(tensor.data);
const rows = (/** @type {any} */ { shape: [count, width], data }) => times(count, (row) => Array.from(data.slice(row * width, (row + 1) * width)));

/** @typedef {Record<string, any>} Answers */
/** @type {Record<string, (core: any, input: any, precision: string, bug: any) => Answers>} */
const BUGS = {
  'full-mask-nan'(core, { scores, mask_keep, v }, precision) {
    const weights = weightsOf(core, scores, { mask: mask_keep, precision });
    return { weights, out: outputOf(core, scores, v, { mask: mask_keep, precision }) };
  },
  'full-mask-weights-vs-output'(core, { scores, mask_keep, v }, precision) {
    const [out, seen] = [undefined, 'weights'].map((keep) => outputOf(core, scores, v, { mask: mask_keep, keep, precision }));
    assert.deepEqual(out, seen);
    return { out, out_with_weights: seen, weights: weightsOf(core, scores, { mask: mask_keep, precision }) };
  },
  'nan-behind-mask-k'(core, { q, k, v, mask_keep }, precision) {
    const { output, kept } = core.attention({ q, k, v, mask: mask_keep, keep: 'weights', precision });
    return { out: output, weights: kept };
  },
  'causal-decode-topleft'(core, { q, k, v, scale, past_length }, precision) {
    const past = { pastKey: k.slice(0, past_length), pastValue: v.slice(0, past_length) };
    const { output, kept } = core.attention({ q, k: k.slice(past_length), v: v.slice(past_length), ...past, scale, causal: 'top-left', keep: 'masked', precision });
    return { out: output, mask: [flat(kept).map((score) => Number(score !== -Infinity))] };
  },
  'causal-alignment-ambiguous'(core, { q_len, k_len }, precision) {
    assert.throws(() => sightOf(core, [], q_len, k_len, { causal: true, precision }), { code: 'ambiguous-causal' });
    return { top_left: sightOf(core, [], q_len, k_len, { causal: 'top-left', precision }), bottom_right: sightOf(core, [], q_len, k_len, { causal: 'bottom-right', precision }) };
  },
  'causal-more-queries-than-keys': (core, { q_len, k_len, v }, precision) => ({
    out: core.attention({ q: zeros(q_len), k: zeros(k_len), v, causal: 'bottom-right', precision }).output,
    mask: sightOf(core, [], q_len, k_len, { causal: 'bottom-right', precision }),
  }),
  'mask-1e4-too-small': maskedRow,
  'mask-where-both-masks-1e4': (core, { scores, padding_keep, causal_keep }, precision) => ({ weights: flat(weightsOf(core, [scores], { mask: [causal_keep], padding: padding_keep, precision })) }),
  'neg-zero-mul'(core, { scores, mask_keep }, precision) {
    const masked = flat(weightsOf(core, [scores], { mask: [mask_keep], keep: 'masked', precision }));
    return { bias: masked.map((score, at) => score - scores[at]), ...maskedRow(core, { scores, mask_keep }, precision) };
  },
  'mask-fill-minus-e': maskedRow,
  'mask-multiply': maskedRow,
  'mask-after-softmax'(core, input, precision) {
    const { weights } = maskedRow(core, input, precision);
    return { weights, row_sum: weights.reduce((sum, weight) => sum + weight, 0) };
  },
  'softmax-axis': softmaxAndAttention,
  'softmax-axis-square': softmaxAndAttention,
  'scale-full-dim'(core, { heads, q_head, k_head }, precision) {
    const beside = (/** @type {number[]} */ row) => times(heads, () => row).flat();
    const { kept } = core.attention({ q: [beside(q_head)], k: k_head.map(beside), v: k_head.map(beside), heads, keep: 'weights', precision });
    const perHead = rows({ shape: [heads, k_head.length], data: kept.data });
    assert.deepEqual(perHead[1], perHead[0]);
    return { weights: [perHead[0]] };
  },
  'scale-hardcoded'(core, { head_size, qk }, precision) {
    const column = (/** @type {number} */ first) => times(head_size, (at) => (at === 0 ? first : 0));
    return { weights: flat(core.attention({ q: [column(1)], k: qk.map(column), v: qk.map(column), keep: 'weights', precision }).kept) };
  },
  'scale-twice-false-alarm'(core, { d, q, k }, precision) {
    const weights = core.attention({ q, k, v: k, keep: 'weights', precision }).kept;
    const half = (/** @type {number[][]} */ matrix) => matrix.map((row) => row.map((number) => number * d ** -0.25));
    assert.ok(Math.abs(weights.data[1] - core.attention({ q: half(q), k: half(k), v: k, scale: 1, keep: 'weights', precision }).kept.data[1]) < 1e-12);
    return { weights };
  },
  'softcap-after-mask': (core, { scores, softcap, mask_keep }, precision) => ({
    scores: flat(weightsOf(core, [scores], { softcap, mask: [mask_keep], keep: 'masked', precision })),
    weights: flat(weightsOf(core, [scores], { softcap, mask: [mask_keep], precision })),
  }),
  'gqa-tile'(core, { q_heads, kv_heads, v_of_kv_head }, precision) {
    const single = (/** @type {any} */ numbers) => reshaped(numbers, [numbers.length, 1, 1]);
    const unpacked = flat(core.attention({ q: single(times(q_heads)), k: single(times(kv_heads)), v: single(v_of_kv_head), precision }).output);
    const packed = flat(core.attention({ q: [times(q_heads)], k: [times(kv_heads)], v: [v_of_kv_head], heads: q_heads, kvHeads: kv_heads, precision }).output);
    assert.deepEqual(packed, unpacked);
    return { out_per_q_head: unpacked };
  },
  'mask-repeat-order'(core, { batch, heads, key_keep }, precision) {
    const tokens = (/** @type {number} */ count) => reshaped(times(batch * heads * count, () => 0), [batch, heads, count, 1]);
    const weights = (/** @type {any} */ options) => flat(core.attention({ q: tokens(1), k: tokens(2), v: tokens(2), keep: 'weights', precision, ...options }).kept);
    const masked = weights({ mask: reshaped(key_keep, [batch, 1, 1, 2]) });
    assert.deepEqual(weights({ padding: key_keep }), masked);
    return Object.fromEntries(times(batch * heads, (at) => [`weights_b${Math.floor(at / heads)}h${at % heads}`, masked.slice(2 * at, 2 * at + 2)]));
  },
  'split-heads-no-transpose'(core, { x, heads }, precision) {
    // What the cache holds shows how packed keys were split.
    const nothing = { shape: [heads, 0, 2], data: [] };
    const { presentKey } = core.attention({ q: x, k: x, v: x, heads, pastKey: nothing, pastValue: nothing, precision });
    assert.deepEqual(presentKey.shape, [heads, 2, 2]);
    const perHead = (/** @type {number} */ head) => rows({ shape: [2, 2], data: presentKey.data.slice(4 * head, 4 * head + 4) });
    return { head0: perHead(0), head1: perHead(1) };
  },
  'mask-polarity'(core, { scores, mask }, precision) {
    const { weights } = maskedRow(core, { scores, mask_keep: mask }, precision);
    return { read_as_keep: weights, read_as_drop: weights };
  },
  'mask-wrong-axis': (core, { key_keep }, precision) => ({ weights: core.attention({ q: zeros(3), k: zeros(3), v: zeros(3), padding: key_keep, keep: 'weights', precision }).kept }),
  'causal-dropped': (core, { v, causal }, precision) => ({ out: core.attention({ q: zeros(2), k: zeros(2), v, causal, keep: 'weights', precision }).output }),
  'overflow-no-max': rowOfWeights,
  'plus-inf': (core, { scores }, precision) => ({
    jax_pytorch_tfjs: core.softmax({ x: scores, precision }), nnlib: core.softmax({ x: scores, precision, infinity: 'limit' }),
  }),
  'webgl-first-row': rowOfWeights,
  'exp-flush': (core, input, precision) => ({ ...rowOfWeights(core, input, precision), log_weights: core.logSoftmax({ x: input.scores, precision }) }),
  'log-of-softmax': (core, { scores }, precision) => ({ log_weights: core.logSoftmax({ x: scores, precision }) }),
  'pe-exponent': (core, input, precision) => ({ pe: sinusoids(core, input, 'interleaved', precision) }),
  'pe-cos-shift': (core, input, precision) => ({ pe: sinusoids(core, input, 'interleaved', precision) }),
  'pe-base-1000': (core, input, precision) => ({ pe: sinusoids(core, input, 'interleaved', precision) }),
  'pe-odd': (core, input, precision) => ({ interleaved: sinusoids(core, input, 'interleaved', precision), tensor2tensor: timingSignal(core, input.positions, input.d, 10000, precision) }),
  'pe-two-layouts': (core, input, precision) => ({
    paper_interleaved: sinusoids(core, input, 'interleaved', precision), concatenated_paper_freq: sinusoids(core, input, 'halves', precision),
    tensor2tensor: timingSignal(core, input.positions, input.d, 10000, precision),
  }),
  'alibi-off-by-one': (core, { heads }, precision) => ({ slopes: core.alibiSlopes({ heads, precision }) }),
  'alibi-nonpow2': (core, { heads }, precision) => ({ slopes: core.alibiSlopes({ heads, precision }) }),
  'rope-pairing'(core, { x, position, base }, precision) {
    const turned = (/** @type {boolean} */ interleaved) => core.rotary({ x, positions: [position], base, interleaved, precision });
    return { interleaved: turned(true), half_split: turned(false) };
  },
  'temperature-zero'(core, { scores, temperature }, precision) {
    // The other legitimate answer, to refuse, is attention's.
    assert.throws(() => weightsOf(core, [scores], { temperature, precision }), { code: 'temperature-not-positive', field: 'temperature' });
    return { weights: core.softmax({ x: scores, temperature, precision }) };
  },
  'empty-keys': (core, { q, k_shape, v_shape }, precision) => ({
    out: core.attention({ q, k: { shape: k_shape, data: [] }, v: { shape: v_shape, data: [] }, precision }).output,
    logsumexp: logSumExp(core, [], [], precision),
  }),
  'strided-input'(core, { buffer, q }, precision) {
    // A tensor has no strides: what is viewed is laid out by the caller, and a typed array may begin inside its buffer.
    const inside = Float64Array.from([0, 0, ...buffer]).subarray(2);
    const scores = core.attention({ q, k: { shape: [3, 2], data: inside }, v: zeros(3), scale: 1, keep: 'scaled', precision }).kept;
    assert.deepEqual(core.matmul({ a: q, b: [[1, 3, 5], [2, 4, 6]], precision }), scores);
    return { scores };
  },
  'dv-not-dk'(core, { q, k, v }, precision) {
    const { output } = core.attention({ q, k, v, precision });
    return { out: output, out_shape: output.shape };
  },
  // One more key with score 0, whose weight nobody takes.
  'softmax-one': (core, { scores }, precision) => ({ weights: flat(weightsOf(core, [[...scores, 0]], { precision })).slice(0, scores.length) }),
};

/** @param {any} core @param {number[][]} scores @param {number[][]} v the same values for every row @param {any} options */
function outputOf(core, scores, v, { mask, ...options }) {
  const heads = scores.length, keys = v.length;
  const { output } = core.attention({
    q: reshaped(times(heads, () => 1), [heads, 1, 1]), k: reshaped(scores, [heads, keys, 1]), v: times(heads, () => v),
    scale: 1, mask: reshaped(mask, [heads, 1, keys]), ...options,
  });
  return { shape: [heads, v[0].length], data: output.data };
}

/** @param {any} core @param {any} input @param {string} precision @returns {{ weights: any[] }} */
function maskedRow(core, { scores, mask_keep }, precision) {
  return { weights: flat(weightsOf(core, [scores], { mask: [mask_keep], precision })) };
}

/** The same from softmax and from attention. @param {any} core @param {any} input @param {string} precision */
function softmaxAndAttention(core, { scores }, precision) {
  const weights = core.softmax({ x: scores, precision }), others = weightsOf(core, scores, { precision });
  // Floats take two ways, each with its roundings.
  if (precision === 'float64') assert.deepEqual(others.data, weights.data);
  else assert.ok(others.data.every((/** @type {number} */ cell, /** @type {number} */ i) => Object.is(cell, weights.data[i]) || Math.abs(cell - weights.data[i]) <= (5e-7 - 2 ** -23 * Math.log(cell)) * cell + 2 ** -148), 'softmax and attention');
  return { weights };
}

/** @param {any} core @param {any} input @param {string} precision */
function rowOfWeights(core, { scores, dtype }, precision) {
  const { weights } = softmaxAndAttention(core, { scores: [scores] }, dtype ?? precision);
  return { weights: flat(weights) };
}

/** @param {any} core @param {any} input @param {'interleaved' | 'halves'} layout @param {string} precision */
const sinusoids = (core, { positions, d }, layout, precision) => core.sinusoidal({ positions, dModel: d, layout, precision });

/** @param {any} core @param {any} bug @param {string} precision @returns {Answers} */
export const bugAnswers = (core, bug, precision) => BUGS[bug.id](core, bug.input, precision, bug);

/** @param {any} bug */
export const isKnown = ({ id }) => id in BUGS;
