// Verdicts on what somebody typed as a prediction.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judged } from '../../web/lessons/judge.js';

/** The verdict on `text` where the number is `right`, and another row has `other`. @param {number} right @param {string} text @param {number} [other] */
const verdict = (right, text, other = 5) =>
  judged(/** @type {any} */ ({ steps: [{ key: 'masked', shape: [2, 1], values: [right, other] }] }), { key: 'masked', row: 0, col: 0 }, text, () => []);

for (const [right, text, expected] of /** @type {[number, string, string][]} */ ([
  // As the page itself writes them, with U+2212.
  [7.0714e-9, '7.071e\u22129', 'predict-right'],
  [-7.0714e-9, '\u22127.071e\u22129', 'predict-right'],
  [7.0714e-9, '7.071e-9', 'predict-right'],
  [7.0714e-9, '7.171e-9', 'predict-unknown'],
  ...['-inf', '-Inf', '-infinity', '-Infinity', '-\u221e', '\u2212\u221e', ' \u2212inf '].map((text) => /** @type {[number, string, string]} */ ([-Infinity, text, 'predict-right'])),
  [-Infinity, 'inf', 'predict-unknown'],
  [-Infinity, '-1e9', 'predict-unknown'],
  [-Infinity, '5', 'predict-wrong-row'],
  [1, '-inf', 'predict-unknown'],
  [NaN, 'NaN', 'predict-right'],
  [NaN, '1', 'predict-unknown'],
  [1, 'NaN', 'predict-no-number'],
  [1, 'information', 'predict-no-number'],
]))
  test(`${text} where it is ${right}: ${expected}`, () => assert.equal(verdict(right, text), expected));
