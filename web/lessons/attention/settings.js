// What a visitor sets besides the matrices.
import { html, nothing } from 'lit-html';
import { digitsView, numberView, segmentedView } from '../../views/controls.js';
import { drawnMask } from './model.js';

/** @param {any} view */
export function settings({ state, t, number, editor, isWindowed, actions: { set, drawMask } }) {
  const choices = (/** @type {string} */ prefix, /** @type {string[]} */ values) => values.map((value) => ({ value, label: t(`${prefix}.${value}`) }));
  const bothAnchors = state.Q.length !== state.K.length || state.mask === 'causal-end';
  const masks = choices('mask', ['none', 'causal', ...(bothAnchors ? ['causal-end'] : []), 'drawn'])
    .map((choice) => (choice.value === 'causal-end' ? { ...choice, full: t('mask.causal-end.full') } : choice));
  return html`
    ${segmentedView({ label: t('setting.scale'), value: state.scale, choose: (scale) => set({ scale }), choices: choices('scale', ['on', 'off']) })}
    ${segmentedView({ label: t('setting.mask'), value: state.mask, choose: (mask) => set({ mask }), choices: masks })}
    ${state.mask === 'drawn'
      ? html`<p class="hint">${t('mask.draw-hint')}</p>${editor.drawable({
          name: 'allow', label: t('mask.drawn'), mask: drawnMask(state), columns: state.convention === 'columns', windowed: isWindowed, draw: drawMask })}`
      : nothing}
    ${numberView({ ...number('T'), t, label: html`${t('setting.T')} <i>T</i>`, min: 10 ** -1.3, max: 10 ** 1.3, step: 0.01, log: true })}
    ${segmentedView({ label: t('setting.convention'), value: state.convention, choose: (convention) => set({ convention }), choices: choices('convention', ['rows', 'columns']) })}
    ${digitsView({ digits: state.digits, choose: (digits) => set({ digits }), t })}`;
}
