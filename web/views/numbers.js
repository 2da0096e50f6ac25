// Numbers in a plain table, with what each row is in front.
import { html } from 'lit-html';
import { exact, rounded } from './number.js';

/**
 * @param {{ name: string, label: string, columns: string[], rows: { head: unknown, cells: number[] }[], digits: number }} props
 *   name: `data-table`, for whoever reads the numbers
 */
export function numbersTable({ name, label, columns, rows, digits }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="numbers" data-table=${name}>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(({ head, cells }, row) => html`<tr><th scope="row">${head}</th>${cells.map((cell, col) =>
      html`<td data-row=${row} data-col=${col} data-value=${exact(cell)}>${rounded(cell, digits)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}
