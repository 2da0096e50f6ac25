// Bad numbers, typed and pasted: a message at the field, in the visitor's language; nothing is lost, and the page goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

const open = useBrowser();
const START = '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1';
const matrix = (/** @type {number} */ rows, /** @type {number} */ cols) => Array.from({ length: rows }, () => Array(cols).fill('1').join('\t')).join('\n');

/** Fills the open cell in one go, as a paste or an input method does. @param {Visit} visit @param {string} name @param {number} row @param {number} col @param {string} text */
async function enter(visit, name, row, col, text) {
  await visit.cell(name, row, col).click();
  if (text === '') await visit.page.keyboard.press('Delete');
  else await visit.page.keyboard.insertText(text);
  await visit.page.keyboard.press('Enter');
}

for (const language of LANGUAGES) {
  test(`a cell that is no number, in ${language}`, async (t) => {
    const visit = await open(t, START, { language });
    for (const [text, key, known] of /** @type {[string, string, any][]} */ ([
      ['', 'problem.empty', { field: 'Q', row: 1, col: 2 }],
      ['two', 'problem.not-a-number', { field: 'Q', text: 'two', row: 1, col: 2 }],
      ['1e400', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
      ['NaN', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
      ['-Infinity', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
      ['<b>1</b>', 'problem.not-a-number', { field: 'Q', text: '<b>1</b>', row: 1, col: 2 }],
    ]))
      await t.test(text || 'empty', async () => {
        const before = await visit.steps();
        await enter(visit, 'Q', 0, 1, text);
        await visit.message(visit.input('Q'), key, known);
        assert.equal(await visit.cell('Q', 0, 1).getAttribute('aria-invalid'), 'true');
        assert.equal((await visit.cell('Q', 0, 1).innerText()).trim(), text, 'what was typed stays to be mended');
        assert.deepEqual(await visit.steps(), before, 'the last good numbers stay');
        await visit.page.getByText(visit.t('stage.stale')).waitFor();

        await visit.edit('Q', 0, 1, String(text.length + 2));
        await visit.noMessage(key);
        assert.equal(await visit.page.getByText(visit.t('stage.stale')).count(), 0);
        assert.deepEqual(await visit.step('scores'), [[1, 2 * (text.length + 2)]]);
      });
  });

  test(`a paste that is no matrix, in ${language}`, async (t) => {
    const visit = await open(t, START, { language });
    for (const [what, text, key, known] of /** @type {[string, string, string, any][]} */ ([
      ['ragged', '1 2\n3', 'problem.ragged', { field: 'K', row: 2, actual: 1, expected: 2 }],
      ['letters', 'a b\nc d', 'problem.not-a-number', { field: 'K', text: 'a', row: 1, col: 1 }],
      ['10 000 cells', matrix(100, 100), 'problem.too-many-rows', { field: 'K', max: 64 }],
      ['65 columns', matrix(1, 65), 'problem.too-many-cols', { field: 'K', max: 64 }],
      ['no rows', '[[]]', 'problem.empty.single', { field: 'K' }],
      ['a printout with ... in it', '[[1, 2, ..., 3], [4, 5, ..., 6]]', 'problem.truncated-paste', { field: 'K' }],
      ['thousands of a spreadsheet', '1\t2,000\n3,000\t4,000', 'problem.comma-in-number', { field: 'K', text: '2,000', row: 1, col: 2 }],
      ['a number beside the rows', '[1,[2,3]]', 'problem.outside-of-rows', { field: 'K', text: '1' }],
    ]))
      await t.test(what, async () => {
        const before = await visit.steps();
        await visit.paste('K', text);
        await visit.message(visit.input('K'), key, known);
        assert.deepEqual(await visit.steps(), before, 'nothing is lost');

        await visit.paste('K', `[[3, ${text.length}], [5, 6]]`);
        await visit.noMessage(key);
        assert.deepEqual(await visit.step('scores'), [[3 + text.length, 11]]);
      });
  });

  test(`matrices that do not fit together, in ${language}`, async (t) => {
    const visit = await open(t, START, { language });
    for (const [what, name, text, place, key, known, mended] of /** @type {[string, string, string, string, string, any, [string, string]][]} */ ([
      ['V longer than K', 'V', '1 0\n0 1\n1 1', 'V', 'problem.rows-mismatch', { shapeK: '2×2', shapeV: '3×2' }, ['V', '2 0\n0 2']],
      ['Q wider than K', 'Q', '1 2 3', 'K', 'problem.dimension-mismatch', { shapeQ: '1×3', shapeK: '2×2' }, ['K', '1 0 0\n0 2 1']],
    ]))
      await t.test(what, async () => {
        const before = await visit.step('output');
        await visit.paste(name, text);
        await visit.message(visit.input(place), key, known);
        assert.equal((await visit.step(name)).map((row) => row.join(' ')).join('\n'), text, 'what was pasted is there');
        assert.deepEqual(await visit.step('output'), before, 'the last good output stays');
        await visit.page.getByText(visit.t('stage.stale')).waitFor();

        await visit.paste(...mended);
        await visit.noMessage(key);
        assert.notDeepEqual(await visit.step('output'), before);
        assert.equal(await visit.page.getByText(visit.t('stage.stale')).count(), 0);
      });
  });

  test(`a temperature that is none, in ${language}`, async (t) => {
    const visit = await open(t, START, { language });
    for (const [text, key, known] of /** @type {[string, string, any][]} */ ([
      ['0', 'problem.temperature-not-positive', {}],
      ['-1', 'problem.temperature-not-positive', {}],
      ['hot', 'problem.not-a-number.single', { field: 'T', text: 'hot' }],
      ['1e400', 'problem.not-finite.single', { field: 'T' }],
      ['1001', 'problem.too-large', { field: 'T', max: 1000 }],
      ['', 'problem.empty.single', { field: 'T' }],
      ['1e-320', 'problem.temperature-too-small', { field: 'T', precision: 'float64' }],
    ]))
      await t.test(text || 'empty', async () => {
        const before = await visit.steps();
        await visit.repainted(() => visit.field('T').fill(text));
        await visit.message(visit.besideField('T'), key, known);
        assert.equal(await visit.field('T').getAttribute('aria-invalid'), 'true');
        assert.equal(await visit.field('T').inputValue(), text, 'what was typed stays to be mended');
        assert.deepEqual(await visit.steps(), before, 'nothing is lost');

        await visit.repainted(() => visit.field('T').fill(String(text.length + 2)));
        await visit.noMessage(key);
        assert.equal((await visit.step('tempered'))[0][0], 1 / Math.SQRT2 / (text.length + 2));
        assert.notEqual(await visit.field('T').getAttribute('aria-invalid'), 'true');
      });
  });
}

test('several mistakes at once are told each at its place', async (t) => {
  const visit = await open(t, START);
  await visit.edit('Q', 0, 0, 'x');
  await visit.edit('K', 1, 1, 'y');
  await visit.repainted(() => visit.field('T').fill('-3'));
  await visit.message(visit.input('Q'), 'problem.not-a-number', { text: 'x' });
  await visit.message(visit.input('K'), 'problem.not-a-number', { text: 'y' });
  await visit.message(visit.besideField('T'), 'problem.temperature-not-positive');
});

test('a change of language translates the message that stands', async (t) => {
  const visit = await open(t, START);
  await visit.edit('Q', 0, 0, 'x');
  await visit.message(visit.input('Q'), 'problem.not-a-number', { text: 'x' });
  await visit.button('language.ko').click();
  await visit.page.locator('html[lang="ko"]').waitFor();
  visit.language = 'ko';
  await visit.message(visit.input('Q'), 'problem.not-a-number', { text: 'x' });
});

test('a temperature too small for the precision is told at its field, and not for what is too small in the other', async (t) => {
  const visit = await open(t, '#1/softmax?precision=float32&T=1e-40');
  await visit.message(visit.besideField('T'), 'problem.temperature-too-small', { field: 'T', precision: 'float32' });
  assert.equal(await visit.field('T').getAttribute('aria-invalid'), 'true');
  await visit.choose('setting.precision', 'float64');
  await visit.noMessage('problem.temperature-too-small');
  assert.deepEqual(await visit.step('weights'), [[1, 0, 0]]);
});

test('a problem whose field is left out is told all the same', async (t) => {
  const visit = await open(t, '#1/attention?Q=1,2,3&T=x&hide=inputs');
  await visit.message(visit.page.locator('body'), 'problem.not-a-number.single', { field: 'T', text: 'x' });
  await visit.message(visit.page.locator('body'), 'problem.dimension-mismatch', { shapeQ: '1×3', shapeK: '2×2' });
});
