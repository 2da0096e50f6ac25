// The current step as a picture: what goes in, what is done, what comes out, and one cell of it explained.
import { html, nothing } from 'lit-html';
import { equationView } from './equation.js';
import { matrixView } from './matrix.js';
import { forbiddenIn, isGradient, stepOf as stepIn } from '../trace.js';
import { heatOf, kindOf, shortName, stepName } from './names.js';
import { shown as shownNumber } from './number.js';
import { tex } from './tex.js';

/**
 * @typedef {import('../trace.js').Step} Step
 * @typedef {import('../trace.js').Trace} Trace
 * @typedef {import('../module/attention.d.ts').Explanation} Explanation
 * @typedef {import('./equation.js').Place} Place
 * @typedef {{ table: string, transposed: boolean } | { sign: unknown }} Part
 *
 * @typedef {object} StageProps
 * @property {Trace} trace
 * @property {Step} step
 * @property {Place} place                     the explained cell
 * @property {Explanation} explanation
 * @property {boolean} columns                 column convention
 * @property {number} digits
 * @property {boolean} windowed
 * @property {boolean} expanded
 * @property {boolean} pinned
 * @property {import('../i18n/index.js').Translate} t
 * @property {(place: Place, how: 'hover' | 'choose') => void} look
 * @property {() => void} leave
 * @property {(place: Place) => void} open
 * @property {() => void} expand
 * @property {(place: Place) => void} pin
 * @property {(place: Place) => void} openGradient
 * @property {((cell: { row: number, col: number }) => void) | undefined} toggleMask   absent while the numbers shown are old
 * @property {() => string} text               the step as text, for what does not fit
 * @property {boolean} textOpen
 * @property {(open: boolean) => void} toggleText
 * @property {{ row: number, col: number } | null} maskFocus
 * @property {(cell: { row: number, col: number }) => void} lookAtMask
 */

/** @param {Trace} trace @param {string} key */
const stepOf = (trace, key) => /** @type {Step} */ (stepIn(trace, key));

/**
 * The row of matrices and signs of an operation. Rows: C = A·B. Columns show every matrix transposed, so a product
 * becomes Cᵀ = Bᵀ·Aᵀ.
 * @param {StageProps} props @returns {Part[]}
 */
function figure({ step, columns, digits, t }) {
  const inputs = step.inputs;
  /** @param {string} key @returns {Part} */
  const table = (key) => ({ table: key, transposed: columns });
  const result = [{ sign: '=' }, table(step.key)];
  switch (step.op) {
    case 'matmul': {
      const left = { table: inputs[0], transposed: Boolean(step.transposeLeft) };
      const right = { table: inputs[1], transposed: Boolean(step.transposeRight) };
      return columns
        ? [{ table: right.table, transposed: !right.transposed }, { sign: '·' }, { table: left.table, transposed: !left.transposed }, ...result]
        : [left, { sign: '·' }, right, ...result];
    }
    case 'scale': {
      const { factor = 1, divisor = 1 } = step;
      if (factor === -1) return [{ sign: '−' }, table(inputs[0]), ...result];
      const by = divisor !== 1
        ? html`<span class="sign-lines"><span>÷ ${tex(divisorTex(step), '')}</span><small>${shownNumber(divisor, digits)}</small></span>`
        : factor !== 1 ? html`× <b>${shownNumber(factor, digits)}</b>` : nothing;
      return [table(inputs[0]), { sign: by }, ...result];
    }
    case 'add': return [...inputs.flatMap((key, i) => (i === 0 ? [table(key)] : [{ sign: '+' }, table(key)])), ...result];
    case 'concatenate': return [...inputs.flatMap((key, i) => (i === 0 ? [table(key)] : [{ sign: '|' }, table(key)])), ...result];
    case 'multiply': return [table(inputs[0]), { sign: '∘' }, table(inputs[1]), ...result];
    case 'subtract-column': return [table(inputs[0]), { sign: '−' }, table(inputs[1]), ...result];
    case 'divide-rows': return [table(inputs[0]), { sign: '÷' }, table(inputs[1]), ...result];
    case 'select': return step.mask ? [table(inputs[0]), { sign: t('sign.where') }, table(step.mask), ...result] : [table(inputs[0]), ...result];
    case 'exp': return [{ sign: html`<span class="function">exp</span>` }, table(inputs[0]), ...result];
    case 'row-max': return [{ sign: html`<span class="function">max</span>` }, table(inputs[0]), ...result];
    case 'is-max': return [{ sign: html`<span class="function">argmax</span>` }, table(inputs[0]), ...result];
    case 'row-sum': return [{ sign: html`<span class="function">Σ</span>` }, table(inputs[0]), ...result];
    case 'rotate': return [table(inputs[0]), { sign: isGradient(step.key) ? '↻' : '↺' }, ...result];
    case 'columns':
    case 'spread':
    case 'transpose': return [table(inputs[0]), { sign: '→' }, table(step.key)];
    default: return [table(step.key)];
  }
}

