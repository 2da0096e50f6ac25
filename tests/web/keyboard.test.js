// The whole lesson by keys alone. The visit itself sees to it that no part of the walk breaks the content security policy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, useBrowser } from './browser.js';

/** @import { Locator } from 'playwright-core' */
/** @import { Visit } from './browser.js' */

const open = useBrowser();
const MOST_STOPS = 250;

/** What has the focus, in words. @param {Visit} visit */
const focused = (visit) => visit.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? '');

/** @param {Visit} visit @param {Locator} target */
async function tabTo(visit, target) {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return;
    await visit.page.keyboard.press('Tab');
  }
  assert.fail(`no way by Tab to ${target}`);
}

/** @param {Visit} visit @param {...string} keys */
async function press(visit, ...keys) {
  for (const key of keys) await visit.page.keyboard.press(key);
}

for (const language of LANGUAGES)
  test(`a walk through the lesson, in ${language}`, async (t) => {
    const visit = await open(t, '#1/attention', { language });
    const { page } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    await t.test('the first stop skips to the computation, without a change of address', async () => {
      const before = page.url();
      await press(visit, 'Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), visit.t('header.skip'));
      await press(visit, 'Enter');
      assert.ok(await page.getByRole('region', { name: visit.t('stage.label') }).evaluate((stage) => stage.contains(document.activeElement)));
      assert.equal(page.url().split('?')[0], before.split('?')[0]);
    });

    await t.test('arrows go from step to step', async () => {
      const keys = await visit.stepper().locator('[data-go]').evaluateAll((chips) => chips.map((chip) => /** @type {HTMLElement} */ (chip).dataset.go ?? ''));
      await press(visit, 'Home');
      for (const key of keys) {
        await visit.untilStep(key);
        await press(visit, 'ArrowRight');
      }
      await visit.untilStep(keys[keys.length - 1]);
      await press(visit, 'ArrowLeft');
      await visit.untilStep(keys[keys.length - 2]);
      await press(visit, 'End');
      await visit.untilStep(keys[keys.length - 1]);
      await press(visit, 'Home');
      await visit.untilStep(keys[0]);
    });

    await t.test('space plays and stops', async () => {
      await press(visit, 'Space');
      await visit.button('action.pause').waitFor();
      await press(visit, 'Space');
      await visit.button('action.play').waitFor();
    });

    await t.test('a grid is one stop, and arrows move inside of it', async () => {
      await tabTo(visit, page.locator('table[data-step="K"] td[tabindex="0"]'));
      await press(visit, 'PageUp', 'Home', 'ArrowDown', 'ArrowRight');
      assert.deepEqual(await page.evaluate(() => ({ .../** @type {HTMLElement} */ (document.activeElement).dataset })), { row: '1', col: '1', value: '2' });
      await press(visit, 'Tab');
      assert.ok(!(await page.locator('table[data-step="K"]').evaluate((table) => table.contains(document.activeElement))), await focused(visit));
      await press(visit, 'Shift+Tab');
      assert.ok(await visit.cell('K', 1, 1).evaluate((cell) => cell === document.activeElement), await focused(visit));
    });

    await t.test('Enter edits, a digit overwrites, Escape gives the old number back', async () => {
      await press(visit, 'Enter');
      await page.keyboard.type('5');
      await press(visit, 'Enter');
      assert.deepEqual(await visit.step('K'), [[1, 0], [0, 5]]);
      assert.ok(await visit.cell('K', 1, 1).evaluate((cell) => cell === document.activeElement), await focused(visit));
      await page.keyboard.type('-3.5');
      await press(visit, 'Enter');
      assert.deepEqual(await visit.step('K'), [[1, 0], [0, -3.5]]);
      await press(visit, 'Enter');
      await page.keyboard.type('7');
      await press(visit, 'Escape');
      assert.deepEqual(await visit.step('K'), [[1, 0], [0, -3.5]]);
      await press(visit, 'Control+z', 'Control+z');
      assert.deepEqual(await visit.step('K'), [[1, 0], [0, 2]]);
      await press(visit, 'Control+Shift+z');
      assert.deepEqual(await visit.step('K'), [[1, 0], [0, 5]]);
    });

    await t.test('rows, settings and numbers are set', async () => {
      await tabTo(visit, visit.input('K').getByRole('button', { name: visit.t('inputs.add', { what: visit.t('inputs.rows') }) }));
      await press(visit, 'Enter');
      assert.equal((await visit.step('scores'))[0].length, 3);
      await tabTo(visit, visit.group('setting.scale').locator('[data-value="off"]'));
      await press(visit, 'Space');
      assert.deepEqual(await visit.step('scaled'), await visit.step('scores'));
      await tabTo(visit, visit.group('setting.mask').locator('[data-value="causal"]'));
      await press(visit, 'Enter');
      assert.ok('masked' in (await visit.steps()));
      await tabTo(visit, visit.field('T'));
      await press(visit, 'Control+a');
      await page.keyboard.type('0.5');
      assert.deepEqual((await visit.step('tempered'))[0][0], 2);
      await tabTo(visit, page.locator('select#digits'));
      await press(visit, 'End');
      await page.getByText(visit.t('stage.digits', { count: 12 })).waitFor();
    });

    await t.test('a mask is drawn', async () => {
      await tabTo(visit, visit.group('setting.mask').locator('[data-value="drawn"]'));
      await press(visit, 'Enter');
      const cell = page.getByRole('grid', { name: visit.t('mask.drawn'), exact: true }).locator('[tabindex="0"]');
      await tabTo(visit, cell);
      await press(visit, 'PageUp', 'Home', 'Space');
      assert.equal((await visit.step('weights'))[0][0], 0);
      await press(visit, 'Space');
      assert.notEqual((await visit.step('weights'))[0][0], 0);
    });

    await t.test('a cell is explained, pinned, and its gradient opened and closed', async () => {
      await tabTo(visit, page.getByRole('navigation', { name: visit.t('formula.label') }).getByRole('button').last());
      await press(visit, 'Enter');
      await visit.untilStep('output');
      await tabTo(visit, page.locator('table[data-step="output"] td[tabindex="0"]'));
      await press(visit, 'PageUp', 'Home', 'ArrowRight');
      const explanation = visit.explanation('output', 0, 1);
      await tabTo(visit, explanation.getByRole('button', { name: visit.t('action.pin'), exact: true }));
      await press(visit, 'Enter');
      await tabTo(visit, visit.button('action.gradient'));
      await press(visit, 'Enter');
      await visit.untilStep('grad/output');
      await tabTo(visit, visit.group('gradient.wrt').locator('[data-value="V"]'));
      await press(visit, 'Enter');
      await visit.untilStep('grad/V');
      await tabTo(visit, visit.button('action.close-gradient'));
      await press(visit, 'Enter');
      await visit.untilStep('output');
      await explanation.first().waitFor();
    });

    await t.test('a number is predicted, and lines are put in order', async () => {
      await press(visit, 'Escape');
      await tabTo(visit, visit.stepper().locator('[data-go="scores"]'));
      await press(visit, 'Enter');
      await tabTo(visit, page.getByPlaceholder(visit.t('predict.placeholder')));
      await page.keyboard.type('12345');
      await press(visit, 'Enter');
      await page.locator('[data-verdict="predict-unknown"]').waitFor();
      const first = () => page.locator('[data-order]').first().getAttribute('data-order');
      const before = await first();
      await tabTo(visit, visit.button('order.up', { number: 2 }));
      await press(visit, 'Enter');
      assert.notEqual(await first(), before);
    });

    await t.test('the Share dialog holds the focus, copies, and gives the focus back', async () => {
      await tabTo(visit, visit.button('header.share'));
      await press(visit, 'Enter');
      const dialog = page.getByRole('dialog', { name: visit.t('share.title') });
      await dialog.waitFor();
      for (let stops = 0; stops < 20; stops++) {
        await press(visit, 'Tab');
        assert.ok(await page.evaluate(() => document.activeElement === document.body || document.querySelector('dialog')?.contains(document.activeElement)), await focused(visit));
      }
      await tabTo(visit, dialog.getByRole('button', { name: visit.t('share.copy'), exact: true }));
      await press(visit, 'Enter');
      await dialog.getByRole('button', { name: visit.t('share.copied'), exact: true }).waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await dialog.getByLabel(visit.t('share.link'), { exact: true }).inputValue());
      await press(visit, 'Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.ok(await visit.button('header.share').evaluate((button) => button === document.activeElement), await focused(visit));
    });

    await t.test('the language is changed, and the focus stays', async () => {
      const other = language === 'ko' ? 'en' : 'ko';
      const button = visit.button(`language.${other}`);
      await tabTo(visit, button);
      await press(visit, 'Enter');
      await page.locator(`html[lang="${other}"]`).waitFor();
      visit.language = other;
      await page.getByRole('navigation', { name: visit.t('stepper.label'), exact: true }).waitFor();
      assert.ok(await button.evaluate((element) => element === document.activeElement), await focused(visit));
    });
  });

test('Tab goes through the whole page and out of it, every stop is seen, and none is lost', async (t) => {
  const visit = await open(t, '#1/attention', { reducedMotion: 'reduce' });
  const stops = [];
  for (;;) {
    await visit.page.keyboard.press('Tab');
    const stop = await visit.page.evaluate(async () => {
      await new Promise(requestAnimationFrame); // it is scrolled into view with the next frame
      await new Promise(requestAnimationFrame);
      const element = /** @type {HTMLElement} */ (document.activeElement);
      if (element === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const covering = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, 40) / 2);
      return {
        what: element.outerHTML.slice(0, 100),
        outlined: (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
        by: covering?.outerHTML.slice(0, 100),
        covered: !(covering && (element.contains(covering) || covering.contains(element) || covering.closest('label')?.contains(element))),
      };
    });
    if (!stop) break;
    stops.push(stop);
    assert.ok(stops.length < MOST_STOPS, 'Tab does not leave the page');
  }
  assert.ok(stops.length > 30, `only ${stops.length} stops`);
  assert.deepEqual(stops.filter(({ outlined }) => !outlined).map(({ what }) => what), [], 'focus is not seen');
  assert.deepEqual(stops.filter(({ covered }) => covered).map(({ what, by }) => [what, by]), [], 'something lies over what has the focus');
});

test('the focus stays where a button has nothing left to do, and where a pasted matrix ends before the cell', async (t) => {
  const visit = await open(t, '#1/attention?Q=1,2;3,4');
  const { page } = visit;
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.outerHTML ?? '');
  const rows = page.locator('[data-input="Q"]').getByRole('button', { name: visit.t('inputs.remove', { what: visit.t('inputs.rows') }) });
  await rows.focus();
  await visit.repainted(() => press(visit, 'Enter'));
  assert.equal(await rows.isDisabled(), true);
  await press(visit, 'Enter');
  assert.deepEqual(await visit.step('Q'), [[1, 2]]);
  assert.equal(await focus(), visit.t('inputs.remove', { what: visit.t('inputs.rows') }));
  await visit.button('action.undo').focus();
  await visit.repainted(() => press(visit, 'Enter'));
  assert.deepEqual(await visit.step('Q'), [[1, 2], [3, 4]]);
  assert.equal(await focus(), visit.t('action.undo'));

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('7\t8'));
  await visit.cell('Q', 1, 1).click();
  await press(visit, 'Control+V');
  await page.waitForFunction(() => document.activeElement?.matches('table[data-step="Q"] td[data-row="0"]'));
  assert.deepEqual(await visit.step('Q'), [[7, 8]]);
});

test('Tab goes from cell to cell over the edge of a window, and Enter that ends a composition keeps the cell open', async (t) => {
  const visit = await open(t, `#1/attention?Q=${Array(64).fill(1)}&K=${Array(10).fill(Array(64).fill(1)).join(';')}&V=${Array(10).fill(1).join(';')}`);
  const { page } = visit;
  const editing = (/** @type {string} */ name, /** @type {number} */ row, /** @type {number} */ col) => visit.cell(name, row, col).locator('input').waitFor();
  await visit.cell('K', 0, 23).click();
  await editing('K', 0, 23);
  await press(visit, 'Tab');
  await editing('K', 0, 24);
  await press(visit, 'Shift+Tab');
  await editing('K', 0, 23);
  await page.locator('td input').dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
  assert.equal(await visit.cell('K', 0, 23).locator('input').count(), 1);
  await press(visit, 'Enter');
  assert.equal(await page.locator('td input').count(), 0);
});
