// What somebody who shared the view asks, and tells. It is their text, and stays text.
import { html, nothing } from 'lit-html';

/** @param {string | null} question @param {string | null} note @param {import('../i18n/index.js').Translate} t */
export function assignmentView(question, note, t) {
  if (!question && !note) return nothing;
  return html`<section class="assignment" aria-label=${t('assignment.label')}>
    ${question ? html`<p class="assignment-question">${question}</p>` : nothing}
    ${note ? html`<p class="assignment-note">${note}</p>` : nothing}
  </section>`;
}
