// The pure parts of the lesson on masks: which pairs it asks for, what its tokens are called, and the judge of predictions.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judged } from '../../web/lessons/judge.js';
import { examples } from '../../web/lessons/mask/lesson.js';
import { additive, PAD, request, visibleIn, wordsOf } from '../../web/lessons/mask/model.js';
import { predictTask } from '../../web/lessons/mask/predict.js';
import { propertiesOf } from '../../web/properties.js';
import { defaultsOf } from '../../web/state.js';
import { loadAttention } from './module.js';

const core = /** @type {any} */ (await loadAttention());
const START = defaultsOf('mask');

/** @param {any} [change] of what the lesson starts with */
const traceOf = (change = {}) => core.trace(request({ ...START, ...change }));
/** @param {any} [change] */
const pairs = (change) => visibleIn(traceOf(change));
/** The key alone stands for the translation. @param {string} key */
const t = (key) => key;

describe('the pairs that may see each other', () => {
  test('by kind of mask', () => {
    assert.deepEqual(pairs({ mask: 'none' }), Array(4).fill([1, 1, 1, 1]));
    assert.deepEqual(pairs({ mask: 'causal' }), [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]);
    assert.deepEqual(pairs({ mask: 'none', padding: 1 }), Array(4).fill([1, 1, 1, 0]));
    assert.deepEqual(pairs({ mask: 'causal', padding: 3 }), Array(4).fill([1, 0, 0, 0]));
    assert.deepEqual(pairs({ mask: 'none', padding: 64 }), Array(4).fill([0, 0, 0, 0]));
  });

  test('as drawn, and nothing else, where it was drawn', () => {
    assert.deepEqual(pairs({ mask: 'drawn', allow: [[0, 1], [1, 0]], padding: 4 }), [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]);
  });

  test('from either corner', () => {
    const Q = START.Q.slice(2);
    assert.deepEqual(pairs({ Q, mask: 'causal' }), [[1, 0, 0, 0], [1, 1, 0, 0]]);
    assert.deepEqual(pairs({ Q, mask: 'causal-end' }), [[1, 1, 1, 0], [1, 1, 1, 1]]);
  });

  test('as numbers to add', () => assert.deepEqual(additive([[1, 0], [0, 1]]), [[0, -Infinity], [-Infinity, 0]]));
});

describe('words', () => {
  const WORDS = [0, 1, 2, 3].map((token) => `masking.token.${token}`);

  test('of as many queries as keys, of fewer, of more', () => {
    assert.deepEqual(wordsOf(START, t), { keys: WORDS, queries: WORDS });
    assert.deepEqual(wordsOf({ ...START, Q: START.Q.slice(1) }, t).queries, WORDS.slice(1));
    assert.deepEqual(wordsOf({ ...START, K: START.K.slice(1), V: START.V.slice(1) }, t), { keys: WORDS.slice(0, 3), queries: [null, null, null, null] });
  });

  test('of padding, and of tokens beyond the sentence', () => {
    assert.deepEqual(wordsOf({ ...START, padding: 2 }, t).keys, [...WORDS.slice(0, 2), PAD, PAD]);
    assert.deepEqual(wordsOf({ ...START, padding: 2, mask: 'drawn' }, t).keys, WORDS);
    const K = [...START.K, [1, 1]];
    assert.deepEqual(wordsOf({ ...START, K, V: K }, t).keys, [...WORDS, null]);
  });
});

describe('predictions', () => {
  test('are judged by what they are', () => {
    const trace = traceOf();
    const judge = (/** @type {string} */ text, /** @type {string} */ key, row = 1, col = 0) => predictTask.judge(core, START, trace, key, row, col, text);
    const e = (/** @type {number} */ score) => Math.exp(score / Math.SQRT2);
    // The second query has the scores 2, 3, 4, 3 and sees the first two keys.
    assert.equal(judge(String(e(2) / (e(2) + e(3))), 'weights'), 'predict-right');
    assert.equal(judge((e(2) / (e(2) + e(3) + e(4) + e(3))).toFixed(4), 'weights'), 'predict-unmasked');
    assert.equal(judge((e(2) / (e(2) + e(3) + 2)).toFixed(4), 'weights'), 'predict-times-zero');
    assert.equal(judge((1 / (1 + Math.E)).toFixed(4), 'weights'), 'predict-no-scale');
    assert.equal(judge((1 / (1 + Math.exp(0.5))).toFixed(4), 'weights'), 'predict-d-k');
    assert.equal(judge('0.5', 'weights'), 'predict-unknown');
    assert.equal(judge('half', 'weights'), 'predict-no-number');
    assert.equal(judge('2', 'scores'), 'predict-right');
  });

  test('a lesson without mistakes of its own still knows other rows and columns', () => {
    const trace = traceOf();
    const at = (/** @type {string} */ text) => judged(trace, { key: 'scores', row: 0, col: 1 }, text, () => []);
    assert.equal(at('3'), 'predict-right');
    assert.equal(at('6'), 'predict-wrong-row');
    assert.equal(at('2'), 'predict-wrong-column');
    assert.equal(at('−17'), 'predict-unknown');
  });
});

test('every example has values of properties of the lesson, and the first is how it starts', () => {
  const names = propertiesOf('mask').map(({ name }) => name);
  for (const { id, values } of examples) assert.deepEqual(Object.keys(values).filter((name) => !names.includes(name)), [], id);
  for (const [name, value] of Object.entries(examples[0].values)) assert.deepEqual(value, START[name], name);
});
