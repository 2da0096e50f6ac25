// Cases of ONNX operators, drawn from a seed: negative numbers, masks that hide something, rows that see nothing. In the form
// of ONNX's own operator tests, as tests/conformance/onnx.js reads them, without the outputs.
//
// onnxruntime 1.30.0 gives what ONNX's own tests expect in all of them (float16 was not asked). Beyond them it is no
// authority, and not asked, where
// - a single query with a causal mask meets a cache and more than one new key: it sees them all there, where the operator's
//   text, and the engine itself for more queries, begin the diagonal after the cached keys;
// - the scale is not above 0, or a mask is broadcast along the queries: it refuses both.
// Where a pair is forbidden its masked scores are the lowest float, where the operator says −∞.

import { randomNumbers } from '../js/module.js';

/** @param {number} seed */
function draw(seed) {
  const random = randomNumbers(seed);
  const whole = (/** @type {number} */ least, /** @type {number} */ most) => least + Math.floor((most - least + 1) * random());
  const tensor = (/** @type {string} */ name, /** @type {number} */ slot, /** @type {number[]} */ shape, dtype = 'float32', of = () => Math.round(4000 * random() - 2000) / 1000) =>
    ({ name, slot, dtype, shape, data: Array.from({ length: shape.reduce((all, length) => all * length, 1) }, of) });
  return { random, whole, tensor, chance: (/** @type {number} */ share) => random() < share, pick: (/** @type {any[]} */ choices) => choices[whole(0, choices.length - 1)] };
}

/** Attention-23, or -24 where it has lengths. @param {number} seed */
export function attentionCase(seed) {
  const { whole, tensor, chance, pick } = draw(seed);
  const [b, g, n, d, dv] = [whole(1, 2), whole(1, 2), whole(1, 4), pick([1, 2, 4]), pick([1, 2, 3])];
  const h = g * whole(1, 3), packed = chance(0.4), causal = chance(0.4);
  const past = chance(0.3) ? whole(1, 3) : 0, fresh = causal && past && n === 1 ? 1 : whole(1, 5), keys = past + fresh;
  const lengths = past === 0 && chance(0.25);
  const lead = (/** @type {number} */ heads, /** @type {number} */ tokens, /** @type {number} */ width) => (packed ? [b, tokens, heads * width] : [b, heads, tokens, width]);
  const inputs = [tensor('Q', 0, lead(h, n, d)), tensor('K', 1, lead(g, fresh, d)), tensor('V', 2, lead(g, fresh, dv))];
  const mask = pick(['none', 'bool', 'float']);
  const pairs = pick([[n, keys], [b, 1, n, keys], [1, h, n, keys], [b, h, n, keys]]);
  if (mask === 'bool') inputs.push(tensor('attn_mask', 3, pairs, 'bool', () => /** @type {any} */ (chance(0.6))));
  if (mask === 'float') inputs.push(tensor('attn_mask', 3, pairs, 'float32', () => (chance(0.25) ? -Infinity : whole(-2000, 2000) / 1000)));
  if (past) inputs.push(tensor('past_key', 4, [b, g, past, d]), tensor('past_value', 5, [b, g, past, dv]));
  if (lengths) inputs.push(tensor('nonpad_kv_seqlen', 6, [b], 'int64', () => whole(1, fresh)));
  const mode = pick([undefined, 0, 1, 2, 3]);
  const attributes = {
    ...(packed && { q_num_heads: h, kv_num_heads: g }), ...(causal && { is_causal: 1 }), ...(chance(0.3) && { scale: pick([0.25, 1, 3]) }),
    ...(chance(0.3) && { softcap: pick([0.5, 2]) }), ...(mode !== undefined && { qk_matmul_output_mode: mode }),
  };
  const outputs = [{ name: 'Y', slot: 0, rank: packed ? 3 : 4 }];
  if (past) outputs.push({ name: 'present_key', slot: 1, rank: 4 }, { name: 'present_value', slot: 2, rank: 4 });
  if (mode !== undefined) outputs.push({ name: 'qk_matmul_output', slot: 3, rank: 4 });
  return { name: `Attention ${seed}`, op: 'Attention', opset: lengths ? 24 : 23, attributes, inputs, outputs };
}

/** The operators beside it, of opsets 13 to 23. @param {number} seed */
export function otherCase(seed) {
  const { whole, tensor, chance, pick } = draw(seed);
  const shape = [whole(1, 3), whole(1, 3), whole(2, 5)];
  const axis = whole(-3, 2), rest = shape.slice(axis);
  const X = tensor('X', 0, shape);
  const input = { ...X, name: 'input' };
  const Y = { name: 'Y', slot: 0, rank: 3 }, output = { ...Y, name: 'output' };
  const rotary = () => {
    const [b, h, n, d] = [whole(1, 2), whole(1, 2), whole(1, 3), 4];
    const r = pick([0, 2, 4]), packed = chance(0.5);
    const attributes = { interleaved: whole(0, 1), ...(r && { rotary_embedding_dim: r }), ...(packed && { num_heads: h }) };
    const table = (/** @type {string} */ name, /** @type {number} */ slot) => tensor(name, slot, [5, (r || d) / 2]);
    return { op: 'RotaryEmbedding', opset: 23, attributes, inputs: [tensor('X', 0, packed ? [b, n, h * d] : [b, h, n, d]), table('cos_cache', 1), table('sin_cache', 2), tensor('position_ids', 3, [b, n], 'int64', () => whole(0, 4))], outputs: [{ ...Y, rank: packed ? 3 : 4 }] };
  };
  const made = pick([
    () => ({ op: 'Softmax', opset: 13, attributes: { axis }, inputs: [input], outputs: [output] }),
    () => ({ op: 'LogSoftmax', opset: 13, attributes: { axis }, inputs: [input], outputs: [output] }),
    () => ({ op: 'LayerNormalization', opset: 17, attributes: { axis, epsilon: 0.01 }, inputs: [X, tensor('Scale', 1, rest), tensor('B', 2, rest)], outputs: [Y, { name: 'Mean', slot: 1, rank: 3 }, { name: 'InvStdDev', slot: 2, rank: 3 }] }),
    () => ({ op: 'RMSNormalization', opset: 23, attributes: { axis, epsilon: 0.01 }, inputs: [X, tensor('scale', 1, rest)], outputs: [Y] }),
    () => ({ op: 'Gelu', opset: 20, attributes: chance(0.5) ? { approximate: 'tanh' } : {}, inputs: [X], outputs: [Y] }),
    () => ({ op: 'MatMul', opset: 13, attributes: {}, inputs: [tensor('A', 0, [shape[0], 1, shape[1], shape[2]]), tensor('B', 1, [2, shape[2], 3])], outputs: [{ ...Y, rank: 4 }] }),
    rotary,
  ])();
  return { name: `${made.op} ${seed}`, ...made };
}
