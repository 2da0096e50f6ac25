// Pairs of a sine and a cosine as arrows in circles: where each points, and where it points after it was turned.
import { html, svg } from 'lit-html';

/**
 * @typedef {{ name: string, from: number[], to: number[] }} Pair   sine (across) and cosine (up)
 * @param {{ label: string, axes: { x: string, y: string }, from: string, to: string, pairs: Pair[] }} props   from, to: what the two arrows are called
 */
export function turningView({ label, axes, from, to, pairs }) {
  const [size, radius, top] = [140, 48, 30];
  const columns = Math.min(3, pairs.length);
  const [width, height] = [Math.max(2, columns) * size, Math.ceil(pairs.length / columns) * (size + 12) + top];
  const arrow = (/** @type {string} */ kind, /** @type {number} */ x, /** @type {number} */ y, /** @type {number[]} */ [sine, cosine]) =>
    svg`<line class="arrow ${kind}" x1=${x} y1=${y} x2=${x + sine * radius} y2=${y - cosine * radius}></line><circle class="tip ${kind}" cx=${x + sine * radius} cy=${y - cosine * radius} r="4"></circle>`;
  return html`<svg class="turning" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    <circle class="tip query" cx="8" cy="10" r="4"></circle><text x="18" y="14">${from}</text>
    <circle class="tip key" cx="98" cy="10" r="4"></circle><text x="108" y="14">${to}</text>
    ${pairs.map((pair, i) => {
      const [x, y] = [(i % columns) * size + size / 2, Math.floor(i / columns) * (size + 12) + size / 2 + top];
      return svg`<circle class="orbit" cx=${x} cy=${y} r=${radius}></circle>
        <line class="edge" x1=${x - radius} x2=${x + radius} y1=${y} y2=${y}></line><line class="edge" x1=${x} x2=${x} y1=${y - radius} y2=${y + radius}></line>
        ${arrow('query', x, y, pair.from)}${arrow('key', x, y, pair.to)}
        <text x=${x} y=${y + radius + 18} text-anchor="middle">${pair.name}</text>
        ${i === 0 ? svg`<text class="axis" x=${x + radius + 3} y=${y + 4}>${axes.x}</text><text class="axis" x=${x} y=${y - radius - 5} text-anchor="middle">${axes.y}</text>` : ''}`;
    })}
  </svg>`;
}
