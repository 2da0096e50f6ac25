// Bad numbers, typed and pasted: a message at the field, in the visitor's language; nothing is lost, and the page goes on.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES, useBrowser } from './browser.js';

/** @import { Language, Visit } from './browser.js' */

const open = useBrowser();
const START = '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1';
const matrix = (/** @type {number} */ rows, /** @type {number} */ cols) => Array.from({ length: rows }, () => Array(cols).fill('1').join('\t')).join('\n');

/** The page still computes: with k₁ = (1, 2) the first score is 3. @param {Visit} visit */
async function isAlive(visit) {
  await visit.edit('K', 0, 1, '2');
  await visit.page.waitForFunction(() => document.querySelector('table[data-step="scores"] td')?.getAttribute('data-value') === '3');
}

for (const language of LANGUAGES) {
  describe(`a cell that is no number, in ${language}`, () => {
    for (const [text, key, known] of /** @type {[string, string, any][]} */ ([
      ['', 'problem.empty', { field: 'Q' }],
      ['two', 'problem.not-a-number', { field: 'Q', text: 'two', row: 1, col: 2 }],
      ['1e400', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
      ['NaN', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
      ['-Infinity', 'problem.not-finite', { field: 'Q', row: 1, col: 2 }],
      ['<b>1</b>', 'problem.not-a-number', { field: 'Q', text: '<b>1</b>', row: 1, col: 2 }],
    ]))
      test(text || 'empty', async (t) => {
        const visit = await open(t, START, { language });
        const before = await visit.steps();
        await visit.repainted(() => visit.edit('Q', 0, 1, text));
        await visit.message(visit.input('Q'), key, known);
        assert.equal(await visit.cell('Q', 0, 1).getAttribute('aria-invalid'), 'true');
        assert.equal((await visit.cell('Q', 0, 1).innerText()).trim(), text, 'what was typed stays to be mended');
        assert.deepEqual(await visit.steps(), before, 'the last good numbers stay');

        await visit.repainted(() => visit.edit('Q', 0, 1, '5'));
        await visit.noMessage(key);
        assert.deepEqual((await visit.steps()).scores, [[1, 10]]);
        await isAlive(visit).catch(() => assert.fail('the page is dead'));
      });
  });

  describe(`a paste that is no matrix, in ${language}`, () => {
    for (const [what, text, key, known] of /** @type {[string, string, string, any][]} */ ([
      ['ragged', '1 2\n3', 'problem.ragged', { field: 'K', row: 2, actual: 1, expected: 2 }],
      ['letters', 'a b\nc d', 'problem.not-a-number', { field: 'K', text: 'a', row: 1, col: 1 }],
      ['10 000 cells', matrix(100, 100), 'problem.too-many-rows', { field: 'K', max: 64 }],
      ['65 columns', matrix(1, 65), 'problem.too-many-cols', { field: 'K', max: 64 }],
      ['no rows', '[[]]', 'problem.empty', { field: 'K' }],
      ['a printout with ... in it', '[[1, 2, ..., 3], [4, 5, ..., 6]]', 'problem.truncated-paste', { field: 'K' }],
    ]))
      test(what, async (t) => {
        const visit = await open(t, START, { language });
        const before = await visit.steps();
        await visit.paste('K', text);
        await visit.message(visit.input('K'), key, known);
        assert.deepEqual(await visit.steps(), before, 'nothing is lost');

        await visit.paste('K', '[[3, 4], [5, 6]]');
        await visit.noMessage(key);
        assert.deepEqual(await visit.step('scores'), [[7, 11]]);
      });
  });

  describe(`matrices that do not fit together, in ${language}`, () => {
    for (const [what, name, text, place, key, known, mended] of /** @type {[string, string, string, string, string, any, [string, string]][]} */ ([
      ['Q wider than K', 'Q', '1 2 3', 'K', 'problem.dimension-mismatch', { shapeQ: '1×3', shapeK: '2×2' }, ['K', '1 0 0\n0 2 1']],
      ['V longer than K', 'V', '1 0\n0 1\n1 1', 'V', 'problem.rows-mismatch', { shapeK: '2×2', shapeV: '3×2' }, ['V', '1 0\n0 1']],
    ]))
      test(what, async (t) => {
        const visit = await open(t, START, { language });
        const before = await visit.step('output');
        await visit.paste(name, text);
        await visit.message(visit.input(place), key, known);
        assert.deepEqual((await visit.step(name)).map((row) => row.join(' ')).join('\n'), text, 'what was pasted is there');
        const { output = before } = await visit.steps();
        assert.deepEqual(output, before, 'the last good output stays');
        await visit.page.getByText(visit.t('stage.stale')).waitFor();

        await visit.paste(...mended);
        await visit.noMessage(key);
        assert.deepEqual((await visit.step('scores')).length, 1);
        assert.equal(await visit.page.getByText(visit.t('stage.stale')).count(), 0);
        await isAlive(visit);
      });
  });

  describe(`a temperature that is none, in ${language}`, () => {
    for (const [text, key, known] of /** @type {[string, string, any][]} */ ([
      ['0', 'problem.temperature-not-positive', {}],
      ['-1', 'problem.temperature-not-positive', {}],
      ['hot', 'problem.not-a-number.single', { field: 'T', text: 'hot' }],
      ['1e400', 'problem.not-finite.single', { field: 'T' }],
      ['1001', 'problem.too-large', { field: 'T', max: 1000 }],
      ['', 'problem.empty', { field: 'T' }],
    ]))
      test(text || 'empty', async (t) => {
        const visit = await open(t, START, { language });
        const before = await visit.steps();
        await visit.repainted(() => visit.field('T').fill(text));
        await visit.message(visit.besideField('T'), key, known);
        assert.equal(await visit.field('T').getAttribute('aria-invalid'), 'true');
        assert.deepEqual(await visit.steps(), before, 'nothing is lost');

        await visit.repainted(() => visit.field('T').fill('2'));
        await visit.noMessage(key);
        assert.deepEqual((await visit.step('tempered'))[0][0], Math.SQRT1_2 / 2);
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
