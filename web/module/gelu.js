// The Gaussian error linear unit.
import { inPrecision, oneOf, plainObject, refuseUnknown, toTensor } from './tensor.js';

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'gelu'>} */
export const geluCalls = (ask) => ({
  gelu(call) {
    refuseUnknown(plainObject(call, 'call'), ['x', 'approximate', 'precision']);
    const { approximate = 'none' } = call;
    const precision = inPrecision(call.precision);
    const options = { approximate: oneOf(approximate, 'approximate', ['none', 'tanh']) };
    return ask('gelu', { x: toTensor(call.x, 'x') }, { ...precision, options }).output;
  },
});
