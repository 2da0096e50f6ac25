// Beside the stage: what this step does, what the numbers say, and a number to predict.
import { html, nothing } from 'lit-html';
import { isGradient } from '../trace.js';
import { stepName } from './names.js';
import { proseView } from './prose.js';

/**
 * @param {{ prose: import('./prose.js').Prose, step: import('../trace.js').Step, extra: string[], intro: boolean, shownAs: string,
 *   predict: null | { next: string, place: string, text: string, verdict: string | null, type: (text: string) => void, check: () => void,
 *     skip: (() => void) | null, isFirst: boolean },
 *   t: import('../i18n/index.js').Translate }} props
 */
export function whyView({ prose, step, extra, intro, shownAs, predict, t }) {
  const keys = isGradient(step.key) ? [`gradient-${step.op}`, 'gradient'] : [shownAs];
  return html`<aside class="why" aria-label=${t('why.label')}>
    ${predict?.isFirst ? predictView(prose, predict, t) : nothing}
    ${intro ? proseView(prose, 'intro', { heading: 2 }) : nothing}
    ${keys.map((key) => proseView(prose, key, { heading: 2 }))}
    ${extra.map((key) => proseView(prose, key, { heading: 2 }))}
    ${predict && !predict.isFirst ? predictView(prose, predict, t) : nothing}
  </aside>`;
}

/** @param {import('./prose.js').Prose} prose @param {any} predict @param {import('../i18n/index.js').Translate} t */
export function predictView(prose, { next, place, text, verdict, type, check, skip }, t) {
  return html`<form class="predict" @submit=${(/** @type {Event} */ event) => { event.preventDefault(); check(); }}>
    ${proseView(prose, 'predict')}
    <label for="predict-field">${t('predict.question', { step: stepName(next, t), place })}</label>
    <div class="predict-line">
      <input id="predict-field" class="field" type="text" autocomplete="off" .value=${text} placeholder=${t('predict.placeholder')}
        @input=${(/** @type {any} */ event) => type(event.target.value)}>
      <button type="submit">${t('action.check')}</button>
      ${skip && !verdict ? html`<button type="button" class="quiet" @click=${skip}>${t('predict.skip')}</button>` : nothing}
    </div>
    <div role="status">${verdict ? html`<div class="verdict ${verdict === 'predict-right' ? 'right' : 'wrong'}" data-verdict=${verdict}>${proseView(prose, verdict, { heading: 0 })}</div>` : nothing}</div>
  </form>`;
}
