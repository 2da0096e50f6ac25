// The sentence above the steps: which word each row is.
import { html } from 'lit-html';
import { tokenName } from '../../views/names.js';
import { tokenWord } from './model.js';

/** @param {any} view */
export function figure({ state, t }) {
  return html`<p class="legend bars" style="justify-content:center" aria-label=${t('positional.sentence')} role="group">${state.X.map((/** @type {unknown} */ _, /** @type {number} */ row) =>
    html`<span><strong>${tokenWord(state, row, t) ?? '·'}</strong> ${tokenName('x', row)}</span>`)}</p>`;
}
