// The slopes of attention with linear biases.
import { checkedPrecision, finiteNumber, inPrecision, refuseUnknown, wholeNumber } from './tensor.js';

/** More heads than this are refused. */
const MOST_HEADS = 2 ** 16;

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'alibiSlopes'>} */
export const alibiCalls = (ask) => ({
  alibiSlopes(call) {
    const given = typeof call === 'object' ? call : { heads: call };
    refuseUnknown(given, ['heads', 'biasMax', 'precision']);
    const options = { heads: wholeNumber(given.heads, 'heads', 1, MOST_HEADS), biasMax: finiteNumber(given.biasMax ?? 8, 'biasMax') };
    const precision = checkedPrecision(given.precision);
    return inPrecision(ask('alibiSlopes', {}, { precision, options }).output, precision);
  },
});
