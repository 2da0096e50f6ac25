// The mask above the steps: who may look at whom, in words. A click hides a cell or shows it again.
import { html } from 'lit-html';
import { visibleIn, wordsOf } from './model.js';
import { maskPicture } from './picture.js';

/** @param {any} view */
export function figure(view) {
  const { trace, state, t, ui, result, isWindowed, actions: { drawMask, setUi } } = view;
  const pairs = visibleIn(trace);
  // Only the tokens of one sentence follow each other.
  const guesses = pairs.length === pairs[0].length && !isWindowed;
  return html`<div class="mask-figure">
    <p class="mask-title"><strong>${t('masking.title')}</strong> ${t('masking.hint')}</p>
    ${maskPicture({
      name: 'B', label: t('masking.title'), pairs, words: isWindowed ? undefined : wordsOf(state, t), guesses, t, windowed: isWindowed, compact: isWindowed,
      selected: ui.inputFocus.B ?? null,
      onCell: (cell, how) => { if (how === 'choose') setUi({ inputFocus: { ...ui.inputFocus, B: cell } }); },
      toggle: result.stale ? undefined : drawMask,
    })}
    <p class="legend">${t('masking.legend')}</p>
  </div>`;
}
