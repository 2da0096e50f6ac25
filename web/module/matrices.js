// Attention of three matrices of floats and no more: the call of most programs, without what the general one has to ask.

/** @typedef {import('./attention.d.ts').TensorOut} TensorOut */

const NAMES = ['q', 'k', 'v', 'scale', 'causal', 'precision'];

/** Its rows, columns and numbers, each read once; null for anything else. @param {any} value @returns {[number, number, Float32Array] | null} */
function matrixOf(value) {
  const { shape, data } = value ?? {};
  if (!Array.isArray(shape) || shape.length !== 2 || !(data instanceof Float32Array)) return null;
  const [rows, cols] = shape;
  return rows > 0 && cols > 0 && rows * cols === data.length ? [rows, cols, data] : null;
}

/**
 * @param {any} core the compiled core
 * @returns {(call: any) => TensorOut | null} null for every other call, and where there is no memory: what is wrong with it,
 *   if anything is, the general way says
 */
export const matricesOf = (core) => (call) => {
  const { precision, scale, causal = false } = call;
  if (precision !== 'float32' || typeof causal !== 'boolean' || !(scale === undefined || Number.isFinite(scale))) return null;
  for (const name in call) if (!NAMES.includes(name)) return null;
  const q = matrixOf(call.q), k = matrixOf(call.k), v = matrixOf(call.v);
  if (!q || !k || !v) return null;
  const [queries, width, queryNumbers] = q, [keys, columns, keyNumbers] = k, [values, size, valueNumbers] = v;
  if (width !== columns || keys !== values || (causal && queries !== keys)) return null;

  const behindQ = queries * width, behindK = behindQ + keys * width, behindV = behindK + keys * size, end = behindV + queries * size;
  const start = core._room_for_floats(end);
  if (start === 0) return null;
  const room = new Float32Array(core.HEAPF64.buffer, start, end);
  room.set(queryNumbers);
  room.set(keyNumbers, behindQ);
  room.set(valueNumbers, behindK);
  if (!core._attention_of_floats(queries, keys, width, size, scale ?? 1 / Math.sqrt(width), causal)) return null;
  // Memory that has grown is another buffer.
  const answer = room.length > 0 ? room : new Float32Array(core.HEAPF64.buffer, start, end);
  return { shape: [queries, size], data: answer.slice(behindV) };
};
