// The visitor's own numbers: editable matrices, their sizes, and the settings.
import { html, nothing } from 'lit-html';
import { matrixView } from './matrix.js';
import { messageView, problemText } from './message.js';
import { tex } from './tex.js';

/**
 * @typedef {import('../i18n/index.js').Translate} Translate
 * @typedef {import('./matrix.js').Editing} Editing
 * @typedef {import('./matrix.js').Cell} Cell
 * @typedef {import('./message.js').Problem} Problem
 *
 * @typedef {object} MatrixInput
 * @property {string} name              Q
 * @property {string} kind
 * @property {import('../trace.js').Labels} labels
 * @property {number[][]} rows
 * @property {boolean} windowed
 * @property {Cell | null} focus
 * @property {(cell: Cell) => void} look
 * @property {Editing} editing
 * @property {Problem[]} problems
 * @property {(by: 1 | -1) => void} resizeRows
 * @property {(by: 1 | -1) => void} resizeCols
 * @property {number} maxRows
 * @property {number} maxCols
 */

/** @param {number[][]} rows */
const flat = (rows) => ({ shape: [rows.length, rows[0].length], values: rows.flat() });

/** @param {Translate} t @param {string} label @param {number} value @param {number} max @param {(by: 1 | -1) => void} resize */
const sizeControl = (t, label, value, max, resize) => {
  const change = (/** @type {1 | -1} */ by) => { if (value + by >= 1 && value + by <= max) resize(by); };
  // A button that was disabled would drop the focus.
  return html`<span class="size-control" role="group" aria-label=${label}>
    <span>${label}</span>
    <button type="button" aria-disabled=${String(value <= 1)} aria-label=${t('inputs.remove', { what: label })} @click=${() => change(-1)}>−</button>
    <output>${value}</output>
    <button type="button" aria-disabled=${String(value >= max)} aria-label=${t('inputs.add', { what: label })} @click=${() => change(1)}>+</button>
  </span>`;
};

/** @param {MatrixInput} input @param {boolean} columns @param {Translate} t */
export function matrixInputView(input, columns, t) {
  const { name, kind, labels, rows, maxRows, maxCols } = input;
  const [down, across] = columns ? [rows[0].length, rows.length] : [rows.length, rows[0].length];
  const label = t(`word.${name}`);
  return html`<section class="matrix-input" data-input=${name}>
    <h2 class=${kind}>${tex(name, name)} <span class="name">${label}</span></h2>
    <div class="sizes">
      ${maxRows === 1 ? nothing : sizeControl(t, t('inputs.rows'), down, columns ? maxCols : maxRows, columns ? input.resizeCols : input.resizeRows)}
      ${sizeControl(t, t('inputs.cols'), across, columns ? maxRows : maxCols, columns ? input.resizeRows : input.resizeCols)}
    </div>
    ${matrixView({
      name, part: 'step', label, kind, labels, matrix: flat(rows), digits: 0, transposed: columns, windowed: input.windowed,
      selected: input.focus, onCell: (cell, how) => { if (how === 'choose') input.look(cell); }, editing: input.editing,
    })}
    ${input.problems.map((problem) => messageView({ text: problemText(problem, t, columns) }))}
  </section>`;
}

/**
 * The whole panel.
 * @param {{ t: Translate, example: string | null, examples: { id: string }[], matrices: MatrixInput[], columns: boolean,
 *   settings: unknown, history: { canUndo: boolean, canRedo: boolean }, actions: any }} props
 */
export function inputsView({ t, example, examples, matrices, columns, settings, history, actions }) {
  return html`<section class="inputs" aria-label=${t('inputs.label')}>
    <div class="inputs-head">
      <label for="example">${t('inputs.example')}</label>
      <div class="undo">
        <button type="button" class="icon" aria-disabled=${String(!history.canUndo)} aria-label=${t('action.undo')} title=${t('action.undo')} @click=${actions.undo}><span aria-hidden="true">↶</span></button>
        <button type="button" class="icon" aria-disabled=${String(!history.canRedo)} aria-label=${t('action.redo')} title=${t('action.redo')} @click=${actions.redo}><span aria-hidden="true">↷</span></button>
      </div>
    </div>
    <select id="example" @change=${(/** @type {any} */ event) => actions.chooseExample(event.target.value)}>
      ${examples.map(({ id }) => html`<option value=${id} .selected=${example === id}>${t(`example.${id}`)}</option>`)}
      <option value="own" .selected=${!example} ?disabled=${Boolean(example)}>${t('example.own')}</option>
    </select>
    ${matrices.map((input) => matrixInputView(input, columns, t))}
    ${settings === nothing ? nothing : html`<h2 class="settings-title">${t('inputs.settings')}</h2>${settings}`}
  </section>`;
}
