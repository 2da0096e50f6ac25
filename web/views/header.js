// Name, lesson, language, theme, share.
import { html, nothing } from 'lit-html';
import { LANGUAGES } from '../i18n/language.js';

/**
 * @param {{ lesson: string, wanted: string, lessons: string[], open: (lesson: string) => void, language: string, embedded: boolean, locked: boolean, fullLink: string, t: import('../i18n/index.js').Translate,
 *   speak: (language: string) => void, theme: () => void, share: () => void }} props
 */
export function headerView({ lesson, wanted, lessons, open, language, embedded, locked, fullLink, t, speak, theme, share }) {
  return html`<header class="top">
    <a class="skip" href="#stage" @click=${skipTo}>${t('header.skip')}</a>
    <h1><span class="product">${t('app.title')}</span> <span class=${embedded ? 'lesson' : 'visually-hidden'}>${t(`lesson.${lesson}`)}</span></h1>
    ${embedded ? nothing : html`<select class="lessons" aria-label=${t('header.lessons')} @change=${(/** @type {any} */ event) => open(event.target.value)}>
      ${lessons.map((each, i) => html`<option value=${each} .selected=${each === wanted}>${i + 1} ${t(`lesson.${each}`)}</option>`)}
    </select>`}
    ${embedded
      ? html`<a class="open-full" href=${fullLink} target="_blank" rel="noopener">${t('header.open-full')}</a>`
      : html`<div class="tools">
        ${locked ? nothing : html`<div class="segmented" role="group" aria-label=${t('header.language')}>${LANGUAGES.map((each) => html`<button type="button"
          lang=${each} aria-pressed=${String(each === language)} @click=${() => speak(each)}>${t(`language.${each}`)}</button>`)}</div>`}
        <button type="button" class="icon" aria-label=${t('header.theme')} title=${t('header.theme')} @click=${theme}><span aria-hidden="true">◐</span></button>
        <button type="button" class="primary" @click=${share}>${t('header.share')}</button>
      </div>`}
  </header>`;
}

/** The fragment of the address is the visitor's link, so skipping must not change it. @param {Event} event */
function skipTo(event) {
  event.preventDefault();
  document.getElementById('stage')?.focus();
}
