// The sinusoidal encoding of positions.
import { AttentionError } from './error.js';
import { checkedPrecision, finiteNumber, oneOf, plainObject, refuseUnknown, shapeText, toTensor, wholeNumber } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain */

/** As many numbers as one encoding of positions may have. */
const MOST_ENCODED = 2 ** 22;

/** @param {any} options */
export function sinusoidalOptions({ base = 10000, layout = 'interleaved', offset = 0 }) {
  if (typeof base !== 'number' || !Number.isFinite(base) || base < 1)
    throw new AttentionError('bad-base', 'base', 'base must be a finite number of at least 1');
  return { base, layout: oneOf(layout, 'layout', ['interleaved', 'halves']), offset: finiteNumber(offset, 'offset') };
}

/** @param {any} value @param {string} field @param {number} least */
export const encodedSize = (value, field, least) => wholeNumber(value, field, least, MOST_ENCODED);

/** A number n stands for 0 … n − 1. @param {any} positions @param {number} dModel @returns {Plain} a column */
function positionColumn(positions, dModel) {
  const given = typeof positions === 'number' ? undefined : toTensor(positions, 'positions');
  if (given && given.shape.length !== 1)
    throw new AttentionError('bad-rank', 'positions', `positions ${shapeText(given.shape)} must be a whole number or a list`);
  const count = given?.shape[0] ?? encodedSize(positions, 'positions', 0);
  if (count * dModel > MOST_ENCODED)
    throw new AttentionError('bad-size', 'positions', `${shapeText([count, dModel])} is larger than ${MOST_ENCODED} numbers`);
  if (given && !given.data.every(Number.isFinite))
    throw new AttentionError('not-finite', 'positions', 'positions must be finite numbers');
  return { shape: [count, 1], data: given?.data ?? Float64Array.from({ length: count }, (_, place) => place) };
}

/** @param {import('./core.js').Ask} ask @returns {Pick<import('./attention.d.ts').AttentionCore, 'sinusoidal'>} */
export const sinusoidalCalls = (ask) => ({
  sinusoidal(call) {
    refuseUnknown(plainObject(call, 'call'), ['positions', 'dModel', 'base', 'layout', 'offset', 'precision']);
    const dModel = encodedSize(call.dModel, 'dModel', 1);
    const request = { precision: checkedPrecision(call.precision), options: { dModel, ...sinusoidalOptions(call) } };
    return ask('sinusoidal', { positions: positionColumn(call.positions, dModel) }, request).output;
  },
});
