// The same work in each library, in floats, on inputs that are there already unless it says otherwise. Each gives a function
// that does it once; what it computes is compared before anything is timed.

import { graphOf } from '../../golden/onnx-model.mjs';
import { opener } from './standalone.mjs';

/**
 * @typedef {{ rows: number, cols: number, data: Float32Array }} Numbers
 * @typedef {{ x: Numbers, projections: Numbers[], heads: number }} MultiHead   projections: W_Q, W_K, W_V, W_O
 * @typedef {{ q: Numbers, k: Numbers, v: Numbers, given: Numbers }} Gradients   given: how much matters each number of the output
 * @typedef {{ q: Numbers, k: Numbers, v: Numbers, causal: boolean, copies: boolean }} Attention   copies: inputs and output are copied in each call
 * @typedef {{ run: () => unknown, answer: () => Float32Array | Promise<Float32Array>, close?: () => void }} Contender
 */

const scaleOf = (/** @type {Attention} */ { q }) => 1 / Math.sqrt(q.cols);

/** 0 where a key may be seen, −1e9 elsewhere, for libraries that know no causal mask. @param {number} n */
const hidden = (n) => Float32Array.from({ length: n * n }, (_, at) => (at % n > Math.floor(at / n) ? -1e9 : 0));

/** @param {any} core loadAttention() @returns {Record<string, (work: any) => Contender>} */
export function ours(core) {
  const tensor = (/** @type {Numbers} */ { rows, cols, data }) => ({ shape: [rows, cols], data });
  const precision = 'float32';
  const of = (/** @type {() => any} */ run) => ({ run, answer: () => run().data });
  // Answers go where earlier ones were.
  const place = (/** @type {number} */ count) => new Float32Array(count);
  return {
    attention({ q, k, v, causal }) {
      const call = { q: tensor(q), k: tensor(k), v: tensor(v), causal, precision, out: place(q.rows * v.cols) };
      return of(() => core.streamingAttention(call));
    },
    gradients({ q, k, v, given }) {
      const call = { q: tensor(q), k: tensor(k), v: tensor(v), outputGradient: tensor(given), precision };
      const run = () => core.attentionGradient(call);
      return { run, answer: () => { const found = run(); return Float32Array.from(['q', 'k', 'v'].flatMap((name) => [...found[name].data])); } };
    },
    multiHead({ x, projections, heads }) {
      const product = (/** @type {any} */ a, /** @type {Numbers} */ b) => ({ a, b: tensor(b), precision, out: place(a.shape[0] * b.cols) });
      const given = tensor(x), [toQ, toK, toV] = projections.slice(0, 3).map((each) => product(given, each));
      const call = { q: core.matmul(toQ), k: core.matmul(toK), v: core.matmul(toV), heads, kvHeads: heads, precision, out: place(x.data.length) };
      const toOutput = product(core.streamingAttention(call), projections[3]);
      return of(() => {
        for (const each of [toQ, toK, toV]) core.matmul(each);
        core.streamingAttention(call);
        return core.matmul(toOutput);
      });
    },
    softmax(x) {
      const call = { x: tensor(x), precision, out: place(x.data.length) };
      return of(() => core.softmax(call));
    },
    matmul({ a, b }) {
      const call = { a: tensor(a), b: tensor(b), precision, out: place(a.rows * b.cols) };
      return of(() => core.matmul(call));
    },
  };
}

