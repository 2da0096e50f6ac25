// A matrix as colours, of any size: a canvas, since a table or an SVG of half a million cells is too slow. One cell is
// focused, by pointer or by arrow keys, and is read out as text.
import { html, svg } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';

/**
 * @typedef {{ row: number, col: number }} Cell
 * @typedef {object} HeatmapProps
 * @property {string} name               `data-heatmap`
 * @property {string} label
 * @property {number} rows
 * @property {number} cols
 * @property {ArrayLike<number>} values
 * @property {number} largest            what is painted in full colour, above and below zero
 * @property {{ rows: string, cols: string }} axes
 * @property {(row: number) => string} rowName
 * @property {(col: number) => string} colName
 * @property {Cell} cell                 the focused one
 * @property {(cell: Cell) => void} look
 * @property {unknown} readout           the focused cell in words
 */

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [440, 320, 44, 34, 8, 6];
const BOX = { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };

/** Steps of colour from zero to the largest. */
const LEVELS = 255;

/** @param {string} name of a colour of the theme @param {CSSStyleDeclaration} style */
const channels = (name, style) => [1, 3, 5].map((at) => parseInt(style.getPropertyValue(name).trim().slice(at, at + 2), 16));

/** The colours from the most negative to the most positive, with zero as paper, as a canvas keeps them. */
function coloursOfTheme() {
  const style = getComputedStyle(document.documentElement);
  const paper = channels('--paper', style);
  const [below, above] = [channels('--negative', style), channels('--score', style)];
  return Uint32Array.from({ length: 2 * LEVELS + 1 }, (_, i) => {
    const part = Math.abs(i - LEVELS) / LEVELS;
    const [r, g, b] = (i < LEVELS ? below : above).map((full, c) => Math.round(paper[c] + (full - paper[c]) * part));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
}

/** Those of the theme that is shown; null until they are needed. @type {Uint32Array | null} */
let colours = null;

/** What each canvas shows, to paint it again in other colours. @type {Map<HTMLCanvasElement, HeatmapProps>} */
const painted = new Map();

/** @param {HTMLCanvasElement} canvas @param {HeatmapProps} props */
function paint(canvas, { rows, cols, values, largest }) {
  if (canvas.width !== cols || canvas.height !== rows) [canvas.width, canvas.height] = [cols, rows];
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const image = pen.createImageData(cols, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const table = colours ??= coloursOfTheme();
  for (let i = 0; i < pixels.length; i++) pixels[i] = table[LEVELS + Math.round(Math.max(-1, Math.min(1, values[i] / largest)) * LEVELS)];
  pen.putImageData(image, 0, 0);
}

function repaint() {
  colours = null;
  for (const [canvas, props] of painted)
    if (canvas.isConnected) paint(canvas, props);
    else painted.delete(canvas);
}

let watches = false;
/** Canvases do not know of themes. */
function watchTheme() {
  if (watches) return;
  watches = true;
  new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
}

/** About so many indices, evenly spread, at round distances. @param {number} count @param {number} most */
function ticks(count, most) {
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256].find((each) => count / each <= most) ?? 512;
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

/** @param {string} key @param {Cell} cell @param {number} rows @param {number} cols @returns {Cell | null} */
function moved(key, { row, col }, rows, cols) {
  const by = /** @type {Record<string, [number, number]>} */ ({
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -cols], End: [0, cols],
  })[key];
  return by ? { row: Math.max(0, Math.min(rows - 1, row + by[0])), col: Math.max(0, Math.min(cols - 1, col + by[1])) } : null;
}

/** @param {HeatmapProps} props */
export function heatmapView(props) {
  const { name, label, rows, cols, axes, rowName, colName, cell, look, readout } = props;
  const [wide, high] = [BOX.width / cols, BOX.height / rows];
  const at = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const inside = (/** @type {number} */ part, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, Math.floor(part * count)));
    const next = { row: inside((event.clientY - box.top) / box.height, rows), col: inside((event.clientX - box.left) / box.width, cols) };
    if (next.row !== cell.row || next.col !== cell.col) look(next);
  };
  const shown = (/** @type {Element | undefined} */ element) => {
    const canvas = /** @type {HTMLCanvasElement | undefined} */ (element);
    if (!canvas) return;
    watchTheme();
    const last = painted.get(canvas);
    painted.set(canvas, props);
    if (last?.values !== props.values || last.rows !== rows || last.cols !== cols || last.largest !== props.largest) paint(canvas, props);
  };
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${(100 * part) / whole}%`;
  // A marked cell stays visible when cells are smaller than a pixel.
  const [markWide, markHigh] = [Math.max(6, wide), Math.max(6, high)];
  return html`<div class="heatmap" data-heatmap=${name} tabindex="0" role="group" aria-label=${label} aria-describedby="readout-${name}" @keydown=${(/** @type {KeyboardEvent} */ event) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : moved(event.key, cell, rows, cols);
    if (!next) return;
    event.preventDefault();
    look(next);
  }}>
    <canvas data-box=${`${BOX.x} ${BOX.y} ${BOX.width} ${BOX.height}`} ${ref(shown)}
      style="left:${percent(BOX.x, WIDTH)};top:${percent(BOX.y, HEIGHT)};width:${percent(BOX.width, WIDTH)};height:${percent(BOX.height, HEIGHT)}"
      @pointermove=${at} @pointerdown=${at}></canvas>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
      ${ticks(cols, 9).map((col) => svg`<text x=${BOX.x + (col + 0.5) * wide} y=${BOX.y - 5} text-anchor="middle">${colName(col)}</text>`)}
      ${ticks(rows, 9).map((row) => svg`<text x=${BOX.x - 5} y=${BOX.y + (row + 0.5) * high + 4} text-anchor="end">${rowName(row)}</text>`)}
      <text class="axis" x=${BOX.x + BOX.width} y="11" text-anchor="end">${axes.cols} →</text>
      <text class="axis" x="2" y="11">↓ ${axes.rows}</text>
      <rect class="edge" x=${BOX.x} y=${BOX.y} width=${BOX.width} height=${BOX.height}></rect>
      <rect class="mark" data-cursor x=${BOX.x + (cell.col + 0.5) * wide - markWide / 2} y=${BOX.y + (cell.row + 0.5) * high - markHigh / 2} width=${markWide} height=${markHigh}></rect>
    </svg>
  </div>
  <p class="readout" id="readout-${name}" role="status">${readout}</p>`;
}
