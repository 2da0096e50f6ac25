// A matrix as a real table. Arrow keys move inside it, Enter edits where it can be edited, and the cell that is looked
// at is reported; everything hover does, focus and tap do too.
import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { tokenName } from './names.js';
import { decimalsOf, exact, rounded, typed } from './number.js';

/**
 * @typedef {{ row: number, col: number }} Cell
 * @typedef {{ shape: number[], values: ArrayLike<number> }} Values
 *
 * @typedef {object} Editing
 * @property {(cell: Cell) => string | undefined} draft         text that is not a number yet
 * @property {(cell: Cell, text: string) => void} type          every keystroke
 * @property {(cell: Cell) => void} finish                      left the cell
 * @property {(cell: Cell) => void} cancel
 * @property {(cell: Cell, text: string) => boolean} paste      true: it was more than one number and was taken
 *
 * @typedef {object} MatrixProps
 * @property {string} name              key of the step
 * @property {'step' | 'operand'} part  `data-step` for the one table of a step, `data-operand` for its copies
 * @property {string} label
 * @property {string} kind              query, key, value, score, output, plain: the colour
 * @property {Values} matrix            rows are tokens, whatever is shown
 * @property {number} digits
 * @property {boolean} [transposed]     show rows as columns
 * @property {boolean} [compact]
 * @property {{ rows: string | null, cols: string | null }} [labels]   letters of the tokens: q₁, k₁, …
 * @property {{ rows?: (string | null)[], cols?: (string | null)[] }} [words]   of the tokens, in front of their letters
 * @property {{ head: string, rows: string[], marked?: (row: number) => boolean }} [beside]   a word on each row, in a last column; not where rows are shown as columns
 * @property {(value: number) => string} [write]   a cell that is not shown as a number
 * @property {'signed' | 'share'} [heat]
 * @property {(cell: Cell) => boolean} [forbidden]
 * @property {Cell | null} [selected]
 * @property {(cell: Cell) => boolean} [lit]       a cell that the explained one came from
 * @property {boolean | number} [windowed]   only the page of that many rows and columns that has the selected cell, 24 for `true`
 * @property {Cell[]} [only]            just the rows and columns of these cells
 * @property {(cell: Cell, how: 'hover' | 'choose') => void} [onCell]
 * @property {() => void} [onLeave]
 * @property {Editing} [editing]
 * @property {(cell: Cell) => void} [toggle]       click-to-draw
 */

const WINDOW = 24;

/** Tints of a heated cell, as many as styles/matrix.css has: cells of one tint share their style, which a tint of each would not. */
const HEAT_LEVELS = 20;

/** Characters that every cell to type in has room for. */
const MOST_SHOWN = 7;

/** Where a scale of tints may end, times a power of ten. */
const ENDS = [1, 2, 3, 5, 10];

/**
 * The size whose tint is full: the largest among the finite cells, rounded up as the end of an axis is, so that a
 * number that changes mostly leaves the tints of all others as they are.
 * @param {ArrayLike<number>} values
 */
export function endOfTints(values) {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > largest && size < Infinity) largest = size;
  }
  if (largest === 0) return 1;
  const [, power] = largest.toExponential().split('e');
  // From text, since a product with a power of ten may be off by a digit.
  const end = ENDS.map((each) => Number(`${each}e${power}`)).find((each) => each >= largest);
  return Math.min(/** @type {number} */ (end), Number.MAX_VALUE);
}

/** First index of the page on which `focus` is: looking at a cell that is shown never moves the table. @param {number} count @param {number} focus @param {number} window */
const windowStart = (count, focus, window) => (count <= window ? 0 : Math.floor(Math.min(focus, count - 1) / window) * window);

/** @param {number} start @param {number} count @param {number} window */
const indices = (start, count, window) => Array.from({ length: Math.min(window, count - start) }, (_, i) => start + i);

/** Class names from the truthy ones. @param {Record<string, unknown>} classes */
const names = (classes) => Object.keys(classes).filter((name) => classes[name]).join(' ');

