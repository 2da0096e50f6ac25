// What is on the page can be seen, however narrow the screen and whatever the numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './browser.js';
import { cutOff } from './cut-off.js';

/** @import { Language, Visit } from './browser.js' */

const open = useBrowser();

/** A frame, a phone, a tablet. */
const WIDTHS = [200, 390, 820];

const list = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => (i * 7) % 5 - 1.5);
const rows = (/** @type {number} */ count, /** @type {number} */ cols) => Array.from({ length: count }, (_, i) => list(cols).map((x) => x + i).join(',')).join(';');

/** Opens what is folded, also what is folded inside. @param {Visit} visit */
const unfold = (visit) => visit.page.waitForFunction(() => {
  const folded = [...document.querySelectorAll('details:not([open]) > summary')];
  for (const summary of folded) /** @type {HTMLElement} */ (summary).click();
  return folded.length === 0;
});

for (const [what, language, hash] of /** @type {[string, Language, string][]} */ ([
  ['attention over 16 keys, with all digits', 'en', `#1/attention?Q=1.2345678901234567e-300,-1.2345678901234567e-300&K=${rows(16, 2)}&V=${rows(16, 2)}&digits=12&step=scores&pin=output,0,1`],
  ['masking, with a prediction', 'ko', '#1/mask?predict=1&step=masked&padding=1'],
  ['positional encodings', 'en', '#1/positional?step=weights'],
]))
  test(`nothing is cut off: ${what}`, async (t) => {
    const visit = await open(t, hash, { language, reducedMotion: 'reduce' });
    await unfold(visit);
    for (const width of WIDTHS) {
      await visit.page.setViewportSize({ width, height: 800 });
      assert.deepEqual((await visit.page.evaluate(cutOff)).slice(0, 12), [], `${width} px`);
    }
  });

test('the words of a step follow its numbers on every screen, and the current step stays in the bar', async (t) => {
  const visit = await open(t, '#1/attention?step=output', { viewport: { width: 1440, height: 900 } });
  const { page } = visit;
  const box = async (/** @type {import('playwright-core').Locator} */ part) => /** @type {{ x: number, y: number, width: number, height: number }} */ (await part.boundingBox());
  const [numbers, words, own] = [page.getByRole('region', { name: visit.t('stage.label') }), page.getByRole('complementary', { name: visit.t('why.label') }), page.getByRole('region', { name: visit.t('inputs.label') })];
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const [stage, why, inputs] = [await box(numbers), await box(words), await box(own)];
    assert.ok(Math.abs(why.y - stage.y - stage.height) <= 1, `${width} px: words at ${why.y}, numbers until ${stage.y + stage.height}`);
    assert.ok(inputs.x + inputs.width <= why.x + 1 || inputs.y >= why.y + why.height - 1, `${width} px: what can be typed is beside or below`);
    await page.waitForFunction(() => {
      const step = document.querySelector('[data-go][aria-current="step"]')?.getBoundingClientRect();
      const bar = document.querySelector('[data-go]')?.closest('ol')?.getBoundingClientRect();
      return step && bar && step.left >= bar.left - 1 && step.right <= bar.right + 1;
    });
  }
});

/** Of every table that is seen: how far it reaches beyond its box, and whether the box shows that. Runs in the page. */
const overflowing = () => [...document.querySelectorAll('table')].filter((table) => table.checkVisibility()).map((table) => {
  const box = /** @type {HTMLElement} */ (table.parentElement);
  return { name: table.dataset.step ?? table.dataset.operand ?? table.dataset.table ?? '', beyond: box.scrollWidth - box.clientWidth, fades: getComputedStyle(box).maskImage !== 'none' };
});

for (const [what, hash] of [['digits', '#1/attention?Q=0.3333333333333333,0.6666666666666666&K=0.123456789,0;0,2'], ['columns', '#1/attention?V=1,2,3,4,5,6,7;1,2,3,4,5,6,7']])
  test(`boxes show when they go on beyond their edges: many ${what}`, async (t) => {
    const visit = await open(t, hash, { language: 'ko', reducedMotion: 'reduce' });
    for (const width of [1280, 390]) {
      await visit.page.setViewportSize({ width, height: 800 });
      const tables = await visit.page.evaluate(overflowing);
      for (const { name, beyond, fades } of tables) assert.equal(fades, beyond > 0, `${name} at ${width} px, ${beyond} px beyond its box`);
      // All columns of long numbers are in sight, and each number in full on request.
      for (const { name, beyond } of tables) if (what === 'digits' && 'QKV'.includes(name)) assert.equal(beyond, 0, `${name} at ${width} px`);
      if (what === 'columns') assert.ok(tables.some(({ name, beyond }) => name === 'V' && beyond > 0), 'there is one');
    }
    if (what === 'digits') assert.equal(await visit.cell('Q', 0, 1).getAttribute('title'), '0.6666666666666666');
  });

for (const language of /** @type {Language[]} */ (['ko', 'en']))
  test(`tables of sections stand whole on wide screens, in ${language}`, async (t) => {
    const visit = await open(t, '#1/positional', { language, reducedMotion: 'reduce' });
    for (const width of [1280, 1440]) {
      await visit.page.setViewportSize({ width, height: 900 });
      await visit.page.locator('[data-table="outputs-other"]').scrollIntoViewIfNeeded();
      const tables = (await visit.page.evaluate(overflowing)).filter(({ name }) => name.startsWith('outputs-'));
      assert.deepEqual(tables.map(({ name, beyond }) => [name, beyond]), [['outputs-sentence', 0], ['outputs-other', 0]], `${width} px`);
    }
  });

for (const lesson of ['attention', 'softmax', 'positional'])
  test(`words of pictures are large enough to read on every screen: ${lesson}`, async (t) => {
    const visit = await open(t, `#1/${lesson}`, { reducedMotion: 'reduce' });
    for (const width of [1280, 600, 390]) {
      await visit.page.setViewportSize({ width, height: 800 });
      const small = await visit.page.evaluate(() => [...document.querySelectorAll('svg text')].filter((text) => text.checkVisibility()).map((text) => ({
        words: text.textContent ?? '', size: parseFloat(getComputedStyle(text).fontSize) * (/** @type {SVGGraphicsElement} */ (text).getScreenCTM()?.a ?? 0),
      })).filter(({ size }) => size < 10.95));
      assert.deepEqual(small, [], `${width} px`);
    }
  });