/** The same kernels where numbers lie in their memory, as those of the other libraries do. @param {Uint8Array} wasm @returns {Promise<Record<string, (work: any) => Promise<Contender>>>} */
export async function resident(wasm) {
  const open = await opener(wasm);
  /**
   * Lays the numbers one behind the other, and behind them room for results.
   * @param {Numbers[]} given @param {number[]} results lengths @param {(core: any, places: number[]) => void} compute   places: of the given ones and the results
   */
  const of = async (given, results, compute) => {
    const core = await open();
    const lengths = [...given.map(({ data }) => data.length), ...results];
    const start = core.room(lengths.reduce((sum, length) => sum + length, 0));
    let at = start;
    const places = lengths.map((length) => (at += 4 * length) - 4 * length);
    given.forEach(({ data }, i) => new Float32Array(core.memory.buffer, places[i], data.length).set(data));
    const run = () => compute(core, places);
    return { run, answer: () => { run(); return new Float32Array(core.memory.buffer, /** @type {number} */ (places.at(-1)), results.at(-1)).slice(); } };
  };
  return {
    multiHead({ x, projections, heads }) {
      const { rows, cols } = x;
      return of([x, ...projections], Array(5).fill(rows * cols), (core, [given, toQ, toK, toV, toOutput, q, k, v, joined, output]) => {
        for (const [weights, to] of [[toQ, q], [toK, k], [toV, v]]) core.multiply(given, weights, rows, cols, cols, to);
        core.attend(q, k, v, heads, rows, cols / heads, joined);
        core.multiply(joined, toOutput, rows, cols, cols, output);
      });
    },
    softmax: (x) => of([x], [x.data.length], (core, [given, weights]) => core.softmax(given, x.rows, x.cols, weights)),
    matmul: ({ a, b }) => of([a, b], [a.rows * b.cols], (core, [left, right, product]) => core.multiply(left, right, a.rows, b.cols, a.cols, product)),
  };
}

/** @param {Numbers} x @param {Numbers} weights @returns {Numbers} */
const times = (x, weights) => ({ rows: x.rows, cols: weights.cols, data: plain.matmul({ a: x, b: weights }).answer() });

/** As one would write it by hand, with typed arrays. @type {Record<string, (work: any) => Contender>} */
export const plain = {
  attention(work) {
    const { q, k, v, causal } = /** @type {Attention} */ (work), scale = scaleOf(work);
    const run = () => {
      const output = new Float32Array(q.rows * v.cols), weights = new Float32Array(k.rows);
      for (let i = 0; i < q.rows; i++) {
        const keys = causal ? i + 1 : k.rows;
        let max = -Infinity, sum = 0;
        for (let j = 0; j < keys; j++) {
          let score = 0;
          for (let at = 0; at < q.cols; at++) score += q.data[i * q.cols + at] * k.data[j * q.cols + at];
          weights[j] = score * scale;
          if (weights[j] > max) max = weights[j];
        }
        for (let j = 0; j < keys; j++) sum += weights[j] = Math.exp(weights[j] - max);
        for (let j = 0; j < keys; j++) {
          const weight = weights[j] / sum;
          for (let at = 0; at < v.cols; at++) output[i * v.cols + at] += weight * v.data[j * v.cols + at];
        }
      }
      return output;
    };
    return { run, answer: run };
  },
  multiHead({ x, projections, heads }) {
    const width = x.cols / heads;
    const head = (/** @type {Numbers} */ { rows, data }, /** @type {number} */ at) => ({ rows, cols: width, data: Float32Array.from({ length: rows * width }, (_, i) => data[Math.floor(i / width) * x.cols + at * width + i % width]) });
    const run = () => {
      const [q, k, v] = projections.slice(0, 3).map((each) => times(x, each)), joined = new Float32Array(x.data.length);
      for (let at = 0; at < heads; at++) {
        const output = plain.attention({ q: head(q, at), k: head(k, at), v: head(v, at), causal: false }).answer();
        output.forEach((/** @type {number} */ cell, /** @type {number} */ i) => { joined[Math.floor(i / width) * x.cols + at * width + i % width] = cell; });
      }
      return times({ ...x, data: joined }, projections[3]).data;
    };
    return { run, answer: run };
  },
  softmax({ rows, cols, data }) {
    const run = () => {
      const output = new Float32Array(data.length);
      for (let row = 0; row < rows; row++) {
        const at = row * cols;
        let max = -Infinity, sum = 0;
        for (let col = 0; col < cols; col++) if (data[at + col] > max) max = data[at + col];
        for (let col = 0; col < cols; col++) sum += output[at + col] = Math.exp(data[at + col] - max);
        for (let col = 0; col < cols; col++) output[at + col] /= sum;
      }
      return output;
    };
    return { run, answer: run };
  },
  matmul({ a, b }) {
    const run = () => {
      const output = new Float32Array(a.rows * b.cols);
      for (let i = 0; i < a.rows; i++)
        for (let at = 0; at < a.cols; at++) {
          const cell = a.data[i * a.cols + at];
          for (let j = 0; j < b.cols; j++) output[i * b.cols + j] += cell * b.data[at * b.cols + j];
        }
      return output;
    };
    return { run, answer: run };
  },
};

