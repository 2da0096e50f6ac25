// What the first look does not need: the sections below the steps, and what they compute.
import { html, nothing } from 'lit-html';
import { exact, listText, shown, typed } from '../../views/number.js';
import { numbersTable } from '../../views/numbers.js';
import { proseView } from '../../views/prose.js';
import { questionsView, sectionView } from '../../views/sections.js';
import { entropy } from './model.js';
import { claims, doubled, knobs, overflow, temperatures, withoutExp } from './scenes.js';

export { misfits } from '../misfits.js';

export { pictureView } from '../../views/picture.js';

/** @param {any} view */
function propertiesSection({ prose }) {
  return html`<section class="deeper-section pair">${proseView(prose, 'two-properties', { heading: 2 })}${proseView(prose, 'nonlinear', { heading: 2 })}</section>`;
}

/** Lists and their shares. @param {any} view @param {string} name @param {{ x: number[], weights: number[] }[]} rows @param {number} [digits] */
function sharesTable({ t, state }, name, rows, digits = state.digits) {
  const count = Math.max(...rows.map(({ x }) => x.length));
  return numbersTable({
    name, label: t('softmax-lesson.shares'), digits,
    columns: [t('softmax-lesson.list'), ...Array.from({ length: count }, (_, i) => t('softmax-lesson.share', { number: i + 1 }))],
    rows: rows.map(({ x, weights }) => ({ head: listText(x), cells: weights })),
  });
}

/** @param {any} view */
function claimsSection(view) {
  const { prose, derived: { claims, doubled }, t, state } = view;
  if (!claims) return sectionView('claims', proseView(prose, 'claims', { heading: 2 }), nothing);
  return sectionView('claims', proseView(prose, 'claims', { heading: 2 }), html`
    ${numbersTable({
      name: 'claims', label: t('softmax-lesson.differences'), digits: Math.max(2, state.digits - 1), columns: [t('softmax-lesson.expression'), t('softmax-lesson.value')],
      rows: [{ head: 'e¹⁰ − e⁹', cells: [claims.large] }, { head: 'e² − e¹', cells: [claims.small] }, { head: '(e¹⁰ − e⁹) ÷ (e² − e¹)', cells: [claims.ratio] }],
    })}
    ${sharesTable(view, 'claim-shares', claims.shares, Math.max(5, state.digits))}
    ${proseView(prose, 'doubled')}
    ${sharesTable(view, 'doubled', doubled)}`);
}

/** @param {any} view */
function knobsSection({ prose, derived: { knobs }, state, t }) {
  return sectionView('knobs', proseView(prose, 'knobs', { heading: 2 }), knobs && numbersTable({
    name: 'knobs', label: t('softmax-lesson.knobs'), digits: state.digits,
    columns: [t('softmax-lesson.knob'), ...knobs[0].weights.map((/** @type {number} */ _, /** @type {number} */ i) => t('softmax-lesson.share', { number: i + 1 }))],
    rows: knobs.map((/** @type {any} */ { knob, weights }) => ({
      head: t(`softmax-lesson.knob.${knob}`, { shift: typed(state.shift), factor: typed(state.factor), T: shown(1 / state.factor, state.digits) }), cells: weights })),
  }));
}

/** @param {any} view */
function temperatureSection({ prose, derived: { temperatures }, state, t }) {
  return sectionView('temperature', html`${proseView(prose, 'temperature', { heading: 2 })}${proseView(prose, 'generation')}`, temperatures && numbersTable({
    name: 'temperatures', label: t('softmax-lesson.temperatures'), digits: state.digits,
    columns: ['T', ...state.x[0].map((/** @type {number} */ _, /** @type {number} */ i) => t('softmax-lesson.share', { number: i + 1 })), t('softmax-lesson.bits')],
    rows: temperatures.map((/** @type {any} */ { T, weights }) => ({ head: typed(T), cells: [...weights, entropy(weights)] })),
  }));
}

/** @param {any} view */
function overflowSection({ prose, derived: { overflow }, state, t, actions }) {
  const open = (/** @type {any} */ { x, precision }) => {
    actions.set({ x: [x], precision, softmax: 'plain', T: 1, factor: 1, shift: 0 });
    actions.go('exp');
    document.getElementById('stage')?.scrollIntoView({ block: 'center' });
  };
  const list = (/** @type {number[]} */ values) => values.map((value) => shown(value, state.digits)).join(', ');
  return sectionView('overflow', html`${proseView(prose, 'overflow', { heading: 2 })}${proseView(prose, 'why-exp')}`, html`
    ${overflow && html`<div class="scroll" tabindex="0" role="group" aria-label=${t('softmax-lesson.limits')}><table class="numbers" data-table="overflow">
      <thead><tr>${['precision', 'list', 'exp', 'sum', 'plain', 'stable', 'open'].map((name) => html`<th scope="col">${t(`softmax-lesson.limit.${name}`)}</th>`)}</tr></thead>
      <tbody>${overflow.map((/** @type {any} */ scene, /** @type {number} */ row) => html`<tr><th scope="row">${scene.precision}</th><td>${listText(scene.x)}</td>
        ${['exp', 'sum', 'plain', 'stable'].map((name) => html`<td data-row=${row} data-col=${name} data-value=${[scene[name]].flat().map(exact).join(' ')}>${list([scene[name]].flat())}</td>`)}
        <td><button type="button" class="quiet" @click=${() => open(scene)} aria-label=${t('softmax-lesson.limit.open-this', { list: listText(scene.x), precision: scene.precision })}>${t('softmax-lesson.limit.open-button')}</button></td></tr>`)}</tbody>
    </table></div>`}`);
}

/** @param {any} view */
function withoutExpSection({ prose, derived: { withoutExp }, state, t }) {
  return sectionView('without-exp', proseView(prose, 'without-exp', { heading: 2 }), withoutExp && numbersTable({
    name: 'without-exp', label: t('softmax-lesson.without-exp'), digits: state.digits,
    columns: [t('softmax-lesson.list'), 'x₁ ÷ Σx', 'x₂ ÷ Σx', t('softmax-lesson.share', { number: 1 }), t('softmax-lesson.share', { number: 2 })],
    rows: withoutExp.map((/** @type {any} */ { x, ratios, weights }) => ({ head: listText(x), cells: [...ratios, ...weights] })),
  }));
}

/** @param {any} view */
export function sections(view) {
  return html`<div class="deeper">
    ${propertiesSection(view)}
    ${claimsSection(view)}
    ${knobsSection(view)}
    ${temperatureSection(view)}
    ${overflowSection(view)}
    ${withoutExpSection(view)}
    ${questionsView(['scores', 'limit'], view.prose, view.t)}
  </div>`;
}

/** What the page shows besides the trace; computed anew when one of the properties `of` changes. */
export const derived = {
  claims: { of: [], compute: claims },
  doubled: { of: [], compute: doubled },
  temperatures: { of: ['x', 'precision'], compute: temperatures },
  knobs: { of: ['x', 'shift', 'factor'], compute: knobs },
  overflow: { of: [], compute: overflow },
  withoutExp: { of: [], compute: withoutExp },
};
