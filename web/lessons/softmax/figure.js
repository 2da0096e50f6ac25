// The bars above the steps.
import { html, nothing } from 'lit-html';
import { stepOf } from '../../trace.js';
import { barChart } from '../../views/chart.js';
import { exact, listText, shown } from '../../views/number.js';
import { entropy, isBroken } from './model.js';

/** The shares as bars, and how far they are spread. @param {any} view */
export function figure({ trace, state, t, further }) {
  const weights = stepOf(trace, 'weights')?.values;
  if (!weights) return nothing;
  const bits = entropy(weights);
  const most = Math.log2(weights.length);
  const bars = barChart({
    label: t('softmax-lesson.chart', { weights: listText(Array.from(weights, (weight) => Number(weight.toFixed(3)))) }),
    series: [{ name: t('step.weights'), kind: 'score', values: [...weights] }], reference: { name: t('softmax-lesson.even'), value: 1 / weights.length },
    axis: t('softmax-lesson.entry'), digits: state.digits, tableLabel: t('softmax-lesson.table'), top: 1,
  });
  // It can be saved as soon as what is further down is there.
  return html`<div class="bars">
    ${further ? further.pictureView({ name: 'softmax-shares', label: t('softmax-lesson.picture'), t, figure: bars }) : bars}
    <p class="entropy">${isBroken(weights) ? t('softmax-lesson.no-entropy') : html`${t('softmax-lesson.entropy')} <strong data-entropy data-value=${exact(bits)}>${shown(bits, state.digits)}</strong>
      ${t('softmax-lesson.entropy-most', { most: shown(most, state.digits) })}`}</p>
  </div>`;
}
