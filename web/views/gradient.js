// What a gradient is open of, and with respect to what.
import { html } from 'lit-html';
import { segmentedView } from './controls.js';
import { stepName } from './names.js';

/**
 * @param {{ gradient: { key: string, wrt: string }, place: string, inputs: string[],
 *   t: import('../i18n/index.js').Translate, choose: (wrt: string) => void, close: () => void }} props
 */
export function gradientBanner({ gradient: { key, wrt }, place, inputs, t, choose, close }) {
  return html`<div class="gradient-banner">
    <p>${t('gradient.banner', { step: stepName(key, t), place })}</p>
    ${segmentedView({ label: t('gradient.wrt'), value: wrt, choose, choices: inputs.map((name) => ({ value: name, label: name })) })}
    <button type="button" class="quiet" @click=${close}>${t('action.close-gradient')}</button>
  </div>`;
}
