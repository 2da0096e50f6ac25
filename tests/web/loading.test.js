// Parts of the page that do not come, or come late: it is told in one place, asked for again from there, and nothing is half there.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdBack, useBrowser } from './browser.js';

/** @import { Page } from 'playwright-core' */
/** @import { Visit } from './browser.js' */

const open = useBrowser();
const expected = /^console: /;

/** Lets nothing through that fits `blocks.pattern`. @param {{ pattern: RegExp | null }} blocks */
const blockedBy = (blocks) => (/** @type {Page} */ page) => page.route('**/assets/*', (route) => (blocks.pattern?.test(route.request().url()) ? route.abort() : route.continue()));

/** @param {Visit} visit @param {string} hash */
const follow = (visit, hash) => visit.page.evaluate((next) => { location.hash = next; }, hash);

describe('what does not load', () => {
  test('is told, never half shown, and comes when it is asked for again', async (t) => {
    /** @type {{ pattern: RegExp | null }} */
    const blocks = { pattern: /\/(further|dialog-)/ };
    const visit = await open(t, '#1/attention?Q=1,1', { language: 'ko', early: true, expected, prepare: blockedBy(blocks) });
    const told = (/** @type {string[]} */ ...names) => visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: names.join(', ') });
    await told(visit.t('missing.rest'));
    assert.equal(await visit.page.locator('html[data-loaded]').count(), 0);

    await visit.button('action.gradient').click();
    await told(visit.t('missing.rest'), visit.t('action.gradient'));
    await visit.button('header.share').click();
    await told(visit.t('missing.rest'), visit.t('action.gradient'), visit.t('header.share'));
    await visit.page.locator('#predict-field').fill('5');
    await visit.button('action.check').click();
    await told(visit.t('missing.rest'), visit.t('action.gradient'), visit.t('header.share'), visit.t('action.check'));
    assert.doesNotMatch(await visit.page.locator('body').innerText(), /\b[a-z]+\.[a-z-]+\b/, 'the name of a string is shown');
    await visit.untilStep('scores');

    blocks.pattern = null;
    await visit.button('action.retry').click();
    await visit.page.getByRole('dialog').waitFor();
    await visit.untilLoaded();
    await visit.noMessage('problem.not-loaded');
    await visit.page.keyboard.press('Escape');
    await visit.untilStep('grad/scores');
    await visit.page.locator('.deeper').first().waitFor();
  });

  test('keeps its link, and the page as it was', async (t) => {
    /** @type {{ pattern: RegExp | null }} */
    const blocks = { pattern: /\/(ko|further\.ko|plot-marks)-/ };
    const visit = await open(t, '#1/attention?Q=1,1', { early: true, expected, prepare: blockedBy(blocks) });
    await visit.button('language.ko').click();
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: visit.t('language.ko') });
    assert.equal(await visit.page.getAttribute('html', 'lang'), 'en');
    assert.doesNotMatch(await visit.page.evaluate(() => location.hash), /lang=ko/);

    blocks.pattern = /\/(lesson|plot-marks)-/;
    await visit.lessons().selectOption('softmax');
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: visit.t('lesson.softmax') });
    assert.equal(await visit.lessons().inputValue(), 'attention');
    await follow(visit, '#1/positional?X=7,8;9,10&encoding=none&lang=en');
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: visit.t('lesson.positional') });
    assert.deepEqual(await visit.step('Q'), [[1, 1]]);

    blocks.pattern = /plot-marks/;
    await visit.button('action.retry').click();
    await visit.cell('X', 0, 0).waitFor();
    assert.deepEqual(await visit.step('X'), [[7, 8], [9, 10]]);
    await visit.noMessage('problem.not-loaded');

    const chart = visit.page.locator('[data-plot]').first();
    await chart.scrollIntoViewIfNeeded();
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: visit.t('missing.rest') });
    blocks.pattern = null;
    await visit.button('action.retry').click();
    await chart.locator('svg').first().waitFor();
    await visit.noMessage('problem.not-loaded');
  });

  test('leaves a link unopened whose problems it cannot say, and out what it has no words for', async (t) => {
    /** @type {{ pattern: RegExp | null }} */
    const blocks = { pattern: /\/further/ };
    const visit = await open(t, '#1/attention?Q=5,5&foo=1', { early: true, expected, prepare: blockedBy(blocks) });
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: `${visit.t('field.link')}, ${visit.t('missing.rest')}` });
    blocks.pattern = /\/(further\.)?ko-/;
    await visit.button('action.retry').click();
    await visit.message(visit.page.locator('body'), 'problem.unknown-key', { field: 'foo' });
    assert.deepEqual(await visit.step('Q'), [[5, 5]]);

    // A language of which nothing is there, then the first look.
    await visit.untilLoaded();
    await visit.button('link.dismiss').click();
    await visit.button('language.ko').click();
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: visit.t('language.ko') });
    blocks.pattern = /\/further\.ko-/;
    await visit.button('language.ko').click();
    await visit.page.locator('html[lang="ko"]').waitFor();
    visit.language = 'ko';
    await visit.message(visit.page.locator('body'), 'problem.not-loaded', { what: visit.t('missing.rest') });
    assert.equal(await visit.page.locator('.deeper').count(), 0);
    blocks.pattern = null;
    await visit.button('action.retry').click();
    await visit.page.locator('.deeper').first().waitFor();
    await visit.noMessage('problem.not-loaded');
  });
});

