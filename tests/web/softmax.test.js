// Lesson 2 on the page: its numbers, the limits of T, the two knobs, and where the numbers of a precision end.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose as assertRowsClose } from '../js/module.js';
import { useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

const open = useBrowser();

/** The numbers of a table below the steps, a row each; several numbers of one cell as a list. @param {Visit} visit @param {string} name @returns {Promise<any[][]>} */
const table = async (visit, name) => {
  const place = visit.page.locator(`[data-table="${name}"]`);
  await place.waitFor({ state: 'attached' });
  const rows = await place.locator('tbody tr').evaluateAll((lines) => lines.map((line) =>
    [.../** @type {NodeListOf<HTMLElement>} */ (line.querySelectorAll('[data-value]'))].map((cell) => String(cell.dataset.value))));
  return rows.map((row) => row.map((text) => (text.includes(' ') ? text.split(' ').map(Number) : Number(text))));
};

/** @param {number[] | undefined} actual @param {number[]} expected @param {number} tolerance relative beyond 1 */
const assertClose = (actual, expected, tolerance) => assertRowsClose([actual ?? []], [expected], tolerance);

/** softmax by its definition, in numbers large enough for the lists here. @param {number[]} x */
const shares = (x) => {
  const powers = x.map((cell) => Math.exp(cell - Math.max(...x)));
  return powers.map((power) => power / powers.reduce((all, each) => all + each, 0));
};

/** @param {Visit} visit */
const weights = async (visit) => (await visit.step('weights'))[0];
/** @param {Visit} visit */
const bits = async (visit) => Number(await visit.page.locator('[data-entropy]').getAttribute('data-value'));

for (const language of /** @type {const} */ (['ko', 'en']))
  describe(`softmax, in ${language}`, () => {
    test('of three scores, by steps', async (t) => {
      const visit = await open(t, '#1/softmax', { language });
      const [first, second, third] = await weights(visit);
      // 1/(1 + e⁻¹ + e⁻²) and its parts
      assertClose([first, second, third], [0.6652409557748219, 0.24472847105479764, 0.09003057317038046], 1e-15);
      assertClose([await bits(visit)], [-[first, second, third].reduce((all, p) => all + p * Math.log2(p), 0)], 1e-12);
      await visit.go('exp');
      assertClose((await visit.step('exp'))[0], [1, Math.exp(-1), Math.exp(-2)], 1e-15);
    });

    test('has the numbers that lecture notes get wrong', async (t) => {
      const visit = await open(t, '#1/softmax', { language });
      const claims = (await table(visit, 'claims')).flat();
      assertClose(claims, [13923.382867, 4.670774, 2980.957987], 1e-6);
      assertClose((await table(visit, 'claim-shares')).flat(), [[10, 9], [2, 1], [10, 0], [1, 0]].flatMap(shares), 1e-14);
      const [large, small, far, near] = await table(visit, 'claim-shares');
      assertClose(large, small, 1e-15);
      assertClose([large[0], far[0], near[0]].map((share) => Number(share.toFixed(5))), [0.73106, 0.99995, 0.73106], 1e-9);
      assertClose((await table(visit, 'doubled')).flat().map((share) => Number(share.toFixed(3))), [0.665, 0.245, 0.09, 0.867, 0.117, 0.016], 1e-9);
    });
  });

describe('the temperature', () => {
  test('goes from the limit 0 to a million', async (t) => {
    const visit = await open(t, '#1/softmax?x=2,1,0');
    const rows = await table(visit, 'temperatures');
    assert.deepEqual(rows[0], [1, 0, 0, 0]);
    assertClose(rows.at(-1)?.slice(0, 3), [1 / 3, 1 / 3, 1 / 3], 1e-6);
    assertClose([rows.at(-1)?.[3]], [Math.log2(3)], 1e-9);
    for (const T of [1e6, 0.01, 0]) {
      await visit.repainted(() => visit.field('T').fill(String(T)));
      assertClose(await weights(visit), T === 0 ? [1, 0, 0] : shares([2 / T, 1 / T, 0]), 1e-12);
    }
  });

  test('shares what is equally large at 0', async (t) => {
    const visit = await open(t, '#1/softmax?x=1,1,0&T=0');
    assert.deepEqual(await weights(visit), [0.5, 0.5, 0]);
    assert.equal(await bits(visit), 1);
  });

  test('below 0 is refused, and the field says so', async (t) => {
    const visit = await open(t, '#1/softmax?x=2,1,0');
    await visit.field('T').fill('-1');
    await visit.message(visit.besideField('T'), 'problem.too-small');
    assertClose(await weights(visit), shares([2, 1, 0]), 1e-15);
  });
});

describe('the knobs', () => {
  test('adding changes nothing; multiplying is dividing by T', async (t) => {
    const visit = await open(t, '#1/softmax?x=2,1,0&shift=5&factor=2');
    const [as, moved, multiplied, tempered] = await table(visit, 'knobs');
    assertClose(moved, as, 1e-15);
    assertClose(multiplied, shares([4, 2, 0]), 1e-15);
    assertClose(tempered, multiplied, 1e-15);
    // On the tape both act together.
    assert.deepEqual((await visit.step('multiplied'))[0], [4, 2, 0]);
    assert.deepEqual((await visit.step('moved'))[0], [9, 7, 5]);
    assertClose(await weights(visit), multiplied, 1e-15);
  });
});

describe('numbers end', () => {
  test('where IEEE 754 says, in the real float32 and float64', async (t) => {
    const visit = await open(t, '#1/softmax');
    const rows = await table(visit, 'overflow');
    const [fits, tooLarge, sumFits, sumTooLarge, zeros, nan, small, doubleFits, doubleTooLarge, doubleNaN] = rows;
    const finite = (/** @type {any[]} */ row) => Number.isFinite(row[1]);
    assert.deepEqual([fits, tooLarge, sumFits, sumTooLarge].map(finite), [true, false, true, false]);
    assert.deepEqual(tooLarge.slice(0, 2), [Infinity, Infinity]);
    assert.ok(/** @type {number[]} */ (sumTooLarge[0]).every(Number.isFinite), 'each power of 88.03 is finite');
    assert.ok(/** @type {number[]} */ (zeros[0]).every(Number.isFinite), 'each power of 88.5 is finite');
    assert.deepEqual(zeros.slice(1, 3), [Infinity, [0, 0]]);
    assert.deepEqual(nan[2], [NaN, 0]);
    assert.deepEqual([small[1], small[2]], [0, [NaN, NaN]]);
    assert.deepEqual([doubleFits, doubleTooLarge].map(finite), [true, false]);
    assert.ok(/** @type {number[]} */ (doubleNaN[2]).some(Number.isNaN));
    for (const row of rows) assertClose([[row[3]].flat().reduce((all, share) => all + share, 0)], [1], 1e-6);
  });

  test('are opened as steps in that precision', async (t) => {
    const visit = await open(t, '#1/softmax');
    await visit.page.locator('[data-table="overflow"] tbody tr').nth(5).getByRole('button').click();
    await visit.untilStep('exp');
    const [first, second] = (await visit.step('exp'))[0];
    assert.equal(first, Infinity);
    assertClose([second], [Math.fround(Math.exp(80))], 1e-6);
    assert.deepEqual(await weights(visit), [NaN, 0]);
    await visit.go('weights');
    await visit.page.locator('[data-prose="weights-broken"]').waitFor();
    assert.equal(await visit.page.locator('[data-entropy]').count(), 0, 'what are no shares have no entropy');
    await visit.page.getByText(visit.t('softmax-lesson.no-entropy')).waitFor();
    await visit.untilAddress(/#1\/softmax\?.*softmax=plain.*x=89,80.*precision=float32/);
    await visit.choose('setting.softmax', 'stable');
    assertClose(await weights(visit), shares([89, 80]), 1e-7);
    await visit.page.locator('[data-prose="softmax-weights"]').waitFor();
  });
});

describe('the menu of lessons', () => {
  test('leads to a lesson and back, and keeps what was made in each', async (t) => {
    const visit = await open(t, '#1/attention?Q=3,1&K=1,0;0,2&V=1,0;0,1');
    const menu = visit.page.getByLabel(visit.t('header.lessons'), { exact: true });
    await menu.selectOption('softmax');
    await visit.page.locator('[data-entropy]').waitFor();
    await visit.edit('x', 0, 0, '7');
    await visit.untilAddress(/#1\/softmax\?.*x=7,1,0/);
    await menu.selectOption('attention');
    await visit.untilStep('scores');
    assert.deepEqual((await visit.step('Q'))[0], [3, 1]);
    await menu.selectOption('softmax');
    await visit.page.locator('[data-entropy]').waitFor();
    assert.deepEqual((await visit.step('x'))[0], [7, 1, 0]);
    await visit.untilAddress(/#1\/softmax\?.*x=7,1,0/);
    await visit.page.goBack();
    await visit.untilStep('scores');
    assert.deepEqual((await visit.step('Q'))[0], [3, 1]);
  });
});
