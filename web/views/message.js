// Designed problems: what was wrong, where, what is allowed, in the visitor's language.
import { html, nothing } from 'lit-html';

/**
 * @typedef {{ code: string, field: string, detail: { [name: string]: any } }} Problem
 * @typedef {import('../i18n/index.js').Translate} Translate
 */

/** @param {Problem} problem @param {Translate} t */
export function problemText({ code, field, detail }, t) {
  const single = `problem.${code}.single`;
  const known = t(`problem.${code}`) !== `problem.${code}`;
  const key = detail.row === undefined && t(single) !== single ? single : known ? `problem.${code}` : 'problem.engine-failed';
  const count = (/** @type {unknown} */ index) => (typeof index === 'number' ? index + 1 : index);
  const choices = Array.isArray(detail.choices) ? detail.choices.join(', ') : detail.choices;
  return t(key, { ...detail, field, choices, row: count(detail.row), col: count(detail.col) });
}

/** @param {{ text: string, kind?: 'error' | 'note', actions?: { label: string, run: () => void }[] }} props */
export function messageView({ text, kind = 'error', actions = [] }) {
  return html`<div class="message ${kind}" role=${kind === 'error' ? 'alert' : 'status'}>
    <p>${text}</p>
    ${actions.length > 0 ? html`<div class="actions">${actions.map(({ label, run }) => html`<button type="button" @click=${run}>${label}</button>`)}</div>` : nothing}
  </div>`;
}
