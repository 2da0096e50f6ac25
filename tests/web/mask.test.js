// Lesson 9 on the page: what a mask does to weights, the mask that is drawn, corners, padding, −1e9 against −∞, rows with
// nothing to see, boolean masks, and NaN behind a mask.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose as assertRowsClose } from '../js/module.js';
import { useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

const open = useBrowser();

/** @param {number[] | undefined} actual @param {number[]} expected @param {number} tolerance relative beyond 1 */
const assertClose = (actual, expected, tolerance) => assertRowsClose([actual ?? []], [expected], tolerance);

/** softmax by its definition. @param {number[]} x */
const shares = (x) => {
  const powers = x.map((score) => Math.exp(score));
  return powers.map((power) => power / powers.reduce((all, each) => all + each, 0));
};

/** The numbers of a table, a row each. @param {Visit} visit @param {string} selector @returns {Promise<number[][]>} */
async function numbersIn(visit, selector) {
  const place = visit.page.locator(selector);
  await place.waitFor({ state: 'attached' });
  return place.locator('tbody tr').evaluateAll((lines) => lines.map((line) =>
    [.../** @type {NodeListOf<HTMLElement>} */ (line.querySelectorAll('[data-value]'))].map((cell) => Number(cell.dataset.value))));
}
/** @param {Visit} visit @param {string} name */
const table = (visit, name) => numbersIn(visit, `table[data-table="${name}"]`);
/** @param {Visit} visit @param {string} name */
const operand = (visit, name) => numbersIn(visit, `table[data-operand="${name}"]`);

const X = -Infinity;
const CAUSAL = [[0, X, X, X], [0, 0, X, X], [0, 0, 0, X], [0, 0, 0, 0]];
const NOTHING_HIDDEN = CAUSAL.map((row) => row.map(() => 0));

// The sentence that the lesson starts with: Q·Kᵀ by hand, over √2, V as it is.
const SCORES = [[1, 3, 2, 0], [2, 3, 4, 3], [1, 0, 2, 3], [2, 6, 4, 0]];
const V = [[1, 0], [0, 1], [1, 1], [2, 0]];

/** Weights under a mask of 0 and −∞. @param {number[][]} B */
const weightsUnder = (B) => SCORES.map((row, i) => shares(row.map((score, j) => score / Math.SQRT2 + B[i][j])));
/** @param {number[][]} weights */
const mixed = (weights) => weights.map((row) => V[0].map((_, c) => row.reduce((sum, weight, j) => sum + weight * V[j][c], 0)));

/** A cell of the mask above the steps. @param {Visit} visit @param {number} row @param {number} col */
const maskCell = (visit, row, col) => visit.page.locator(`table[data-operand="B"] td[data-row="${row}"][data-col="${col}"]`);
/** @param {Visit} visit */
const wordsBeside = (visit) => visit.page.locator('table[data-operand="B"] tbody tr').evaluateAll((lines) => lines.map((line) => line.lastElementChild?.textContent));

for (const language of /** @type {const} */ (['ko', 'en']))
  describe(`masking, in ${language}`, () => {
    test('starts with a sentence under a causal mask', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      await visit.untilStep('weights');
      assert.deepEqual(await operand(visit, 'B'), CAUSAL);
      const weights = await visit.step('weights');
      assertRowsClose(weights, weightsUnder(CAUSAL), 1e-14);
      for (const [i, row] of weights.entries()) assert.ok(row.slice(i + 1).every((weight) => weight === 0), 'hidden keys have exactly 0');
      await visit.go('output');
      assertRowsClose(await visit.step('output'), mixed(weightsUnder(CAUSAL)), 1e-14);
      await visit.go('masked');
      assertRowsClose(await visit.step('masked'), SCORES.map((row, i) => row.map((score, j) => score / Math.SQRT2 + CAUSAL[i][j])), 1e-14);
      const words = [0, 1, 2, 3].map((token) => visit.t(`masking.token.${token}`));
      const heads = await visit.page.locator('table[data-operand="B"] tbody th').allInnerTexts();
      for (const [i, word] of words.entries()) assert.ok(heads[i].startsWith(word), heads[i]);
      assert.deepEqual(await wordsBeside(visit), [...words.slice(1), '']);
    });

    test('without a mask every answer is in sight, and most is taken from it', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      await visit.repainted(() => visit.page.getByLabel(visit.t('inputs.example'), { exact: true }).selectOption('ahead'));
      assert.deepEqual(await operand(visit, 'B'), NOTHING_HIDDEN);
      const weights = await visit.step('weights');
      assertRowsClose(weights, weightsUnder(NOTHING_HIDDEN), 1e-14);
      for (const i of [0, 1, 2]) assert.equal(weights[i].indexOf(Math.max(...weights[i])), i + 1);
      assert.deepEqual((await wordsBeside(visit)).slice(0, 3), [1, 2, 3].map((token) => visit.t('masking.in-sight', { word: visit.t(`masking.token.${token}`) })));
    });

    test('the last key hidden in three ways', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      const [before, after, timesZero] = await table(visit, 'ways');
      const all = shares([1, 2, 3]);
      assertClose(before, [...shares([1, 2]), 0, 1], 1e-14);
      assertClose(after, [all[0], all[1], 0, all[0] + all[1]], 1e-14);
      assertClose(timesZero, [...shares([1, 2, 0]), 1], 1e-14);
      assertClose([before, after, timesZero].flat().map((share) => Number(share.toFixed(3))), [0.269, 0.731, 0, 1, 0.09, 0.245, 0, 0.335, 0.245, 0.665, 0.09, 1], 1e-9);
    });

    test('−1e9 in float64 and float32, and three answers for a row with nothing to see', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      for (const row of await table(visit, 'finite-last')) {
        assertClose(row.slice(3), [...shares([1, 2]), 0], 1e-7);
        assert.equal(row[5], 0);
      }
      const [exact, float64, float32, float16] = await table(visit, 'finite-all');
      assert.deepEqual(exact, [X, X, X, 0, 0, 0]);
      assert.deepEqual(float64.slice(0, 3), [-999999999, -999999998, -999999997]);
      assertClose(float64.slice(3), shares([1, 2, 3]), 1e-14);
      assert.deepEqual(float64.slice(3).map((share) => Number(share.toFixed(3))), [0.09, 0.245, 0.665]);
      assert.deepEqual(float32, [-1e9, -1e9, -1e9, ...Array(3).fill(Math.fround(1 / 3))]);
      assert.deepEqual(float16, [X, X, X, NaN, NaN, NaN]);
      const [zero, nan, uniform] = await table(visit, 'policies');
      assert.deepEqual(zero, [0, 0, 0, 0]);
      assert.deepEqual(nan, [NaN, NaN, NaN, NaN]);
      assertClose(uniform, [1 / 3, 1 / 3, 1 / 3, 20], 1e-14);
    });

    test('padding is hidden as a key, and its own rows go on', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      const rows = await table(visit, 'batch');
      const B = NOTHING_HIDDEN.map((row) => row.map((_, j) => (j < 2 ? 0 : X)));
      const weights = weightsUnder(B);
      for (const [i, row] of rows.entries()) assertClose(row, [...weights[i], 1, ...mixed(weights)[i]], 1e-14);
      assert.ok(rows.every((row) => row[2] === 0 && row[3] === 0));
    });

    test('causal from either corner, named after who uses which', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      assert.deepEqual(await operand(visit, 'corner-causal'), [[0, X, X, X], [0, 0, X, X]]);
      assert.deepEqual(await operand(visit, 'corner-causal-end'), [[0, 0, 0, X], [0, 0, 0, 0]]);
      const section = visit.page.locator('#section-corners');
      for (const who of ['PyTorch', 'ONNX', 'flash-attention', 'MLX']) await section.getByText(who).first().waitFor();
    });

    test('a NaN behind the mask does not leak where the term is left out', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      const [clean, poisoned, added, after] = await table(visit, 'leaks');
      const [first, second] = shares([1, 2]);
      assertClose(clean, [30, 0, 10 * first + 20 * second], 1e-14);
      assert.deepEqual(poisoned, [NaN, 0, clean[2]]);
      assert.deepEqual([added, after], [[NaN, 0, NaN], [NaN, 0, NaN]]);
    });

    test('GPT and BERT over one sentence', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      assert.deepEqual(await operand(visit, 'reader-GPT'), CAUSAL);
      assert.deepEqual(await operand(visit, 'reader-BERT'), NOTHING_HIDDEN);
      const seen = async (/** @type {string} */ model) => Number(await visit.page.locator(`[data-pairs="${model}"]`).getAttribute('data-value'));
      assert.deepEqual([await seen('GPT'), await seen('BERT')], [4 * 5 / 2, 4 * 4]);
      await visit.choose('masking.gap', '0');
      const rows = visit.page.locator('table[data-operand="reader-BERT"] tbody tr');
      assert.match(await rows.nth(0).innerText(), new RegExp(`\\[MASK\\].*${visit.t('masking.token.0')}`, 's'));
      assert.ok((await rows.nth(2).innerText()).includes(visit.t('masking.token.2')));
    });

    test('a boolean mask, written both ways', async (t) => {
      const visit = await open(t, '#1/mask', { language });
      const looks = CAUSAL.map((row) => row.map((b) => (b === 0 ? 1 : 0)));
      assert.deepEqual(await operand(visit, 'boolean'), looks);
      await visit.page.locator('[data-readers="look"]').getByText('scaled_dot_product_attention').waitFor();
      await visit.choose('masking.truth', 'hide');
      assert.deepEqual(await operand(visit, 'boolean'), looks.map((row) => row.map((sees) => 1 - sees)));
      await visit.page.locator('[data-readers="hide"]').getByText('nn.MultiheadAttention').waitFor();
      await visit.untilAddress(/#1\/mask\?.*truth=hide/);
      // Read the other way, each token sees only what comes after it; the last one nothing, which is 0 here.
      const wrong = await operand(visit, 'misread');
      assertRowsClose(wrong.slice(0, 3), weightsUnder(CAUSAL.map((row) => row.map((b) => (b === 0 ? X : 0)))).slice(0, 3), 1e-14);
      assert.deepEqual(wrong[3], [0, 0, 0, 0]);
    });
  });

