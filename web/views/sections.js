// What stands below the steps is made of: prose beside a figure, and questions with answers to open.
import { html } from 'lit-html';
import { proseView } from './prose.js';

/** Prose at the left, a figure at the right. @param {string} id @param {unknown} prose @param {unknown} figure */
export const sectionView = (id, prose, figure) =>
  html`<section class="deeper-section" id="section-${id}"><div>${prose}</div><div class="section-figure">${figure}</div></section>`;

/** @param {string[]} names of the sections `question-<name>` and `answer-<name>` @param {import('./prose.js').Prose} prose @param {import('../i18n/index.js').Translate} t */
export const questionsView = (names, prose, t) => html`<section class="deeper-section pair" id="section-questions">
    ${names.map((name) => html`<div>
      ${proseView(prose, `question-${name}`, { heading: 2 })}
      <details class="answer"><summary>${t('action.answer')}</summary>${proseView(prose, `answer-${name}`, { heading: 0 })}</details>
    </div>`)}
  </section>`;