/** @param {number[]} list */
const distinct = (list) => [...new Set(list)].slice(0, WINDOW);

/** @param {Event} event */
const cellElement = (event) => /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('td[data-row]'));

/** @param {HTMLElement} element @returns {Cell} */
const cellOf = (element) => ({ row: Number(element.dataset.row), col: Number(element.dataset.col) });

/** @param {Element} table @param {Cell} cell */
const find = (table, { row, col }) =>
  /** @type {HTMLElement | null} */ (table.querySelector(`td[data-row="${row}"][data-col="${col}"]`));

/** Where an arrow key leads, as it is seen on the screen. @param {string} key @param {Cell} cell @param {number[]} shape @param {boolean} transposed @returns {Cell | null} */
function moved(key, { row, col }, [rows, cols], transposed) {
  const steps = /** @type {Record<string, [number, number]>} */ ({
    ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    Home: [0, -Infinity], End: [0, Infinity], PageUp: [-Infinity, 0], PageDown: [Infinity, 0],
  });
  if (!(key in steps)) return null;
  const [down, right] = steps[key];
  /** @param {number} at @param {number} count */
  const inside = (at, count) => Math.max(0, Math.min(count - 1, at));
  return transposed
    ? { row: inside(row + right, rows), col: inside(col + down, cols) }
    : { row: inside(row + down, rows), col: inside(col + right, cols) };
}

/** The cell after or before another, line by line as they are seen. @param {1 | -1} by @param {Cell} cell @param {number[]} shape @param {boolean} transposed @returns {Cell | null} */
function following(by, { row, col }, [rows, cols], transposed) {
  const length = transposed ? rows : cols;
  const at = (transposed ? col * rows + row : row * cols + col) + by;
  if (at < 0 || at >= rows * cols) return null;
  const [line, place] = [Math.floor(at / length), at % length];
  return transposed ? { row: place, col: line } : { row: line, col: place };
}

/** What stands at the head of a line: the token's word, if it has one, and its letter. @param {string} letter @param {number} index @param {string | null | undefined} word */
const headOf = (letter, index, word) => (word ? html`<span class="word">${word}</span> <small>${tokenName(letter, index)}</small>` : tokenName(letter, index));

