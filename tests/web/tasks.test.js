// What the lesson asks: put in order, predict, compare.

import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readProse } from '../../scripts/prose.mjs';
import { assertClose, loadAttention, stepRows } from '../js/module.js';
import { root } from '../js/source.js';
import { LANGUAGES, useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

const core = await loadAttention();
const open = useBrowser();

/** A section of the prose that is on the page. @param {Visit} visit @param {string} key */
async function says(visit, key) {
  const files = [`${visit.language}.md`, `${visit.language}.further.md`];
  const prose = Object.assign({}, ...(await Promise.all(files.map((file) => readProse(path.join(root, 'web/lessons/attention', file))))));
  const section = visit.page.locator(`[data-prose="${key}"]`);
  await section.waitFor();
  const words = prose[key].html.replace(/<math.*?<\/math>/gs, ' ').replace(/<[^>]*>/g, ' ').match(/[\p{L}]{3,}/gu) ?? [];
  const text = await section.innerText();
  for (const word of words) assert.ok(text.includes(word), `"${word}" of ${key} is not in "${text}"`);
}

describe('the five steps', () => {
  for (const language of LANGUAGES)
    test(`are put in order, in ${language}`, async (t) => {
      const visit = await open(t, '', { language });
      const order = () => visit.page.locator('[data-order]').evaluateAll((lines) => lines.map((line) => /** @type {HTMLElement} */ (line).dataset.order ?? ''));
      const check = () => visit.page.locator('section').filter({ has: visit.page.locator(':scope [data-order]') }).getByRole('button', { name: visit.t('action.check'), exact: true }).click();
      assert.notDeepEqual(await order(), [...(await order())].sort(), 'they start out of order');
      await check();
      await says(visit, 'order-wrong');

      for (let at = 0; at < 5; at++)
        for (let from = (await order()).indexOf(`order-${at + 1}`); from > at; from--)
          await visit.repainted(() => visit.button(from % 2 ? 'order.up' : 'order.down', { number: from % 2 ? from + 1 : from }).click());
      assert.deepEqual(await order(), ['order-1', 'order-2', 'order-3', 'order-4', 'order-5']);
      assert.equal(await visit.page.locator('[data-prose="order-wrong"]').count(), 0, 'a verdict is on what was checked');
      await check();
      await says(visit, 'order-right');
      assert.equal(await visit.button('order.up', { number: 1 }).isDisabled(), true);
      assert.equal(await visit.button('order.down', { number: 5 }).isDisabled(), true);
    });
});

describe('a prediction', () => {
  const LINK = '#1/attention?Q=1,1,0,0;3,0,0,1&K=1,0,0,0;0,2,0,0;2,1,0,2&V=1,0;0,1;4,4';
  const inputs = { q: [[1, 1, 0, 0], [3, 0, 0, 1]], k: [[1, 0, 0, 0], [0, 2, 0, 0], [2, 1, 0, 2]], v: [[1, 0], [0, 1], [4, 4]] };
  const value = (/** @type {string} */ key, /** @type {number} */ row, /** @type {number} */ col, options = {}) =>
    stepRows(core.trace({ recipe: 'attention', inputs, options }), key)[row][col];

  for (const language of LANGUAGES)
    test(`is judged, in ${language}`, async (t) => {
      const visit = await open(t, LINK, { language });
      for (const [step, next, cell, number, verdict] of /** @type {[string, string, [number, number], string, string][]} */ ([
        ['scores', 'scaled', [0, 1], '1', 'predict-right'],
        ['scores', 'scaled', [0, 1], '2', 'predict-no-scale'],
        ['scores', 'scaled', [0, 1], '0.5', 'predict-d-k'],
        ['row-sum', 'weights', [1, 2], value('weights', 1, 2).toFixed(3), 'predict-right'],
        ['row-sum', 'weights', [1, 2], value('weights', 1, 2, { scale: 1 }).toFixed(3), 'predict-no-scale'],
        ['row-sum', 'weights', [1, 2], value('weights', 1, 2, { scale: 1 / 4 }).toFixed(3), 'predict-d-k'],
        ['row-sum', 'weights', [1, 2], value('weights', 0, 2).toFixed(3), 'predict-wrong-row'],
        ['row-sum', 'weights', [1, 2], value('weights', 1, 0).toFixed(3), 'predict-wrong-column'],
        ['row-sum', 'weights', [1, 2], (value('weights', 1, 2) * 1.005).toFixed(5), 'predict-rounded'],
        ['weights', 'output', [0, 1], value('output', 0, 1).toFixed(2), 'predict-right'],
        ['weights', 'output', [0, 1], '99', 'predict-unknown'],
        ['weights', 'output', [0, 1], 'a lot', 'predict-no-number'],
        ['weights', 'output', [0, 1], '', 'predict-no-number'],
        ['row-max', 'shifted', [0, 0], `\u2212${(value('row-max', 0, 0) - value('scaled', 0, 0)).toFixed(3)}`, 'predict-right'],
      ]))
        await t.test(`${next} ${cell}: ${number || 'nothing'}`, async () => {
          await visit.go('scores');
          await visit.cell('scores', cell[0], cell[1]).click();
          if (step !== 'scores') await visit.go(step);
          const field = visit.page.getByLabel(visit.wording('predict.question', { step: visit.t(`step.${next}`) }));
          await field.fill(number);
          await field.press('Enter');
          await visit.page.locator(`[data-verdict="${verdict}"]`).waitFor();
          await says(visit, verdict);
          assert.equal(await visit.page.locator('[data-verdict]').count(), 1);
        });
    });

  test('is forgotten on the way to another step', async (t) => {
    const visit = await open(t, `${LINK}&step=scores`);
    await visit.page.getByPlaceholder(visit.t('predict.placeholder')).fill('2');
    await visit.page.keyboard.press('Enter');
    await visit.page.locator('[data-verdict]').waitFor();
    await visit.go('scaled');
    assert.equal(await visit.page.locator('[data-verdict]').count(), 0);
    assert.equal(await visit.page.getByPlaceholder(visit.t('predict.placeholder')).inputValue(), '');
  });
});

describe('the recurrent cell against attention', () => {
  /** @param {Visit} visit @param {'recurrent' | 'attention'} kind */
  const first = async (visit, kind) => Number(await visit.page.locator(`[data-reach="${kind}"]`).getAttribute('data-value'));
  /** @param {Visit} visit @param {string} kind */
  const all = (visit, kind) => visit.page.locator(`[data-series="${kind}"]`).evaluateAll((cells) => cells.map((cell) => Number(/** @type {HTMLElement} */ (cell).dataset.value)));

  test('has w to the power of the distance', async (t) => {
    const visit = await open(t);
    for (const w of [0.5, 0.9, 1, 1.2, 0]) {
      await visit.field('w').fill(String(w));
      await visit.page.waitForFunction((near) => Math.abs(Number(document.querySelector('[data-reach="recurrent"]')?.getAttribute('data-value')) - near) <= 1e-14 * Math.max(1, near), w ** 31);
      assertClose([await all(visit, 'key')], [Array.from({ length: 32 }, (_, i) => w ** (31 - i))], 1e-14, `w = ${w}`);
    }
  });

  test('has the derivative of attention, and the even share where all match alike', async (t) => {
    const visit = await open(t);
    for (const match of [1, 2.5, 0]) {
      await visit.repainted(() => visit.field('match').fill(String(match)));
      const X = Array.from({ length: 32 }, (_, i) => [i === 0 || i === 31 ? match : 0]);
      const last = (/** @type {number} */ by) => core.attention({ q: X, k: X.map(([x], i) => [i === 0 ? x + by : x]), v: X.map(([x], i) => [i === 0 ? x + by : x]) }).output.data[31];
      const slope = (last(2 ** -17) - last(-(2 ** -17))) / 2 ** -16;
      assert.ok(Math.abs((await first(visit, 'attention')) - slope) < 1e-8, `match ${match}: ${await first(visit, 'attention')} against ${slope}`);
      assert.equal((await all(visit, 'score'))[0], await first(visit, 'attention'));
    }
    assertClose([await all(visit, 'score')], [Array(32).fill(1 / 32)], 1e-15, 'match 0');
  });

  test('is part of the link', async (t) => {
    const visit = await open(t, '#1/attention?w=0.5&match=2');
    assert.equal(await first(visit, 'recurrent'), 0.5 ** 31);
    assert.equal(await visit.field('match').inputValue(), '2');
  });
});

test('the two softmaxes stand side by side, and give the same weights', async (t) => {
  const visit = await open(t, '#1/attention?Q=3,1;0,-2');
  const steps = await visit.steps();
  assertClose(steps['plain/weights'], steps.weights, 1e-15);
  assert.ok('row-max' in steps && 'plain/exp' in steps);
  await visit.choose('softmax.label', 'plain');
  const turned = await visit.steps();
  assert.ok(!('row-max' in turned) && 'stable/row-max' in turned);
  assert.deepEqual(turned.exp, steps['plain/exp']);
});

test('questions keep their answers closed until they are asked for', async (t) => {
  const visit = await open(t);
  const answers = visit.page.locator('[data-prose^="answer-"]');
  assert.equal(await answers.count(), 2);
  for (const answer of await answers.all()) assert.equal(await answer.isVisible(), false);
  await visit.page.getByText(visit.t('action.answer'), { exact: true }).first().click();
  await answers.first().waitFor();
  await says(visit, 'answer-distribution');
});