/** What a step divides by, from its own formula. @param {Step} step */
const divisorTex = ({ tex: formula }) => /\}\{([^{}]*(?:\{[^{}]*\})?)\}$/.exec(formula)?.[1] ?? '';

/** A sign stays on one line with the matrix after it. @param {Part[]} parts @returns {Part[][]} */
function joined(parts) {
  /** @type {Part[][]} */
  const groups = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && 'sign' in last[last.length - 1]) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

/** Name above a matrix: symbol, ᵀ where it is shown against the convention, size. @param {StageProps} props @param {{ table: string, transposed: boolean }} part */
function caption({ trace, columns, t }, { table, transposed }) {
  const step = stepOf(trace, table);
  const symbol = transposed === columns ? step.symbol : `{${step.symbol}}^{\\top}`;
  const [rows, cols] = transposed ? [step.shape[1], step.shape[0]] : step.shape;
  return html`<div class="caption ${kindOf(table)}">${tex(symbol, table)} <span class="name">${shortName(table, t)}</span> <span class="size">${rows}×${cols}</span></div>`;
}

/** @param {StageProps} props @param {Part} part */
function partView(props, part) {
  if ('sign' in part) return part.sign === nothing ? nothing : html`<div class="sign" aria-hidden="true">${part.sign}</div>`;
  const { trace, step, place, explanation, t } = props;
  const shown = stepOf(trace, part.table);
  const isResult = part.table === step.key;
  const sources = explanation.terms.flatMap(({ cells }) => cells).filter(({ key }) => key === part.table);
  const lit = new Set(sources.map(({ row, col }) => `${row},${col}`));
  const isMask = part.table === 'mask';
  return html`<figure class="operand ${isResult ? 'result' : ''}">
    <figcaption>${caption(props, part)}</figcaption>
    ${matrixView({
      name: part.table,
      // The table of what the visitor typed is the one that can be edited.
      part: isResult && !step.typed ? 'step' : 'operand',
      label: stepName(part.table, t),
      kind: kindOf(part.table),
      matrix: { shape: shown.shape, values: shown.values },
      labels: shown.labels,
      digits: isMask ? 0 : props.digits,
      transposed: part.transposed,
      heat: isMask ? undefined : heatOf(shown),
      windowed: props.windowed,
      // Of large operands, just what made the cell.
      only: props.windowed && !isResult && !isMask && sources.length > 0 ? sources : undefined,
      compact: props.windowed,
      forbidden: isMask
        ? ({ row, col }) => shown.values[row * shown.shape[1] + col] === 0
        : forbiddenIn(trace, shown),
      selected: isResult ? place : isMask ? props.maskFocus : sources[0] ?? null,
      lit: isResult ? undefined : ({ row, col }) => lit.has(`${row},${col}`),
      onCell: isResult ? (cell, how) => props.look({ key: step.key, ...cell }, how) : isMask ? (cell, how) => { if (how === 'choose') props.lookAtMask(cell); } : undefined,
      onLeave: isResult ? props.leave : undefined,
      toggle: isMask ? props.toggleMask : undefined,
    })}
  </figure>`;
}

/** @param {StageProps} props */
export function explanationView(props) {
  const { place, step, t } = props;
  const mayOpen = step.op !== 'input' && !isGradient(step.key);
  return html`<div class="explanation" data-explains=${`${place.key},${place.row},${place.col}`}>
    <div class="formula-line" aria-hidden="true">${tex(step.tex, '')}${props.columns ? html` <small>${t('equation.in-rows')}</small>` : nothing}</div>
    ${equationView({ ...props })}
    <div class="actions">
      <button type="button" class="quiet" @click=${() => props.pin(place)}>${t(props.pinned ? 'action.unpin' : 'action.pin')}</button>
      ${mayOpen ? html`<button type="button" class="quiet" @click=${() => props.openGradient(place)}>${t('action.gradient')}</button>` : nothing}
    </div>
  </div>`;
}

/** @param {StageProps} props */
export function stageView(props) {
  const { step, t } = props;
  return html`<div class="figure op-${step.op}">${joined(figure(props)).map((parts) => html`<div class="joined">${parts.map((part) => partView(props, part))}</div>`)}</div>
    ${explanationView(props)}
    ${props.windowed ? html`<details class="as-text" ?open=${props.textOpen} @toggle=${(/** @type {any} */ event) => props.toggleText(event.target.open)}><summary>${t('stage.as-text', { rows: step.shape[0], cols: step.shape[1] })}</summary>
      <textarea readonly rows="8" aria-label=${t('stage.as-text', { rows: step.shape[0], cols: step.shape[1] })} .value=${props.textOpen ? props.text() : ''}></textarea></details>` : nothing}`;
}