/** @param {MatrixProps} props */
export function matrixView(props) {
  const { matrix: { shape, values }, transposed = false, selected = null } = props;
  const window = props.windowed === true ? WINDOW : props.windowed || Infinity;
  const windowed = window < Infinity;
  const [rows, cols] = shape;
  const decimals = props.editing ? 0 : decimalsOf(values, props.digits);
  const fullTint = props.heat === 'share' ? 1 : endOfTints(values);
  const start = { row: windowStart(rows, selected?.row ?? 0, window), col: windowStart(cols, selected?.col ?? 0, window) };
  const rowList = props.only ? distinct(props.only.map(({ row }) => row)) : indices(start.row, rows, window);
  const colList = props.only ? distinct(props.only.map(({ col }) => col)) : indices(start.col, cols, window);
  const inTab = selected && rowList.includes(selected.row) && colList.includes(selected.col)
    ? selected : { row: start.row, col: start.col };

  const interactive = Boolean(props.onCell || props.editing);
  // Everything that a cell shows. A row is drawn anew only where one of these differs.
  const cells = rowList.map((row) => colList.map((col) => {
    const cell = { row, col };
    const value = values[row * cols + col];
    const draft = props.editing?.draft(cell);
    return {
      row, col, draft,
      value: exact(value), negative: value < 0,
      text: draft ?? (props.editing ? typed(value) : props.write ? props.write(value) : rounded(value, decimals)),
      heat: props.heat && value > -Infinity ? Math.round(Math.min(1, Math.abs(value) / fullTint) * HEAT_LEVELS) : 0,
      selected: selected?.row === row && selected.col === col,
      inTab: interactive && inTab.row === row && inTab.col === col,
      lit: props.lit?.(cell) ?? false,
      forbidden: props.forbidden?.(cell) ?? false,
    };
  }));

  // Columns of one width, known before layout: a changed number then moves nothing else.
  let widest = 1;
  for (const row of cells) for (const cell of row) if (cell.draft === undefined) widest = Math.max(widest, cell.text.length);

  /** @param {typeof cells[0][0]} cell */
  const cellView = ({ row, col, draft, value, negative, text, heat, selected, inTab, lit, forbidden }) => html`<td
      data-row=${row} data-col=${col} data-value=${value}
      tabindex=${inTab ? 0 : interactive ? -1 : nothing}
      aria-selected=${props.onCell ? String(selected) : nothing}
      aria-invalid=${draft === undefined ? nothing : 'true'}
      class=${names({ selected, lit, forbidden, negative, wrong: draft !== undefined })}
      data-heat=${heat === 0 ? nothing : heat}
      title=${props.editing && text.length > MOST_SHOWN ? text : nothing}
    ><span>${text}</span></td>`;

  const across = (transposed ? props.labels?.rows : props.labels?.cols) ?? null;
  const down = (transposed ? props.labels?.cols : props.labels?.rows) ?? null;
  const [acrossWords, downWords] = transposed ? [props.words?.rows, props.words?.cols] : [props.words?.cols, props.words?.rows];
  const lines = transposed ? colList.map((col, j) => ({ index: col, line: cells.map((row) => row[j]) })) : rowList.map((row, i) => ({ index: row, line: cells[i] }));
  const inner = transposed ? rowList : colList;
  const head = across === null ? nothing : html`<thead><tr>${down === null ? nothing : html`<th class="corner"><span class="visually-hidden">${props.label}</span></th>`}
    ${inner.map((i) => html`<th scope="col">${headOf(across, i, acrossWords?.[i])}</th>`)}${props.beside ? html`<th scope="col" class="beside">${props.beside.head}</th>` : nothing}</tr></thead>`;
  const body = lines.map(({ index, line }) => guard([down, index, downWords?.[index], props.beside?.rows[index], props.beside?.marked?.(index), Boolean(props.onCell), interactive, ...line.flatMap((cell) => Object.values(cell))], () =>
    html`<tr>${down === null ? nothing : html`<th scope="row">${headOf(down, index, downWords?.[index])}</th>`}${line.map(cellView)}${props.beside ? html`<td class=${names({ beside: true, marked: props.beside.marked?.(index) })}>${props.beside.rows[index]}</td>` : nothing}</tr>`));
  // A box that may scroll must be reachable by key; an interactive table is so already.
  const scrolls = !interactive && (windowed || inner.length * (widest * 9 + 23) > 300);
  const reach = (/** @type {Element} */ table, /** @type {Cell} */ cell, /** @type {(element: HTMLElement) => void} */ then) => {
    props.onCell?.(cell, 'choose');
    // A windowed table may have to move before the cell is there.
    const element = find(table, cell);
    if (element) return then(element);
    requestAnimationFrame(() => {
      const moved = find(table, cell);
      if (moved) then(moved);
    });
  };
  const open = (/** @type {HTMLElement} */ element, /** @type {string | undefined} */ firstKey = undefined) =>
    edit(element, /** @type {Editing} */ (props.editing), (by) => {
      const table = /** @type {Element} */ (element.closest('table'));
      const next = following(by, cellOf(element), shape, transposed);
      return next && (() => reach(table, next, open));
    }, firstKey);

  const table = html`<table
    class=${`matrix ${props.kind} ${names({ compact: props.compact, editable: props.editing, drawable: props.toggle, heated: props.heat, named: down !== null, worded: props.words, annotated: props.beside })}`}
    style=${`--cols:${inner.length};--digits:${widest}`}
    role=${interactive ? 'grid' : nothing}
    aria-label=${props.label}
    data-step=${props.part === 'step' ? props.name : nothing}
    data-operand=${props.part === 'operand' ? props.name : nothing}
    @pointerover=${props.onCell && ((/** @type {PointerEvent} */ event) => {
      const element = cellElement(event);
      if (element && event.pointerType === 'mouse') props.onCell?.(cellOf(element), 'hover');
    })}
    @pointerleave=${props.onLeave ?? nothing}
    @focusin=${props.onCell && ((/** @type {FocusEvent} */ event) => {
      const element = cellElement(event);
      if (element && element === event.target) props.onCell?.(cellOf(element), 'choose');
    })}
    @click=${interactive && ((/** @type {MouseEvent} */ event) => {
      const element = cellElement(event);
      if (!element || event.target instanceof HTMLInputElement) return;
      if (props.toggle) props.toggle(cellOf(element));
      if (props.editing) {
        props.onCell?.(cellOf(element), 'choose');
        open(element);
      } else element.focus(); // which reports the cell
    })}
    @paste=${props.editing && ((/** @type {ClipboardEvent} */ event) => {
      const element = cellElement(event);
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!element || !props.editing) return;
      if (props.editing.paste(cellOf(element), text)) {
        event.preventDefault();
        element.querySelector('input')?.blur();
        element.focus();
        // The matrix that was pasted may not have this cell.
        const pasted = /** @type {Element} */ (event.currentTarget);
        requestAnimationFrame(() => { if (!element.isConnected) /** @type {HTMLElement | null} */ (pasted.querySelector('td[tabindex="0"]'))?.focus(); });
      } else if (event.target === element && text.trim() !== '') open(element, text.trim());
    })}
    @keydown=${interactive && ((/** @type {KeyboardEvent} */ event) => {
      const element = cellElement(event);
      if (!element || event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = moved(event.key, cellOf(element), shape, transposed);
      if (target) reach(/** @type {Element} */ (event.currentTarget), target, (found) => found.focus());
      else if (props.editing && (event.key === 'Enter' || event.key === 'F2')) open(element);
      else if (props.editing && /^[-.\d\u2212]$/.test(event.key)) open(element, event.key);
      else if (props.toggle && (event.key === 'Enter' || event.key === ' ')) props.toggle(cellOf(element));
      else return;
      event.preventDefault();
    })}
  >${head}<tbody>${body}</tbody></table>`;

  return html`<div class="matrix-box ${windowed ? 'windowed' : ''}" tabindex=${scrolls ? 0 : nothing} role=${scrolls ? 'group' : nothing} aria-label=${scrolls ? props.label : nothing}>${table}</div>`;
}

