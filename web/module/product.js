// The product of matrices.
import { inPrecision, plainObject, refuseUnknown, toTensor, written } from './tensor.js';

/**
 * @param {import('./core.js').Ask} ask @param {Pick<import('./floats.js').Floats, 'product'>} floats
 * @returns {Pick<import('./attention.d.ts').AttentionCore, 'matmul'>}
 */
export const productCalls = (ask, floats) => ({
  matmul(call) {
    refuseUnknown(plainObject(call, 'call'), ['a', 'b', 'precision', 'out']);
    const precision = inPrecision(call.precision);
    const a = toTensor(call.a, 'a'), b = toTensor(call.b, 'b');
    return (precision.floats && floats.product(a, b, call.out)) || written(ask('matmul', { a, b }, precision).output, call.out);
  },
});
