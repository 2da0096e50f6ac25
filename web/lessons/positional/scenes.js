// What the core computes for the sections below the steps: the encoding, its products, its turning, the order test, and
// what the ways that came after do to scores.
import { headOf, orderOf, pairOf, request } from './model.js';

/**
 * @typedef {import('../../module/lessons.js').LessonCore} Core
 * @typedef {{ shape: number[], data: Float64Array }} Rows
 */

/** Positions whose products with each other are shown at most; of more, every second, third, … is taken. */
const MOST_PRODUCTS = 128;

/** Up to this many multiplications the products are there at once; beyond, when nothing moves any more. */
const AT_ONCE = 100_000;

/** @param {Core} core @param {any} state @param {number[]} positions @param {'interleaved' | 'halves'} [layout] @returns {Rows} */
const encoded = (core, { dimension, base, layout: own, offset }, positions, layout = own) =>
  /** @type {Rows} */ (core.sinusoidal({ positions, dModel: dimension, base, layout, offset }));

/** Where the sine and the cosine of each whole pair stand, and by how much it turns for one position. @param {any} state */
export function pairsOf({ dimension, base, layout }) {
  const sines = Math.ceil(dimension / 2);
  return Array.from({ length: Math.floor(dimension / 2) }, (_, r) => ({
    r, omega: base ** ((-2 * r) / dimension),
    sine: layout === 'halves' ? r : 2 * r, cosine: layout === 'halves' ? sines + r : 2 * r + 1,
  }));
}

