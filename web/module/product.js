// The product of matrices.
import { checkedPrecision, plainObject, refuseUnknown, toTensor, written } from './tensor.js';

/**
 * @param {import('./core.js').Ask} ask @param {Pick<import('./floats.js').Floats, 'product'>} floats
 * @returns {Pick<import('./attention.d.ts').AttentionCore, 'matmul'>}
 */
export const productCalls = (ask, floats) => ({
  matmul(call) {
    refuseUnknown(plainObject(call, 'call'), ['a', 'b', 'precision', 'out']);
    const precision = checkedPrecision(call.precision);
    const a = toTensor(call.a, 'a'), b = toTensor(call.b, 'b');
    const areFloats = precision === 'float32';
    return (areFloats && floats.product(a, b, call.out)) || written(ask('matmul', { a, b }, { precision, floats: areFloats || undefined }).output, call.out);
  },
});
