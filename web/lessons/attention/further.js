// What the first look does not need: the sections below the steps (the two softmaxes, misreadings, the retelling, why
// attention, questions), what they plot, and the judge of predictions.
import { html, nothing } from 'lit-html';
import { stepOf } from '../../trace.js';
import { barChart } from '../../views/chart.js';
import { choicesOf, numberView, segmentedView } from '../../views/controls.js';
import { matrixInputView } from '../../views/inputs.js';
import { matrixView } from '../../views/matrix.js';
import { heatOf, stepName } from '../../views/names.js';
import { pictureView } from '../../views/picture.js';
import { proseLine, proseView } from '../../views/prose.js';
import { questionsView } from '../../views/sections.js';
import { shown } from '../../views/number.js';
import { orderTask } from './order.js';
import { predictTask } from './predict.js';

export { misfits } from '../misfits.js';

/** Rows and columns shown here of large matrices. */
const SMALL_WINDOW = 8;

/** @param {any} view @param {string} key @param {'step' | 'operand'} part */
function smallTable({ trace, state, t, isWindowed }, key, part) {
  const step = stepOf(trace, key);
  if (!step) return nothing;
  return html`<figure class="operand"><figcaption><span class="name">${stepName(key, t)}</span></figcaption>${matrixView({
    name: key, part, label: stepName(key, t), kind: 'score', matrix: step, labels: step.labels, digits: state.digits, compact: true, windowed: isWindowed ? SMALL_WINDOW : undefined,
    transposed: state.convention === 'columns', heat: heatOf(step),
  })}</figure>`;
}

/** Plain and stable softmax beside each other, from the same scores. @param {any} view */
function softmaxSection(view) {
  const { prose, state, t, trace, actions: { set } } = view;
  const other = state.softmax === 'stable' ? 'plain' : 'stable';
  const keysOf = (/** @type {string} */ kind) => [...(kind === 'stable' ? ['row-max', 'shifted'] : []), 'exp', 'row-sum', 'weights'];
  const column = (/** @type {string} */ kind) => html`<div class="softmax-kind">
    <h3>${t(`softmax.${kind}`)}</h3>
    ${keysOf(kind).map((key) => (kind === other ? smallTable(view, `${other}/${key}`, 'step') : smallTable(view, key, 'operand')))}
  </div>`;
  return html`<section class="deeper-section" id="section-softmax">
    <div>${proseView(prose, 'stable-plain', { heading: 2 })}${proseView(prose, 'rounding')}</div>
    <div class="section-figure">
      ${segmentedView({ label: t('softmax.label'), value: state.softmax, choose: (value) => set({ softmax: value }),
        choices: choicesOf('softmax', ['stable', 'plain'], t) })}
      ${trace ? html`<div class="softmax-kinds">${column('plain')}${column('stable')}</div>` : nothing}
    </div>
  </section>`;
}

/** @param {any} view */
function misreadingSection({ prose }) {
  return html`<section class="deeper-section pair">${proseView(prose, 'misreading-value', { heading: 2 })}${proseView(prose, 'misreading-rows', { heading: 2 })}</section>`;
}

/** @param {any} view */
function embeddingSection({ prose, state, t, ui, editor, problemsOf, actions: { setUi } }) {
  const embedding = editor.input({ name: 'E', kind: 'query', labels: { rows: null, cols: null } }, false, problemsOf('E'));
  const token = Math.min(ui.token ?? 0, state.E.length - 1);
  return html`<section class="deeper-section" id="section-embedding">
    ${proseView(prose, 'embedding', { heading: 2 })}
    <div class="section-figure">
      <div class="segmented tokens" role="group" aria-label=${t('embedding.choose')}>${state.E.map((/** @type {unknown} */ _, /** @type {number} */ i) => html`<button type="button"
        aria-pressed=${String(i === token)} @click=${() => setUi({ token: i })}>${t(`embedding.token.${i}`)} <span class="ordinal">${i}</span></button>`)}</div>
      <p class="lookup"><span>${t(`embedding.token.${token}`)}</span> → <span>id ${token}</span> → <span class="vector">( ${state.E[token].map((/** @type {number} */ x) => shown(x, state.digits)).join(', ')} )</span></p>
      ${matrixInputView({ ...embedding, focus: { row: token, col: embedding.focus?.row === token ? embedding.focus.col : 0 } }, state.convention === 'columns', t)}
    </div>
  </section>`;
}

