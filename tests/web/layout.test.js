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