describe('the mask above the steps', () => {
  test('is drawn by mouse and by key, from what was there', async (t) => {
    const visit = await open(t, '#1/mask');
    await visit.repainted(() => maskCell(visit, 0, 1).click());
    const drawn = CAUSAL.map((row) => [...row]);
    drawn[0][1] = 0;
    assert.deepEqual(await operand(visit, 'B'), drawn);
    assertRowsClose(await visit.step('weights'), weightsUnder(drawn), 1e-14);
    await visit.untilAddress(/#1\/mask\?.*mask=drawn.*allow=1,1,0,0;1,1,0,0;1,1,1,0;1,1,1,1/);
    await maskCell(visit, 3, 3).focus();
    await visit.page.keyboard.press('ArrowLeft');
    await visit.repainted(() => visit.page.keyboard.press('Enter'));
    drawn[3][2] = X;
    assert.deepEqual(await operand(visit, 'B'), drawn);
    assertRowsClose(await visit.step('weights'), weightsUnder(drawn), 1e-14);
    // Undone one by one.
    await visit.repainted(() => visit.button('action.undo').click());
    await visit.repainted(() => visit.button('action.undo').click());
    assert.deepEqual(await operand(visit, 'B'), CAUSAL);
  });

  test('starts from nothing hidden when there is none', async (t) => {
    const visit = await open(t, '#1/mask?mask=none&allow=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0');
    await visit.repainted(() => maskCell(visit, 2, 0).click());
    const drawn = NOTHING_HIDDEN.map((row) => [...row]);
    drawn[2][0] = X;
    assert.deepEqual(await operand(visit, 'B'), drawn);
  });

  test('is the mask of the step, whose cells can be clicked as well', async (t) => {
    const visit = await open(t, '#1/mask?step=masked');
    await visit.repainted(() => visit.page.locator('#stage table[data-operand="mask"] td[data-row="1"][data-col="0"]').click());
    assert.equal((await operand(visit, 'B'))[1][0], X);
    assert.equal((await visit.step('masked'))[1][0], X);
  });

  test('of many tokens is shown in part, and drawn all the same', async (t) => {
    const many = Array(40).fill('1').join(';');
    const visit = await open(t, `#1/mask?Q=${many}&K=${many}&V=${many}`);
    const shown = await operand(visit, 'B');
    assert.ok(shown.length < 40, 'not all of 1600 cells');
    assert.deepEqual([shown[1][1], shown[1][2]], [0, X]);
    await visit.repainted(() => maskCell(visit, 1, 2).click());
    assert.equal((await operand(visit, 'B'))[1][2], 0);
    // All scores are equal, so those who are seen share alike.
    assertClose((await visit.step('weights'))[1].slice(0, 4), [1 / 3, 1 / 3, 1 / 3, 0], 1e-15);
  });

  test('a hidden value moves no output of those who may not see it', async (t) => {
    const visit = await open(t, '#1/mask?step=output');
    const before = await visit.step('output');
    await visit.edit('V', 3, 0, '1000');
    const after = await visit.step('output');
    assert.deepEqual(after.slice(0, 3), before.slice(0, 3));
    assert.notEqual(after[3][0], before[3][0]);
  });
});

describe('padding and corners', () => {
  test('padding alone, and with a causal mask', async (t) => {
    const visit = await open(t, '#1/mask?mask=none&padding=2');
    assert.deepEqual(await operand(visit, 'B'), NOTHING_HIDDEN.map(() => [0, 0, X, X]));
    await visit.choose('setting.mask', 'causal');
    assert.deepEqual(await operand(visit, 'B'), [[0, X, X, X], [0, 0, X, X], [0, 0, X, X], [0, 0, X, X]]);
    await visit.repainted(() => visit.field('padding').fill('1'));
    assert.deepEqual(await operand(visit, 'B'), [[0, X, X, X], [0, 0, X, X], [0, 0, 0, X], [0, 0, 0, X]]);
    await visit.field('padding').fill('65');
    await visit.message(visit.besideField('padding'), 'problem.too-large');
  });

  test('as much padding as there are tokens leaves rows with nothing to see', async (t) => {
    const visit = await open(t, '#1/mask?padding=4&mask=none');
    assert.deepEqual((await visit.step('weights')).flat(), Array(16).fill(0));
    await visit.choose('setting.emptyRow', 'nan');
    assert.ok((await visit.step('weights')).flat().every(Number.isNaN));
    await visit.choose('setting.emptyRow', 'uniform');
    assertClose((await visit.step('weights')).flat(), Array(16).fill(1 / 4), 1e-15);
  });

  test('fewer queries than keys, and more', async (t) => {
    const fewer = await open(t, '#1/mask?Q=0,1;2,0&mask=causal');
    assert.deepEqual(await operand(fewer, 'B'), [[0, X, X, X], [0, 0, X, X]]);
    await fewer.choose('setting.mask', 'causal-end');
    assert.deepEqual(await operand(fewer, 'B'), [[0, 0, 0, X], [0, 0, 0, 0]]);
    assertRowsClose(await fewer.step('weights'), weightsUnder(CAUSAL).slice(2), 1e-14);
    const heads = await fewer.page.locator('table[data-operand="B"] tbody th').allInnerTexts();
    assert.ok(heads[0].startsWith(fewer.t('masking.token.2')) && heads[1].startsWith(fewer.t('masking.token.3')), String(heads));
    const more = await open(t, '#1/mask?K=1,1;3,0&V=1,0;0,1&mask=causal-end');
    assert.deepEqual(await operand(more, 'B'), [[X, X], [X, X], [0, X], [0, 0]]);
    assert.deepEqual((await more.step('weights')).slice(0, 2), [[0, 0], [0, 0]]);
  });
});

describe('what a visitor made', () => {
  test('comes back by its link in another profile', async (t) => {
    const visit = await open(t, '#1/mask');
    await visit.repainted(() => maskCell(visit, 1, 1).click());
    await visit.edit('Q', 0, 0, '5');
    await visit.edit('x', 0, 2, '4');
    await visit.choose('masking.truth', 'hide');
    const link = await visit.sharedLink();
    const other = await open(t, link.slice(link.indexOf('#')), { language: 'ko' });
    const drawn = CAUSAL.map((row) => [...row]);
    drawn[1][1] = X;
    assert.deepEqual(await operand(other, 'B'), drawn);
    assert.deepEqual((await other.step('Q'))[0], [5, 0]);
    assertClose((await table(other, 'ways'))[2], [...shares([1, 2, 0]), 1], 1e-14);
    assertClose((await table(other, 'ways'))[1], [...shares([1, 2, 4]).slice(0, 2), 0, shares([1, 2, 4])[0] + shares([1, 2, 4])[1]], 1e-14);
    await other.page.locator('[data-readers="hide"]').waitFor();
  });

  test('in one lesson leaves the others as they start', async (t) => {
    const visit = await open(t, '#1/mask?Q=3,1;0,1&mask=none');
    const menu = visit.page.getByLabel(visit.t('header.lessons'), { exact: true });
    await menu.selectOption('attention');
    await visit.untilStep('scores');
    assert.deepEqual(await visit.step('Q'), [[1, 1]]);
    assert.deepEqual(await visit.step('scores'), [[1, 2]]);
    await menu.selectOption('mask');
    await maskCell(visit, 0, 0).waitFor();
    assert.deepEqual(await visit.step('Q'), [[3, 1], [0, 1]]);
    assert.deepEqual(await operand(visit, 'B'), [[0, 0, 0, 0], [0, 0, 0, 0]]);
  });

  test('is predicted, and well-known mistakes are named', async (t) => {
    const visit = await open(t, '#1/mask?step=row-sum&cell=1,0');
    const [unmasked] = weightsUnder(NOTHING_HIDDEN)[1];
    const [right] = weightsUnder(CAUSAL)[1];
    const timesZero = shares([2 / Math.SQRT2, 3 / Math.SQRT2, 0, 0])[0];
    for (const [guess, verdict] of /** @type {[number, string][]} */ ([[unmasked, 'predict-unmasked'], [timesZero, 'predict-times-zero'], [right, 'predict-right']])) {
      await visit.page.getByPlaceholder(visit.t('predict.placeholder')).fill(guess.toFixed(4));
      await visit.page.keyboard.press('Enter');
      await visit.page.locator(`[data-verdict="${verdict}"]`).waitFor();
    }
  });
});
