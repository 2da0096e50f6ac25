// Numbers in a plain table, with what each row is in front.
import { html } from 'lit-html';
import { exact, rounded } from './number.js';

/**
 * @param {{ name: string, label: string, columns: string[], rows: { head: unknown, cells: number[] }[], digits: number, worded?: boolean, write?: (cell: number, col: number) => string }} props
 *   name: `data-table`, for whoever reads the numbers; worded: rows begin with words; write: how numbers are shown, where not all with `digits` decimals
 */
export function numbersTable({ name, label, columns, rows, digits, worded = false, write = (cell) => rounded(cell, digits) }) {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label}><table class="numbers ${worded ? 'worded' : ''}" data-table=${name}>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(({ head, cells }, row) => html`<tr><th scope="row">${head}</th>${cells.map((cell, col) =>
      html`<td data-row=${row} data-col=${col} data-value=${exact(cell)}>${write(cell, col)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}
