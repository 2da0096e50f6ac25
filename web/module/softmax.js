// softmax along any axis.
import { AttentionError } from './error.js';
import { axisOf, checkedPrecision, oneOf, plainObject, product, refuseUnknown, toTensor, written } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain */

/** Temperatures whose inverse a float holds with all its digits. */
const USUAL = { from: 2 ** -100, to: 2 ** 100 };

/**
 * @param {import('./core.js').Ask} ask @param {Pick<import('./floats.js').Floats, 'softmax'>} floats
 * @returns {Pick<import('./attention.d.ts').AttentionCore, 'softmax'>}
 */
export const softmaxCalls = (ask, floats) => ({
  softmax(call) {
    refuseUnknown(plainObject(call, 'call'), ['x', 'axis', 'temperature', 'stable', 'infinity', 'precision', 'out']);
    const { x, axis = -1, temperature = 1, stable = true, infinity = 'nan', precision, out } = call;
    oneOf(stable, 'stable', [true, false]);
    const tensor = toTensor(x, 'x');
    const along = axisOf(axis, tensor.shape);
    if (typeof temperature !== 'number' || !(temperature >= 0))
      throw new AttentionError('temperature-not-positive', 'temperature', 'temperature must be a number from 0 to Infinity');
    const request = { precision: checkedPrecision(precision), options: { temperature, infinity: oneOf(infinity, 'infinity', ['nan', 'limit']), softmax: stable ? 'stable' : 'plain' } };
    const rows = axisLast(tensor, along);
    const isUsual = request.precision === 'float32' && stable && USUAL.from <= temperature && temperature <= USUAL.to
      && (infinity === 'nan' || !rows.data.some((/** @type {number} */ number) => Math.fround(number) === Infinity));
    // Rows along another axis than the last come back in another order than they are asked for.
    const place = rows.data === tensor.data ? out : undefined;
    const output = (isUsual && floats.softmax(rows, temperature, place)) || ask('softmax', { x: rows }, request).output;
    return written({ shape: tensor.shape, data: axisBack(output.data, tensor.shape, along) }, out);
  },
});

/** How a tensor lies in memory around one axis: index = (outer·length + at)·inner + inside. @param {number[]} shape @param {number} axis */
function around(shape, axis) {
  return { outer: product(shape.slice(0, axis)), length: shape[axis], inner: product(shape.slice(axis + 1)) };
}

/** Calls `visit(index in the tensor, index with the axis last)` for every number. @param {number[]} shape @param {number} axis @param {(there: number, here: number) => void} visit */
function withAxisLast(shape, axis, visit) {
  const { outer, length, inner } = around(shape, axis);
  if (length === 0 || inner === 0) return;
  for (let o = 0; o < outer; o++)
    for (let at = 0; at < length; at++)
      for (let i = 0; i < inner; i++) visit((o * length + at) * inner + i, (o * inner + i) * length + at);
}

/** @param {Plain} tensor @param {number} axis @returns {Plain} a matrix whose rows run along the axis */
export function axisLast({ shape, data }, axis) {
  const { outer, length, inner } = around(shape, axis);
  if (inner === 1) return { shape: [outer, length], data };
  const rows = new Float64Array(data.length);
  withAxisLast(shape, axis, (there, here) => { rows[here] = data[there]; });
  return { shape: [outer * inner, length], data: rows };
}

/** @template {Float64Array | Float32Array} Numbers @param {Numbers} rows @param {number[]} shape @param {number} axis @returns {Numbers} */
export function axisBack(rows, shape, axis) {
  if (around(shape, axis).inner === 1) return rows;
  const data = /** @type {Numbers} */ (rows instanceof Float32Array ? new Float32Array(rows.length) : new Float64Array(rows.length));
  withAxisLast(shape, axis, (there, here) => { data[there] = rows[here]; });
  return data;
}
