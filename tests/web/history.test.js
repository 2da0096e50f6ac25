// The address says what is shown, without filling the history; undo and redo go through what a visitor made.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { holdBack, useBrowser } from './browser.js';

/** @import { Page } from 'playwright-core' */
/** @import { Visit } from './browser.js' */

const open = useBrowser();

/** Counts what is written to the history. @param {Page} page */
const countWrites = (page) => page.addInitScript(() => {
  const own = /** @type {any} */ (globalThis);
  own.writes = { pushState: 0, replaceState: 0 };
  for (const name of /** @type {const} */ (['pushState', 'replaceState'])) {
    const given = history[name].bind(history);
    history[name] = (...args) => {
      own.writes[name]++;
      given(...args);
    };
  }
});

/** @param {Visit} visit */
const writes = (visit) => visit.page.evaluate(() => ({ ... /** @type {any} */ (globalThis).writes, length: history.length }));

/** @param {Visit} visit */
const hash = (visit) => visit.page.evaluate(() => location.hash);

/** All values of a page's tables. @param {Visit} visit */
const values = (visit) => visit.steps();

describe('the address', () => {
  test('is written once things have come to rest, and never pushed', async (t) => {
    const visit = await open(t, '#1/attention', { prepare: countWrites });
    await visit.stopClock();
    const before = await writes(visit);
    for (const text of ['5', '6.5', '-7', '8']) await visit.edit('Q', 0, 0, text);
    // No frame is asked for while the clock stands still, so that nothing below is painted.
    for (const [setting, value] of [['mask', 'causal'], ['convention', 'columns']]) await visit.group(`setting.${setting}`).locator(`[data-value="${value}"]`).click();
    await visit.page.clock.runFor(5000);
    assert.match(await hash(visit), /^#1\/attention\?c=[0-9a-z]+\.[0-9a-z]+&Q=8,1&mask=causal&convention=columns&lang=en$/);
    const after = await writes(visit);
    assert.equal(after.pushState, 0);
    assert.equal(after.length, before.length);
    assert.ok(after.replaceState - before.replaceState <= 1, `written ${after.replaceState - before.replaceState} times`);

    await visit.page.clock.runFor(60000);
    assert.deepEqual(await writes(visit), after, 'nothing changed, nothing written');
  });

  test('of another lesson is there at once, so that Back leads to the one before', async (t) => {
    const visit = await open(t, '#1/attention?Q=3,1', { prepare: countWrites });
    await visit.stopClock();
    await visit.lessons().selectOption('softmax');
    await visit.cell('x', 0, 0).waitFor();
    await visit.page.clock.runFor(1);
    await visit.untilAddress(/^#1\/softmax/);
    assert.equal((await writes(visit)).pushState, 1);
    await visit.page.evaluate(() => history.back());
    await visit.cell('Q', 0, 0).waitFor();
    assert.deepEqual(await visit.step('Q'), [[3, 1]]);
  });

  test('stays the same page where another lesson was asked for and did not come', async (t) => {
    const visit = await open(t, '#1/attention?Q=3,1', { prepare: countWrites });
    const letGo = await holdBack(visit.page, '**/assets/lesson-*.js');
    const asked = visit.page.waitForRequest(/lesson-\w+\.js/);
    await visit.lessons().selectOption('softmax');
    await asked;
    await visit.lessons().selectOption('attention');
    const arrived = visit.page.waitForResponse(/lesson-\w+\.js/);
    letGo();
    await arrived;
    await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))));
    await visit.edit('Q', 0, 0, '12.5');
    await visit.untilAddress(/Q=12\.5,1/);
    assert.equal((await writes(visit)).pushState, 0);
  });

  test('of many numbers is written before another lesson is opened, though what packs them comes late', async (t) => {
    const visit = await open(t, '#1/attention');
    const letGo = await holdBack(visit.page, '**/assets/packed-*');
    const rows = Array.from({ length: 30 }, (_, row) => Array.from({ length: 20 }, (__, col) => (row * 7 + col) / 8));
    const asked = visit.page.waitForRequest(/packed-/);
    await visit.paste('Q', rows.map((row) => row.join('\t')).join('\n'));
    await visit.lessons().selectOption('softmax');
    await asked;
    await visit.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300))); // longer than changes rest before they are written
    letGo();
    await visit.untilAddress(/^#1\/softmax/);
    await visit.page.evaluate(() => history.back());
    await visit.untilAddress(/^#1\/attention.*m=/);
    await visit.cell('Q', 0, 0).waitFor();
    await visit.repainted(() => visit.button('action.undo').click());
    await visit.repainted(() => visit.button('action.redo').click());
    assert.deepEqual((await visit.step('Q'))[0].slice(0, 20), rows[0]);
  });

  test('of a link that was cut stays to be copied, with its lesson, for who comes back to it', async (t) => {
    const cut = '#1/attention?c=39.1f7p54p&Q=2,0&K=2,0;0,2&V=10,0;0,10&T=0.141&w=0.7';
    const visit = await open(t, cut);
    const notice = visit.page.locator('.notices');
    await notice.waitFor();
    await visit.lessons().selectOption('softmax');
    await visit.untilAddress(/^#1\/softmax/);
    await visit.cell('x', 0, 0).waitFor();
    assert.equal(await notice.count(), 0, 'it was said of the other lesson');
    await visit.page.evaluate(() => history.back());
    await visit.cell('Q', 0, 0).waitFor();
    await notice.waitFor();
    assert.equal(await hash(visit), cut);
  });

  test('of another lesson opens it at its beginning', async (t) => {
    const visit = await open(t, '#1/attention?Q=3,1');
    await visit.untilLoaded();
    await visit.page.evaluate(() => window.scrollTo({ top: 1500, behavior: 'instant' }));
    await visit.page.evaluate(() => { location.hash = '#1/softmax?x=1,2'; });
    await visit.cell('x', 0, 0).waitFor();
    assert.equal(await visit.page.evaluate(() => window.scrollY), 0);
  });

  test('opens the same view when the page is loaded again', async (t) => {
    const visit = await open(t, '#1/attention');
    await visit.edit('K', 1, 1, '-3.25');
    await visit.repainted(() => visit.field('T').fill('0.3'));
    await visit.go('weights');
    await visit.untilAddress(/K=1,0;0,-3.25.*T=0.3.*step=weights/);
    const before = await values(visit);
    await visit.page.reload();
    await visit.untilLoaded();
    await visit.untilStep('weights');
    assert.deepEqual(await values(visit), before);
  });

  test('leads back and forth between two links', async (t) => {
    const visit = await open(t, '#1/attention?Q=3,1');
    await visit.repainted(() => visit.page.evaluate(() => { location.hash = '#1/attention?Q=4,1'; }));
    assert.deepEqual(await visit.step('scores'), [[4, 2]]);
    await visit.repainted(() => visit.page.evaluate(() => history.back()));
    assert.deepEqual(await visit.step('scores'), [[3, 2]]);
    await visit.repainted(() => visit.page.evaluate(() => history.forward()));
    assert.deepEqual(await visit.step('scores'), [[4, 2]]);
  });

  test('is left alone inside another page, which gets the live view as a link', async (t) => {
    const given = '#1/attention?Q=3,1&embed=1';
    const visit = await open(t, given, { prepare: countWrites });
    await visit.stopClock();
    await visit.edit('Q', 0, 0, '9');
    await visit.go('weights');
    await visit.page.clock.runFor(60000);
    assert.equal(await hash(visit), given);
    assert.deepEqual(await writes(visit).then(({ pushState, replaceState }) => [pushState, replaceState]), [0, 0]);

    const full = await visit.page.getByRole('link', { name: visit.t('header.open-full') }).getAttribute('href') ?? '';
    const whole = await open(t, full.slice(full.indexOf('#')));
    assert.deepEqual(await whole.step('scores'), [[9, 2]]);
    await whole.untilStep('weights');
    await whole.button('header.share').waitFor();
    assert.doesNotMatch(full, /embed/);
  });
});

