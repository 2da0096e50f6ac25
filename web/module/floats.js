// Floats, as most programs have them: their numbers go into the core and come back without the objects that a
// general call is made of.

import { MOST_NUMBERS } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain @typedef {import('./attention.d.ts').TensorOut} TensorOut */

/** Whether this way reads it. A switch, since looking it up in a list takes longer. @param {string} name */
function isRead(name) {
  switch (name) {
    case 'q': case 'k': case 'v': case 'heads': case 'kvHeads': case 'scale': case 'causal': case 'precision': case 'out': return true;
    default: return false;
  }
}

/**
 * Whether anything else that the general way reads is there. Each by its name, since no loop lists the getters of a class.
 * @param {any} call
 */
function hasOthers({ mask, bias, padding, pastKey, pastValue, kvLengths, window, softcap, temperature, emptyRow, keep, softmax, compareSoftmax }) {
  return mask !== undefined || bias !== undefined || padding !== undefined || pastKey !== undefined
    || pastValue !== undefined || kvLengths !== undefined || window !== undefined || softcap !== undefined || temperature !== undefined
    || emptyRow !== undefined || keep !== undefined || softmax !== undefined || compareSoftmax !== undefined;
}

/**
 * @typedef {{ batches: number, heads: number, tokens: number, columns: number, data: Float32Array, rank: number }} Heads
 * Where `sideBySide` heads lie side by side, their columns follow each other in a row.
 */

/** Each read once, but the numbers; null for anything else than floats of 2 to 4 axes. @param {any} value @param {number | undefined} sideBySide @returns {Heads | null} */
function headsOf(value, sideBySide) {
  const { shape, data } = value ?? {};
  if (!Array.isArray(shape) || !(data instanceof Float32Array)) return null;
  const rank = shape.length;
  if (rank < 2 || rank > (sideBySide === undefined ? 4 : 3)) return null;
  const tokens = shape[rank - 2], width = shape[rank - 1], third = rank > 2 ? shape[rank - 3] : 1, fourth = rank > 3 ? shape[0] : 1;
  const isLength = (/** @type {unknown} */ length) => Number.isSafeInteger(length) && /** @type {number} */ (length) > 0;
  if (!isLength(tokens) || !isLength(width) || !isLength(third) || !isLength(fourth) || fourth * third * tokens * width !== data.length) return null;
  if (sideBySide === undefined) return { batches: fourth, heads: third, tokens, columns: width, data, rank };
  return isLength(sideBySide) && width % sideBySide === 0 ? { batches: third, heads: sideBySide, tokens, columns: width / sideBySide, data, rank } : null;
}

/** By what was checked: what an array says of its length may change. @param {Heads} of */
const countOf = ({ batches, heads, tokens, columns }) => batches * heads * tokens * columns;

/**
 * Views of floats in the core's memory: the one before where place and length are the same, since a new one takes as long as
 * a small copy. Memory that has grown is another buffer, and views of the old one have no length.
 * @param {any} core @returns {(start: number, count: number) => Float32Array} start: in bytes; count: 1 or more
 */
function viewsOf(core) {
  let view = new Float32Array(0);
  return (start, count) => {
    if (view.length !== count || view.byteOffset !== start) view = new Float32Array(core.HEAPF64.buffer, start, count);
    return view;
  };
}

/** @typedef {ReturnType<typeof floatsOf>} Floats */

/**
 * Each call answers null where the general way has to: where a call is another one, and where there is no memory. What is
 * wrong with it, if anything is, that one says.
 * @param {any} core the compiled core
 */
export function floatsOf(core) {
  const roomAt = viewsOf(core), answerAt = viewsOf(core);

  /**
   * Has operands written one behind the other and computed with, and takes what then stands in `count` places from `from` on,
   * into `out` where the caller has such a place.
   * @param {number} from @param {number} count @param {any} out @param {(room: Float32Array) => boolean} compute says whether there was memory
   */
  function through(from, count, out, compute) {
    if (from + count > MOST_NUMBERS || !(out === undefined || (out instanceof Float32Array && out.length === count))) return null;
    const start = core._room_for_floats(from + count);
    if (start === 0) return null;
    try {
      if (!compute(roomAt(start, from + count))) return null;
      const answer = answerAt(start + from * Float32Array.BYTES_PER_ELEMENT, count);
      if (out === undefined) return answer.slice();
      out.set(answer);
      return out;
    } finally {
      core._release_floats();
    }
  }

  return {
    /** Queries, keys and values, and no other option than these. @param {any} call @returns {TensorOut | null} */
    attention(call) {
      const { precision, scale, causal = false, heads, kvHeads = heads, out } = call;
      if (precision !== 'float32' || typeof causal !== 'boolean' || !(scale === undefined || (typeof scale === 'number' && Number.isFinite(Math.fround(scale))))) return null;
      if (heads === undefined && kvHeads !== undefined) return null;
      for (const name in call) if (!isRead(name)) return null;
      if (hasOthers(call)) return null;
      const q = headsOf(call.q, heads), k = headsOf(call.k, kvHeads), v = headsOf(call.v, kvHeads);
      if (!q || !k || !v || q.rank !== k.rank || k.rank !== v.rank) return null;
      if (q.batches !== k.batches || k.batches !== v.batches || q.columns !== k.columns || k.heads !== v.heads || k.tokens !== v.tokens || q.heads % k.heads !== 0) return null;
      if (causal && q.tokens !== k.tokens) return null;
      const behindQ = countOf(q), behindK = behindQ + countOf(k), count = q.batches * q.heads * q.tokens * v.columns;
      const data = through(behindK + countOf(v), count, out, (room) => {
        room.set(q.data);
        room.set(k.data, behindQ);
        room.set(v.data, behindK);
        return Boolean(core._attention_of_floats(q.batches, q.heads, k.heads, q.tokens, k.tokens, q.columns, v.columns, heads !== undefined, scale ?? 1 / Math.sqrt(q.columns), causal));
      });
      if (!data) return null;
      const rows = [q.tokens, heads === undefined ? v.columns : q.heads * v.columns];
      return { shape: q.rank === 2 ? rows : q.rank === 3 ? [heads === undefined ? q.heads : q.batches, ...rows] : [q.batches, q.heads, ...rows], data };
    },

    /** @param {Plain} a @param {Plain} b @param {any} out @returns {TensorOut | null} */
    product({ shape: left, data: a }, { shape: right, data: b }, out) {
      if (left.length !== 2 || right.length !== 2 || left[1] !== right[0] || a.length === 0 || b.length === 0) return null;
      const [rows, depth] = left, cols = right[1];
      const data = through(a.length + b.length, rows * cols, out, (room) => {
        room.set(a);
        room.set(b, a.length);
        return Boolean(core._product_of_floats(rows, cols, depth));
      });
      return data && { shape: [rows, cols], data };
    },

    /** @param {Plain} rows @param {number} temperature @param {any} out @returns {TensorOut | null} */
    softmax({ shape, data: x }, temperature, out) {
      if (x.length === 0) return null;
      const data = through(0, x.length, out, (room) => {
        room.set(x);
        core._softmax_of_floats(shape[0], shape[1], temperature);
        return true;
      });
      return data && { shape, data };
    },
  };
}