/**
 * Opens a text field inside a cell. It lives outside of the template, which draws the cell's text beneath it.
 * @param {HTMLElement} element @param {Editing} editing @param {(by: 1 | -1) => (() => void) | null} onward   opens the cell after or before, if there is one
 * @param {string} [firstKey] typed over the old number
 */
function edit(element, editing, onward, firstKey) {
  if (element.querySelector('input')) return;
  const cell = cellOf(element);
  const input = document.createElement('input');
  input.type = 'text';
  input.inputMode = 'decimal';
  input.autocomplete = 'off';
  input.spellcheck = false;
  input.setAttribute('aria-label', `${element.closest('table')?.getAttribute('aria-label')} ${cell.row + 1}, ${cell.col + 1}`);
  input.value = firstKey ?? editing.draft(cell) ?? String(element.dataset.value);
  element.append(input);
  element.dataset.editing = '';
  input.focus();
  if (firstKey === undefined) input.select();
  else editing.type(cell, input.value);

  let closed = false;
  const close = (/** @type {boolean} */ keep) => {
    if (closed) return;
    closed = true;
    input.remove();
    delete element.dataset.editing;
    if (keep) editing.finish(cell);
    else editing.cancel(cell);
  };
  input.addEventListener('input', () => editing.type(cell, input.value));
  input.addEventListener('blur', () => close(true));
  input.addEventListener('keydown', (event) => {
    // Enter may end the composing of characters.
    if (event.isComposing) return;
    if (event.key === 'Escape' || event.key === 'Enter') {
      close(event.key === 'Enter');
      element.focus();
    } else if (event.key === 'Tab') {
      const go = onward(event.shiftKey ? -1 : 1);
      if (!go) return;
      close(true);
      go();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
