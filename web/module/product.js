// The product of matrices.
import { checkedPrecision, inPrecision, plainObject, refuseUnknown, toTensor } from './tensor.js';

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'matmul'>} */
export const productCalls = (ask) => ({
  matmul(call) {
    refuseUnknown(plainObject(call, 'call'), ['a', 'b', 'precision']);
    const precision = checkedPrecision(call.precision);
    return inPrecision(ask('matmul', { a: toTensor(call.a, 'a'), b: toTensor(call.b, 'b') }, { precision }).output, precision);
  },
});
