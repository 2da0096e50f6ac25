// Whole layers of PyTorch's nn.Transformer (post-norm), composed of attention, matmul, layerNorm and gelu of the module;
// sums, ReLU and the order of axes are the test's. Every parameter tensor with n numbers is cos 0, cos 1, … cos(n − 1).

import { tensorOf, times } from './cases.js';

/** @typedef {{ shape: number[], data: ArrayLike<number> }} Tensor */

const cosines = (/** @type {number} */ count) => times(count, Math.cos);

/** From (tokens, batches, columns), as PyTorch has it, to (batches, tokens, columns), and back. @param {any} value @returns {Tensor} */
function swapped(value) {
  const { shape: [first, second, columns], data } = tensorOf(value);
  return { shape: [second, first, columns], data: times(data.length, (at) => {
    const column = at % columns, row = Math.floor(at / columns);
    return data[((row % first) * second + Math.floor(row / first)) * columns + column];
  }) };
}

/** @param {any} core @param {any} params of the case @param {string} precision @param {any} [options] of attention */
export function layers(core, params, precision, options) {
  const { d_model: width, nhead: heads, dim_feedforward: hidden, eps: epsilon } = params;

  const add = (/** @type {Tensor} */ a, /** @type {Tensor} */ b) => ({ shape: a.shape, data: Float64Array.from(a.data, (number, at) => number + b.data[at]) });
  /** x·Wᵀ + b, rows from…to of W [n, columns]. @param {Tensor} x @param {number} rows @param {number} [from] @param {number} [to] @returns {Tensor} */
  function linear(x, rows, from = 0, to = rows) {
    const columns = /** @type {number} */ (x.shape.at(-1));
    const weight = cosines(rows * columns);
    const transposed = times(columns, (c) => times(to - from, (r) => weight[(from + r) * columns + c]));
    const { shape, data } = core.matmul({ a: x, b: transposed, precision });
    return { shape, data: Float64Array.from(data, (number, at) => number + Math.cos(from + (at % (to - from)))) };
  }
  const norm = (/** @type {Tensor} */ x) => core.layerNorm({ x, epsilon, scale: cosines(width), bias: cosines(width), precision }).output;
  const plainNorm = (/** @type {Tensor} */ x) => core.layerNorm({ x, epsilon, precision }).output;

  /** True in a mask of padding means: not there. @param {any} dropped @returns {any} */
  const padding = (dropped) => dropped?.map((/** @type {boolean[]} */ row) => row.map((drop) => !drop));

  /** @param {Tensor} x @param {Tensor} memory @param {any} [sight] */
  function multiHead(x, memory, sight = {}) {
    const [q, k, v] = [x, memory, memory].map((input, part) => linear(input, 3 * width, part * width, (part + 1) * width));
    return linear(core.attention({ q, k, v, heads, precision, ...sight, ...options }).output, width);
  }
  function feedForward(/** @type {Tensor} */ x) {
    const inner = linear(x, hidden);
    const active = params.activation === 'gelu' ? core.gelu({ x: inner, precision }) : { ...inner, data: Float64Array.from(inner.data, (number) => (number < 0 ? 0 : number)) };
    return linear(active, width);
  }
  const repeat = (/** @type {number} */ count, /** @type {(x: Tensor) => Tensor} */ layer, /** @type {Tensor} */ x) => times(count).reduce((/** @type {Tensor} */ state) => layer(state), x);
  const causal = (/** @type {any} */ flag) => (flag ? 'top-left' : false);

  /** @param {Tensor} x @param {any} sight */
  function encode(x, sight, count = 1) {
    return repeat(count, (state) => {
      const seen = norm(add(state, multiHead(state, state, sight)));
      return norm(add(seen, feedForward(seen)));
    }, x);
  }
  /** @param {Tensor} x @param {Tensor} memory @param {any} own sight @param {any} other sight of the memory */
  function decode(x, memory, own, other, count = 1) {
    return repeat(count, (state) => {
      const first = norm(add(state, multiHead(state, state, own)));
      const second = norm(add(first, multiHead(first, memory, other)));
      return norm(add(second, feedForward(second)));
    }, x);
  }

  return {
    /** @param {any} inputs */
    encoder({ x, key_padding_mask }) {
      const out = encode(swapped(x), { padding: padding(key_padding_mask) }, params.layers);
      return swapped(params.final_norm ? plainNorm(out) : out);
    },
    /** @param {any} inputs */
    decoder({ x, memory, target_key_padding_mask, memory_key_padding_mask }) {
      const own = { padding: padding(target_key_padding_mask), causal: causal(params.causal) };
      const out = decode(swapped(x), swapped(memory), own, { padding: padding(memory_key_padding_mask) }, params.layers);
      return swapped(params.final_norm ? plainNorm(out) : out);
    },
    /** @param {any} inputs */
    transformer({ src, tgt, src_mask, target_key_padding_mask }) {
      const memory = norm(encode(swapped(src), { causal: causal(src_mask) }, params.encoder_layers));
      return swapped(norm(decode(swapped(tgt), memory, { padding: padding(target_key_padding_mask) }, {}, params.decoder_layers)));
    },
  };
}