/** @param {any} view */
function orderSection({ prose, t, ui, actions: { setUi } }) {
  const order = ui.order ?? orderTask.start;
  const move = (/** @type {number} */ at, /** @type {1 | -1} */ by) => {
    if (!(at + by in order)) return;
    setUi({ order: orderTask.move(order, at, by), orderChecked: false });
    // The focus goes with the line.
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(`[data-order="${order[at]}"] [data-by="${by}"]`))?.focus());
  };
  const right = orderTask.isRight(order);
  return html`<section class="deeper-section" id="section-order">
    ${proseView(prose, 'order', { heading: 2 })}
    <div class="section-figure">
      <ol class="order">${order.map((/** @type {string} */ key, /** @type {number} */ i) => html`<li data-order=${key}><span class="line">${proseLine(prose, key)}</span>
        <button type="button" data-by="-1" aria-disabled=${String(i === 0)} aria-label=${t('order.up', { number: i + 1 })} @click=${() => move(i, -1)}><span aria-hidden="true">▲</span></button>
        <button type="button" data-by="1" aria-disabled=${String(i === order.length - 1)} aria-label=${t('order.down', { number: i + 1 })} @click=${() => move(i, 1)}><span aria-hidden="true">▼</span></button></li>`)}</ol>
      <button type="button" class="primary" @click=${() => setUi({ orderChecked: true })}>${t('action.check')}</button>
      <div role="status">${ui.orderChecked ? html`<div class="verdict ${right ? 'right' : 'wrong'}">${proseView(prose, right ? 'order-right' : 'order-wrong', { heading: 0 })}</div>` : nothing}</div>
    </div>
  </section>`;
}

/** @param {any} view */
function whySection({ prose, state, t, derived: { reach }, number }) {
  return html`<section class="deeper-section" id="section-why">
    <div>${proseView(prose, 'why', { heading: 2 })}${proseView(prose, 'sentence')}</div>
    <div class="section-figure">
      <div class="settings-row">
        ${numberView({ ...number('w'), t, label: t('reach.w'), min: 0, max: 1.2, step: 0.01 })}
        ${numberView({ ...number('match'), t, label: t('reach.match'), min: 0, max: 4, step: 0.05 })}
      </div>
      ${reach ? html`<p class="reach-first">${t('reach.first')}
        <span class="key key-color">${t('reach.recurrent')} <strong data-reach="recurrent" data-value=${String(reach.recurrent[0])}>${shown(reach.recurrent[0], state.digits)}</strong></span>
        <span class="key score-color">${t('reach.attention')} <strong data-reach="attention" data-value=${String(reach.attention[0])}>${shown(reach.attention[0], state.digits)}</strong></span>
        <span class="key">${t('reach.even')} <strong>${shown(reach.even, state.digits)}</strong></span></p>
        ${pictureView({ name: 'attention-reach', label: t('reach.picture'), t, figure: barChart({
          label: t('reach.chart', { recurrent: shown(reach.recurrent[0], state.digits), attention: shown(reach.attention[0], state.digits) }),
          series: [{ name: t('reach.recurrent'), kind: 'key', values: reach.recurrent }, { name: t('reach.attention'), kind: 'score', values: reach.attention }],
          reference: { name: t('reach.even'), value: reach.even }, axis: t('reach.token'), digits: state.digits, tableLabel: t('reach.table'),
        }) })}` : nothing}
    </div>
  </section>`;
}

/** @param {any} view */
export function sections(view) {
  return html`<div class="deeper">
    ${softmaxSection(view)}
    ${misreadingSection(view)}
    ${embeddingSection(view)}
    ${orderSection(view)}
    ${whySection(view)}
    ${questionsView(['distribution', 'position'], view.prose, view.t)}
    <section class="deeper-section pair">${proseView(view.prose, 'distribution', { heading: 2 })}${proseView(view.prose, 'precision', { heading: 2 })}</section>
  </div>`;
}

const REACH = 32;

/**
 * How much each of 32 tokens moves the last output: through a recurrent state, and through attention (d = 1,
 * X = match, 0, …, 0, match).
 * @param {import('../../module/lessons.js').LessonCore} core @param {any} state
 */
function reach(core, { w, match }) {
  const x = Array.from({ length: REACH }, (_, i) => [i === 0 || i === REACH - 1 ? match : 0]);
  const recurrent = core.gradient(core.trace({ recipe: 'recurrent', inputs: { x }, options: { w } }),
    { of: { key: `h${REACH}`, row: 0, col: 0 }, wrt: 'x1' });
  const attention = core.gradient(core.trace({ recipe: 'self-attention', inputs: { X: x } }),
    { of: { key: 'output', row: REACH - 1, col: 0 }, wrt: 'X' });
  const value = (/** @type {any} */ trace, /** @type {string} */ key) => /** @type {any} */ (stepOf(trace, key)).values;
  return {
    // x_t enters h_t as it is, so ∂h_n/∂x_t = ∂h_n/∂h_t.
    recurrent: x.map((_, i) => value(recurrent, `grad/h${i + 1}`)[0]),
    attention: [...value(attention, 'grad/X')],
    even: 1 / REACH,
  };
}

/** What the page shows besides the trace; computed anew when one of the properties `of` changes. */
export const derived = { reach: { of: ['w', 'match'], compute: reach } };

export { predictTask };
