// One cell explained: the exact terms that made it, as an equation and as a sentence. Every number leads to its cell.
import { html, nothing } from 'lit-html';
import { isGradient } from '../trace.js';
import { kindOf, placeName, stepName } from './names.js';
import { shown } from './number.js';

/**
 * @typedef {import('../module/attention.d.ts').Explanation} Explanation
 * @typedef {import('../trace.js').Step} Step
 * @typedef {{ key: string, row: number, col: number }} Place
 *
 * @typedef {object} EquationProps
 * @property {Place} place
 * @property {Step} step
 * @property {import('../trace.js').Trace} trace
 * @property {Explanation} explanation
 * @property {number} digits
 * @property {boolean} expanded                    show every term of a long sum
 * @property {import('../i18n/index.js').Translate} t
 * @property {(place: Place) => void} open         go to a cell
 * @property {() => void} expand
 */

const MOST_TERMS = 8;
const MOST_SPOKEN = 16;

/** @param {EquationProps} props @param {Explanation['terms'][0]['cells'][0]} cell */
function number({ digits, t, open, trace }, cell) {
  const source = /** @type {Step} */ (trace.steps.find(({ key }) => key === cell.key));
  const text = shown(cell.value, digits);
  return html`<button type="button" class="number ${kindOf(cell.key)}"
    aria-label=${t('equation.open', { step: stepName(cell.key, t), place: placeName(source, cell.row, cell.col), value: text })}
    @click=${() => open(cell)}>${cell.value < 0 ? html`(${text})` : text}</button>`;
}

/** What one term looks like, by operation where a product does not say it. @param {EquationProps} props @param {Explanation['terms'][0]} term */
function termView(props, term) {
  const cells = term.cells.map((cell) => number(props, cell));
  switch (props.step.op) {
    case 'exp': return html`<i>e</i><sup>${cells}</sup>`;
    case 'divide-rows': return html`${cells[0]} ÷ ${cells[1]}`;
    case 'is-max': return props.t('equation.is-max');
    default: {
      const factors = cells.map((cell, i) => html`${i > 0 ? ' · ' : ''}${cell}`);
      const front = term.factor === 1 ? nothing : html`${shown(term.factor, props.digits)} · `;
      const behind = term.divisor === 1 ? nothing : html` ÷ ${shown(term.divisor, props.digits)}`;
      return html`${front}${factors}${behind}`;
    }
  }
}

/** @param {EquationProps} props */
function sumView(props) {
  const { terms } = props.explanation;
  const long = terms.length > MOST_TERMS && !props.expanded;
  const shown = long ? [...terms.slice(0, MOST_TERMS - 2), null, terms[terms.length - 1]] : terms;
  return shown.map((term, i) => {
    if (term === null)
      return html` + <button type="button" class="more" @click=${props.expand}>${props.t('equation.more', { count: terms.length - MOST_TERMS + 1 })}</button>`;
    const minus = term.factor === -1 || (i > 0 && term.factor < 0);
    const sign = minus ? '− ' : i > 0 ? '+ ' : '';
    return html`${i > 0 ? ' ' : ''}<span class="term">${sign}${termView(props, minus ? { ...term, factor: -term.factor } : term)}</span>`;
  });
}

/** @param {EquationProps} props */
function rightSide(props) {
  const { form, terms } = props.explanation;
  if (terms.length === 0) {
    if (props.step.op === 'input') return html`<span class="note">${props.t(isGradient(props.place.key) ? 'equation.seed' : props.step.typed ? 'equation.given' : 'equation.encoded')}</span>`;
    return html`<span class="note">${props.t('equation.forbidden')}</span>`;
  }
  if (form === 'max') return html`max( ${terms.map((term, i) => html`${i > 0 ? ', ' : ''}${number(props, term.cells[0])}`)} )`;
  return sumView(props);
}

/** @param {EquationProps} props */
export function equationView(props) {
  const { place, step, explanation, digits, t } = props;
  return html`<p class="equation">
    <span class="left ${kindOf(place.key)}">${stepName(place.key, t)}<sub>${placeName(step, place.row, place.col)}</sub></span>
    <span class="equals">=</span>
    <span class="right">${rightSide(props)}</span>
    ${step.op === 'input' && explanation.terms.length === 0 && !place.key.startsWith('grad/') ? nothing : html`<span class="equals">=</span>`}
    <strong class="result ${kindOf(place.key)}">${shown(explanation.result, digits)}</strong>
  </p>`;
}

/** One term in words, the same as termView shows. @param {Step} step @param {Explanation['terms'][0]} term @param {number} digits @param {import('../i18n/index.js').Translate} t */
function termWords(step, { cells, factor, divisor }, digits, t) {
  const values = cells.map(({ value }) => shown(value, digits));
  switch (step.op) {
    case 'exp': return `e^(${values[0]})`;
    case 'divide-rows': return `${values[0]} ÷ ${values[1]}`;
    case 'is-max': return t('equation.is-max');
    default: return `${factor === -1 ? '−' : factor === 1 ? '' : `${shown(factor, digits)} × `}${values.join(' × ')}${divisor === 1 ? '' : ` ÷ ${shown(divisor, digits)}`}`;
  }
}

/** The same as a sentence, for the live region. @param {Pick<EquationProps, 'place' | 'step' | 'explanation' | 'digits' | 't'>} props */
export function spoken({ place, step, explanation, digits, t }) {
  const words = {
    step: stepName(place.key, t), place: placeName(step, place.row, place.col),
    result: shown(explanation.result, digits), terms: '',
  };
  if (explanation.terms.length === 0) return t(step.op !== 'input' ? 'say.forbidden' : step.typed || isGradient(step.key) ? 'say.input' : 'say.encoded', words);
  words.terms = explanation.terms.slice(0, MOST_SPOKEN).map((term) => termWords(step, term, digits, t)).join(', ');
  // A sum of one term is no sum to the ear.
  const form = explanation.form === 'sum' && explanation.terms.length === 1 ? 'map' : explanation.form;
  return t(`say.${form}`, words);
}