describe('what a visitor makes', () => {
  const lesson = (/** @type {Visit} */ visit, /** @type {string} */ id) => visit.repainted(() => visit.lessons().selectOption(id));

  test('stays through other changes and other lessons, with what can be undone', async (t) => {
    const visit = await open(t, '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1', { early: true });
    const isThere = async () => {
      await visit.message(visit.input('Q'), 'problem.not-a-number', { text: 'x', row: 1, col: 1 });
      assert.equal((await visit.cell('Q', 0, 0).innerText()).trim(), 'x');
    };
    await visit.edit('Q', 0, 0, 'x');
    await isThere();
    await visit.repainted(() => visit.input('K').getByRole('button', { name: visit.t('inputs.add', { what: visit.t('inputs.cols') }) }).click());
    assert.deepEqual(await visit.step('Q'), [[1, 1, 0]]);
    await isThere();

    await lesson(visit, 'softmax');
    await visit.cell('x', 0, 0).waitFor();
    await visit.noMessage('problem.not-a-number');
    await lesson(visit, 'attention');
    await isThere();
    await visit.page.evaluate(() => history.back());
    await visit.cell('x', 0, 0).waitFor();
    await visit.page.evaluate(() => history.forward());
    await isThere();
    await visit.repainted(() => visit.button('action.undo').click());
    assert.deepEqual(await visit.step('Q'), [[1, 1]]);
    await isThere();
  });

  test('is there when the visitor comes back, though they left at once; what they were typing stays where it was', async (t) => {
    const visit = await open(t, '#1/attention?Q=1,1', { early: true });
    await visit.cell('Q', 0, 0).click();
    await visit.page.keyboard.type('7');
    await visit.page.evaluate(() => { location.hash = '#1/softmax?x=1,2,3&lang=en'; });
    await visit.cell('x', 0, 0).waitFor();
    assert.equal(await visit.page.locator('td input').count(), 0);

    await visit.edit('x', 0, 1, '77');
    await visit.page.evaluate(() => history.back());
    await visit.cell('Q', 0, 0).waitFor();
    assert.deepEqual(await visit.step('Q'), [[7, 1]]);
    await visit.page.evaluate(() => history.forward());
    await visit.cell('x', 0, 0).waitFor();
    assert.deepEqual(await visit.step('x'), [[1, 77, 3]]);
    await visit.untilAddress(/x=1,77,3/);
  });
});

