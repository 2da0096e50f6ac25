// Numbers in a plain table, with what each row is in front.
import { html, nothing } from 'lit-html';
import { exact, rounded } from './number.js';

/**
 * @typedef {{ head: unknown, cells: (number | string)[], end?: unknown }} NumberRow   a text stands as it is; `end` closes the row
 * @param {{ name: string, label: string, columns: string[], rows: NumberRow[], digits: number }} props
 *   name: `data-table`, for whoever reads the numbers
 */
export function numbersTable({ name, label, columns, rows, digits }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="numbers" data-table=${name}>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(({ head, cells, end }, row) => html`<tr><th scope="row">${head}</th>${cells.map((cell, col) =>
      html`<td data-row=${row} data-col=${col} data-value=${typeof cell === 'number' ? exact(cell) : nothing}>${typeof cell === 'number' ? rounded(cell, digits) : cell}</td>`)}
      ${end === undefined ? nothing : html`<td>${end}</td>`}</tr>`)}</tbody>
  </table></div>`;
}
