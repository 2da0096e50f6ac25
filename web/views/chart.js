// A small bar chart of two series, with the numbers as a table behind it.
import { html, svg } from 'lit-html';
import { exact, rounded } from './number.js';

/**
 * @typedef {{ name: string, kind: string, values: number[] }} Series
 * @param {{ label: string, series: Series[], reference: { name: string, value: number }, axis: string, digits: number,
 *   tableLabel: string, top?: number }} props   top: the value of a full bar; the largest of them when absent
 */
export function barChart({ label, series, reference, axis, digits, tableLabel, top: full }) {
  const [width, height, bottom] = [640, 200, 30];
  const count = series[0].values.length;
  const top = full ?? Math.max(reference.value, ...series.flatMap(({ values }) => values.filter(Number.isFinite).map(Math.abs)), 1e-300);
  const slot = width / count;
  const bar = (slot * 0.72) / series.length;
  /** @param {number} value */
  const y = (value) => height - (Number.isFinite(value) ? Math.min(1, Math.abs(value) / top) : 0) * (height - 8);
  return html`<div class="chart">
    <div class="legend">${series.map(({ name, kind }) => html`<span class="key ${kind}">${name}</span>`)}<span class="key reference">${reference.name}</span></div>
    <svg viewBox="0 0 ${width} ${height + bottom}" role="img" aria-label=${label}>
      ${series.map(({ kind, values }, s) => values.map((value, i) => svg`<rect class="bar ${kind}" x=${i * slot + slot * 0.14 + s * bar} y=${y(value)}
        width=${bar} height=${Math.max(0, height - y(value))}></rect>`))}
      <line class="base" x1="0" x2=${width} y1=${height} y2=${height}></line>
      <line class="reference" x1="0" x2=${width} y1=${y(reference.value)} y2=${y(reference.value)}></line>
      ${series[0].values.map((_, i) => (count <= 12 || (i + 1) % 4 === 0 || i === 0 ? svg`<text x=${(i + 0.5) * slot} y=${height + 4} dy="1em" text-anchor="middle">${i + 1}</text>` : ''))}
    </svg>
    <details><summary>${tableLabel}</summary><div class="scroll" tabindex="0" role="group" aria-label=${tableLabel}><table class="numbers">
      <thead><tr><th scope="col">${axis}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${series[0].values.map((_, i) => html`<tr><th scope="row">${i + 1}</th>${series.map(({ values, kind }) => html`<td data-series=${kind} data-row=${i} data-value=${exact(values[i])}>${rounded(values[i], digits)}</td>`)}</tr>`)}</tbody>
    </table></div></details>
  </div>`;
}
