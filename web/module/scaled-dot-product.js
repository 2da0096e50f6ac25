// Attention in one call, without its steps.
import { ATTENTION_OPTIONS, RECIPES } from './recipes.js';
import { checkedPrecision, inPrecision, oneOf, plainObject, refuseUnknown } from './tensor.js';

const KEEPS = ['scaled', 'masked', 'weights'];

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'attention'>} */
export const attentionCalls = (ask) => ({
  attention(call) {
    const { q, k, v, mask, bias, precision, keep, ...options } = plainObject(call, 'call');
    refuseUnknown(options, ATTENTION_OPTIONS);
    const { tensors, options: checked } = RECIPES.attention({ Q: q, K: k, V: v, mask, bias }, options);
    const request = { precision: checkedPrecision(precision), options: checked, keep };
    if (keep !== undefined) oneOf(keep, 'keep', KEEPS);
    const { output, kept } = ask('attention', tensors, request);
    return { output: inPrecision(output, request.precision), ...(kept && { kept: inPrecision(kept, request.precision) }) };
  },
});
