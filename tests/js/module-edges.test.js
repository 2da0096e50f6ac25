// attention() and streamingAttention() at the edges of numbers and shapes: what is hidden, what overflows, what is empty.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadAttention, randomMatrix, randomNumbers } from './module.js';

const core = await loadAttention();
const PRECISIONS = /** @type {const} */ (['float64', 'float32']);

/** Both ways to the output, which mean the same at every edge. @type {[string, (call: any) => { shape: number[], data: any }][]} */
const WAYS = [
  ['attention', (call) => core.attention(call).output],
  ['attention that keeps weights', (call) => core.attention({ ...call, keep: 'weights' }).output],
  ['streamingAttention', (call) => core.streamingAttention(call)],
];

/** Runs a check of every way in both precisions. @param {(attend: (call: any) => any, what: string) => void} check */
function everyWay(check) {
  for (const [name, way] of WAYS)
    for (const precision of PRECISIONS) check((call) => way({ ...call, precision }), `${name}, ${precision}`);
}

/** The bits of numbers: −0 is not 0 here, and NaN is NaN. @param {any} actual @param {any} expected @param {string} what */
const assertSameBits = (actual, expected, what) => assert.deepEqual(Array.from(actual), Array.from(expected), what);

const row = (/** @type {any} */ { shape, data }, /** @type {number} */ i) => Array.from(data.slice(i * shape.at(-1), (i + 1) * shape.at(-1)));

const QUERIES = 3, KEYS = 5;
const random = randomNumbers(5);
// Queries above 0, so that a key of +∞ makes a score of +∞.
const q = randomMatrix(random, QUERIES, 2).map((cells) => cells.map((cell) => Math.abs(cell) + 0.1));
const k = randomMatrix(random, KEYS, 2);
const v = randomMatrix(random, KEYS, 3);
const pairs = (/** @type {(i: number, j: number) => number} */ at) => Array.from({ length: QUERIES }, (_, i) => Array.from({ length: KEYS }, (__, j) => at(i, j)));
const withRow = (/** @type {number[][]} */ matrix, /** @type {number} */ at, /** @type {number} */ value) => matrix.map((cells, j) => (j === at ? cells.map(() => value) : cells));

/**
 * What hides the key `hidden`, and from which queries.
 * @type {Record<string, { options: any, hidden: number, from: number[] }>}
 */
const HIDING = {
  'a mask': { options: { mask: pairs((i, j) => Number(j !== 2 || i === 1)) }, hidden: 2, from: [0, 2] },
  'a mask with fewer keys': { options: { mask: [[1, 1, 1, 1]] }, hidden: 4, from: [0, 1, 2] },
  'a bias of −∞': { options: { bias: pairs((i, j) => (j === 2 && i !== 1 ? -Infinity : 0.5)) }, hidden: 2, from: [0, 2] },
  'a bias with fewer keys': { options: { bias: [[1, 0, 1, 0]] }, hidden: 4, from: [0, 1, 2] },
  'a mask with no keys': { options: { mask: { shape: [1, 0], data: [] } }, hidden: 3, from: [0, 1, 2] },
  'a bias with no keys': { options: { bias: { shape: [0], data: [] } }, hidden: 3, from: [0, 1, 2] },
  'padding': { options: { padding: [1, 1, 0, 1, 1] }, hidden: 2, from: [0, 1, 2] },
  'the top left corner': { options: { causal: 'top-left' }, hidden: 2, from: [0, 1] },
  'the bottom right corner': { options: { causal: 'bottom-right' }, hidden: 4, from: [0, 1] },
  'a window': { options: { window: [1, 0] }, hidden: 2, from: [2] },
  'a window and a causal mask': { options: { window: [1, -1], causal: 'top-left' }, hidden: 0, from: [2] },
  'lengths': { options: { kvLengths: [4] }, hidden: 4, from: [0, 1, 2] },
  'lengths and a causal mask': { options: { kvLengths: [4], causal: 'top-left' }, hidden: 3, from: [0, 1] },
  'a mask and a softcap': { options: { mask: pairs((_, j) => Number(j !== 2)), softcap: 2 }, hidden: 2, from: [0, 1, 2] },
  'a mask and a scale of 0': { options: { mask: pairs((i, j) => Number(j !== 2 || i === 1)), scale: 0 }, hidden: 2, from: [0, 2] },
};

