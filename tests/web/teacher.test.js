// What a teacher adds to a link: a question, a note, a language that stays, parts left out, predictions first; and frames.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { LANGUAGES, useBrowser } from './browser.js';

const open = useBrowser();

describe('the Share dialog', () => {
  for (const language of LANGUAGES)
    test(`makes a link with everything that a teacher chose, in ${language}`, async (t) => {
      const visit = await open(t, '#1/attention', { language });
      await visit.button('header.share').click();
      const dialog = visit.page.getByRole('dialog');
      await dialog.getByText(visit.t('teach.title')).click();
      await dialog.getByLabel(visit.t('teach.question'), { exact: true }).fill('<b>Why</b> 0.67?');
      await dialog.getByLabel(visit.t('teach.note'), { exact: true }).fill('Look at k₂ & q₁.');
      for (const box of ['teach.predict', 'teach.lock', 'teach.hide.settings', 'teach.hide.further'])
        await dialog.getByLabel(visit.t(box), { exact: true }).check();
      const field = dialog.getByLabel(visit.t('share.link'), { exact: true });
      await visit.page.waitForFunction((input) => /hide=settings,further/.test(/** @type {any} */ (input).value), await field.elementHandle());
      const link = await field.inputValue();

      const student = await open(t, link.slice(link.indexOf('#')), { language: language === 'ko' ? 'en' : 'ko' });
      student.language = language; // it is locked
      assert.equal(await student.page.locator('.assignment-question').innerText(), '<b>Why</b> 0.67?');
      assert.equal(await student.page.locator('.assignment-note').innerText(), 'Look at k₂ & q₁.');
      assert.equal(await student.group('header.language').count(), 0);
      assert.equal(await student.page.locator('.settings-title + *').count(), 0);
      assert.equal(await student.page.locator('.deeper').count(), 0);
      assert.equal(await student.page.getAttribute('html', 'lang'), language);
    });
});

describe('predict first', () => {
  test('keeps the next step closed until a number was predicted or skipped', async (t) => {
    const visit = await open(t, '#1/attention?predict=1&Q=1,1&K=1,0;0,2&V=1,0;0,1');
    await visit.button('action.next').click();
    await visit.page.locator('#predict-field:focus').waitFor();
    await visit.untilStep('scores');
    // Nor is there another way to it, or a look at it from elsewhere.
    const ways = [visit.stepper().locator('[data-go="weights"]'), visit.page.getByRole('navigation', { name: visit.t('formula.label') }).getByRole('button', { name: visit.t('step.output') })];
    for (const way of ways) {
      await visit.page.locator('#stage').focus();
      await way.click();
      await visit.page.locator('#predict-field:focus').waitFor();
      await visit.untilStep('scores');
    }
    await visit.page.getByText(visit.t('overview.title')).click();
    assert.deepEqual(Object.keys(await visit.steps()).sort(), ['K', 'Q', 'V', 'scores']);
    await visit.page.locator('#predict-field').fill('0.707');
    await visit.button('action.check').first().click();
    await visit.page.locator('[data-verdict="predict-right"]').waitFor();
    await visit.button('action.next').click();
    await visit.untilStep('scaled');
    await visit.button('predict.skip').click();
    await visit.untilStep('row-max');
    // What was opened stays so.
    await visit.go('Q');
    await visit.go('row-max');
    assert.ok('scaled' in (await visit.steps()));
  });

  /** Of which steps numbers stand in the page. @param {import('./browser.js').Visit} visit */
  const seen = (visit) => visit.page.evaluate(() => [...new Set([
    ...[...document.querySelectorAll('table[data-step]')].map((table) => /** @type {HTMLElement} */ (table).dataset.step ?? ''),
    ...[...document.querySelectorAll('[data-explains]')].map((place) => (/** @type {HTMLElement} */ (place).dataset.explains ?? '').split(',')[0]),
  ])].filter((key) => !key.startsWith('grad/')).sort());

  test('is not undone by the gradient of a step that is open', async (t) => {
    const visit = await open(t, '#1/attention?predict=1&step=scores');
    await visit.page.getByText(visit.t('overview.title')).click();
    await visit.button('action.gradient').click();
    await visit.untilStep('grad/scores');
    assert.deepEqual(await seen(visit), ['K', 'Q', 'V', 'scores']);
    assert.equal(await visit.page.locator('.deeper').count(), 0);
    await visit.button('action.close-gradient').first().click();
    await visit.untilStep('scores');
    await visit.button('action.next').click();
    await visit.page.locator('#predict-field:focus').waitFor();
    assert.deepEqual(await seen(visit), ['K', 'Q', 'V', 'scores']);
  });

  for (const rest of ['gradient=output,0,0,Q', 'gradient=output,0,0,Q&step=grad/output', 'gradient=scores,0,0,Q&step=grad/scores', 'step=scores&pin=output,0,0'])
    test(`is not undone by a link with ${rest}`, async (t) => {
      const visit = await open(t, `#1/attention?predict=1&${rest}`);
      await visit.page.getByText(visit.t('overview.title')).click();
      await visit.page.locator('[data-go="grad/scores"], [data-go="scores"]').first().waitFor();
      assert.deepEqual(await seen(visit), ['K', 'Q', 'V', 'scores']);
      assert.equal(await visit.page.locator('.deeper').count(), 0);
    });

  test('shows a pinned cell when its step is opened', async (t) => {
    const visit = await open(t, '#1/attention?predict=1&step=weights&pin=output,0,1');
    assert.equal(await visit.explanation('output', 0, 1).count(), 0);
    await visit.button('predict.skip').click();
    await visit.explanation('output', 0, 1).waitFor();
  });

  test('is asked for in a frame too, where the explanations are left out', async (t) => {
    const visit = await open(t, '#1/attention?predict=1&embed=1', { early: true });
    await visit.button('action.next').click();
    await visit.page.locator('#predict-field:focus').waitFor();
    await visit.untilStep('scores');
    await visit.button('predict.skip').click();
    await visit.untilStep('scaled');
  });
});

