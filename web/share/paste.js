// What people paste into a cell, turned into the rows;columns text that links use.

/** A single number is not a matrix: the text field takes it. @param {string} text */
export const isMatrixText = (text) => /[\s,;\[\]]/.test(text.trim());

/**
 * Rows from lines, `;` or inner brackets; columns from tabs, commas, blanks. null: part of it was left out by "...".
 * @param {string} text
 * @returns {string | null}
 */
export function matrixText(text) {
  if (/\.\.\.|…/.test(text)) return null;
  const body = text.trim().replace(/^[\w.]*\(/, '').replace(/\)$/, '');
  const lists = body.match(/\[[^[\]]*\]/g);
  const rows = lists && lists.length > 0 ? lists.map((list) => list.slice(1, -1)).flatMap(splitRows) : splitRows(body);
  return rows.map((row) => row.replace(/^ +| +$|,\s*$/g, '').split(row.includes('\t') ? /\t/ : /\s*,\s*|\s+/).join(',')).join(';');
}

/** @param {string} text */
const splitRows = (text) => text.split(/[;\n\r]+/).filter((row) => row.trim() !== '');