describe('what a query may not see', () => {
  for (const [what, { options, hidden, from }] of Object.entries(HIDING))
    for (const [place, spoilt] of /** @type {[string, (value: number) => any][]} */ ([
      ['key', (value) => ({ k: withRow(k, hidden, value), v })],
      ['value', (value) => ({ k, v: withRow(v, hidden, value) })],
      ['key and value', (value) => ({ k: withRow(k, hidden, value), v: withRow(v, hidden, value) })],
    ]))
      test(`${what} hides NaN and infinities in a ${place}, to the last bit`, () => everyWay((attend, way) => {
        const clean = attend({ q, k, v, ...options });
        assert.ok(Array.from(clean.data).every(Number.isFinite));
        for (const bad of [NaN, Infinity, -Infinity, 1e300]) {
          const dirty = attend({ q, ...spoilt(bad), ...options });
          for (const i of from) assertSameBits(row(dirty, i), row(clean, i), `${way}, ${bad}, query ${i}`);
        }
        // And who may see it sees it. NaN and no infinity: 0·∞, ∞ − ∞ and tanh ∞ have meanings of their own.
        const seen = attend({ q, ...spoilt(NaN), ...options });
        for (let i = 0; i < QUERIES; i++) if (!from.includes(i)) assert.ok(row(seen, i).every(Number.isNaN), `${way}, query ${i} sees it`);
      }));

  test('hides in a cache as well', () => everyWay((attend, way) => {
    const cached = (/** @type {number} */ value) => ({ pastKey: withRow(k, 1, value).slice(0, 2), pastValue: withRow(v, 1, value).slice(0, 2), k: k.slice(2), v: v.slice(2) });
    const options = { padding: [1, 0, 1, 1, 1] };
    assertSameBits(attend({ q, ...cached(NaN), ...options }).data, attend({ q, ...cached(1), ...options }).data, way);
  }));

  test('hides its bias too, whatever that is', () => everyWay((attend, way) => {
    const mask = pairs((_, j) => Number(j !== 2));
    const biased = (/** @type {number} */ value) => attend({ q, k, v, mask, bias: pairs((_, j) => (j === 2 ? value : j / 10)) }).data;
    for (const bad of [NaN, Infinity]) assertSameBits(biased(bad), biased(0), way);
  }));

  test('does not depend on which of these hides it', () => everyWay((attend, way) => {
    const sight = pairs((i, j) => Number(j <= i));
    const masked = attend({ q, k, v, mask: sight }).data;
    assertSameBits(attend({ q, k, v, causal: 'top-left' }).data, masked, `${way}, causal`);
    assertSameBits(attend({ q, k, v, bias: pairs((i, j) => (sight[i][j] ? 0 : -Infinity)) }).data, masked, `${way}, bias`);
    assertSameBits(attend({ q, k: k.slice(2), v: v.slice(2), pastKey: k.slice(0, 2), pastValue: v.slice(0, 2), mask: sight }).data, masked, `${way}, cache`);
  }));

  test('is another head or batch, always', () => everyWay((attend, way) => {
    const tensor = (/** @type {number[][]} */ first, /** @type {number[][]} */ second) => [[first, second]];
    const clean = attend({ q: tensor(q, q), k: tensor(k, k), v: tensor(v, v) });
    const dirty = attend({ q: tensor(q, q), k: tensor(k, withRow(k, 0, NaN)), v: tensor(v, withRow(v, 0, NaN)) });
    assertSameBits(dirty.data.slice(0, 9), clean.data.slice(0, 9), way);
    assert.ok(dirty.data.slice(9).every(Number.isNaN));
  }));

  test('is no other query: a NaN in one stays in its row', () => everyWay((attend, way) => {
    const clean = attend({ q, k, v }), dirty = attend({ q: withRow(q, 1, NaN), k, v });
    for (const i of [0, 2]) assertSameBits(row(dirty, i), row(clean, i), way);
    assert.ok(row(dirty, 1).every(Number.isNaN));
  }));
});

