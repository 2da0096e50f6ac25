// Takes the pictures of the page for README.md and README.ko.md from dist/: each language, light and dark.
//   node docs/pictures/take.mjs
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startServer } from '../../scripts/serve.mjs';

const VIEW = '#1/attention?Q=1,0;0,1;1,1&K=1,0;0,1;1,1&V=1,0;0,1;2,2&mask=causal&step=output&cell=2,0';
const LARGEST = 150_000; // bytes

const server = await startServer({ root: fileURLToPath(new URL('../../dist', import.meta.url)) });
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const lang of ['en', 'ko'])
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({ viewport: { width: 1400, height: 760 }, colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${server.url}${VIEW}&lang=${lang}`);
    await page.waitForSelector('html[data-state="ready"] .formula .katex');
    await page.evaluate(() => document.fonts.ready);
    const file = fileURLToPath(new URL(`page-${lang}-${colorScheme}.png`, import.meta.url));
    await page.screenshot({ path: file });
    const { size } = await stat(file);
    console.log(`${file}  ${size} bytes`);
    if (size > LARGEST) process.exitCode = 1;
    await page.close();
  }
await browser.close();
await server.close();