/**
 * TensorFlow.js on its WebAssembly backend: `obvious` as its documentation leads to, else the fastest form that was found,
 * a product with an explicit transpose.
 * @param {any} tf @param {boolean} obvious @returns {Record<string, (work: any) => Contender>}
 */
export function tensorflow(tf, obvious) {
  const tensor = (/** @type {Numbers} */ { rows, cols, data }) => tf.tensor2d(data, [rows, cols]);
  /** @param {any[]} kept @param {() => any} compute a tensor */
  const of = (kept, compute) => ({
    run: () => compute().dispose(),
    answer: () => { const result = compute(), data = result.dataSync().slice(); result.dispose(); return data; },
    close: () => kept.forEach((each) => each.dispose()),
  });
  return {
    attention(work) {
      const { q, k, v, causal, copies } = /** @type {Attention} */ (work), scale = scaleOf(work);
      const bias = causal ? tf.tensor2d(hidden(q.rows), [q.rows, q.rows]) : null;
      const attend = (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c) => tf.tidy(() => {
        const scores = tf.mul(obvious ? tf.matMul(a, b, false, true) : tf.matMul(a, tf.transpose(b)), scale);
        return tf.matMul(tf.softmax(bias ? tf.add(scores, bias) : scores), c);
      });
      if (!copies) {
        const [a, b, c] = [tensor(q), tensor(k), tensor(v)];
        return of([a, b, c, ...(bias ? [bias] : [])], () => attend(a, b, c));
      }
      const run = () => {
        const inputs = [tensor(q), tensor(k), tensor(v)], output = attend(inputs[0], inputs[1], inputs[2]), data = output.dataSync().slice();
        [...inputs, output].forEach((each) => each.dispose());
        return data;
      };
      return { run, answer: run };
    },
    gradients({ q, k, v, given }) {
      const scale = 1 / Math.sqrt(q.cols), inputs = [q, k, v].map(tensor), weight = tensor(given);
      const gradientsOf = tf.grads((/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c) => {
        const scores = tf.mul(obvious ? tf.matMul(a, b, false, true) : tf.matMul(a, tf.transpose(b)), scale);
        return tf.sum(tf.mul(weight, tf.matMul(tf.softmax(scores), c)));
      });
      const run = () => tf.dispose(gradientsOf(inputs));
      const answer = () => tf.tidy(() => Float32Array.from(gradientsOf(inputs).flatMap((/** @type {any} */ each) => [...each.dataSync()])));
      return { run, answer, close: () => [...inputs, weight].forEach((each) => each.dispose()) };
    },
    multiHead({ x, projections, heads }) {
      const given = tensor(x), weights = projections.map(tensor), width = x.cols / heads, scale = 1 / Math.sqrt(width);
      const split = (/** @type {any} */ all) => tf.transpose(tf.reshape(all, [x.rows, heads, width]), [1, 0, 2]);
      const weightsOf = (/** @type {any} */ scores) => tf.softmax(tf.mul(scores, scale));
      // Products of three axes are slower than one after the other of two.
      const headByHead = (/** @type {any[]} */ ...all) => {
        const [queries, keys, values] = all.map((each) => tf.split(each, heads, 1));
        return tf.concat(queries.map((/** @type {any} */ query, /** @type {number} */ at) => tf.matMul(weightsOf(tf.matMul(query, tf.transpose(keys[at]))), values[at])), 1);
      };
      const together = (/** @type {any} */ q, /** @type {any} */ k, /** @type {any} */ v) => {
        const outputs = tf.matMul(weightsOf(tf.matMul(split(q), split(k), false, true)), split(v));
        return tf.reshape(tf.transpose(outputs, [1, 0, 2]), [x.rows, x.cols]);
      };
      return of([given, ...weights], () => tf.tidy(() => {
        const [q, k, v] = weights.slice(0, 3).map((each) => tf.matMul(given, each));
        return tf.matMul((obvious ? together : headByHead)(q, k, v), weights[3]);
      }));
    },
    softmax(x) {
      const given = tensor(x);
      return of([given], () => tf.softmax(given));
    },
    matmul({ a, b }) {
      const [left, right] = [tensor(a), tensor(b)];
      return of([left, right], () => tf.matMul(left, right));
    },
  };
}