describe('undo and redo', () => {
  test('go through every kind of change, and the address with them', async (t) => {
    const visit = await open(t, '#1/attention');
    const changes = [
      () => visit.edit('Q', 0, 0, '12.75'), // many keystrokes, one change
      () => visit.input('K').getByRole('button', { name: visit.t('inputs.add', { what: visit.t('inputs.rows') }) }).click(),
      () => visit.choose('setting.mask', 'causal'),
      () => visit.repainted(() => visit.field('T').fill('0.25')),
      () => visit.choose('setting.scale', 'off'),
      () => visit.paste('V', '1 2\n3 4\n5 6'),
    ];
    const states = [await values(visit)];
    for (const change of changes) {
      await visit.repainted(change);
      states.push(await values(visit));
    }
    await visit.untilAddress(/V=1,2;3,4;5,6/);
    for (const state of states.slice(0, -1).reverse()) {
      await visit.repainted(() => visit.button('action.undo').click());
      assert.deepEqual(await values(visit), state);
    }
    assert.equal(await visit.button('action.undo').isDisabled(), true);
    await visit.untilAddress(/^#1\/attention\?c=[^&]+&lang=en$/);
    for (const state of states.slice(1)) {
      await visit.repainted(() => visit.button('action.redo').click());
      assert.deepEqual(await values(visit), state);
    }
    assert.equal(await visit.button('action.redo').isDisabled(), true);
    await visit.untilAddress(/V=1,2;3,4;5,6/);
  });

  test('by keys, and a new change ends what could be redone', async (t) => {
    const visit = await open(t, '#1/attention');
    await visit.edit('Q', 0, 0, '5');
    await visit.edit('Q', 0, 1, '6');
    for (const [keys, expected] of /** @type {[string, number[][]][]} */ ([['Control+z', [[5, 1]]], ['Control+z', [[1, 1]]], ['Control+y', [[5, 1]]], ['Control+Shift+z', [[5, 6]]], ['Control+z', [[5, 1]]]])) {
      await visit.repainted(() => visit.page.keyboard.press(keys));
      assert.deepEqual(await visit.step('Q'), expected, keys);
    }
    await visit.edit('Q', 0, 0, '7');
    assert.equal(await visit.button('action.redo').isDisabled(), true);
    assert.deepEqual(await visit.step('Q'), [[7, 1]]);
  });

  test('a drag of a slider is one change', async (t) => {
    const visit = await open(t, '#1/attention');
    const slider = visit.page.getByRole('slider', { name: visit.t('inputs.slider', { what: 'T' }) });
    await slider.focus();
    for (let i = 0; i < 10; i++) await visit.repainted(() => visit.page.keyboard.press('ArrowRight'));
    assert.ok('tempered' in (await visit.steps()));
    await visit.repainted(() => visit.button('action.undo').click());
    assert.equal(await visit.field('T').inputValue(), '1');
  });
});
