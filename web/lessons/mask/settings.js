// What a visitor sets besides the matrices.
import { html, nothing } from 'lit-html';
import { choiceView, digitsView, numberView } from '../../views/controls.js';
import { maskChoice } from '../attention/masks.js';
import { visibleIn } from './model.js';

/** @param {any} view */
export function settings(view) {
  const { state, t, number, trace, actions: { set } } = view;
  const anyEmpty = trace && visibleIn(trace).some((row) => row.every((sees) => sees === 0));
  return html`
    ${maskChoice(view)}
    ${state.mask === 'drawn'
      ? html`<p class="hint">${t('masking.drawn-hint')}</p>`
      : numberView({ ...number('padding'), t, label: t('field.padding'), min: 0, max: state.K.length, step: 1 })}
    ${anyEmpty || state.emptyRow !== 'zero' ? choiceView('emptyRow', ['zero', 'nan', 'uniform'], view) : nothing}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