/** onnxruntime-web with one thread; sessions are made before. @param {any} ort @returns {Record<string, (work: any) => Promise<Contender>>} */
export function onnxruntime(ort) {
  /** @param {any[]} nodes @param {Record<string, { dims: number[], data: Float32Array | BigInt64Array }>} inputs */
  async function of(nodes, inputs) {
    const typeOf = (/** @type {Float32Array | BigInt64Array} */ data) => (data instanceof Float32Array ? 'float32' : 'int64');
    const slots = Object.entries(inputs).map(([name, { dims, data }]) => ({ name, dtype: typeOf(data), shape: dims }));
    const session = await ort.InferenceSession.create(graphOf({ nodes, opset: 17, inputs: slots, outputs: [{ name: 'output', rank: 2 }] }), { logSeverityLevel: 4, executionProviders: ['wasm'] });
    const run = () => session.run(Object.fromEntries(Object.entries(inputs).map(([name, { dims, data }]) => [name, new ort.Tensor(typeOf(data), data, dims)])));
    return { run, answer: async () => (await run()).output.data.slice(), close: () => session.release() };
  }
  const input = (/** @type {Numbers} */ { rows, cols, data }) => ({ dims: [rows, cols], data });
  return {
    attention(work) {
      const { q, k, v, causal } = /** @type {Attention} */ (work);
      const nodes = [
        { op: 'Transpose', inputs: ['k'], outputs: ['columns'], attributes: {} },
        { op: 'MatMul', inputs: ['q', 'columns'], outputs: ['scores'], attributes: {} },
        { op: 'Mul', inputs: ['scores', 'scale'], outputs: ['scaled'], attributes: {} },
        ...(causal ? [{ op: 'Add', inputs: ['scaled', 'bias'], outputs: ['masked'], attributes: {} }] : []),
        { op: 'Softmax', inputs: [causal ? 'masked' : 'scaled'], outputs: ['weights'], attributes: {} },
        { op: 'MatMul', inputs: ['weights', 'v'], outputs: ['output'], attributes: {} },
      ];
      return of(nodes, {
        q: input(q), k: input(k), v: input(v), scale: { dims: [1, 1], data: Float32Array.of(scaleOf(work)) },
        ...(causal && { bias: { dims: [q.rows, q.rows], data: hidden(q.rows) } }),
      });
    },
    multiHead({ x, projections, heads }) {
      const node = (/** @type {string} */ op, /** @type {string[]} */ inputs, /** @type {string} */ output, attributes = {}) => ({ op, inputs, outputs: [output], attributes });
      const split = (/** @type {string} */ name, /** @type {number[]} */ perm) => [node('MatMul', ['x', `W_${name}`], `${name} all`), node('Reshape', [`${name} all`, 'heads'], `${name} heads`), node('Transpose', [`${name} heads`], name, { perm })];
      const nodes = [
        ...split('q', [1, 0, 2]), ...split('k', [1, 2, 0]), ...split('v', [1, 0, 2]),
        node('MatMul', ['q', 'k'], 'scores'), node('Mul', ['scores', 'scale'], 'scaled'), node('Softmax', ['scaled'], 'weights'), node('MatMul', ['weights', 'v'], 'outputs'),
        node('Transpose', ['outputs'], 'turned', { perm: [1, 0, 2] }), node('Reshape', ['turned', 'joined'], 'mixed'), node('MatMul', ['mixed', 'W_o'], 'output'),
      ];
      const lengths = (/** @type {number[]} */ ...all) => ({ dims: [all.length], data: BigInt64Array.from(all, BigInt) });
      return of(nodes, {
        x: input(x), ...Object.fromEntries(['q', 'k', 'v', 'o'].map((name, i) => [`W_${name}`, input(projections[i])])),
        scale: { dims: [1, 1], data: Float32Array.of(1 / Math.sqrt(x.cols / heads)) }, heads: lengths(x.rows, heads, x.cols / heads), joined: lengths(x.rows, x.cols),
      });
    },
    softmax: (x) => of([{ op: 'Softmax', inputs: ['x'], outputs: ['output'], attributes: {} }], { x: input(x) }),
    matmul: ({ a, b }) => of([{ op: 'MatMul', inputs: ['a', 'b'], outputs: ['output'], attributes: {} }], { a: input(a), b: input(b) }),
  };
}

