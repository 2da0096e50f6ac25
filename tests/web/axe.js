// What axe finds wrong in the page, said shortly. axe is run as it is: its package for Playwright describes the place of every
// element that was looked at, which takes most of the time on a page of a thousand cells.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** @import { Page } from 'playwright-core' */

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param {Page} page @returns {Promise<string[]>} */
export async function violationsIn(page) {
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = /** @type {{ axe: typeof import('axe-core') }} */ (/** @type {unknown} */ (globalThis));
    const { violations } = await axe.run(document, { selectors: false });
    return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html, any }) => `${id} (${nodes.length}): ${html.slice(0, 120)} ${any[0]?.message ?? ''}`));
  });
}
