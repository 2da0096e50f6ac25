// What attention can be told, as a tape and in one call, checked.
import { AttentionError } from './error.js';
import { finiteNumber, oneOf, positive, shapeText } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain */

export const ATTENTION_OPTIONS = ['scale', 'softcap', 'temperature', 'causal', 'emptyRow'];

/**
 * Which corner a causal mask is anchored at. `true` is only clear where both corners are the same: the diagonal begins
 * after the cached keys at the top left, and ends at the last key at the bottom right.
 * @param {any} causal @param {Plain} q @param {Plain} k @param {boolean} hasLengths
 */
function anchorOf(causal, q, k, hasLengths) {
  if (causal === undefined || causal === false) return 'none';
  if (causal !== true) return oneOf(causal, 'causal', ['top-left', 'bottom-right']);
  if (hasLengths || q.shape.at(-2) === k.shape.at(-2)) return 'top-left';
  throw new AttentionError('ambiguous-causal', 'causal',
    `q ${shapeText(q.shape)} and k ${shapeText(k.shape)} differ in length: say 'top-left' (PyTorch, ONNX) or 'bottom-right' (flash-attention, MLX)`);
}

/** 0 is none, as in ONNX. @param {any} softcap */
function softcapOf(softcap) {
  if (softcap === undefined || softcap === 0) return undefined;
  if (typeof softcap !== 'number' || !(softcap > 0) || softcap === Infinity)
    throw new AttentionError('softcap-not-positive', 'softcap', 'softcap must be a finite number above 0, or 0 for none');
  return softcap;
}

/** @param {any} options @param {Plain} q @param {Plain} k @param {boolean} [hasLengths] whether lengths say where the keys end */
export function attentionOptions(options, q, k, hasLengths = false) {
  return {
    scale: options.scale === undefined ? undefined : finiteNumber(options.scale, 'scale'),
    softcap: softcapOf(options.softcap),
    temperature: positive(options.temperature ?? 1),
    causal: anchorOf(options.causal, q, k, hasLengths),
    softmax: oneOf(options.softmax ?? 'stable', 'softmax', ['stable', 'plain']),
    compareSoftmax: Boolean(options.compareSoftmax),
    emptyRow: oneOf(options.emptyRow ?? 'zero', 'emptyRow', ['zero', 'nan', 'uniform']),
  };
}
