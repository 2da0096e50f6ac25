// Matrices of floats, as most programs have them: their numbers go into the core and come back without the objects that a
// general call is made of.

import { MOST_NUMBERS } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain @typedef {import('./attention.d.ts').TensorOut} TensorOut */

const NAMES = ['q', 'k', 'v', 'scale', 'causal', 'precision', 'out'];

/**
 * Whether anything else that the general way reads is there. Each by its name, since no loop lists the getters of a class.
 * @param {any} call
 */
function hasOthers({ mask, bias, padding, heads, kvHeads, pastKey, pastValue, kvLengths, window, softcap, temperature, emptyRow, keep, softmax, compareSoftmax }) {
  return mask !== undefined || bias !== undefined || padding !== undefined || heads !== undefined || kvHeads !== undefined || pastKey !== undefined
    || pastValue !== undefined || kvLengths !== undefined || window !== undefined || softcap !== undefined || temperature !== undefined
    || emptyRow !== undefined || keep !== undefined || softmax !== undefined || compareSoftmax !== undefined;
}

/** Its rows, columns and numbers, each read once; null for anything else. @param {any} value @returns {[number, number, Float32Array] | null} */
function matrixOf(value) {
  const { shape, data } = value ?? {};
  if (!Array.isArray(shape) || shape.length !== 2 || !(data instanceof Float32Array)) return null;
  const [rows, cols] = shape;
  const areLengths = Number.isSafeInteger(rows) && Number.isSafeInteger(cols) && rows > 0 && cols > 0;
  return areLengths && rows * cols === data.length ? [rows, cols, data] : null;
}

/** @typedef {ReturnType<typeof floatsOf>} Floats */

/**
 * Each call answers null where the general way has to: where a call is another one, and where there is no memory. What is
 * wrong with it, if anything is, that one says.
 * @param {any} core the compiled core
 */
export function floatsOf(core) {
  /**
   * Writes the operands one behind the other, computes, and takes what then stands in `count` places from `from` on, into
   * `out` where the caller has such a place.
   * @param {[numbers: Plain['data'], at: number][]} operands @param {number} from @param {number} count @param {any} out @param {() => boolean | void} compute
   */
  function through(operands, from, count, out, compute) {
    if (from + count > MOST_NUMBERS || !(out === undefined || (out instanceof Float32Array && out.length === count))) return null;
    const start = core._room_for_floats(from + count);
    if (start === 0) return null;
    try {
      const room = new Float32Array(core.HEAPF64.buffer, start, from + count);
      for (const [numbers, at] of operands) room.set(numbers, at);
      if (compute() === false) return null;
      // Memory that has grown is another buffer.
      const there = room.length > 0 ? room : new Float32Array(core.HEAPF64.buffer, start, from + count);
      if (out === undefined) return there.slice(from);
      out.set(there.subarray(from));
      return out;
    } finally {
      core._release_floats();
    }
  }

  return {
    /** Three matrices and no other option than these. @param {any} call @returns {TensorOut | null} */
    attention(call) {
      const { precision, scale, causal = false, out } = call;
      if (precision !== 'float32' || typeof causal !== 'boolean' || !(scale === undefined || (typeof scale === 'number' && Number.isFinite(Math.fround(scale))))) return null;
      for (const name in call) if (!NAMES.includes(name)) return null;
      if (hasOthers(call)) return null;
      const q = matrixOf(call.q), k = matrixOf(call.k), v = matrixOf(call.v);
      if (!q || !k || !v) return null;
      const [queries, width, queryNumbers] = q, [keys, columns, keyNumbers] = k, [values, size, valueNumbers] = v;
      if (width !== columns || keys !== values || (causal && queries !== keys)) return null;
      const behindQ = queries * width, behindK = behindQ + keys * width;
      const data = through([[queryNumbers, 0], [keyNumbers, behindQ], [valueNumbers, behindK]], behindK + keys * size, queries * size, out,
        () => Boolean(core._attention_of_floats(queries, keys, width, size, scale ?? 1 / Math.sqrt(width), causal)));
      return data && { shape: [queries, size], data };
    },

    /** @param {Plain} a @param {Plain} b @param {any} out @returns {TensorOut | null} */
    product({ shape: left, data: a }, { shape: right, data: b }, out) {
      if (left.length !== 2 || right.length !== 2 || left[1] !== right[0] || a.length === 0 || b.length === 0) return null;
      const [rows, depth] = left, cols = right[1];
      const data = through([[a, 0], [b, a.length]], a.length + b.length, rows * cols, out, () => Boolean(core._product_of_floats(rows, cols, depth)));
      return data && { shape: [rows, cols], data };
    },

    /** @param {Plain} rows @param {number} temperature @param {any} out @returns {TensorOut | null} */
    softmax({ shape, data: x }, temperature, out) {
      if (x.length === 0) return null;
      const data = through([[x, 0]], 0, x.length, out, () => core._softmax_of_floats(shape[0], shape[1], temperature));
      return data && { shape, data };
    },
  };
}
