// A chart of Observable Plot. Plot is asked for when the first chart comes into sight, and a chart is drawn at the width it has.
import { html } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';

/** @typedef {import('./plot-marks.js').Lines} Lines */

/** Charts that what draws them did not come for. @type {Set<Element>} */
const undrawn = new Set();

/** What each chart shows, and how wide it is; 0 until it is seen. @type {WeakMap<Element, { lines: Lines, width: number, drawn: unknown }>} */
const charts = new WeakMap();

/** Charts that wait to be drawn: one at a time with a pause between, in ms, so that a slider above them stays quick. @type {Set<Element>} */
const waiting = new Set();
const PAUSE = 50;
let lastDrawn = -PAUSE;
let isPlanned = false;

function drawNext() {
  isPlanned = false;
  const [element] = waiting;
  if (!element) return;
  waiting.delete(element);
  lastDrawn = performance.now();
  draw(element).catch(console.error);
  plan();
}

function plan() {
  if (isPlanned || waiting.size === 0) return;
  isPlanned = true;
  setTimeout(() => requestAnimationFrame(drawNext), Math.max(0, lastDrawn + PAUSE - performance.now()));
}

/** @param {Element} element */
function schedule(element) {
  waiting.add(element);
  plan();
}

/** @param {Element} element */
async function draw(element) {
  const marks = await import('./plot-marks.js').catch(() => null);
  const chart = charts.get(element);
  if (!chart || chart.width === 0) return;
  if (marks) return element.replaceChildren(marks.drawLines(chart.lines, chart.width));
  undrawn.add(element);
  // The page hears it, tells it, and has it done again.
  element.dispatchEvent(new CustomEvent('missing', { bubbles: true, detail: drawMissing }));
}

async function drawMissing() {
  await import('./plot-marks.js');
  for (const element of undrawn) schedule(element);
  undrawn.clear();
}

/** @type {ResizeObserver | null} */
let sizes = null;

/** @param {Element} element */
function watch(element) {
  sizes ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const chart = charts.get(target);
      if (!chart || chart.width === Math.floor(contentRect.width)) continue;
      chart.width = Math.floor(contentRect.width);
      schedule(target);
    }
  });
  sizes.observe(element);
}

/** @param {{ name: string, label: string, lines: Lines }} props   name: `data-plot`; label: the chart in words */
export function plotView({ name, label, lines }) {
  const text = JSON.stringify(lines);
  const shown = (/** @type {Element | undefined} */ element) => {
    if (!element) return;
    const last = charts.get(element);
    charts.set(element, { lines, width: last?.width ?? 0, drawn: text });
    if (!last) watch(element);
    else if (last.drawn !== text && last.width > 0) schedule(element);
  };
  return html`<div class="plot" data-plot=${name} role="img" aria-label=${label} ${ref(shown)}></div>`;
}
