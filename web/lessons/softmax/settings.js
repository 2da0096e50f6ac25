// What a visitor sets besides the list.
import { html } from 'lit-html';
import { digitsView, numberView, segmentedView } from '../../views/controls.js';

/** @param {any} view */
export function settings({ state, t, number, actions: { set } }) {
  const choices = (/** @type {string} */ prefix, /** @type {string[]} */ values) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));
  return html`
    ${numberView({ ...number('T'), t, label: html`${t('setting.T')} <i>T</i>`, min: 0.01, max: 100, step: 0.01, log: true })}
    ${numberView({ ...number('shift'), t, label: html`${t('setting.shift')} <i>c</i>`, min: -10, max: 10, step: 0.1 })}
    ${numberView({ ...number('factor'), t, label: html`${t('setting.factor')} <i>a</i>`, min: 0, max: 5, step: 0.05 })}
    ${segmentedView({ label: t('setting.softmax'), value: state.softmax, choose: (softmax) => set({ softmax }), choices: choices('computed', ['stable', 'plain']) })}
    ${segmentedView({ label: t('setting.precision'), value: state.precision, choose: (precision) => set({ precision }), choices: choices('precision', ['float64', 'float32']) })}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
