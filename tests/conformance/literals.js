// Numbers printed in other projects' tests and papers, in calls of the module.

import { strict as assert } from 'node:assert';
import { inReach, reshaped, tensorOf, times } from './cases.js';
import { layers } from './layers.js';
import { logSumExp, sightOf, timingSignal, weightsOf } from './parts.js';

/** Operations that the module does not compute, and that its calls do not compose to. @type {Record<string, string>} */
export const LEFT_OUT = {
  additive_attention: 'the score is Σ tanh(q + k), not a product of q and k',
  additive_attention_weights: 'the score is Σ tanh(q + k), not a product of q and k',
  t5_relative_bucket: 'buckets of distances are indices into a table of learned biases; the module takes such a bias, ready made',
  clipped_relative_position: 'clipped distances are indices into a table of learned vectors, which enter the product with the keys',
  parameter_count: 'counts the parameters of a model; no tensor is computed',
};

/** `"1/sqrt(8)"` or a number. @param {any} scale */
const scaleOf = (scale) => (typeof scale === 'string' ? 1 / Math.sqrt(Number(/^1\/sqrt\((\d+)\)$/.exec(scale)?.[1])) : scale);

const identity = (/** @type {number} */ n) => times(n, (i) => times(n, (j) => Number(i === j)));

/** Inputs that are described instead of written down. @param {any} value @returns {any} */
function described(value) {
  if (typeof value !== 'string') return value;
  const ones = /^ones\(([\d ,a-z]+)\)$/.exec(value)?.[1].split(',').map((part) => Number.parseInt(part, 10));
  if (ones) return { shape: ones, data: times(ones.reduce((all, n) => all * n, 1), () => 1) };
  if (value === 'identity(8)') return identity(8);
  if (value === 'arange(64).reshape(8,8)/100') return reshaped(times(64, (at) => at / 100), [8, 8]);
  if (value === 'x[p][j]=(64*p+j)/100, p<6, j<64') return reshaped(times(6 * 64, (at) => at / 100), [6, 64]);
  throw new Error(`no such description: ${value}`);
}

/** Along all axes together, where the case says so, or along those from `axis` on. @param {(x: any, axis: number) => any} along @param {any} x @param {any} axis @param {boolean} [onwards] */
function overAxes(along, x, axis, onwards = false) {
  const { shape } = tensorOf(x);
  if (!onwards && typeof axis === 'number') return along(reshaped(x, shape), axis);
  const lead = onwards ? shape.slice(0, axis) : [];
  const rest = shape.slice(lead.length).reduce((all, n) => all * n, 1);
  return reshaped(along(reshaped(x, [...lead, rest]), -1), shape);
}

/** Only the columns that the case gives. @param {any} tensor @param {number[] | undefined} columns */
function chosen(tensor, columns) {
  if (!columns) return tensor;
  const width = tensor.shape.at(-1);
  return reshaped(Array.from(tensor.data).filter((_, at) => columns.includes(at % width)), [...tensor.shape.slice(0, -1), columns.length]);
}

/** @param {any} core @param {any} each @param {string} precision */
function sinusoids(core, { inputs, params, expected }, precision) {
  const positions = [inputs.positions].flat(2);
  if (params.spacing?.includes('-1)')) return timingSignal(core, positions, params.d, params.base, precision);
  const layout = params.layout === 'interleaved' ? 'interleaved' : 'halves';
  const table = chosen(core.sinusoidal({ positions, dModel: params.d, base: params.base, layout, precision }), params.columns);
  return reshaped(table, tensorOf(expected).shape);
}

/** @param {any} core @param {any} each @param {string} precision */
function rope(core, { id, inputs, params }, precision) {
  const x = tensorOf(described(inputs.x));
  const { shape } = x;
  const width = /** @type {number} */ (shape.at(-1));
  // [.., positions, heads, d] is packed already; in the one case that says so, the axis before the last is the position.
  const isPacked = shape.length > 2 && id !== 'burn-rope-il';
  const laidOut = isPacked ? reshaped(x, [...shape.slice(0, -2), shape.at(-2) * width]) : x;
  const scaled = JSON.parse(JSON.stringify(inputs.positions), (_, part) => (typeof part === 'number' ? part / (params.position_divisor ?? 1) : part));
  // With a proportion the last frequencies are 0: a table of angles of one's own.
  const turning = params.rope_proportion && times(width / 2, (i) => (i < (width / 2) * params.rope_proportion ? params.base ** ((-2 * i) / width) : 0));
  const table = (/** @type {(angle: number) => number} */ of) => inputs.positions.map((/** @type {number} */ at) => turning.map((/** @type {number} */ frequency) => of(at * frequency)));
  const call = turning ? { cos: table(Math.cos), sin: table(Math.sin) } : { positions: scaled, base: params.base };
  const turned = core.rotary({ x: laidOut, interleaved: params.pairing.startsWith('interleaved'), heads: isPacked ? shape.at(-2) : undefined, precision, ...call });
  return chosen(reshaped(turned, shape), params.columns);
}