describe('what a query may see', () => {
  test('a value of ∞ is a sum of ∞, and of ∞ and −∞ there is none', () => everyWay((attend, way) => {
    assert.deepEqual(Array.from(attend({ q: [[0]], k: [[0], [0]], v: [[Infinity, -Infinity, Infinity], [1, 1, -Infinity]] }).data), [Infinity, -Infinity, NaN], way);
  }));

  // max = ∞, and ∞ − ∞ is NaN: torch.softmax([inf, 0]) is [nan, 0/…] → nan, and so in JAX and TensorFlow.js.
  test('a score of +∞ gives NaN', () => everyWay((attend, way) => {
    assert.ok(attend({ q: [[1]], k: [[Infinity], [0]], v: [[1], [2]] }).data.every(Number.isNaN), `${way}, an infinite key`);
    assert.ok(attend({ q: [[1]], k: [[0], [0]], v: [[1], [2]], bias: [[Infinity, 0]] }).data.every(Number.isNaN), `${way}, an infinite bias`);
    assert.ok(attend({ q: [[1e200]], k: [[1e200], [0]], v: [[1], [2]] }).data.every(Number.isNaN), `${way}, an overflow`);
  }));

  test('a score of −∞ has no weight beside others', () => everyWay((attend, way) => {
    assert.deepEqual(Array.from(attend({ q: [[1]], k: [[-Infinity], [0]], v: [[1], [2]] }).data), [2], way);
  }));

  // A row is empty when a mask says so, never because of the size of its scores: −∞ − (−∞) is NaN, as in PyTorch.
  test('scores of −∞ alone are no empty row, and give NaN', () => everyWay((attend, way) => {
    for (const emptyRow of ['zero', 'nan', 'uniform'])
      assert.ok(attend({ q: [[1]], k: [[-Infinity], [-Infinity]], v: [[1], [2]], emptyRow }).data.every(Number.isNaN), `${way}, ${emptyRow}`);
  }));

  test('a softcap makes scores of ±∞ finite: softcap·tanh(±∞) is ±softcap', () => everyWay((attend, way) => {
    const [first] = attend({ q: [[1]], k: [[Infinity], [-Infinity]], v: [[1], [0]], softcap: 0.5 }).data;
    assert.ok(Math.abs(first - 1 / (1 + Math.exp(-1))) < 1e-6, `${way}: ${first}`);
  }));
});

describe('a row that may see nothing', () => {
  const two = { q: [[1], [2]], k: [[1], [2]], v: [[1, 10], [3, 30]] };
  /** Each leaves the first query without a key. @type {Record<string, any>} */
  const EMPTY = {
    'by a mask': { mask: [[0, 0], [0, 1]] },
    'by a mask for whole rows': { mask: { shape: [2, 1], data: [0, 1] }, padding: [0, 1] },
    'by a bias': { bias: [[-Infinity, -Infinity], [-Infinity, 0]] },
    'by a mask and a bias together': { mask: [[1, 0], [1, 1]], bias: [[-Infinity, 0], [-Infinity, 0]] },
    'by a causal mask and a mask': { mask: [[0, 1]], causal: 'top-left' },
    'by padding and a causal mask': { padding: [0, 1], causal: 'top-left' },
    'by a window': { window: [-1, 0], mask: [[0, 1]] },
  };
  for (const [what, options] of Object.entries(EMPTY))
    for (const [emptyRow, expected] of /** @type {[any, number[]][]} */ ([[undefined, [0, 0]], ['zero', [0, 0]], ['nan', [NaN, NaN]], ['uniform', [2, 20]]]))
      test(`${what} is ${expected} with emptyRow ${emptyRow}`, () => everyWay((attend, way) => {
        assert.deepEqual(Array.from(attend({ ...two, ...options, emptyRow }).data), [...expected, 3, 30], way);
      }));

  test('is every row where a mask or a bias has no keys at all', () => everyWay((attend, way) => {
    for (const none of [{ shape: [2, 0], data: [] }, { shape: [0], data: [] }])
      for (const options of [{ mask: none }, { bias: none }]) assert.deepEqual(Array.from(attend({ ...two, ...options }).data), [0, 0, 0, 0], `${way}, ${JSON.stringify(options)}`);
  }));

  test('is 0 also where NaN and infinities stand in all that it may not see', () => everyWay((attend, way) => {
    assert.deepEqual(Array.from(attend({ q: [[1]], k: [[NaN], [Infinity]], v: [[NaN], [-Infinity]], mask: [[0, 0]] }).data), [0], way);
    assert.deepEqual(Array.from(attend({ q: [[NaN]], k: [[1]], v: [[1]], mask: [[0]] }).data), [0], `${way}, a query that is NaN`);
  }));

  test('has weights that agree with its output', () => {
    for (const [emptyRow, weight] of /** @type {[any, number][]} */ ([['zero', 0], ['nan', NaN], ['uniform', 0.5]]))
      assert.deepEqual(Array.from(/** @type {any} */ (core.attention({ ...two, mask: [[0, 0], [0, 1]], emptyRow, keep: 'weights' }).kept).data), [weight, weight, 0, 1]);
  });

  test('more queries than keys at the bottom right: the first see nothing (flash-attention gives zeros)', () => everyWay((attend, way) => {
    assert.deepEqual(Array.from(attend({ q: [[0], [0], [0]], k: [[0], [0]], v: [[2], [4]], causal: 'bottom-right' }).data), [0, 2, 3], way);
  }));
});

