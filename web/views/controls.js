// Settings: a choice out of few, a number.
import { html, nothing } from 'lit-html';
import { fieldName, messageView, problemText } from './message.js';
import { typed } from './number.js';

/**
 * @typedef {import('../i18n/index.js').Translate} Translate
 * @typedef {import('./message.js').Problem} Problem
 */

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

/** How many decimals are shown. @param {{ digits: number, choose: (digits: number) => void, t: Translate }} props */
export function digitsView({ digits, choose, t }) {
  return html`<div class="setting"><label class="setting-label" for="digits">${t('setting.digits')}</label>
    <select id="digits" @change=${(/** @type {any} */ event) => choose(Number(event.target.value))}>${Array.from({ length: 13 }, (_, i) => html`<option value=${i} .selected=${digits === i}>${i}</option>`)}</select></div>`;
}

/**
 * A property with a few values, each of which has a string of its own: `scale.on`.
 * @param {string} name of the property, and of its label `setting.<name>`
 * @param {string[]} values
 * @param {{ state: any, t: Translate, actions: { set: (patch: any) => void } }} view
 * @param {string} [prefix] of the strings, where it is not the name
 */
export const choiceView = (name, values, { state, t, actions }, prefix = name) => segmentedView({
  label: t(`setting.${name}`), value: state[name], choose: (value) => actions.set({ [name]: value }), choices: choicesOf(prefix, values, t),
});

/** @param {string} prefix @param {string[]} values @param {Translate} t */
export const choicesOf = (prefix, values, t) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));
