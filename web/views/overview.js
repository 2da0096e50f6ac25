// Every step at a glance; a click on a name goes there.
import { html } from 'lit-html';
import { matrixView } from './matrix.js';
import { heatOf, kindOf, stepName } from './names.js';

/**
 * @param {{ steps: import('../trace.js').Step[], current: string, digits: number, columns: boolean,
 *   forbidden: (step: any) => ((cell: { row: number, col: number }) => boolean) | undefined,
 *   open: boolean, toggle: (open: boolean) => void, go: (key: string) => void, t: import('../i18n/index.js').Translate }} props
 */
export function overviewView({ steps, current, digits, columns, forbidden, open, toggle, go, t }) {
  return html`<details class="overview" ?open=${open} @toggle=${(/** @type {any} */ event) => toggle(event.target.open)}>
    <summary>${t('overview.title')}</summary>
    <div class="tape" tabindex="0" role="group" aria-label=${t('overview.title')}>${steps.map((step) => html`<figure class="operand ${step.key === current ? 'current' : ''}">
      <figcaption><button type="button" class="quiet ${kindOf(step.key)}" @click=${() => go(step.key)}>${stepName(step.key, t)}</button></figcaption>
      ${step.key === current ? html`<p class="here">${t('overview.here')}</p>` : matrixView({
        name: step.key, part: 'step', label: stepName(step.key, t), kind: kindOf(step.key), matrix: step, digits, compact: true, labels: step.labels,
        transposed: columns, heat: heatOf(step), forbidden: forbidden(step),
      })}
    </figure>`)}</div>
  </details>`;
}
