// What a visitor sets besides the tokens.
import { html, nothing } from 'lit-html';
import { choiceView, digitsView } from '../../views/controls.js';

/** @param {any} view */
export function settings(view) {
  const { state, t, actions: { set } } = view;
  return html`
    ${choiceView('encoding', ['sinusoidal', 'none'], view)}
    ${state.encoding === 'none' ? nothing : choiceView('combine', ['add', 'concatenate'], view)}
    ${choiceView('causal', ['off', 'on'], view)}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
