// Steps of training of a small classifier by attention (n = 8 tokens, 2 heads, 4 classes): forward, gradients and descent, on
// the tape as it is explained, on one with fast products, by replay, and with TensorFlow.js on its WebAssembly backend.

import { timed } from './measure.mjs';
import { opener } from './standalone.mjs';

/** @typedef {{ tokens: number, dModel: number, heads: number, classes: number, examples: number }} Size @typedef {{ name: string, times: Record<string, number | string> }} Trained */

const RATE = 0.1, ROUNDS = 15, ROUND = 15; // ms for each library in each round
const AGREES = 1e-5;

const SIZES = [[16, 1], [16, 16], [16, 40], [32, 16], [32, 40]].map(([dModel, examples]) => ({ tokens: 8, dModel, heads: 2, classes: 4, examples }));

/** Lengths of what is written one behind the other: X, targets, W_Q, W_K, W_V, W_O, W_C, b. @param {Size} size */
function lengthsOf({ tokens, dModel, classes, examples }) {
  const square = dModel * dModel;
  return [examples * tokens * dModel, examples * classes, square, square, square, square, dModel * classes, classes];
}

/** The same in every run. @param {Size} size @returns {Float32Array[]} */
function numbersOf(size) {
  let state = 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1;
  const bound = 1 / Math.sqrt(size.dModel);
  return lengthsOf(size).map((length, part) => Float32Array.from({ length }, (_, at) => {
    if (part === 1) return Number(at % size.classes === Math.floor(at / size.classes) % size.classes);
    return next() * (part === 0 ? 1 : bound);
  }));
}

/** One behind the other. @param {Float32Array[]} parts */
const joined = (parts) => parts.flatMap((part) => [...part]);

/** @param {Uint8Array} wasm build/wasm/training.wasm */
async function ours(wasm) {
  const open = await opener(wasm);
  return async (/** @type {Size} */ size, /** @type {Float32Array[]} */ numbers, /** @type {string} */ how) => {
    const core = await open();
    const start = core.begin_training(size.tokens, size.dModel, size.heads, size.classes, size.examples);
    const lengths = lengthsOf(size), all = lengths.reduce((sum, length) => sum + length, 0);
    new Float32Array(core.memory.buffer, start, all).set(joined(numbers));
    const learned = lengths[0] + lengths[1];
    return { run: () => core[how](), learned: () => [...new Float32Array(core.memory.buffer, start, all).subarray(learned)] };
  };
}

/** @param {any} tf */
function tensorflow(tf) {
  return (/** @type {Size} */ { tokens, dModel, heads, classes, examples }, /** @type {Float32Array[]} */ numbers) => {
    const x = tf.tensor2d(numbers[0], [examples * tokens, dModel]), target = tf.tensor2d(numbers[1], [examples, classes]);
    const shapes = [...Array.from({ length: 4 }, () => [dModel, dModel]), [dModel, classes], [1, classes]];
    const parameters = shapes.map((shape, i) => tf.variable(tf.tensor(numbers[i + 2], shape)));
    const [wq, wk, wv, wo, wc, b] = parameters;
    const width = dModel / heads, scale = 1 / Math.sqrt(width);
    // An explicit transpose, which its products are fastest with.
    const split = (/** @type {any} */ all, /** @type {number[]} */ axes) => tf.transpose(tf.reshape(all, [examples, tokens, heads, width]), axes);
    const loss = () => {
      const q = split(tf.matMul(x, wq), [0, 2, 1, 3]), k = split(tf.matMul(x, wk), [0, 2, 3, 1]), v = split(tf.matMul(x, wv), [0, 2, 1, 3]);
      const weights = tf.softmax(tf.mul(tf.matMul(q, k), scale));
      const joinedHeads = tf.reshape(tf.transpose(tf.matMul(weights, v), [0, 2, 1, 3]), [examples * tokens, dModel]);
      const residual = tf.add(x, tf.matMul(joinedHeads, wo));
      const logits = tf.add(tf.matMul(tf.mean(tf.reshape(residual, [examples, tokens, dModel]), 1), wc), b);
      return tf.neg(tf.mean(tf.sum(tf.mul(target, tf.logSoftmax(logits)), -1)));
    };
    const descent = tf.train.sgd(RATE);
    return {
      run: () => { descent.minimize(loss, false, parameters); },
      learned: () => joined(parameters.map((parameter) => parameter.dataSync())),
      close: () => [x, target, ...parameters].forEach((each) => each.dispose()),
    };
  };
}

/**
 * @param {{ wasm: Uint8Array, tf?: any }} libraries
 * @param {{ only?: string, tell?: (line: string) => void }} options only: sizes whose name holds this
 * @returns {Promise<Trained[]>}
 */
export async function measureTraining({ wasm, tf }, { only = '', tell = () => {} }) {
  const own = await ours(wasm), other = tf && tensorflow(tf);
  const libraries = /** @type {[string, (size: Size, numbers: Float32Array[]) => any][]} */ ([
    ['replay', (size, numbers) => own(size, numbers, 'step_by_replay')],
    ['tape, fast products', (size, numbers) => own(size, numbers, 'step_on_fast_tapes')],
    ['tape', (size, numbers) => own(size, numbers, 'step_on_plain_tapes')],
    ...(other ? [['tfjs', other]] : []),
  ]);
  /** @type {Trained[]} */
  const trained = [];
  for (const size of SIZES) {
    const name = `training d ${size.dModel}, batch ${size.examples}`;
    if (!name.includes(only)) continue;
    tell(name);
    /** @type {Record<string, number | string>} */
    const times = {};
    const running = [];
    /** @type {number[] | undefined} */
    let expected;
    for (const [library, open] of libraries) {
      const contender = await open(size, numbersOf(size));
      for (let i = 0; i < 3; i++) contender.run();
      const learned = contender.learned();
      expected ??= learned;
      const reference = /** @type {number[]} */ (expected);
      if (learned.some((/** @type {number} */ each, /** @type {number} */ i) => !(Math.abs(each - reference[i]) <= AGREES))) {
        times[library] = 'learns something else';
        continue;
      }
      let count = 1;
      while (await timed(contender, count) * count < ROUND * 1000) count *= 2;
      running.push({ library, contender, count });
      times[library] = Infinity;
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const { library, contender, count } of running) times[library] = Math.min(/** @type {number} */ (times[library]), await timed(contender, count));
    for (const { contender } of running) contender.close?.();
    trained.push({ name, times });
  }
  return trained;
}
