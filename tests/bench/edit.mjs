// From a keystroke in a cell to the painted page, for inputs of growing size.
//
// Event Timing sees what a visitor sees, but rounds to 8 ms and leaves out what takes less than 16 ms; the processor
// time of one change of the state stands beside it, with what is painted later, out of sight.
import { inWords, mainThread, newVisit } from './browser.mjs';
import { median } from './table.mjs';

/** @typedef {import('./table.mjs').Row} Row @typedef {import('playwright-core').Page} Page */

const KEYSTROKES = 20;
const SMALLEST = 16; // ms; Event Timing tells of nothing below
/** @type {{ size: number, budget?: number }[]} */
const SIZES = [{ size: 4 }, { size: 16, budget: 32 }, { size: 64, budget: 100 }];

/** A link to Q, K and V of size × size, each cell with one decimal. @param {number} size */
function linkOf(size) {
  const matrix = (/** @type {number} */ seed) =>
    Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (__, col) => ((row * 7 + col * 5 + seed) % 19) / 10 - 0.9).map((cell) => cell.toFixed(1)).join(',')).join(';');
  return `#1/attention?Q=${matrix(1)}&K=${matrix(4)}&V=${matrix(8)}&lang=en`;
}

/** Runs in the page: opens the first cell of Q and keeps every entry of Event Timing. */
function open() {
  const bench = /** @type {any} */ (globalThis).bench = /** @type {any} */ ({ entries: [] });
  /** @type {HTMLElement} */ (document.querySelector('table[data-step="Q"] td[data-row]')).click();
  bench.field = document.querySelector('table[data-step="Q"] input');
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) bench.entries.push({ name, startTime, duration });
    bench.onEntries?.();
  }).observe(/** @type {any} */ ({ type: 'event', durationThreshold: 16 }));
}

/** Runs in the page: the next key replaces the number; the moment it is pressed is kept. The selection is drawn before. */
async function expectKey() {
  const { bench } = /** @type {any} */ (globalThis);
  bench.field.select();
  await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 200 })));
  const revision = Number(document.documentElement.dataset.revision);
  bench.drawn = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (Number(document.documentElement.dataset.revision) === revision) return;
      observer.disconnect();
      // A keystroke ends when the page has nothing left to do.
      requestAnimationFrame(() => requestIdleCallback(() => resolve(undefined)));
    });
    observer.observe(document.documentElement, { attributeFilter: ['data-revision'] });
  });
  addEventListener('keydown', (event) => { bench.pressed = event.timeStamp; }, { once: true, capture: true });
}

/** Runs in the page: resolves when a slow key of our own has been told of, and so every key before it. */
function flush() {
  const { bench } = /** @type {any} */ (globalThis);
  addEventListener('keydown', (event) => {
    event.stopImmediatePropagation();
    bench.last = event.timeStamp;
    while (performance.now() < event.timeStamp + 60);
  }, { once: true, capture: true });
  bench.flushed = new Promise((resolve) => {
    bench.onEntries = () => {
      if (bench.entries.some((/** @type {any} */ { startTime }) => startTime === bench.last)) resolve(bench.entries);
    };
  });
}

/** How long each keystroke took until it was painted. @param {Page} page */
async function painted(page) {
  const pressed = [];
  for (let i = 0; i < KEYSTROKES; i++) {
    await page.evaluate(expectKey);
    await page.keyboard.press(String(1 + (i % 9)));
    pressed.push(await page.evaluate(async () => {
      const { bench } = /** @type {any} */ (globalThis);
      await bench.drawn;
      return bench.pressed;
    }));
  }
  await page.evaluate(flush);
  await page.keyboard.press('F8');
  /** @type {{ name: string, startTime: number, duration: number }[]} */
  const entries = await page.evaluate(() => /** @type {any} */ (globalThis).bench.flushed);
  return pressed.map((start) =>
    Math.max(SMALLEST, ...entries.filter(({ name, startTime }) => startTime === start && name.startsWith('key')).map(({ duration }) => duration)));
}

/** As many changes of the same cell, one after the other. @param {Page} page */
const change = (page) => page.evaluate(async (count) => {
  const { field } = /** @type {any} */ (globalThis).bench;
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 200 })));
    field.value = String(1 + (i % 9));
    await new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        resolve(undefined);
      });
      observer.observe(document.documentElement, { attributeFilter: ['data-revision'] });
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
  }
}, KEYSTROKES);

/** The same keystrokes where nothing is computed: what browser and machine take by themselves. @param {import('playwright-core').Browser} browser @returns {Promise<Row>} */
async function emptyPage(browser) {
  const { page, close } = await newVisit(browser);
  await page.setContent('<table data-step="Q"><tr><td data-row="0"><input></td></tr></table>');
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    dataset.revision = '0';
    document.querySelector('input')?.addEventListener('input', () => { dataset.revision = String(Number(dataset.revision) + 1); });
  });
  await page.locator('input').focus();
  await page.evaluate(open);
  const seen = await painted(page);
  await close();
  return { what: 'edit → painted, an empty page, for comparison', value: median(seen), unit: 'ms', note: `worst ${Math.max(...seen)}` };
}

/** @param {{ browser: import('playwright-core').Browser, url: string }} place @returns {Promise<Row[]>} */
export async function edit({ browser, url }) {
  const rows = [await emptyPage(browser)];
  for (const { size, budget } of SIZES) {
    const { page, cdp, close } = await newVisit(browser);
    await page.goto(url + linkOf(size), { waitUntil: 'networkidle' });
    await page.locator('html[data-state=ready]').waitFor();
    const shown = await page.locator('.matrix-input output').first().textContent();
    if (Number(shown) !== size) throw new Error(`the link to ${size} × ${size} opened ${shown} rows`);
    await page.evaluate(open);
    const seen = await painted(page);
    const spent = await mainThread(cdp);
    await change(page);
    const each = Object.fromEntries(Object.entries(await spent()).map(([name, time]) => [name, time / KEYSTROKES]));
    await close();
    const what = `${size}×${size}`;
    const least = (/** @type {number} */ time) => (time <= SMALLEST ? 'or less' : '');
    rows.push(
      { what: `edit → painted, ${what}, median of ${KEYSTROKES}`, value: median(seen), unit: 'ms', atMost: budget, note: least(median(seen)) },
      { what: '  worst', value: Math.max(...seen), unit: 'ms', atMost: budget, note: least(Math.max(...seen)) },
      { what: '  processor time of the main thread, mean', value: each.all, unit: 'ms', note: inWords(/** @type {any} */ (each)) },
    );
  }
  return rows;
}