describe('sizes of scores', () => {
  for (const size of [1e30, 1e4])
    test(`±${size} leave the largest alone, without overflow`, () => everyWay((attend, way) => {
      const root = Math.sqrt(size);
      assert.deepEqual(Array.from(attend({ q: [[root]], k: [[root], [-root], [0]], v: [[1], [2], [4]] }).data), [1], way);
      assert.deepEqual(Array.from(attend({ q: [[root]], k: [[-root], [-root]], v: [[1], [2]] }).data), [1.5], `${way}, all far below 0`);
    }));

  test('near the largest double, the difference counts', () => {
    const scores = [[1e308, 1e308, -1e308]];
    const { output } = core.attention({ q: [[1]], k: [[0], [0], [0]], v: [[1], [2], [4]], bias: scores });
    assert.deepEqual(Array.from(output.data), [1.5]);
  });

  test('the smallest numbers there are count as 0 beside others, and pass through where they are values', () => {
    for (const [precision, least] of /** @type {const} */ ([['float64', 5e-324], ['float32', 2 ** -149]])) {
      assert.deepEqual(Array.from(core.attention({ q: [[least]], k: [[1], [-1]], v: [[1], [3]], precision }).output.data), [2]);
      assert.deepEqual(Array.from(core.attention({ q: [[1]], k: [[1]], v: [[least, -least]], precision }).output.data), [least, -least]);
    }
  });

  test('a weight may be subnormal: exp(−95) in single precision', () => {
    const { kept } = core.attention({ q: [[1]], k: [[0], [-95]], v: [[0], [0]], keep: 'weights', precision: 'float32' });
    // exp(−95) = 5.521e-42; the next numbers there are 1.4e-45 away.
    assert.ok(Math.abs(/** @type {any} */ (kept).data[1] - Math.exp(-95)) < 2e-45);
  });

  test('−0 is 0 as a query, a key, a bias and a scale', () => everyWay((attend, way) => {
    const plain = attend({ q: [[0, 0]], k: [[1, 2], [3, 4]], v: [[1], [4]] }).data;
    assert.deepEqual(Array.from(attend({ q: [[-0, -0]], k: [[1, 2], [3, 4]], v: [[1], [4]], bias: [[-0, -0]] }).data), Array.from(plain), way);
    assert.deepEqual(Array.from(attend({ q: [[1, 1]], k: [[1, 2], [3, 4]], v: [[1], [4]], scale: -0 }).data), Array.from(plain), way);
  }));
});

describe('shapes', () => {
  test('a single key has the weight 1, whatever its score', () => everyWay((attend, way) => {
    for (const score of [0, 1e30, -1e30, 5e-324]) assert.deepEqual(Array.from(attend({ q: [[1], [1]], k: [[score]], v: [[0.1, 7]] }).data), Array.from(attend({ q: [[0], [0]], k: [[0]], v: [[0.1, 7]] }).data), `${way}, ${score}`);
    assert.deepEqual(Array.from(attend({ q: [[1]], k: [[1]], v: [[0.5, 7]] }).data), [0.5, 7], way);
  }));

  const empty = (/** @type {number[]} */ ...shape) => ({ shape, data: [] });
  test('no queries, no output', () => everyWay((attend, way) => {
    const { shape, data } = attend({ q: empty(0, 2), k, v });
    assert.deepEqual([shape, data.length], [[0, 3], 0], way);
  }));
  test('no keys, zeros', () => everyWay((attend, way) => {
    for (const emptyRow of ['zero', 'nan', 'uniform']) assert.deepEqual(Array.from(attend({ q, k: empty(0, 2), v: empty(0, 2), emptyRow }).data), Array(6).fill(0), `${way}, ${emptyRow}`);
  }));
  test('neither', () => everyWay((attend, way) => assert.deepEqual(attend({ q: empty(0, 2), k: empty(0, 2), v: empty(0, 3) }).shape, [0, 3], way)));
  test('values without columns', () => everyWay((attend, way) => assert.deepEqual(attend({ q, k, v: empty(KEYS, 0) }).shape, [QUERIES, 0], way)));
  test('a cache of no keys changes nothing', () => everyWay((attend, way) => {
    assertSameBits(attend({ q, k, v, pastKey: empty(0, 2), pastValue: empty(0, 3), causal: 'top-left' }).data, attend({ q, k, v, causal: 'top-left' }).data, way);
  }));
  test('lengths of 0 leave nothing to see', () => everyWay((attend, way) => {
    assert.deepEqual(Array.from(attend({ q, k, v, kvLengths: 0 }).data), Array(9).fill(0), way);
  }));
});
