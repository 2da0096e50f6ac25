// Attention in one call, over batches and heads.
import { ATTENTION_OPTIONS, attentionOptions } from './attention-options.js';
import { AttentionError } from './error.js';
import { layoutOf } from './head-layout.js';
import { inPrecision, oneOf, plainObject, refuseUnknown, shapeText, toMask, toTensor, wholeNumber, written } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain */

const OPTIONS = [...ATTENTION_OPTIONS, 'q', 'k', 'v', 'mask', 'bias', 'padding', 'heads', 'kvHeads', 'pastKey', 'pastValue', 'kvLengths', 'window', 'precision'];
const KEEPS = ['scaled', 'softcapped', 'masked', 'weights'];

/** @param {any} window @returns {{ left?: number, right?: number } | undefined} */
function windowOf(window) {
  if (window === undefined) return undefined;
  const sides = Array.isArray(window) && window.length === 2 ? Array.from(window) : [NaN, NaN];
  const bounds = sides.map((side) => (side === -1 || side === Infinity ? undefined : wholeNumber(side, 'window', 0)));
  return { left: bounds[0], right: bounds[1] };
}

/** How many keys each batch has. @param {any} value @param {number} batches @param {Plain} k */
function keyLengths(value, batches, k) {
  if (value === undefined) return undefined;
  const { shape, data } = toTensor(value, 'kvLengths');
  if (shape.length > 1 || data.length !== batches)
    throw new AttentionError('dimension-mismatch', 'kvLengths', `kvLengths ${shapeText(shape)} must have one length for each of the ${batches} batches of k ${shapeText(k.shape)}`);
  const lengths = Array.from(data, (length) => wholeNumber(length, 'kvLengths', 0));
  const keys = /** @type {number} */ (k.shape.at(-2));
  if (lengths.some((length) => length > keys))
    throw new AttentionError('dimension-mismatch', 'kvLengths', `kvLengths has ${Math.max(...lengths)}, but k ${shapeText(k.shape)} has ${keys} keys`);
  return lengths;
}

/** What the core is asked, how many axes q lacks, and the shape of the output. @param {any} call */
function requestOf(call) {
  /** @type {any} */
  const given = {};
  for (const name of ['q', 'k', 'v']) given[name] = toTensor(call[name], name);
  for (const name of ['pastKey', 'pastValue', 'mask', 'bias', 'padding']) if (call[name] !== undefined) given[name] = toTensor(call[name], name);
  for (const name of ['mask', 'padding']) if (given[name]) toMask(given[name], name);
  if (!given.pastKey !== !given.pastValue)
    throw new AttentionError('missing', given.pastKey ? 'pastValue' : 'pastKey', 'pastKey and pastValue go together');
  const { packed, rank, batches } = layoutOf(call, given);
  const full = packed ? 3 : 4;
  const axes = { q: full, k: full, v: full, pastKey: 4, pastValue: 4, padding: 2 };
  /** @type {Record<string, Plain>} */
  const tensors = { ...given };
  for (const [name, count] of Object.entries(axes)) if (given[name]) tensors[name] = padded(given[name], count);
  const kvLengths = keyLengths(call.kvLengths, batches, given.k);
  if (kvLengths && given.pastKey) throw new AttentionError('given-together', 'kvLengths', 'kvLengths and pastKey cannot be given together');
  const options = {
    ...attentionOptions(call, given.q, given.k, kvLengths !== undefined),
    ...packed,
    kvLengths,
    window: windowOf(call.window),
  };
  const width = /** @type {number} */ (given.v.shape.at(-1)) / (packed?.kvHeads ?? 1) * (packed?.heads ?? 1);
  const outputShape = [...given.q.shape.slice(0, -1), width];
  return { tensors, request: { ...inPrecision(call.precision), options }, lacking: full - rank, outputShape };
}

/** With axes of length 1 in front. @param {Plain} tensor @param {number} rank @returns {Plain} */
const padded = ({ shape, data }, rank) => ({ shape: [...Array.from({ length: rank - shape.length }, () => 1), ...shape], data });

/** Without the leading axes that q lacks. @param {import('./attention.d.ts').TensorOut} tensor @param {number} lacking */
const unpadded = ({ shape, data }, lacking) => ({ shape: shape.slice(lacking), data });

/**
 * @param {import('./core.js').Ask} ask @param {Pick<import('./floats.js').Floats, 'attention'>} floats
 * @returns {Pick<import('./attention.d.ts').AttentionCore, 'attention' | 'streamingAttention' | 'attentionGradient'>}
 */
export const attentionCalls = (ask, floats) => ({
  attention(call) {
    const simple = floats.attention(plainObject(call, 'call'));
    if (simple) return { output: simple };
    refuseUnknown(call, [...OPTIONS, 'out', 'keep']);
    const keep = call.keep === undefined ? 'nothing' : oneOf(call.keep, 'keep', KEEPS);
    const { tensors, request, lacking } = requestOf(call);
    const answer = ask('attention', tensors, { ...request, keep });
    /** @type {any} */
    const results = {};
    for (const name of ['output', 'kept', 'presentKey', 'presentValue'])
      if (answer[name]) results[name] = unpadded(answer[name], lacking);
    results.output = written(results.output, call.out);
    return results;
  },

  streamingAttention(call) {
    const simple = floats.attention(plainObject(call, 'call'));
    if (simple) return simple;
    refuseUnknown(call, [...OPTIONS, 'out']);
    const { tensors, request, lacking } = requestOf(call);
    return written(unpadded(ask('streamingAttention', tensors, request).output, lacking), call.out);
  },

  attentionGradient(call) {
    refuseUnknown(plainObject(call, 'call'), [...OPTIONS, 'outputGradient']);
    const { tensors, request, lacking, outputShape } = requestOf(call);
    oneOf(request.options.emptyRow, 'emptyRow', ['zero']);
    const given = toTensor(call.outputGradient, 'outputGradient');
    if (shapeText(given.shape) !== shapeText(outputShape))
      throw new AttentionError('dimension-mismatch', 'outputGradient', `outputGradient ${shapeText(given.shape)} needs the shape of the output, ${shapeText(outputShape)}`);
    const outputGradient = padded(given, outputShape.length + lacking);
    const { q, k, v } = ask('attentionGradient', { ...tensors, outputGradient }, request);
    return { q: unpadded(q, lacking), k: unpadded(k, lacking), v: unpadded(v, lacking) };
  },
});
