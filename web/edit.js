// Editing matrices of the state: cells, sizes, pasting. Text that is no number stays as a draft until it becomes one.
import { html } from 'lit-html';
import { isMatrixText, matrixText } from './share/paste.js';
import { brief, parseValue } from './share/values.js';
import { matrixView } from './views/matrix.js';

/** @typedef {{ row: number, col: number }} Cell @typedef {{ code: string, field: string, detail: any }} Problem */

/** A cell is checked as a number that any matrix may hold. */
const CELL = /** @type {any} */ ({ name: 'cell', type: 'number', default: null, scope: 'model', lessons: '*' });

/** @param {number[][]} matrix @param {number} rows @param {number} cols */
const resized = (matrix, rows, cols) =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (__, col) => matrix[row]?.[col] ?? 0));

/**
 * @param {{ get: () => any, set: (patch: any, change?: any) => void, settle: () => void, revert: (tag: string) => void, getUi: () => any, setUi: (patch: any) => void,
 *   matrices: () => { name: string, rows: string, cols: string }[], propertyOf: (name: string) => import('./properties.js').Property }} parts
 */
export function createMatrixEditor({ get, set, settle, revert, getUi, setUi, matrices, propertyOf }) {
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

  /** The property whose field is being typed in, while it changes the state. @type {string | null} */
  let typing = null;

  /** Whether a draft is of that property. @param {string} key @param {string} name */
  const isOf = (key, name) => key === name || key.startsWith(`${name},`);

  /** Changed otherwise than by typing: what was typed over a number that is another now, or gone, means nothing any more. @param {string} name @param {any} before */
  function forgetChanged(name, before) {
    if (name === typing) return;
    const now = get()[name];
    const { drafts, inputFocus: { [name]: _, ...inputFocus } } = getUi();
    const left = Object.entries(drafts).filter(([key]) => {
      const [, row, col] = key.split(',');
      const number = now?.[row]?.[col];
      return !isOf(key, name) || (number !== undefined && Object.is(number, before?.[row]?.[col]));
    });
    setUi({ drafts: Object.fromEntries(left), inputFocus });
  }

  /** Other numbers are put in the place of these. @param {string[]} names */
  function forgetAll(names) {
    setUi({ drafts: Object.fromEntries(Object.entries(getUi().drafts).filter(([key]) => !names.some((name) => isOf(key, name)))) });
  }

  /** @param {string} name @param {() => void} change */
  function whileTyping(name, change) {
    typing = name;
    change();
    typing = null;
  }

  /** Changes a length of every matrix that has that dimension, and has it at the length it is changed from. @param {string} dimension @param {number} from @param {number} to */
  function resize(dimension, from, to) {
    const state = get();
    const patch = Object.fromEntries(matrices().flatMap(({ name, rows, cols }) => {
      const shape = [state[name].length, state[name][0].length];
      const next = [rows, cols].map((each, side) => (each === dimension && shape[side] === from ? to : shape[side]));
      return next[0] === shape[0] && next[1] === shape[1] ? [] : [[name, resized(state[name], next[0], next[1])]];
    }));
    set(patch);
  }

  /** @param {string} name @returns {import('./views/matrix.js').Editing} */
  const editing = (name) => ({
    draft: (cell) => getUi().drafts[draftKey(name, cell)]?.text,
    type(cell, text) {
      const outcome = parseValue(text, CELL);
      const key = draftKey(name, cell);
      if ('problem' in outcome) {
        revert(key);
        // Said when the cell is left: "-" is the beginning of a number.
        remember(key, text, { ...outcome.problem, field: name, detail: { ...outcome.problem.detail, ...cell, text: brief(text), pending: true } });
        return;
      }
      forget(key);
      const matrix = get()[name].map((/** @type {number[]} */ row) => [...row]);
      if (Object.is(matrix[cell.row][cell.col], outcome.value)) return;
      matrix[cell.row][cell.col] = outcome.value;
      whileTyping(name, () => set({ [name]: matrix }, { merge: key }));
    },
    finish(cell) {
      settle();
      const draft = getUi().drafts[draftKey(name, cell)];
      if (draft?.problem) remember(draftKey(name, cell), draft.text, { ...draft.problem, detail: { ...draft.problem.detail, pending: false } });
    },
    cancel(cell) {
      forget(draftKey(name, cell));
      revert(draftKey(name, cell));
    },
    paste(_, text) {
      if (!isMatrixText(text)) return false;
      const property = propertyOf(name);
      const read = matrixText(text);
      const outcome = 'problem' in read ? read : parseValue(read.text, property);
      if ('problem' in outcome) remember(name, text, { ...outcome.problem, field: name });
      else {
        forgetAll([name]);
        set({ [name]: outcome.value });
      }
      return true;
    },
  });

  /** What is wrong in what was typed or pasted there, by its place. @param {string} name @returns {[string, Problem][]} */
  const draftProblems = (name) => Object.entries(getUi().drafts)
    .filter(([key, draft]) => isOf(key, name) && /** @type {any} */ (draft).problem && !/** @type {any} */ (draft).problem.detail.pending)
    .map(([key, draft]) => [key, /** @type {any} */ (draft).problem]);

  return {
    remember,
    forget,
    forgetAll,
    forgetChanged,

    /** Whether something is no number there. A paste that failed left the numbers as they were. @param {string} name */
    isWrong: (name) => draftProblems(name).some(([key]) => key !== name || propertyOf(name).type !== 'matrix'),
    whileTyping,

    /** @param {{ name: string, kind: string, labels: import('./trace.js').Labels }} matrix @param {boolean} windowed @param {Problem[]} problems */
    input({ name, kind, labels }, windowed, problems) {
      const rows = get()[name];
      const { maxRows, maxCols } = propertyOf(name);
      const shared = matrices().find((matrix) => matrix.name === name);
      return {
        name, kind, labels, rows, windowed, maxRows, maxCols,
        focus: getUi().inputFocus[name] ?? null,
        look: (/** @type {Cell} */ cell) => setUi({ inputFocus: { ...getUi().inputFocus, [name]: cell } }),
        editing: editing(name),
        problems: [...problems, ...draftProblems(name).map(([, problem]) => problem)],
        resizeRows: (/** @type {1 | -1} */ by) => (shared ? resize(shared.rows, rows.length, rows.length + by) : set({ [name]: resized(rows, rows.length + by, rows[0].length) })),
        resizeCols: (/** @type {1 | -1} */ by) => (shared ? resize(shared.cols, rows[0].length, rows[0].length + by) : set({ [name]: resized(rows, rows.length, rows[0].length + by) })),
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
