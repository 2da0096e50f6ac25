// What axe can find, and the contrast of every text, which axe leaves open where parts are dimmed or coloured by value.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { violationsIn } from './axe.js';
import { LANGUAGES, useBrowser } from './browser.js';
import { lowContrast } from './contrast.js';

/** @import { Visit, VisitOptions } from './browser.js' */

const open = useBrowser();
const OWN = 'Q=1,-0.5,2,0;0.25,1,-1,3;-2,0.1,0.7,1&K=0.5,1,0,-1;2,-2,1,0.3;1,0,0.9,1&V=1,0,0,2;0,1,-1,0;0.5,0.5,0.5,0.5';

/** Every kind of view: its link, and what is done in it. @type {[string, string, ((visit: Visit) => Promise<unknown>)?, VisitOptions?][]} */
const VIEWS = [
  ['the start', ''],
  ['scores of larger matrices', `#1/attention?${OWN}&step=scores&cell=1,2`],
  ['weights under a mask, as columns, with everything opened', `#1/attention?${OWN}&mask=causal&T=0.5&convention=columns&step=weights&cell=2,0&pin=output,0,0`, openEverything],
  ['the mask that is drawn', `#1/attention?${OWN}&mask=drawn&allow=1,0,1;0,0,0;1,1,0&step=masked`],
  ['the output', `#1/attention?${OWN}&step=output&cell=0,3`],
  ['a gradient', `#1/attention?${OWN}&gradient=output,1,2,K&step=grad/scores`, openEverything],
  ['the Share dialog', `#1/attention?${OWN}`, (visit) => visit.button('header.share').click()],
  ['mistakes everywhere', '#1/attention?Q=1,2,3&K=1,x&colour=red', async (visit) => {
    await visit.edit('V', 0, 0, 'abc');
    await visit.field('T').fill('0');
  }],
  ['a link that was cut', '#1/attention?c=v.3vqopu&Q=2,0&T=0.'],
  ['a wrong prediction', '#1/attention?step=scores', async (visit) => {
    await visit.page.getByPlaceholder(visit.t('predict.placeholder')).fill('1');
    await visit.page.keyboard.press('Enter');
  }],
  ['large matrices', `#1/attention?Q=${tall(26)}&K=${tall(26)}&V=${tall(26)}&step=weights`],
  ['softmax, with its tables', '#1/softmax?T=0.5&factor=2&shift=1', openEverything],
  ['softmax beyond float32', '#1/softmax?softmax=plain&precision=float32&x=89,80&step=weights'],
  ['masking, with everything opened', '#1/mask?step=masked&padding=1', openEverything],
  ['masking, with a row that sees nothing', '#1/mask?mask=drawn&allow=1,1,0,0;0,0,0,0;1,1,1,0;1,1,1,1&emptyRow=nan&truth=hide&step=output'],
  ['positional encodings, with every picture', '#1/positional?step=weights', openEverything],
  ['a question of a teacher', '#1/attention?question=Why%3F&note=Look&predict=1&hide=settings'],
  ['inside another page', `#1/attention?${OWN}&embed=1`],
  ['without its core', `#1/attention?${OWN}`, undefined, { state: 'error', expected: /^console: /, prepare: (page) => page.route('**/*.wasm', (route) => route.abort()) }],
];

/** More rows than are shown at once, and few columns: axe compares every place that can be pressed with every other. @param {number} rows */
function tall(rows) {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: 2 }, (__, j) => ((i * 7 + j * 3) % 11) / 5 - 1).join(',')).join(';');
}

/** @param {Visit} visit */
async function openEverything(visit) {
  await visit.page.locator('summary').evaluateAll((summaries) => summaries.forEach((summary) => {
    if (!summary.parentElement?.hasAttribute('open')) /** @type {HTMLElement} */ (summary).click();
  }));
  await visit.page.waitForFunction(() => document.querySelectorAll('details:not([open])').length === 0);
}

const THEMES = /** @type {const} */ (['light', 'dark']);

for (const language of LANGUAGES)
  describe(`in ${language}`, () => {
    for (const [name, hash, prepare, options] of VIEWS)
      test(name, async (t) => {
        // Nothing may be on its way from one colour to another.
        const visit = await open(t, hash, { ...options, language, reducedMotion: 'reduce' });
        await prepare?.(visit);
        for (const colorScheme of THEMES) {
          await visit.page.emulateMedia({ colorScheme });
          assert.deepEqual((await visit.page.evaluate(lowContrast)).slice(0, 20), [], colorScheme);
        }
        // Themes change colours alone.
        assert.deepEqual(await violationsIn(visit.page), []);
      });
  });

test('the button for the theme gives the other one, and it is kept', async (t) => {
  const visit = await open(t, '', { colorScheme: 'light', reducedMotion: 'reduce' });
  const ground = () => visit.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await visit.button('header.theme').click();
  const dark = await ground();
  assert.notEqual(dark, light);
  assert.deepEqual(await visit.page.evaluate(lowContrast), []);
  await visit.page.reload();
  await visit.untilState('ready');
  assert.equal(await ground(), dark);
  await visit.button('header.theme').click();
  assert.equal(await ground(), light);
});
