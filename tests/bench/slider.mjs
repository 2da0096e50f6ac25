// Whether the page keeps up while the base of the encodings is dragged: with every frame the slider moves on, and all numbers
// and the heat map are drawn anew. Charts come after that one at a time, and are not counted.
import { newVisit } from './browser.mjs';
import { median } from './table.mjs';

/** @typedef {import('./table.mjs').Row} Row */

const POSITIONS = 128;
const DIMENSIONS = [16, 64, 128, 256, 512];
const FRAMES = 100;
const FRAME = 1000 / 60; // ms

/** Runs in the page. Answers the time from each frame to the next, in ms. @param {number} frames */
async function drag(frames) {
  const slider = /** @type {HTMLInputElement} */ (document.querySelector('#section-encoding input[type="range"]'));
  slider.scrollIntoView({ block: 'center' });
  const times = [];
  for (let i = 0; i <= frames; i++) {
    times.push(await new Promise((resolve) => requestAnimationFrame(resolve)));
    slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * ((i * 7) % 30) / 30);
    slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  return times.slice(1).map((time, i) => time - times[i]);
}

/** @param {{ browser: import('playwright-core').Browser, url: string }} place @returns {Promise<Row[]>} */
export async function slider({ browser, url }) {
  /** @type {Row[]} */
  const rows = [];
  for (const dimension of DIMENSIONS) {
    const { page, close } = await newVisit(browser);
    await page.goto(`${url}#1/positional?positions=${POSITIONS}&dimension=${dimension}&lang=en`);
    await page.locator('html[data-loaded]').waitFor();
    await page.evaluate(drag, FRAMES / 10); // what is compiled first
    const gaps = (await page.evaluate(drag, FRAMES)).sort((a, b) => a - b);
    await close();
    rows.push({
      what: `base dragged, ${POSITIONS} × ${dimension}, frame to frame, 9 of 10 within`, value: gaps[Math.ceil(0.9 * FRAMES) - 1], unit: 'ms', atMost: Math.ceil(FRAME),
      note: `median ${median(gaps).toFixed(1)}, ${gaps.filter((gap) => gap > 1.5 * FRAME).length} of ${FRAMES} late`,
    });
  }
  return rows;
}