describe('parts that are left out', () => {
  test('are not there, and the rest still works', async (t) => {
    const visit = await open(t, '#1/attention?hide=inputs,why,steps&step=weights&lock=1&question=Why%3F');
    const areLeftOut = async () => {
      for (const part of ['.inputs', '.why', '.stepper [data-go]']) assert.equal(await visit.page.locator(part).count(), 0, part);
      assert.equal(await visit.group('header.language').count(), 0);
    };
    await areLeftOut();
    await visit.cell('weights', 0, 1).click();
    await visit.explanation('weights', 0, 1).waitFor();
    await visit.button('action.next').click();
    await visit.cell('output', 0, 0).waitFor();

    // The visitor opens another lesson: the question was about the example, the rest is about the page.
    await visit.lessons().selectOption('softmax');
    await visit.cell('weights', 0, 2).waitFor();
    await areLeftOut();
    assert.equal(await visit.page.getByText('Why?').count(), 0);
  });
});

describe('a frame in another page', () => {
  test('tells its height, never changes its address, and opens in full with what was changed', async (t) => {
    const inner = await open(t, '#1/attention');
    const page = inner.page.url().split('#')[0];
    const host = createServer((_, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html><iframe width="700" height="500" src="${page}#1/attention?embed=1&lang=en"></iframe>
      <script>window.heights = []; addEventListener('message', ({ data }) => { if (data.type === 'attention-playground:height') heights.push(data.height); });</script>`));
    await new Promise((resolve) => host.listen(0, '127.0.0.1', () => resolve(undefined)));
    t.after(() => new Promise((resolve) => host.close(resolve)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (host.address());
    const outer = await inner.page.context().newPage();
    await outer.goto(`http://127.0.0.1:${port}/`);
    await outer.waitForFunction(() => /** @type {any} */ (globalThis).heights.at(-1) > 300);
    const frame = /** @type {import('playwright-core').Frame} */ (outer.frames()[1]);
    const address = frame.url();
    await frame.locator('table[data-step="Q"] td[data-row]').first().click();
    await frame.locator('table[data-step="Q"] input').fill('7');
    await frame.locator('table[data-step="scores"] td[data-value="7"]').waitFor();
    assert.match(await frame.locator('.open-full').getAttribute('href') ?? '', /#1\/attention\?.*Q=7,1/);
    assert.equal(frame.url(), address);
    await outer.close();
  });
});
