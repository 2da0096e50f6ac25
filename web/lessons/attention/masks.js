// Which mask: a choice, with both corners of a causal one where they differ.
import { choicesOf, segmentedView } from '../../views/controls.js';

/** @param {any} view */
export function maskChoice({ state, t, actions: { set } }) {
  const bothAnchors = state.Q.length !== state.K.length || state.mask === 'causal-end';
  const choices = choicesOf('mask', ['none', 'causal', ...(bothAnchors ? ['causal-end'] : []), 'drawn'], t)
    .map((choice) => (choice.value === 'causal-end' ? { ...choice, full: t('mask.causal-end.full') } : choice));
  return segmentedView({ label: t('setting.mask'), value: state.mask, choose: (mask) => set({ mask }), choices });
}