/** jax-js on its WebAssembly backend, compiled by its jit. @param {any} jax @returns {Record<string, (work: any) => Contender>} */
export function jaxJs(jax) {
  const { numpy: np, nn, jit } = jax;
  const array = (/** @type {Numbers} */ { rows, cols, data }) => np.array(data).reshape([rows, cols]);
  /** @param {any} compute @param {any[]} given */
  const of = (compute, given) => {
    const call = () => compute(...given.map((each) => each.ref));
    return { run: async () => { const result = call(); await result.blockUntilReady(); result.dispose(); }, answer: () => call().data() };
  };
  return {
    attention(work) {
      const { q, k, v, causal } = /** @type {Attention} */ (work), scale = scaleOf(work);
      const attend = jit((/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c, /** @type {any} */ bias) => {
        const scores = np.matmul(a, b.transpose()).mul(scale);
        return np.matmul(nn.softmax(bias ? scores.add(bias) : scores, -1), c);
      });
      return of(attend, [array(q), array(k), array(v), ...(causal ? [array({ rows: q.rows, cols: q.rows, data: hidden(q.rows) })] : [])]);
    },
    multiHead({ x, projections, heads }) {
      const width = x.cols / heads, scale = 1 / Math.sqrt(width);
      const attend = jit((/** @type {any} */ given, /** @type {any[]} */ ...weights) => {
        const [q, k, v] = weights.slice(0, 3).map((each) => np.matmul(given.ref, each).reshape([x.rows, heads, width]).transpose([1, 0, 2]));
        const outputs = np.matmul(nn.softmax(np.matmul(q, k.transpose([0, 2, 1])).mul(scale), -1), v);
        return np.matmul(outputs.transpose([1, 0, 2]).reshape([x.rows, x.cols]), weights[3]);
      });
      return of(attend, [array(x), ...projections.map(array)]);
    },
    softmax: (x) => of(jit((/** @type {any} */ given) => nn.softmax(given, -1)), [array(x)]),
    matmul: ({ a, b }) => of(jit((/** @type {any} */ left, /** @type {any} */ right) => np.matmul(left, right)), [array(a), array(b)]),
  };
}
