// The operators of ONNX in calls of the module. Attention-23 and -24, RotaryEmbedding-23, RMSNormalization-23,
// LayerNormalization-17, Gelu-20, Softmax-13, LogSoftmax-13, MatMul-13.

/** @param {any} tensor of a case @returns {any} a tensor of the module */
const given = ({ shape, data, dtype }) => ({ shape, data: dtype === 'bool' ? Uint8Array.from(data) : Float64Array.from(data) });

/** qk_matmul_output_mode */
const KEPT = ['scaled', 'softcapped', 'masked', 'weights'];

/** Each computes the outputs that a case names. @type {Record<string, (core: any, inputs: any, attributes: any, precision: string, outputs: string[]) => Record<string, any>>} */
const OPERATORS = {
  Attention(core, { Q, K, V, attn_mask, past_key, past_value, nonpad_kv_seqlen }, attributes, precision, outputs) {
    const isMask = attn_mask?.data instanceof Uint8Array;
    const { output, kept, presentKey, presentValue } = core.attention({
      q: Q, k: K, v: V,
      mask: isMask ? attn_mask : undefined,
      bias: isMask ? undefined : attn_mask,
      pastKey: past_key, pastValue: past_value,
      kvLengths: nonpad_kv_seqlen,
      heads: attributes.q_num_heads, kvHeads: attributes.kv_num_heads,
      causal: attributes.is_causal === 1 ? 'top-left' : false,
      scale: attributes.scale, softcap: attributes.softcap,
      keep: outputs.includes('qk_matmul_output') ? KEPT[attributes.qk_matmul_output_mode ?? 0] : undefined,
      precision,
    });
    return { Y: output, present_key: presentKey, present_value: presentValue, qk_matmul_output: kept };
  },
  RotaryEmbedding: (core, { X, cos_cache, sin_cache, position_ids }, { interleaved, rotary_embedding_dim, num_heads }, precision) => ({
    Y: core.rotary({
      x: X, cos: cos_cache, sin: sin_cache, positions: position_ids, heads: num_heads,
      interleaved: interleaved === 1, rotaryDim: rotary_embedding_dim || undefined, precision,
    }),
  }),
  LayerNormalization(core, { X, Scale, B }, { axis, epsilon }, precision) {
    const { output, mean, invStdDev } = core.layerNorm({ x: X, scale: Scale, bias: B, axis, epsilon, precision });
    return { Y: output, Mean: mean, InvStdDev: invStdDev };
  },
  RMSNormalization: (core, { X, scale }, { axis, epsilon }, precision) => ({ Y: core.rmsNorm({ x: X, scale, axis, epsilon, precision }) }),
  Gelu: (core, { X }, { approximate }, precision) => ({ Y: core.gelu({ x: X, approximate, precision }) }),
  Softmax: (core, { input }, { axis }, precision) => ({ output: core.softmax({ x: input, axis, precision }) }),
  LogSoftmax: (core, { input }, { axis }, precision) => ({ output: core.logSoftmax({ x: input, axis, precision }) }),
  MatMul: (core, { A, B }, _, precision) => ({ Y: core.matmul({ a: A, b: B, precision }) }),
};

/** [name, actual, expected] of every output of a case. @param {any} core @param {any} each @param {string} precision @returns {[string, any, any][]} */
export function onnxOutputs(core, { op, inputs, attributes, outputs }, precision) {
  const tensors = Object.fromEntries(inputs.map((/** @type {any} */ input) => [input.name, given(input)]));
  const found = OPERATORS[op](core, tensors, attributes, precision, outputs.map(({ name }) => name));
  return outputs.map((/** @type {any} */ output) => [output.name, found[output.name], output]);
}

/** @param {any} each */
export const onnxTolerance = ({ outputs }) => (outputs[0].dtype === 'float16' ? { abs: 1e-3, rel: 1e-3 } : { abs: 1e-6, rel: 1e-5 });