/** Rows of cos and sin of position·base^(−2i/d): what (1, 0) is turned into. @param {any} core @param {number[]} positions @param {any} params @param {string} precision */
function turns(core, positions, { d, base }, precision) {
  const x = times(positions.length, () => times(d, (col) => Number(col < d / 2)));
  const { data } = core.rotary({ x, positions, base, precision });
  return times(positions.length, (row) => times(d / 2, (i) => [data[row * d + i], data[row * d + d / 2 + i]]));
}

/** Keeps where true; what a row without any becomes is said by the case. @param {any} core @param {any} each @param {string} precision */
function maskedSoftmax(core, { inputs, params }, precision) {
  const { shape } = tensorOf(inputs.x);
  const isRow = shape.length === 1 || Array.isArray(params.axis);
  const rows = isRow ? [1, shape.reduce((all, n) => all * n, 1)] : shape;
  const emptyRow = params.fully_masked_row === 'uniform' ? 'uniform' : 'zero';
  return reshaped(weightsOf(core, /** @type {any} */ (reshaped(inputs.x, rows)), { mask: reshaped(inputs.mask, rows), emptyRow, precision }), shape);
}

/** @param {any} core @param {any} each @param {string} precision @param {string} what */
function attention(core, { id, inputs, params }, precision, what) {
  const [q, k, v = k] = [inputs.q, inputs.k, inputs.v].map((input) => input && described(input));
  // A query that is masked gives zeros: it may see nothing.
  const mask = inputs.query_mask?.map((/** @type {boolean} */ asks) => inputs.key_mask.map((/** @type {boolean} */ there) => asks && there));
  const call = { q, k, v, mask, scale: scaleOf(params.scale), heads: params.num_heads, precision };
  if (id.startsWith('k-mha-ident') && what === 'output') {
    // Eight heads of the same eight columns; the last projection sums up each head.
    const beside = (/** @type {any} */ x) => { const { shape: [rows, cols], data } = tensorOf(x); return times(rows, (r) => times(8 * cols, (c) => data[r * cols + (c % cols)])); };
    const { output } = core.attention({ ...call, q: beside(q), k: beside(k), v: beside(v) });
    return core.matmul({ a: output, b: times(64, (row) => times(8, (col) => Number(Math.floor(row / 8) === col))), precision });
  }
  return what === 'output' ? core.attention(call).output : core.attention({ ...call, keep: 'weights' }).kept;
}

/** @param {any} core @param {any} each @param {string} precision */
function sight(core, { id, inputs, params }, precision) {
  if (id === 'onmt-future') {
    const padding = inputs.lengths.map((/** @type {number} */ length) => times(params.max_len, (j) => Number(j < length)));
    const { data } = sightOf(core, [inputs.lengths.length, 1], params.max_len, params.max_len, { causal: 'top-left', padding, precision });
    return reshaped(data, [inputs.lengths.length, params.max_len, params.max_len]);
  }
  return sightOf(core, [], inputs.q_len, inputs.k_len, { causal: params.align, precision });
}

