// Links that came from somewhere else: what is wrong is said, nothing is opened unasked, and no text of theirs becomes a page.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PROPERTIES } from '../../web/properties.js';
import { formatLink } from '../../web/share/link.js';
import { LANGUAGES, useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

const open = useBrowser();
const EXAMPLE_A = [[1, 2]]; // scores of what the page starts with
const linkIn = (/** @type {string} */ lang) => formatLink({ lesson: 'attention', values: { Q: [[3, 1]], K: [[1, 0], [0, 2]], V: [[1, 0], [7.125, 1]], T: 2, lang } }, PROPERTIES);
const link = linkIn('ko');

/** @param {Visit} visit */
const nothingForeign = async (visit) => assert.deepEqual(await visit.page.evaluate(() => [...document.querySelectorAll('img, script:not([src]), iframe, object, embed, base, form[action], b > b, [onerror]')].map(({ outerHTML }) => outerHTML)), []);

/** What, the link, the field (null: none), the message and what it names. @type {[string, string, string | null, string, any][]} */
const WRONG = [
  ['an empty matrix', '#1/attention?Q=&T=1', 'Q', 'problem.empty.single', { field: 'Q' }],
  ['ragged rows', '#1/attention?K=1,2;3', 'K', 'problem.ragged', { field: 'K', row: 2 }],
  ['letters', '#1/attention?V=a,b', 'V', 'problem.not-a-number', { field: 'V', text: 'a', row: 1, col: 1 }],
  ['a number that is too large', '#1/attention?Q=1e400,0', 'Q', 'problem.not-finite', { field: 'Q' }],
  ['NaN', '#1/attention?Q=1,NaN', 'Q', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
  ['too many rows', `#1/attention?Q=${Array(100).fill('1,1').join(';')}`, 'Q', 'problem.too-many-rows', { field: 'Q', max: 64 }],
  ['T = 0', '#1/attention?T=0', 'T', 'problem.temperature-not-positive', {}],
  ['T = −1', '#1/attention?T=-1', 'T', 'problem.temperature-not-positive', {}],
  ['an unknown mask', '#1/attention?mask=random', null, 'problem.not-a-choice', { field: 'mask' }],
  ['an unknown key', '#1/attention?colour=red', null, 'problem.unknown-key', { field: 'colour' }],
  ['a key twice', '#1/attention?T=2&T=3', null, 'problem.repeated-key', { field: 'T' }],
  ['a cell that is none', '#1/attention?cell=a,b', null, 'problem.bad-cell', { field: 'cell' }],
  ['an unknown lesson', '#1/magic?Q=5,5', null, 'problem.unknown-lesson', { text: 'magic' }],
  ['a lesson called like what every object has', '#1/constructor?Q=5,5', null, 'problem.unknown-lesson', { text: 'constructor' }],
  ['an unknown version', '#9/attention?Q=5,5', null, 'problem.unknown-version', { text: '9' }],
  ['markup in a number', '#1/attention?Q=<img src=x onerror=alert(1)>,1', 'Q', 'problem.not-a-number', { field: 'Q' }],
  ['markup in a key', '#1/attention?<script>alert(1)</script>=1', null, 'problem.unknown-key', {}],
  ['markup in a lesson', '#1/%3Cimg%20src=x%20onerror=alert(1)%3E', null, 'problem.unknown-lesson', {}],
];

/** @param {Visit} visit @param {typeof WRONG[0]} wrong */
async function isTold(visit, [, hash, place, key, known]) {
  const where = place === null ? visit.page.locator('body') : place === 'T' ? visit.besideField('T') : visit.input(place);
  await visit.message(where, key, known);
  await nothingForeign(visit);
  if (!hash.includes('T=2')) assert.deepEqual(await visit.step('scores'), EXAMPLE_A, 'what cannot be used keeps its default');
}

/** What the numbers of a lesson do not have: the message alone is compared, and only where one link replaces another. @type {[string, string, any][]} */
const MISFITS = [
  ['#1/attention?step=nope', 'problem.no-such-step', { field: 'step', text: 'nope' }],
  ['#1/attention?cell=50,50', 'problem.no-such-cell', { field: 'cell', text: '50,50', step: 'scores', size: '1×2' }],
  ['#1/attention?pin=weights,9,9', 'problem.no-such-cell', { field: 'pin', text: '9,9', step: 'weights', size: '1×2' }],
  ['#1/attention?pin=nope,0,0', 'problem.no-such-step', { field: 'pin', text: 'nope' }],
  ['#1/attention?gradient=nope,0,0,Q', 'problem.no-such-step', { field: 'gradient', text: 'nope' }],
  ['#1/attention?gradient=output,9,9,Q&step=grad/output', 'problem.no-such-cell', { field: 'gradient', text: '9,9', step: 'output' }],
  ['#1/attention?gradient=output,0,0,Z', 'problem.not-a-choice', { field: 'gradient', choices: 'Q, K, V' }],
  ['#1/attention?predict=1&gradient=output,0,0,Q', 'problem.gradient-closed', { field: 'gradient', text: 'output' }],
  ['#1/attention?mask=drawn&allow=1,0;0,1', 'problem.mask-size', { field: 'allow', actual: '2×2', expected: '1×2' }],
  ['#1/softmax?predict=1', 'problem.no-predictions', { field: 'predict' }],
  ['#1/positional?predict=1', 'problem.no-predictions', { field: 'predict' }],
  ['#1/positional?order=0,0,0,0,0', 'problem.not-an-order', { field: 'order', text: '0,0,0,0,0', max: 4 }],
  ['#1/positional?order=0,1', 'problem.not-an-order', { field: 'order', text: '0,1', max: 4 }],
  ['#1/positional?tokens=1.5,1,2,3,4', 'problem.not-in-list', { field: 'tokens', text: '1.5', min: 0, max: 7 }],
  ['#1/positional?tokens=99,1,2,3,4', 'problem.not-in-list', { field: 'tokens', text: '99', min: 0, max: 7 }],
  ['#1/positional?pair=9,9', 'problem.not-in-list', { field: 'pair', text: '9', min: 0, max: 4 }],
  ['#1/positional?pair=1', 'problem.not-a-pair', { field: 'pair', max: 4 }],
  ['#1/positional?waves=1.5,-2', 'problem.not-in-list', { field: 'waves', text: '1.5', min: 0, max: 15 }],
  ['#1/positional?waves=500', 'problem.not-in-list', { field: 'waves', text: '500', min: 0, max: 15 }],
  ['#1/mask?mask=drawn&allow=1,0;0,1', 'problem.mask-size', { field: 'allow', actual: '2×2', expected: '4×4' }],
];

describe('a link that is wrong', () => {
  for (const language of LANGUAGES)
    test(`about what its lesson has, in ${language}`, async (t) => {
      const visit = await open(t, '', { language });
      for (const [hash, key, known] of MISFITS)
        await t.test(hash, async () => {
          await visit.page.evaluate((next) => { location.hash = next; }, hash);
          await visit.message(visit.page.locator('body'), key, known);
          await visit.repainted(() => visit.button('link.dismiss').click());
          await visit.noMessage(key);
        });
    });

  test('says nothing of what the page itself wrote', async (t) => {
    const visit = await open(t, formatLink({ lesson: 'attention', values: { step: 'output', cell: { row: 3, col: 3 }, lang: 'en' } }, PROPERTIES));
    assert.equal(await visit.page.getByRole('alert').count(), 0);
    await visit.explanation('output', 0, 1).waitFor();
  });

  for (const wrong of WRONG) test(wrong[0], async (t) => isTold(await open(t, wrong[1], { early: true }), wrong));

  test('is told in Korean, and where it replaces another', async (t) => {
    const visit = await open(t, '', { language: 'ko' });
    for (const wrong of WRONG)
      await t.test(wrong[0], async () => {
        await visit.repainted(() => visit.page.evaluate((hash) => { location.hash = hash; }, wrong[1]));
        await isTold(visit, wrong);
      });
  });

  test('with matrices that do not fit together', async (t) => {
    const visit = await open(t, '#1/attention?Q=1,2,3');
    await visit.message(visit.input('K'), 'problem.dimension-mismatch', { shapeQ: '1×3', shapeK: '2×2' });
    await visit.paste('Q', '5 6');
    await visit.noMessage('problem.dimension-mismatch');
    assert.deepEqual(await visit.step('scores'), [[5, 12]]);
  });

  for (const language of LANGUAGES) {
    const whole = linkIn(language);
    test(`cut: it opens nothing by itself, and offers what can be read, in ${language}`, async (t) => {
      const visit = await open(t, whole.slice(0, whole.indexOf('7.125') + 2), { language });
      await visit.message(visit.page.locator('body'), 'problem.cut');
      assert.deepEqual(await visit.step('scores'), EXAMPLE_A);
      assert.match(new URL(visit.page.url()).hash, /c=.*7\.$/, 'it can still be copied');
      await visit.repainted(() => visit.button('link.open-anyway').click());
      assert.deepEqual(await visit.step('scores'), [[3, 2]]);
      assert.deepEqual(await visit.step('V'), [[1, 0], [0, 1]], 'half a value is not taken');
    });

    test(`cut, and dismissed, in ${language}`, async (t) => {
      const visit = await open(t, whole.slice(0, -12), { language });
      await visit.message(visit.page.locator('body'), 'problem.cut');
      const dismiss = visit.button('link.dismiss');
      while ((await dismiss.count()) > 0) await visit.repainted(() => dismiss.first().click());
      await visit.noMessage('problem.cut');
      assert.deepEqual(await visit.step('scores'), EXAMPLE_A);
    });

    test(`changed on its way, in ${language}`, async (t) => {
      const visit = await open(t, whole.replace('3,1', '3,2'), { language });
      await visit.message(visit.page.locator('body'), 'problem.damaged');
      assert.deepEqual(await visit.step('scores'), EXAMPLE_A);
    });
  }
});

describe('a link that is right', () => {
  for (const [what, hash] of [
    ['as it was made', link],
    ['with a tail of a tracker', `${link}&utm_source=chat&fbclid=a_b`],
    ['with a full stop', `${link}.`],
    ['with a bracket', `${link})`],
    ['with words behind it', `${link} look at this!`],
    ['encoded again by a chat program', link.replace(/[,;]/g, encodeURIComponent).replaceAll('&', '&amp;')],
    ['with markup behind it', `${link}<img src=x onerror=alert(1)>`],
  ])
    test(`opens ${what}`, async (t) => {
      const visit = await open(t, hash, { early: true });
      assert.equal(await visit.page.getAttribute('html', 'lang'), 'ko');
      assert.deepEqual(await visit.step('scores'), [[3, 2]]);
      assert.deepEqual(await visit.step('V'), [[1, 0], [7.125, 1]]);
      assert.equal(await visit.page.getByRole('alert').count(), 0);
      await nothingForeign(visit);
    });

  test('pasted over the address of the open page is opened', async (t) => {
    const visit = await open(t);
    await visit.repainted(() => visit.page.evaluate((hash) => { location.hash = hash; }, link));
    await visit.page.locator('html[lang="ko"]').waitFor();
    assert.deepEqual(await visit.step('scores'), [[3, 2]]);
  });
});
