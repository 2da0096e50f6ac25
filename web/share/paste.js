// What people paste into a cell, turned into the rows;columns text that links use.
import { brief } from './values.js';

/** A single number is not a matrix: the text field takes it. @param {string} text */
export const isMatrixText = (text) => /[\s,;\[\]]/.test(text.trim());

/** @param {string} code @param {{ [name: string]: any }} [detail] */
const failure = (code, detail = {}) => ({ problem: { code, detail } });

/**
 * Rows from lines, `;` or inner brackets; columns from tabs, commas, blanks. What would be read as other numbers than
 * were meant, or left out, is a problem.
 * @param {string} text
 * @returns {{ text: string } | { problem: { code: string, detail: { [name: string]: any } } }}
 */
export function matrixText(text) {
  if (/\.\.\.|…/.test(text)) return failure('truncated-paste');
  const body = text.trim().replace(/^[\w.]*\(/, '').replace(/\)$/, '');
  const lists = body.match(LIST);
  // Names and arguments around the lists, such as dtype=float32, are no numbers.
  const [stray] = (lists && /(?<![\w.:=])[-+\u2212]?\.?\d[\w.]*/.exec(body.replace(LIST, ' ').replace(/\([^()]*\)/g, ' '))) ?? [];
  if (stray) return failure('outside-of-rows', { text: brief(stray) });
  const rows = (lists ? lists.map((list) => list.slice(1, -1)).flatMap(splitRows) : splitRows(body)).map(cellsOf);
  for (const [row, cells] of rows.entries()) {
    const col = cells.findIndex((cell) => cell.includes(','));
    if (col >= 0) return failure('comma-in-number', { text: brief(cells[col]), row, col });
  }
  return { text: rows.map((cells) => cells.join(',')).join(';') };
}

const LIST = /\[[^[\]]*\]/g;

/** @param {string} text */
const splitRows = (text) => text.split(/[;\n\r]+/).filter((row) => row.trim() !== '');

/** The cells of a row: a comma between blanks, or before three digits that begin with 0, belongs to a number, and stays in its cell. @param {string} row */
function cellsOf(row) {
  const line = row.replace(/^ +| +$|,\s*$/g, '');
  if (line.includes('\t')) return line.split('\t').map((cell) => cell.trim());
  const blanksSeparate = /[^\s,]\s+[^\s,]/.test(line);
  const cells = line.split(blanksSeparate ? /\s*,\s+|\s+,?/ : /\s*,\s*/);
  const cut = cells.findIndex((cell, i) => i > 0 && /^0\d\d(?!\d)/.test(cell));
  return cut < 0 ? cells : [...cells.slice(0, cut - 1), `${cells[cut - 1]},${cells[cut]}`, ...cells.slice(cut + 1)];
}
