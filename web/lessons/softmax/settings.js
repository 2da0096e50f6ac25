// What a visitor sets besides the list.
import { html } from 'lit-html';
import { choiceView, digitsView, numberView } from '../../views/controls.js';

/** @param {any} view */
export function settings(view) {
  const { state, t, number, actions: { set } } = view;
  return html`
    ${numberView({ ...number('T'), t, label: html`${t('setting.T')} <i>T</i>`, min: 0.01, max: 100, step: 0.01, log: true })}
    ${numberView({ ...number('shift'), t, label: html`${t('setting.shift')} <i>c</i>`, min: -10, max: 10, step: 0.1 })}
    ${numberView({ ...number('factor'), t, label: html`${t('setting.factor')} <i>a</i>`, min: 0, max: 5, step: 0.05 })}
    ${choiceView('softmax', ['stable', 'plain'], view, 'computed')}
    ${choiceView('precision', ['float64', 'float32'], view)}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
