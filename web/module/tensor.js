// What goes in: tensors and options of a caller, checked, since the core checks no types.
import { AttentionError } from './error.js';

/**
 * @typedef {import('./attention.d.ts').Tensor} Tensor @typedef {import('./attention.d.ts').TensorOut} TensorOut
 * @typedef {{ shape: number[], data: Float64Array | Float32Array | Uint8Array }} Plain   a tensor as it goes to the core
 */

/** @param {number[]} shape */
export const product = (shape) => shape.reduce((all, length) => all * length, 1);

/** @param {number[]} shape */
export const shapeText = (shape) => `[${shape.join(', ')}]`;

/** @param {unknown} value @returns {value is Tensor} */
function isTensor(value) {
  return typeof value === 'object' && value !== null && 'shape' in value && 'data' in value;
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
export const isList = (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** @param {unknown} cell @param {string} field */
function toNumber(cell, field) {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'boolean' || typeof cell === 'bigint') return Number(cell);
  throw new AttentionError('not-a-number', field, `${field} may hold numbers only, not ${typeof cell}`);
}

/** Deeper nesting than any tensor here has, and an array that holds itself. */
const MOST_AXES = 8;

/** As many numbers as one tensor may have; lengths of empty tensors are bounded by it too. */
export const MOST_NUMBERS = 2 ** 31 - 1;

/** The shape of nested arrays, from the first cell of each depth. @param {unknown} value @param {string} field */
function nestedShape(value, field) {
  const shape = [];
  for (let level = value; isList(level); level = level[0]) {
    const { length } = level;
    shape.push(length);
    if (shape.length > MOST_AXES) throw new AttentionError('bad-rank', field, `${field} is nested deeper than ${MOST_AXES} levels`);
    if (length === 0) break;
  }
  return shape;
}

/** @param {any} value @param {number[]} shape @param {string} field @param {number[]} into */
function flatten(value, shape, field, into) {
  if (shape.length === 0) {
    into.push(toNumber(value, field));
    return;
  }
  if (!isList(value) || value.length !== shape[0])
    throw new AttentionError('ragged', field, `${field} is ragged: every row needs ${shape[0]} cells`);
  for (const part of Array.from(value)) flatten(part, shape.slice(1), field, into);
}

/** A tensor of doubles from anything that is accepted as one. @param {unknown} value @param {string} field @returns {Plain} */
export function toTensor(value, field) {
  if (value === undefined || value === null)
    throw new AttentionError('missing', field, `${field} is missing`);
  if (!isTensor(value)) {
    const shape = nestedShape(value, field);
    /** @type {number[]} */
    const cells = [];
    flatten(value, shape, field, cells);
    return { shape, data: Float64Array.from(cells) };
  }
  const { shape, data } = value;
  if (!Array.isArray(shape) || shape.length > MOST_AXES || !Array.from(shape).every((length) => Number.isSafeInteger(length) && length >= 0))
    throw new AttentionError('bad-shape', field, `${field}.shape must be a list of at most ${MOST_AXES} whole numbers from 0`);
  if (product(shape.map((length) => length || 1)) > MOST_NUMBERS)
    throw new AttentionError('bad-shape', field, `${field} ${shapeText(shape)} is larger than ${MOST_NUMBERS} numbers`);
  if (!isList(data) || data.length !== product(shape))
    throw new AttentionError('bad-shape', field,
      `${field} has the shape ${shapeText(shape)}, which needs ${product(shape)} numbers, not ${/** @type {any} */ (data)?.length}`);
  // Typed numbers need no look at each one.
  const plain = data instanceof Float64Array || data instanceof Float32Array || data instanceof Uint8Array;
  return { shape: [...shape], data: plain ? data : Float64Array.from(/** @type {any} */ (data), (cell) => toNumber(cell, field)) };
}

/** @param {unknown} value @param {string} field @returns {Plain} */
export function toMatrix(value, field) {
  const tensor = toTensor(value, field);
  if (tensor.shape.length !== 2)
    throw new AttentionError('bad-rank', field, `${field} ${shapeText(tensor.shape)} must be a matrix, [rows, columns]`);
  return tensor;
}

/** A mask is 0/1 or false/true. @param {Plain} mask @param {string} field */
export function toMask(mask, field) {
  if (!mask.data.every((cell) => cell === 0 || cell === 1))
    throw new AttentionError('not-a-mask', field, `${field} may hold 0, 1, false and true only; 1 = ${field === 'mask' ? 'may attend' : 'a real key'}`);
  return mask;
}

/** @param {any} value @param {string} field */
export function finiteNumber(value, field) {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new AttentionError('not-finite', field, `${field} must be a finite number`);
  return value;
}

/** @param {any} value @param {string} field @param {number} least @param {number} [most] */
export function wholeNumber(value, field, least, most = MOST_NUMBERS) {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new AttentionError('bad-size', field, `${field} must be a whole number from ${least} to ${most}`);
  return value;
}

/** @param {any} value @param {string} field @param {unknown[]} choices */
export function oneOf(value, field, choices) {
  if (!choices.includes(value))
    throw new AttentionError('not-a-choice', field, `${field} must be one of ${choices.join(', ')}`);
  return value;
}

/** @param {any} temperature */
export function positive(temperature) {
  if (typeof temperature !== 'number' || !(temperature > 0) || temperature === Infinity)
    throw new AttentionError('temperature-not-positive', 'temperature', 'temperature must be a finite number above 0');
  return temperature;
}

/** @param {any} value @param {string} field */
export function plainObject(value, field) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AttentionError('not-an-object', field, `${field} must be an object with named values`);
  return value;
}

/** Refuses names that mean nothing here, so that a misspelt option is not silently ignored. @param {any} object @param {string[]} known */
export function refuseUnknown(object, known) {
  for (const name of Object.keys(plainObject(object, 'options')))
    if (!known.includes(name) && object[name] !== undefined)
      throw new AttentionError('unknown-option', name, `there is no '${name}'; there are ${known.join(', ')}`);
}

/** @param {any} precision */
export const checkedPrecision = (precision) => oneOf(precision ?? 'float64', 'precision', ['float64', 'float32']);

/** What a request says of it, when all of its numbers are of that precision: floats go in as floats. @param {any} given */
export function inPrecision(given) {
  const precision = checkedPrecision(given);
  return { precision, floats: precision === 'float32' || undefined };
}

/** An answer whose numbers go where the caller wants them, if anywhere. @param {TensorOut} answer @param {any} out @returns {TensorOut} */
export function written({ shape, data }, out) {
  if (out === undefined || out === data) return { shape, data };
  const kind = data instanceof Float32Array ? Float32Array : Float64Array;
  if (!(out instanceof kind) || out.length !== data.length)
    throw new AttentionError('bad-shape', 'out', `out must be a ${kind.name} of ${data.length} numbers, as the answer is ${shapeText(shape)}`);
  out.set(data);
  return { shape, data: out };
}

/** A negative axis counts from the last. @param {any} axis @param {number[]} shape of x */
export function axisOf(axis, shape) {
  const at = Number.isSafeInteger(axis) && axis < 0 ? axis + shape.length : axis;
  if (!Number.isSafeInteger(at) || at < 0 || at >= shape.length)
    throw new AttentionError('bad-axis', 'axis', `x ${shapeText(shape)} has no axis ${typeof axis === 'number' ? axis : `of type ${typeof axis}`}`);
  return /** @type {number} */ (at);
}