/** What the module says to a case. @type {Record<string, (core: any, each: any, precision: string) => any>} */
const COMPUTED = {
  softmax: (core, { inputs, params: { axis = -1 } }, precision) => overAxes((x, along) => core.softmax({ x, axis: along, precision }), inputs.x, axis),
  softmax_flatten2d: (core, { inputs, params }, precision) => overAxes((x, axis) => core.softmax({ x, axis, precision }), inputs.x, params.axis, true),
  log_softmax: (core, { inputs, params }, precision) => overAxes((x, axis) => core.logSoftmax({ x, axis, precision }), inputs.x, params.axis),
  logsumexp(core, { inputs: { x, weights }, expected }, precision) {
    const rows = Array.isArray(expected) ? x : [x];
    const sums = rows.map((/** @type {number[]} */ row) => logSumExp(core, row, weights ?? row.map(() => 1), precision));
    return Array.isArray(expected) ? sums : sums[0];
  },
  exp_float32(core, { inputs }, precision) {
    const { steps } = core.trace({ recipe: 'softmax', inputs: { x: [inputs.x] }, options: { softmax: 'plain' }, precision });
    return Array.from(steps.find((/** @type {any} */ step) => step.key === 'exp').values);
  },
  masked_softmax: maskedSoftmax,
  gelu: (core, { inputs, params }, precision) => core.gelu({ x: inputs.x, approximate: params.approximate, precision }),
  layer_norm: (core, { inputs: { x, weight, bias }, params }, precision) => core.layerNorm({ x, scale: weight, bias, epsilon: params.eps, precision }).output,
  rms_norm: (core, { inputs: { x, weight }, params }, precision) => core.rmsNorm({ x, scale: weight, epsilon: params.eps, precision }),
  layer_norm_variant(core, { inputs: { x }, params }, precision) {
    // (x − mean)/(standard deviation of a sample + ε), from the module's mean and 1/σ.
    const { mean, invStdDev } = core.layerNorm({ x, epsilon: 0, precision });
    return x.map((/** @type {number} */ number) => (number - mean.data[0]) / (Math.sqrt(x.length / (x.length - 1)) / invStdDev.data[0] + params.eps));
  },
  attention: (core, each, precision) => attention(core, each, precision, 'output'),
  multi_head_attention: (core, each, precision) => attention(core, each, precision, 'output'),
  attention_weights: (core, each, precision) => attention(core, each, precision, 'weights'),
  sinusoid_pe: sinusoids,
  sinusoid_pe_added: (core, { inputs, params }, precision) =>
    timingSignal(core, inputs.positions, params.d, params.base, precision).map((row) => row.map((number, at) => inputs.x[at] + number)),
  position_index(core, { inputs, params, expected }, precision) {
    // The module gives no indices; counting from 1 is an offset of 1, and that gives the rows of these positions.
    const rows = (/** @type {any} */ call) => core.sinusoidal({ dModel: 4, precision, ...call }).data;
    assert.deepEqual(rows({ positions: inputs.tokens, offset: params.first_position }), rows({ positions: expected }));
    return expected;
  },
  rope,
  rope_cos_sin(core, { inputs, params }, precision) {
    const rows = turns(core, inputs.positions, params, precision);
    return inputs.positions.length === 1 ? rows[0] : rows.map(([pair]) => pair);
  },
  rope_angle(core, { inputs: { position, pair }, params, expected }, precision) {
    const [cos, sin] = turns(core, [position], params, precision)[0][pair];
    // An angle is known up to whole turns.
    const rest = Math.atan2(sin, cos);
    return rest + 2 * Math.PI * Math.round((expected - rest) / (2 * Math.PI));
  },
  alibi_slopes: (core, { inputs }, precision) => core.alibiSlopes({ heads: inputs.heads, precision }),
  alibi_bias(core, { inputs: { heads, q_len, k_len }, params }, precision) {
    // Slope times distance as the bias of scores that are zero.
    const slopes = core.alibiSlopes({ heads, biasMax: params.bias_max, precision }).data;
    const bias = times(heads, (h) => times(q_len, () => times(k_len, (j) => slopes[h] * (j - (k_len - 1)))));
    const zeros = (/** @type {number} */ tokens) => reshaped(times(heads * tokens, () => 0), [heads, tokens, 1]);
    return core.attention({ q: zeros(q_len), k: zeros(k_len), v: zeros(k_len), bias, keep: 'masked', precision }).kept;
  },
  mask: sight,
  transformer_encoder_layer: (core, { inputs, params, emptyRow }, precision) => layers(core, params, precision, { emptyRow }).encoder(inputs),
  transformer_encoder: (core, { inputs, params }, precision) => layers(core, params, precision).encoder(inputs),
  transformer_decoder_layer: (core, { inputs, params }, precision) => layers(core, params, precision).decoder(inputs),
  transformer_decoder: (core, { inputs, params }, precision) => layers(core, params, precision).decoder(inputs),
  transformer: (core, { inputs, params }, precision) => layers(core, params, precision).transformer(inputs),
};

/** Cases whose stated answer is one of two, and what the module does about the other. @type {Record<string, (core: any, each: any, precision: string) => any[][]>} */
const TWO_ANSWERS = {
  // +∞ among the scores: NaN, as in PyTorch, JAX and TensorFlow.js, or it wins, as in NNlib.
  plus_inf(core, { inputs: { x }, params: { axis }, expected }, precision) {
    const isInfinite = (/** @type {number} */ i, /** @type {number} */ j) => [0, 1].some((at) => (axis === 0 ? x[at][j] : x[i][at]) === Infinity);
    const right = expected.map((/** @type {number[]} */ row, /** @type {number} */ i) => row.map((number, j) => (isInfinite(i, j) ? NaN : number)));
    return [
      [core.softmax({ x, axis, precision, infinity: 'limit' }), expected, "infinity 'limit'"],
      [core.softmax({ x, axis, precision }), right, "infinity 'nan', which is the default"],
    ];
  },
  // The only key is padding: nn.MultiheadAttention says NaN, and so does emptyRow 'nan'; ONNX says zeros, the default.
  all_masked(core, each, precision) {
    const zeros = COMPUTED.transformer_encoder_layer(core, each, precision);
    assert.ok(Array.from(zeros.data).every(Number.isFinite), 'an empty row of zeros leaves the layer finite');
    return [[COMPUTED.transformer_encoder_layer(core, { ...each, emptyRow: 'nan' }, precision), each.expected, "emptyRow 'nan'"]];
  },
};

/** [actual, expected, what] of a case. @param {any} core @param {any} each @param {string} precision @returns {any[][]} */
export function literalOutputs(core, each, precision) {
  if (each.params.plus_inf) return TWO_ANSWERS.plus_inf(core, each, precision);
  if (each.id === 'pt-enc-1-allmasked') return TWO_ANSWERS.all_masked(core, each, precision);
  return [[COMPUTED[each.op](core, each, precision), each.expected, each.what]];
}

/** @param {any} each @param {string} precision */
export function literalTolerance(each, precision) {
  // exp of single precision is the one case with a range far below 1; its own tolerance counts everywhere.
  return each.op === 'exp_float32' ? each.tolerance : inReach(each.tolerance, precision);
}

/** @param {any} each */
export const isKnown = ({ op }) => op in COMPUTED;
