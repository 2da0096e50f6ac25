// The visitor's own numbers: editable matrices, their sizes, and the settings.
import { html, nothing } from 'lit-html';
import { matrixView } from './matrix.js';
import { fieldName, messageView, problemText } from './message.js';
import { labelsOf } from './names.js';
import { tex } from './tex.js';
import { typed } from './number.js';

/**
 * @typedef {import('../i18n/index.js').Translate} Translate
 * @typedef {import('./matrix.js').Editing} Editing
 * @typedef {import('./matrix.js').Cell} Cell
 * @typedef {import('./message.js').Problem} Problem
 *
 * @typedef {object} MatrixInput
 * @property {string} name              Q
 * @property {string} kind
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
const sizeControl = (t, label, value, max, resize) => html`<span class="size-control" role="group" aria-label=${label}>
  <span>${label}</span>
  <button type="button" ?disabled=${value <= 1} aria-label=${t('inputs.remove', { what: label })} @click=${() => resize(-1)}>−</button>
  <output>${value}</output>
  <button type="button" ?disabled=${value >= max} aria-label=${t('inputs.add', { what: label })} @click=${() => resize(1)}>+</button>
</span>`;

/** @param {MatrixInput} input @param {boolean} columns @param {Translate} t */
export function matrixInputView(input, columns, t) {
  const { name, kind, rows, maxRows, maxCols } = input;
  const [down, across] = columns ? [rows[0].length, rows.length] : [rows.length, rows[0].length];
  const label = t(`word.${name}`);
  return html`<section class="matrix-input" data-input=${name}>
    <h2 class=${kind}>${tex(name, name)} <span class="name">${label}</span></h2>
    <div class="sizes">
      ${sizeControl(t, t('inputs.rows'), down, columns ? maxCols : maxRows, columns ? input.resizeCols : input.resizeRows)}
      ${sizeControl(t, t('inputs.cols'), across, columns ? maxRows : maxCols, columns ? input.resizeRows : input.resizeCols)}
    </div>
    ${matrixView({
      name, part: 'step', label, kind, labels: labelsOf({ key: name, shape: [rows.length, rows[0].length] }), matrix: flat(rows), digits: 0, transposed: columns, windowed: input.windowed,
      selected: input.focus, onCell: (cell, how) => { if (how === 'choose') input.look(cell); }, editing: input.editing,
    })}
    ${input.problems.map((problem) => messageView({ text: problemText(problem, t, columns) }))}
  </section>`;
}

/**
 * @param {{ label: string, value: string, choices: { value: string, label: string, full?: string }[], choose: (value: string) => void }} props
 */
export function segmentedView({ label, value, choices, choose }) {
  return html`<div class="setting ${choices.length > 2 ? 'many' : ''}"><span class="setting-label">${label}</span>
    <div class="segmented" role="group" aria-label=${label}>${choices.map((choice) => html`<button type="button" data-value=${choice.value}
      aria-pressed=${String(choice.value === value)} aria-label=${choice.full ?? nothing} title=${choice.full ?? nothing} @click=${() => choose(choice.value)}>${choice.label}</button>`)}</div></div>`;
}

/**
 * A number as a slider (log scale when wanted) and a field beside it.
 * @param {{ id: string, label: unknown, value: number, min: number, max: number, step: number, log?: boolean, draft?: string,
 *   slide: (value: number) => void, type: (text: string) => void, finish: () => void, problems: Problem[], t: Translate }} props
 */
export function numberView({ id, label, value, min, max, step, log, draft, slide, type, finish, problems, t }) {
  const there = log ? Math.log10 : (/** @type {number} */ x) => x;
  const back = log ? (/** @type {number} */ x) => Number((10 ** x).toPrecision(3)) : (/** @type {number} */ x) => x;
  return html`<div class="setting number-setting">
    <label class="setting-label" for=${id}>${label}</label>
    <input class="range" type="range" aria-label=${t('inputs.slider', { what: fieldName(id, t) })} aria-valuetext=${typed(value)} min=${there(min)} max=${there(max)} step=${step}
      .value=${String(there(Math.min(max, Math.max(min, value))))} @pointerdown=${finish} @blur=${finish} @input=${(/** @type {any} */ event) => slide(back(Number(event.target.value)))}>
    <input class="field" id=${id} type="text" inputmode="decimal" autocomplete="off" .value=${draft ?? typed(value)}
      aria-invalid=${problems.length > 0 ? 'true' : nothing} @input=${(/** @type {any} */ event) => type(event.target.value)} @blur=${finish}>
    ${problems.map((problem) => messageView({ text: problemText(problem, t) }))}
  </div>`;
}

/**
 * The whole panel.
 * @param {{ t: Translate, state: any, example: string | null, examples: { id: string }[], matrices: MatrixInput[], anchors: boolean,
 *   drawing: unknown, temperature: any, history: { canUndo: boolean, canRedo: boolean }, actions: any }} props
 */
export function inputsView({ t, state, example, examples, matrices, anchors, drawing, temperature, history, actions }) {
  const { set } = actions;
  const masks = ['none', 'causal', ...(anchors ? ['causal-end'] : []), 'drawn'];
  const choices = (/** @type {string} */ prefix, /** @type {string[]} */ values) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));
  return html`<section class="inputs" aria-label=${t('inputs.label')}>
    <div class="inputs-head">
      <label for="example">${t('inputs.example')}</label>
      <div class="undo">
        <button type="button" class="icon" ?disabled=${!history.canUndo} aria-label=${t('action.undo')} title=${t('action.undo')} @click=${actions.undo}><span aria-hidden="true">↶</span></button>
        <button type="button" class="icon" ?disabled=${!history.canRedo} aria-label=${t('action.redo')} title=${t('action.redo')} @click=${actions.redo}><span aria-hidden="true">↷</span></button>
      </div>
    </div>
    <select id="example" @change=${(/** @type {any} */ event) => actions.chooseExample(event.target.value)}>
      ${examples.map(({ id }) => html`<option value=${id} .selected=${example === id}>${t(`example.${id}`)}</option>`)}
      <option value="own" .selected=${!example} ?disabled=${Boolean(example)}>${t('example.own')}</option>
    </select>
    ${matrices.map((input) => matrixInputView(input, state.convention === 'columns', t))}
    <h2 class="settings-title">${t('inputs.settings')}</h2>
    ${segmentedView({ label: t('setting.scale'), value: state.scale, choose: (scale) => set({ scale }), choices: choices('scale', ['on', 'off']) })}
    ${segmentedView({ label: t('setting.mask'), value: state.mask, choose: (mask) => set({ mask }),
      choices: choices('mask', masks).map((choice) => (choice.value === 'causal-end' ? { ...choice, full: t('mask.causal-end.full') } : choice)) })}
    ${state.mask === 'drawn' ? html`<p class="hint">${t('mask.draw-hint')}</p>${drawing}` : nothing}
    ${numberView({ ...temperature, label: html`${t('setting.T')} <i>T</i>`, min: 10 ** -1.3, max: 10 ** 1.3, step: 0.01, log: true })}
    ${segmentedView({ label: t('setting.convention'), value: state.convention, choose: (convention) => set({ convention }), choices: choices('convention', ['rows', 'columns']) })}
    <div class="setting"><label class="setting-label" for="digits">${t('setting.digits')}</label>
      <select id="digits" @change=${(/** @type {any} */ event) => set({ digits: Number(event.target.value) })}>${Array.from({ length: 13 }, (_, i) => html`<option value=${i} .selected=${state.digits === i}>${i}</option>`)}</select></div>
  </section>`;
}
