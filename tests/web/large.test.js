// Matrices of 64 × 64: tables show a part, the text all of it, and the numbers are right.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTIES } from '../../web/properties.js';
import { formatLink, parseLink } from '../../web/share/link.js';
import * as packing from '../../web/share/packed.js';
import { loadAttention, randomNumbers, stepRows } from '../js/module.js';
import { useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

const core = await loadAttention();
const open = useBrowser();
const random = randomNumbers(5);
const matrix = (/** @type {number} */ rows, /** @type {number} */ cols) => Array.from({ length: rows }, () => Array.from({ length: cols }, () => Math.round(400 * random() - 200) / 100));
const values = { Q: matrix(64, 64), K: matrix(64, 64), V: matrix(64, 64) };
const link = formatLink({ lesson: 'attention', values: { ...values, mask: 'causal', lang: 'en' } }, PROPERTIES);
const trace = core.trace({ recipe: 'attention', inputs: values, options: { causal: true } });

/** Every cell that is in the page is the right one; no table is larger than its window. @param {Visit} visit @param {string[]} keys */
async function isRight(visit, keys) {
  const steps = await visit.steps();
  for (const key of keys) assert.ok(key in steps, `${key} is not there`);
  for (const [key, rows] of Object.entries(steps)) {
    if (!trace.steps.some((step) => step.key === key)) continue;
    const all = stepRows(trace, key);
    const present = Object.keys(rows).length;
    assert.ok(present > 0 && present <= 24 && Object.values(rows).every((row) => Object.keys(row).length <= 24), `${key} shows more than 24 × 24`);
    for (const [row, numbers] of Object.entries(rows)) for (const [col, number] of Object.entries(numbers)) assert.equal(number, all[Number(row)][Number(col)], `${key} ${row},${col}`);
  }
}

test('steps show a window of their numbers', async (t) => {
  const visit = await open(t, link);
  await isRight(visit, ['Q', 'K', 'V', 'scores']);
  for (const key of ['scaled', 'masked', 'row-max', 'weights', 'output']) {
    await visit.go(key);
    await isRight(visit, ['Q', 'K', 'V', key]);
  }
  assert.ok((await visit.page.locator('td[data-row]').count()) < 6000, 'the page holds too many cells');
});

test('the window follows the focus, by arrows and to the ends', async (t) => {
  const visit = await open(t, `${link}`);
  await visit.cell('scores', 0, 0).focus();
  for (let col = 1; col <= 40; col++) {
    await visit.page.keyboard.press('ArrowRight');
    await visit.page.waitForFunction((wanted) => /** @type {HTMLElement} */ (document.activeElement).dataset.col === String(wanted), col);
  }
  await visit.explanation('scores', 0, 40).waitFor();
  await visit.page.keyboard.press('PageDown');
  await visit.page.waitForFunction(() => /** @type {HTMLElement} */ (document.activeElement).dataset.row === '63');
  await visit.page.keyboard.press('End');
  await visit.page.waitForFunction(() => /** @type {HTMLElement} */ (document.activeElement).dataset.col === '63');
  await visit.explanation('scores', 63, 63).waitFor();
  await isRight(visit, ['scores']);
});

test('all numbers are there as text', async (t) => {
  const visit = await open(t, link);
  await visit.go('weights');
  const label = visit.t('stage.as-text', { rows: 64, cols: 64 });
  await visit.page.getByText(label, { exact: true }).click();
  const box = visit.page.getByRole('textbox', { name: label });
  // It is open before it is filled.
  await visit.page.waitForFunction((element) => /** @type {HTMLTextAreaElement} */ (element).value !== '', await box.elementHandle());
  const text = await box.inputValue();
  const rows = text.trim().split('\n').map((line) => line.split(/\s+/).map((number) => Number(number.replace('\u2212', '-'))));
  assert.deepEqual(rows, stepRows(trace, 'weights'));
});

test('a cell is edited far out, and everything after it moves', async (t) => {
  const visit = await open(t, link);
  await visit.cell('V', 0, 0).focus();
  await visit.page.keyboard.press('PageDown');
  await visit.page.waitForFunction(() => /** @type {HTMLElement} */ (document.activeElement).dataset.row === '63');
  await visit.page.keyboard.type('100');
  await visit.page.keyboard.press('Enter');
  await visit.go('output');
  await visit.page.locator('table[data-step="output"] td[tabindex="0"]').focus();
  await visit.page.keyboard.press('PageDown');
  await visit.page.waitForFunction(() => /** @type {HTMLElement} */ (document.activeElement).dataset.row === '63');
  const edited = structuredClone(values.V);
  edited[63][0] = 100;
  const { output } = core.attention({ q: values.Q, k: values.K, v: edited, causal: true });
  assert.equal((await visit.step('output'))[63][0], output.data[63 * 64]);
});

test('the Share dialog says that the link is long, and gives it as a file', async (t) => {
  const visit = await open(t, link);
  await visit.button('header.share').click();
  const dialog = visit.page.getByRole('dialog');
  await dialog.getByText(visit.t('share.too-long')).waitFor();
  const address = await dialog.getByLabel(visit.t('share.link'), { exact: true }).inputValue();
  const known = { lessons: ['attention'] };
  const shared = parseLink(address.slice(address.indexOf('#')), PROPERTIES, known, packing);
  assert.deepEqual([shared.status, shared.values], ['ok', parseLink(link, PROPERTIES, known).values]);
  assert.ok(address.length < link.length, 'it is packed');
  const [download] = await Promise.all([visit.page.waitForEvent('download'), dialog.getByText(visit.t('share.file')).click()]);
  const chunks = await (await download.createReadStream()).toArray();
  assert.equal(Buffer.concat(chunks).toString().trim(), address);
});
