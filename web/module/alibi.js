// The slopes of attention with linear biases.
import { checkedPrecision, finiteNumber, refuseUnknown, wholeNumber } from './tensor.js';

/** More heads than this are refused. */
const MOST_HEADS = 2 ** 16;

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'alibiSlopes'>} */
export const alibiCalls = (ask) => ({
  alibiSlopes(call) {
    const given = typeof call === 'object' ? call : { heads: call };
    refuseUnknown(given, ['heads', 'biasMax', 'precision']);
    const { heads, biasMax = 8 } = given;
    const options = { heads: wholeNumber(heads, 'heads', 1, MOST_HEADS), biasMax: finiteNumber(biasMax, 'biasMax') };
    const precision = checkedPrecision(given.precision);
    return ask('alibiSlopes', {}, { precision, options }).output;
  },
});
