// What a visitor sets besides the tokens.
import { html, nothing } from 'lit-html';
import { choiceView, digitsView, numberView } from '../../views/controls.js';
import { ENCODINGS, headOf } from './model.js';

/** @param {any} view */
export function settings(view) {
  const { state, t, number, actions: { set } } = view;
  const { encoding } = state;
  return html`
    ${choiceView('encoding', ENCODINGS, view)}
    ${encoding === 'sinusoidal' ? choiceView('combine', ['add', 'concatenate'], view) : nothing}
    ${encoding === 'rotary' ? choiceView('layout', ['interleaved', 'halves'], view) : nothing}
    ${encoding === 'alibi' ? html`
      ${numberView({ ...number('heads'), t, label: t('field.heads'), min: 1, max: 16, step: 1 })}
      ${numberView({ ...number('head'), value: headOf(state), t, label: t('field.head'), min: 1, max: state.heads, step: 1 })}` : nothing}
    ${choiceView('causal', ['off', 'on'], view)}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