/** @param {ArrayLike<number>} values whose colours go up to the largest size among them */
function largestOf(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/** The largest difference between numbers of two lists. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const largestDifference = (a, b) => Array.from(a).reduce((largest, number, i) => Math.max(largest, Math.abs(number - b[i])), 0);

/** The largest difference between neighbours along the diagonals. @param {ArrayLike<number>} values @param {number} count rows and columns */
function spreadOf(values, count) {
  let spread = 0;
  for (let i = 0; i + 1 < count; i++)
    for (let j = 0; j + 1 < count; j++) spread = Math.max(spread, Math.abs(values[i * count + j] - values[(i + 1) * count + j + 1]));
  return spread;
}

/** A pair turned by −kω, measured against the pair k positions on. @param {number} x sine @param {number} y cosine @param {number} sine of kω @param {number} cosine of kω */
const turned = (x, y, sine, cosine) => [x * cosine + y * sine, y * cosine - x * sine];

/** The encoding, and its products with the first position. @param {Core} core @param {any} state */
export function encoding(core, state) {
  const { positions, dimension } = state;
  const rows = encoded(core, state, Array.from({ length: positions }, (_, position) => position));
  const first = { shape: [1, dimension], data: rows.data.slice(0, dimension) };
  const taken = Math.ceil(positions / Math.ceil(positions / MOST_PRODUCTS));
  return {
    positions, dimension, values: rows.data,
    dots: [...core.products(first, rows).data],
    isQuick: taken * taken * dimension <= AT_ONCE,
    measure: () => measure(core, state),
  };
}

/** @typedef {{ taken: number[], stride: number, values: Float64Array, largest: number, spread: number, otherLayout: number }} Measured */

/** Multiplications between two breaths. */
const CHUNK = 500_000;

/**
 * PE·PEᵀ, of some positions when there are many, and what it shows. Pauses now and then, so that the page stays alive.
 * @param {Core} core @param {any} state @returns {Generator<undefined, Measured>}
 */
function* measure(core, state) {
  const stride = Math.ceil(state.positions / MOST_PRODUCTS);
  const taken = Array.from({ length: Math.ceil(state.positions / stride) }, (_, i) => i * stride);
  const count = taken.length;
  const width = state.dimension;
  const [values, other] = [new Float64Array(count * count), new Float64Array(count * count)];
  const others = /** @type {const} */ ({ halves: 'interleaved', interleaved: 'halves' });
  const own = /** @type {keyof typeof others} */ (state.layout);
  const chunk = Math.max(1, Math.floor(CHUNK / (count * width)));
  for (const [layout, into] of /** @type {[keyof typeof others, Float64Array][]} */ ([[own, values], [others[own], other]])) {
    const rows = encoded(core, state, taken, layout);
    for (let row = 0; row < count; row += chunk) {
      const some = rows.data.slice(row * width, (row + chunk) * width);
      into.set(core.products({ shape: [some.length / width, width], data: some }, rows).data, row * count);
      yield;
    }
  }
  return { taken, stride, values, largest: largestOf(values), spread: spreadOf(values, count), otherLayout: largestDifference(values, other) };
}

/** Pairs shown in the table; the error is of all of them. */
const MOST_PAIRS = 16;

/** The pairs of a position turned by −kω, beside those that the core has k positions on. @param {Core} core @param {any} state */
export function turn(core, state) {
  const { at, lag, dimension } = state;
  const { data } = encoded(core, state, [at, at + lag]);
  const by = /** @type {Rows} */ (core.sinusoidal({ positions: [lag], dModel: dimension, base: state.base, layout: state.layout })).data;
  const pairs = pairsOf(state).map(({ r, omega, sine, cosine }) => {
    const from = [data[sine], data[cosine]];
    const to = [data[dimension + sine], data[dimension + cosine]];
    const reached = turned(from[0], from[1], by[sine], by[cosine]);
    return { r, omega, from, to, reached, angle: -lag * omega, error: largestDifference(reached, to) };
  });
  return { pairs: pairs.slice(0, MOST_PAIRS), count: pairs.length, error: Math.max(0, ...pairs.map(({ error }) => error)) };
}

/** @param {Core} core @param {any} state @param {number[][]} X */
const outputOf = (core, state, X) => core.step(request({ ...state, X }), 'output');

/**
 * The same tokens in another order: their outputs row for row with those of the sentence, and the largest difference.
 * @param {Core} core @param {any} state
 */
function compared(core, state) {
  const order = orderOf(state);
  const [sentence, other] = [state.X, order.map((row) => state.X[row])].map((X) => outputOf(core, state, X));
  const width = sentence.shape[1];
  const row = (/** @type {typeof sentence} */ { values }, /** @type {number} */ i) => [...values.slice(i * width, (i + 1) * width)];
  const rows = order.map((from, to) => ({ from, to, sentence: row(sentence, from), other: row(other, to) }));
  return { rows: rows.sort((a, b) => a.from - b.from), error: Math.max(...rows.map((each) => largestDifference(each.sentence, each.other))) };
}

const WAYS = [{ encoding: 'none' }, { encoding: 'sinusoidal', combine: 'add' }, { encoding: 'sinusoidal', combine: 'concatenate' }, { encoding: 'rotary' }, { encoding: 'alibi' }];

/** Whether the outputs only change places, for every way to tell the positions, without and with a causal mask. @param {Core} core @param {any} state */
export const orders = (core, state) => ({
  ...compared(core, state),
  ways: WAYS.map((way) => ({ way: way.combine ?? way.encoding, errors: ['off', 'on'].map((causal) => compared(core, { ...state, ...way, causal }).error) })),
});

/** A step of the trace of other tokens or settings. @param {Core} core @param {any} state @param {string} key @returns {Rows} */
function rowsOf(core, state, key) {
  const { shape, values } = core.step(request(state), key);
  return { shape, data: Float64Array.from(values) };
}

/** @param {Rows} rows @param {number} row @returns {Rows} */
const oneRow = ({ shape: [, width], data }, row) => ({ shape: [1, width], data: data.slice(row * width, (row + 1) * width) });

/** The parts of the score of two tokens: x·x, x·p, p·x, p·p, and all together. @param {Core} core @param {any} state */
export function parts(core, state) {
  const [query, key] = pairOf(state);
  const options = { ...state, encoding: 'sinusoidal', causal: 'off' };
  const [X, P] = ['X', 'P'].map((name) => rowsOf(core, { ...options, combine: 'add' }, name));
  const product = (/** @type {Rows} */ a, /** @type {Rows} */ b) => core.products(oneRow(a, query), oneRow(b, key)).data[0];
  const count = state.X.length;
  return ['add', 'concatenate'].map((combine) => ({
    combine, parts: combine === 'add' ? [product(X, X), product(X, P), product(P, X), product(P, P)] : [product(X, X), NaN, NaN, product(P, P)],
    sum: rowsOf(core, { ...options, combine }, 'scores').data[query * count + key],
  }));
}

/** Places that the two tokens are put in. */
const PLACES = 32;

/** Scores of two tokens in every pair of places: turned in either layout, and with an encoding added. @param {Core} core @param {any} state */
export function turnedScores(core, state) {
  const scores = (/** @type {any} */ options, /** @type {string} */ key) => {
    const [query, other] = pairOf(state).map((row) => rowsOf(core, { ...state, ...options, causal: 'off', X: Array.from({ length: PLACES }, () => state.X[row]) }, key));
    return core.products(query, other).data;
  };
  const values = scores({ encoding: 'rotary' }, 'R');
  return {
    count: PLACES, values, largest: largestOf(values) || 1,
    spread: spreadOf(values, PLACES),
    added: spreadOf(scores({ encoding: 'sinusoidal', combine: 'add' }, 'H'), PLACES),
    otherLayout: largestDifference(values, scores({ encoding: 'rotary', layout: state.layout === 'halves' ? 'interleaved' : 'halves' }, 'R')),
    // From the farthest key behind the query to the farthest before it.
    byDistance: Array.from({ length: 2 * PLACES - 1 }, (_, i) => i - PLACES + 1).map((distance) => ({ distance, score: values[distance < 0 ? -distance : distance * PLACES] })),
  };
}

/** Tokens of the picture of the bias. */
const BIASED = 16;

/** The slope of every head. @param {Core} core @param {any} state */
export const slopes = (core, { heads }) => Array.from({ length: heads }, (_, i) =>
  -rowsOf(core, { X: [[0], [0]], encoding: 'alibi', causal: 'off', heads, head: i + 1 }, 'bias').data[1]);

/** The bias of a head, and the weights of the last token by distance when the scores are all equal. @param {Core} core @param {any} state */
export function penalty(core, state) {
  const options = { ...state, X: Array.from({ length: BIASED }, () => [0]), encoding: 'alibi', causal: 'on' };
  const weights = rowsOf(core, options, 'weights').data;
  const values = rowsOf(core, options, 'bias').data;
  return { head: headOf(state), count: BIASED, values, largest: largestOf(values), decay: [...weights.slice(-BIASED)].reverse() };
}
