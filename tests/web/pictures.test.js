// Every picture of every lesson can be saved as SVG and as PNG, as it is seen.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { useBrowser } from './browser.js';

/** @import { Locator } from 'playwright-core' */

const open = useBrowser();

/** @type {[string, string[]][]} */
const PICTURES = [
  ['attention', ['attention-reach']],
  ['softmax', ['softmax-shares']],
  ['positional', ['positional-encoding', 'positional-waves', 'positional-products', 'positional-distance', 'positional-turning',
    'positional-rope', 'positional-rope-distance', 'positional-slopes', 'positional-bias', 'positional-decay']],
];

/** @param {Locator} picture @param {string} name @param {'SVG' | 'PNG'} kind */
async function save(picture, name, kind) {
  const [download] = await Promise.all([picture.page().waitForEvent('download'), picture.getByRole('button', { name: new RegExp(kind) }).click()]);
  assert.equal(download.suggestedFilename(), `${name}.${kind.toLowerCase()}`);
  return readFile(await download.path());
}

for (const [lesson, names] of PICTURES)
  test(`pictures of ${lesson} are saved as SVG and PNG, with the colours in them`, async (t) => {
    const visit = await open(t, `#1/${lesson}`, { colorScheme: 'dark' });
    for (const name of names) {
      const picture = visit.page.locator(`[data-picture="${name}"]`);
      await picture.waitFor({ state: 'attached' });
      await picture.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await picture.locator('svg').first().waitFor();
      const svg = (await save(picture, name, 'SVG')).toString('utf8');
      assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      assert.doesNotMatch(svg, /var\(|class="|<style|<script|data-cursor/);
      assert.match(svg, /fill="rgb\(22, 23, 27\)"/, 'the ground of the dark theme');
      assert.equal(/<image [^>]*href="data:image\/png/.test(svg), await picture.locator('canvas').count() > 0);
      const size = [/ width="([\d.]+)"/, / height="([\d.]+)"/].map((part) => Math.round(2 * Number(part.exec(svg)?.[1])));
      const png = await save(picture, name, 'PNG');
      assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size);
    }
    assert.ok(await visit.page.locator('[data-picture]').count() >= names.length);
  });
