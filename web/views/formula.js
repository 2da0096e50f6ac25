// The formula as navigation: each part leads to its step, the current part is lit.
import { html } from 'lit-html';
import { tex } from './tex.js';

/** Parts from which on the formula is set smaller on a narrow screen. */
const LONG = 12;

/** A part that leads to a step, and is lit during others too. @param {string} tex @param {string} plain @param {string} step @param {string[]} also @returns {FormulaPart} */
export const part = (tex, plain, step, ...also) => ({ tex, plain, step, steps: [step, ...also] });

/** A part that only reads along. @param {string} tex @param {string} plain @returns {FormulaPart} */
export const sign = (tex, plain) => ({ tex, plain });

/**
 * @typedef {object} FormulaPart
 * @property {string} tex
 * @property {string} plain
 * @property {string} [step]       where a click leads; a part without one only reads along
 * @property {string[]} [steps]    the steps during which it is lit
 *
 * @param {{ parts: FormulaPart[], current: string, what: string, t: import('../i18n/index.js').Translate,
 *   name: (key: string) => string, go: (key: string) => void }} props
 */
export function formulaView({ parts, current, what, t, name, go }) {
  return html`<nav class="formula" aria-label=${t('formula.label')}>
    <div class="parts ${parts.length > LONG ? 'long' : ''}">${parts.map(({ tex: formula, plain, step, steps }) => {
      if (!step) return html`<span class="part" aria-hidden="true">${tex(formula, plain)}</span>`;
      const lit = (steps ?? [step]).includes(current);
      return html`<button type="button" class="part ${lit ? 'lit' : ''}" aria-current=${lit ? 'step' : 'false'}
        @click=${() => go(step)}><span aria-hidden="true">${tex(formula, plain)}</span><span class="visually-hidden">${plain}: ${name(step)}</span></button>`;
    })}</div>
    <p class="what">${what}</p>
  </nav>`;
}
