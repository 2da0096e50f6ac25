// Editing matrices of the state: cells, sizes, pasting. Text that is no number stays as a draft until it becomes one.
import { html } from 'lit-html';
import { isMatrixText, matrixText } from './share/paste.js';
import { parseValue } from './share/values.js';
import { PROPERTIES } from './properties.js';
import { matrixView } from './views/matrix.js';

/** @typedef {{ row: number, col: number }} Cell @typedef {{ code: string, field: string, detail: any }} Problem */

/** A cell is checked as a number that any matrix may hold. */
const CELL = /** @type {any} */ ({ name: 'cell', type: 'number', default: null, scope: 'model', lessons: '*' });

/** @param {number[][]} matrix @param {number} rows @param {number} cols */
const resized = (matrix, rows, cols) =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (__, col) => matrix[row]?.[col] ?? 0));

/**
 * @param {{ get: () => any, set: (patch: any, change?: any) => void, settle: () => void, getUi: () => any, setUi: (patch: any) => void,
 *   matrices: () => { name: string, rows: string, cols: string }[] }} parts
 */
export function createMatrixEditor({ get, set, settle, getUi, setUi, matrices }) {
  const draftKey = (/** @type {string} */ name, /** @type {Cell} */ { row, col }) => `${name},${row},${col}`;

  /** @param {string} key @param {string} text @param {Problem | null} problem */
  function remember(key, text, problem) {
    setUi({ drafts: { ...getUi().drafts, [key]: { text, problem } } });
  }

  /** @param {string} key */
  function forget(key) {
    const { [key]: _, ...drafts } = getUi().drafts;
    setUi({ drafts });
  }

  /** @param {string} name */
  function forgetMatrix(name) {
    setUi({ drafts: Object.fromEntries(Object.entries(getUi().drafts).filter(([key]) => !key.startsWith(`${name},`) && key !== name)) });
  }

  /** Changes the length `dimension` of every matrix that has it. @param {string} dimension @param {number} length */
  function resize(dimension, length) {
    const state = get();
    const patch = Object.fromEntries(matrices()
      .filter(({ rows, cols }) => rows === dimension || cols === dimension)
      .map(({ name, rows, cols }) => [name, resized(state[name], rows === dimension ? length : state[name].length, cols === dimension ? length : state[name][0].length)]));
    set(patch);
  }

  /** @param {string} name @returns {import('./views/matrix.js').Editing} */
  const editing = (name) => ({
    draft: (cell) => getUi().drafts[draftKey(name, cell)]?.text,
    type(cell, text) {
      const outcome = parseValue(text, CELL);
      const key = draftKey(name, cell);
      if ('problem' in outcome) {
        remember(key, text, { ...outcome.problem, field: name, detail: { ...outcome.problem.detail, ...cell, text } });
        return;
      }
      forget(key);
      const matrix = get()[name].map((/** @type {number[]} */ row) => [...row]);
      if (Object.is(matrix[cell.row][cell.col], outcome.value)) return;
      matrix[cell.row][cell.col] = outcome.value;
      set({ [name]: matrix }, { merge: key });
    },
    finish: () => settle(),
    cancel(cell) { forget(draftKey(name, cell)); settle(); },
    paste(_, text) {
      if (!isMatrixText(text)) return false;
      const property = /** @type {any} */ (PROPERTIES.find((each) => each.name === name));
      const rows = matrixText(text);
      const outcome = rows === null ? { problem: { code: 'truncated-paste', detail: {} } } : parseValue(rows, property);
      if ('problem' in outcome) remember(name, text, { ...outcome.problem, field: name });
      else {
        forgetMatrix(name);
        set({ [name]: outcome.value });
      }
      return true;
    },
  });

  /** @param {string} name @returns {Problem[]} */
  const draftProblems = (name) => Object.entries(getUi().drafts)
    .filter(([key, draft]) => (key === name || key.startsWith(`${name},`)) && /** @type {any} */ (draft).problem)
    .map(([, draft]) => /** @type {any} */ (draft).problem);

  return {
    remember,
    forget,

    /** @param {string} name @param {string} kind @param {{ max: number, windowed?: boolean }} options @param {Problem[]} problems */
    input(name, kind, { max, windowed = false }, problems) {
      const rows = get()[name];
      const shared = matrices().find((matrix) => matrix.name === name);
      return {
        name, kind, rows, windowed, max,
        focus: getUi().inputFocus[name] ?? null,
        look: (/** @type {Cell} */ cell) => setUi({ inputFocus: { ...getUi().inputFocus, [name]: cell } }),
        editing: editing(name),
        problems: [...problems, ...draftProblems(name)],
        resizeRows: (/** @type {1 | -1} */ by) => (shared ? resize(shared.rows, rows.length + by) : set({ [name]: resized(rows, rows.length + by, rows[0].length) })),
        resizeCols: (/** @type {1 | -1} */ by) => (shared ? resize(shared.cols, rows[0].length + by) : set({ [name]: resized(rows, rows.length, rows[0].length + by) })),
      };
    },

    /** @param {{ name: string, label: string, mask: number[][], columns: boolean, windowed: boolean, draw: (cell: Cell) => void }} props */
    drawable({ name, label, mask, columns, windowed, draw }) {
      return html`${matrixView({
        name, part: 'operand', label, kind: 'plain', labels: { rows: 'q', cols: 'k' }, matrix: { shape: [mask.length, mask[0].length], values: mask.flat() }, digits: 0,
        transposed: columns, windowed, selected: getUi().inputFocus[name] ?? null, forbidden: ({ row, col }) => mask[row][col] === 0,
        onCell: (cell, how) => { if (how === 'choose') setUi({ inputFocus: { ...getUi().inputFocus, [name]: cell } }); }, toggle: draw,
      })}`;
    },
  };
}
