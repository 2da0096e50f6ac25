// The steps in order, fixed at the bottom; without their list, just the way from one to the next.
import { html, nothing } from 'lit-html';

/**
 * @param {{ listed: boolean, keys: string[], current: string, playing: boolean, t: import('../i18n/index.js').Translate,
 *   name: (key: string) => string, go: (key: string) => void, move: (by: number) => void, play: () => void,
 *   close?: () => void }} props
 */
export function stepperView({ listed, keys, current, playing, t, name, go, move, play, close }) {
  const at = keys.indexOf(current);
  return html`<nav class="stepper" aria-label=${t('stepper.label')}>
    ${close ? html`<button type="button" class="close" @click=${close}>${t('action.close-gradient')}</button>` : nothing}
    <button type="button" class="arrow" aria-disabled=${String(at <= 0)} @click=${() => move(-1)} aria-label=${t('action.previous')}><span aria-hidden="true">◀</span></button>
    ${listed ? html`<ol @focusin=${(/** @type {any} */ { target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}>${keys.map((key, i) => html`<li><button type="button" class="step" aria-current=${key === current ? 'step' : 'false'} data-go=${key}
      @click=${() => go(key)}><span class="ordinal" aria-hidden="true">${i + 1}</span> ${name(key)}</button></li>`)}</ol>` : nothing}
    <button type="button" class="arrow next" aria-disabled=${String(at === keys.length - 1)} @click=${() => move(1)}>${t('action.next')} <span aria-hidden="true">▶</span></button>
    <button type="button" class="arrow play" @click=${play} aria-label=${t(playing ? 'action.pause' : 'action.play')}><span aria-hidden="true">${playing ? '❚❚' : '▷'}</span></button>
  </nav>`;
}
