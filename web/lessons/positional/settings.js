// What a visitor sets besides the tokens.
import { html, nothing } from 'lit-html';
import { digitsView, segmentedView } from '../../views/controls.js';

/** @param {any} view */
export function settings({ state, t, actions: { set } }) {
  const choice = (/** @type {string} */ name, /** @type {string[]} */ values) => segmentedView({
    label: t(`setting.${name}`), value: state[name], choose: (value) => set({ [name]: value }), choices: values.map((value) => ({ value, label: t(`${name}.${value}`) })),
  });
  return html`
    ${choice('encoding', ['sinusoidal', 'none'])}
    ${state.encoding === 'none' ? nothing : choice('combine', ['add', 'concatenate'])}
    ${choice('causal', ['off', 'on'])}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
