// Designed problems: what was wrong, where, what is allowed, in the visitor's language.
import { html, nothing } from 'lit-html';

/**
 * @typedef {{ code: string, field: string, detail: { [name: string]: any } }} Problem
 * @typedef {import('../i18n/index.js').Translate} Translate
 */

/** What a property is called in a sentence. @param {string} field @param {Translate} t */
export const fieldName = (field, t) => (t(`field.${field}`) === `field.${field}` ? field : t(`field.${field}`));

/** @param {Problem} problem @param {Translate} t @param {boolean} [columns] rows and columns are shown exchanged */
export function problemText({ code, field, detail }, t, columns = false) {
  // T is the one number whose least is not allowed itself.
  if (detail.minExclusive) code = 'temperature-not-positive';
  const single = `problem.${code}.single`;
  const known = t(`problem.${code}`) !== `problem.${code}`;
  const key = detail.row === undefined && t(single) !== single ? single : known ? `problem.${code}` : 'problem.unforeseen';
  const count = (/** @type {unknown} */ index) => (typeof index === 'number' ? index + 1 : index);
  const choices = Array.isArray(detail.choices) ? detail.choices.join(', ') : detail.choices;
  const [row, col] = columns ? [detail.col, detail.row] : [detail.row, detail.col];
  const name = fieldName(field || 'link', t);
  const text = t(key, { ...detail, field: name, choices, row: count(row), col: count(col) });
  // A name begins a sentence as any word does; a key of a link stays as it is written there.
  return name !== field && text.startsWith(name) ? text[0].toUpperCase() + text.slice(1) : text;
}

/** @param {{ text: string, actions?: { label: string, run: () => void }[] }} props */
export function messageView({ text, actions = [] }) {
  return html`<div class="message" role="alert">
    <p>${text}</p>
    ${actions.length > 0 ? html`<div class="actions">${actions.map(({ label, run }) => html`<button type="button" @click=${run}>${label}</button>`)}</div>` : nothing}
  </div>`;
}