describe('what comes after formulas', () => {
  /** Formulas never come. @type {(page: Page) => unknown} */
  const prepare = (page) => page.route('**/assets/katex-*', () => {});

  for (const [hash, text] of [['#1/positional?encoding=rotary&step=R', 'R'], ['#1/mask?padding=1&step=masked', 'padded']])
    test(`is there at once where a link shows it: ${text}`, async (t) => {
      const visit = await open(t, hash, { early: true, prepare });
      await visit.page.locator(`[data-prose="${text}"]`).waitFor();
    });

  test('comes where the visitor wants to see it', async (t) => {
    const visit = await open(t, '#1/mask?step=weights', { early: true, prepare });
    await visit.page.locator('[data-prose="weights"]').waitFor();
    await visit.page.getByLabel(visit.t('inputs.example')).selectOption(visit.t('example.padded'));
    await visit.page.locator('[data-prose="padded"]').waitFor();
  });
});

describe('of two links', () => {
  test('the later one is opened, though the other comes after it', async (t) => {
    /** @type {() => void} */
    let release = () => {};
    const visit = await open(t, '#1/attention', {
      early: true,
      prepare: async (page) => { release = await holdBack(page, '**/assets/ko-*'); },
    });
    await follow(visit, '#1/attention?Q=5,5&lang=ko');
    await follow(visit, '#1/attention?Q=9,9&lang=en');
    await visit.page.locator('table[data-step="Q"] td[data-value="9"]').first().waitFor();
    release();
    await visit.untilLoaded(); // both languages are there
    assert.deepEqual(await visit.step('Q'), [[9, 9]]);
    assert.equal(await visit.page.getAttribute('html', 'lang'), 'en');
  });

  test('a language that is on its way is that of the lesson chosen after it', async (t) => {
    /** @type {() => void} */
    let release = () => {};
    const visit = await open(t, '#1/attention', {
      language: 'en', early: true,
      prepare: async (page) => { release = await holdBack(page, '**/assets/ko-*'); },
    });
    await visit.button('language.ko').click();
    await visit.lessons().selectOption('softmax');
    release();
    await visit.cell('x', 0, 0).waitFor();
    assert.equal(await visit.page.getAttribute('html', 'lang'), 'ko');
  });

  test('the one is opened that comes while the page starts, and the address goes on', async (t) => {
    const visit = await open(t, '#1/attention?Q=5,5&lang=en', {
      early: true,
      prepare: (page) => page.addInitScript(() => {
        const given = fetch;
        // What the page asks for first, once it has read the address.
        globalThis.fetch = (...request) => {
          queueMicrotask(() => { location.hash = '#1/attention?Q=9,9&lang=en'; });
          return given(...request);
        };
      }),
    });
    assert.deepEqual(await visit.step('Q'), [[9, 9]]);
    await visit.edit('Q', 0, 0, '8');
    await visit.untilAddress(/Q=8,9/);
  });
});
