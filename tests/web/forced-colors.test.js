// Where the visitor's own colours replace those of the page, every state can still be seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './browser.js';

/** @import { Locator } from 'playwright-core' */

const open = useBrowser();

/** What is seen of an element's state: its colours and lines. @param {Locator} element */
const look = (element) => element.first().evaluate((each) => {
  const { color, backgroundColor, borderBottomColor, borderBottomStyle, outlineStyle, outlineWidth, outlineColor, textDecorationLine } = getComputedStyle(each);
  return [color, backgroundColor, borderBottomStyle, borderBottomColor, outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth} ${outlineColor}`, textDecorationLine].join(', ');
});

/** @param {Record<string, Locator>} states */
async function assertDistinct(states) {
  const seen = new Map();
  for (const [state, element] of Object.entries(states)) {
    const looks = await look(element);
    assert.ok(!seen.has(looks), `${state} looks like ${seen.get(looks)}: ${looks}`);
    seen.set(looks, state);
  }
}

test('states are told apart by lines', async (t) => {
  const visit = await open(t, '#1/attention?Q=1,1;2,0&mask=causal&step=masked&cell=1,0', { forcedColors: 'active' });
  const cell = (/** @type {string} */ table, /** @type {number} */ row, /** @type {number} */ col) => visit.page.locator(`table:is([data-step="${table}"], [data-operand="${table}"]) td[data-row="${row}"][data-col="${col}"]`);
  await assertDistinct({ 'a chosen cell': cell('masked', 1, 0), 'a forbidden cell': cell('masked', 0, 1), 'any other cell': cell('masked', 1, 1) });
  await assertDistinct({ 'a cell it comes from': cell('scaled', 1, 0), 'a cell beside it': cell('scaled', 1, 1) });
  const choices = visit.group('setting.mask');
  await assertDistinct({ pressed: choices.locator('[aria-pressed="true"]'), 'not pressed': choices.locator('[aria-pressed="false"]') });
  await assertDistinct({ 'the current step': visit.stepper().locator('[aria-current="step"]'), 'another step': visit.stepper().locator('[aria-current="false"]') });
  await visit.go('scores');
  const part = (/** @type {string} */ current) => visit.page.getByRole('navigation').locator(`button[aria-current="${current}"]`);
  await assertDistinct({ 'the part of the formula': part('step'), 'another part': part('false') });
  await visit.edit('Q', 0, 0, 'x');
  await assertDistinct({ 'a wrong number': cell('Q', 0, 0), 'a right one': cell('Q', 1, 1) });
});
