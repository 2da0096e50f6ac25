// The product of matrices.
import { checkedPrecision, plainObject, refuseUnknown, toTensor } from './tensor.js';

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'matmul'>} */
export const productCalls = (ask) => ({
  matmul(call) {
    refuseUnknown(plainObject(call, 'call'), ['a', 'b', 'precision']);
    const precision = checkedPrecision(call.precision);
    return ask('matmul', { a: toTensor(call.a, 'a'), b: toTensor(call.b, 'b') }, { precision, floats: precision === 'float32' || undefined }).output;
  },
});
