// What a visitor sets besides the matrices.
import { html, nothing } from 'lit-html';
import { choiceView, digitsView, numberView } from '../../views/controls.js';
import { maskChoice } from './masks.js';
import { drawnMask } from './model.js';

/** @param {any} view */
export function settings(view) {
  const { state, t, number, editor, isWindowed, actions: { set, drawMask } } = view;
  return html`
    ${choiceView('scale', ['on', 'off'], view)}
    ${maskChoice(view)}
    ${state.mask === 'drawn'
      ? html`<p class="hint">${t('mask.draw-hint')}</p>${editor.drawable({
          name: 'allow', label: t('mask.drawn'), mask: drawnMask(state), columns: state.convention === 'columns', windowed: isWindowed, draw: drawMask })}`
      : nothing}
    ${numberView({ ...number('T'), t, label: html`${t('setting.T')} <i>T</i>`, min: 10 ** -1.3, max: 10 ** 1.3, step: 0.01, log: true })}
    ${choiceView('convention', ['rows', 'columns'], view)}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
