// What the first look does not need: the sections below the steps, what they are computed from, and the judge of predictions.
import { html, nothing } from 'lit-html';
import { choicesOf, segmentedView } from '../../views/controls.js';
import { matrixInputView } from '../../views/inputs.js';
import { matrixView } from '../../views/matrix.js';
import { tokenName } from '../../views/names.js';
import { listText, rounded, shown, typed } from '../../views/number.js';
import { numbersTable } from '../../views/numbers.js';
import { proseView } from '../../views/prose.js';
import { questionsView, sectionView } from '../../views/sections.js';
import { PAD, wordOf, WORDS, wordsOf } from './model.js';
import { namedPicture } from './picture.js';
import { predictTask } from './predict.js';
import { batch, corners, finite, leaks, misread, policies, readers, ways } from './scenes.js';

export { misfits } from '../misfits.js';

/** What the page shows besides the trace; computed anew when one of the properties `of` changes. */
export const derived = {
  readers: { of: [], compute: readers },
  ways: { of: ['x'], compute: ways },
  batch: { of: ['Q', 'K', 'V'], compute: batch },
  corners: { of: ['Q', 'K', 'V'], compute: corners },
  finite: { of: ['x'], compute: finite },
  policies: { of: ['x'], compute: policies },
  misread: { of: ['Q', 'K', 'V', 'mask', 'allow', 'padding', 'emptyRow'], compute: misread },
  leaks: { of: ['x'], compute: leaks },
};

/** Rows and columns shown here of large masks. */
const SMALL_WINDOW = 8;

/** "α₁", … for the weights of a row. @param {ArrayLike<unknown>} list */
const weightNames = (list) => Array.from(list, (_, j) => tokenName('α', j));

/** What is exactly 0 is written so. @param {any} state @returns {(cell: number) => string} */
const zeroOr = ({ digits }) => (cell) => (cell === 0 ? '0' : rounded(cell, digits));

// Two models ---------------------------------------------------------------------------------------------------------

/** What BERT reads in place of the word that it guesses; called so in every language. */
const HIDDEN_WORD = '[MASK]';

/** @param {any} view */
function readersSection({ prose, derived: { readers }, t, ui, actions: { setUi } }) {
  const sentence = Array.from({ length: WORDS }, (_, token) => /** @type {string} */ (wordOf(t, token)));
  const gap = ui.gap ?? WORDS - 2;
  const gapped = sentence.map((word, token) => (token === gap ? HIDDEN_WORD : word));
  return sectionView('readers', html`${proseView(prose, 'readers', { heading: 2 })}${proseView(prose, 'gaps')}`, readers && html`
    <div class="mask-pictures">${readers.map((/** @type {any} */ { model, pairs, seen, all }) => {
      const isGenerator = model === 'GPT';
      const words = isGenerator ? sentence : gapped;
      return namedPicture({
        name: `reader-${model}`, label: t(`masking.reader.${model}`), pairs, words: { queries: words, keys: words }, guesses: isGenerator, t,
        ...(!isGenerator && { beside: { head: t('masking.guess'), rows: sentence.map((word, token) => (token === gap ? word : '')) } }),
        note: html`<p class="hint">${t('masking.pairs')} <strong data-pairs=${model} data-value=${seen}>${t('masking.pairs-of', { seen, all })}</strong></p>`,
      });
    })}</div>
    ${segmentedView({ label: t('masking.gap'), value: String(gap), choose: (token) => setUi({ gap: Number(token) }), choices: sentence.map((word, token) => ({ value: String(token), label: word })) })}`);
}

// One row ------------------------------------------------------------------------------------------------------------

/** @param {any} view */
function waysSection({ prose, derived: { ways }, state, t, editor, problemsOf }) {
  const list = editor.input({ name: 'x', kind: 'score', labels: { rows: null, cols: 'x' } }, false, problemsOf('x'));
  return sectionView('ways', proseView(prose, 'ways', { heading: 2 }), html`
    ${matrixInputView(list, false, t)}
    ${ways && html`<h3 class="list-title">${t('masking.ways')}</h3>${numbersTable({
      name: 'ways', label: t('masking.ways'), digits: state.digits, worded: true, write: zeroOr(state), columns: [t('masking.way'), ...weightNames(state.x[0]), t('masking.sum')],
      rows: ways.map((/** @type {any} */ { way, weights, sum }) => ({ head: t(`masking.way.${way}`), cells: [...weights, sum] })),
    })}`}`);
}

/** @param {any} view */
function finiteSection({ prose, derived: { finite, policies }, state, t }) {
  const scores = state.x[0].length;
  return sectionView('finite', html`${proseView(prose, 'finite', { heading: 2 })}${proseView(prose, 'policies')}`, finite && html`
    ${['last', 'all'].map((hidden) => html`<h3 class="list-title">${t(`masking.hidden.${hidden}`, { list: listText(state.x[0]) })}</h3>
      ${numbersTable({
        name: `finite-${hidden}`, label: t(`masking.hidden.${hidden}`, { list: listText(state.x[0]) }), digits: state.digits, worded: true,
        columns: [t('masking.numbers'), ...state.x[0].map((/** @type {number} */ _, /** @type {number} */ j) => `${tokenName('x', j)} + B`), ...weightNames(state.x[0])],
        rows: finite.filter((/** @type {any} */ each) => each.hidden === hidden).map((/** @type {any} */ each) => ({ head: t(`masking.numbers.${each.numbers}`), cells: [...each.scores, ...each.weights] })),
        write: (cell, col) => (col < scores && Number.isFinite(cell) ? typed(cell) : zeroOr(state)(cell)),
      })}`)}
    <h3 class="list-title">${t('masking.policies')}</h3>
    ${numbersTable({
      name: 'policies', label: t('masking.policies'), digits: state.digits, worded: true, write: zeroOr(state), columns: [t('masking.policy'), ...weightNames(state.x[0]), t('step.output')],
      rows: policies.map((/** @type {any} */ { emptyRow, weights, output }) => ({ head: t(`masking.policy.${emptyRow}`), cells: [...weights, output] })),
    })}`);
}

/** @param {any} view */
function leaksSection({ prose, derived: { leaks }, state, t }) {
  return sectionView('leaks', proseView(prose, 'leaks', { heading: 2 }), leaks && numbersTable({
    name: 'leaks', label: t('masking.leaks'), digits: state.digits, worded: true, write: (cell) => shown(cell, state.digits), columns: [t('masking.way'), t('masking.hidden-value'), t('masking.its-weight'), t('step.output')],
    rows: leaks.map((/** @type {any} */ { way, hidden, weight, output }) => ({ head: t(`masking.leak.${way}`), cells: [hidden, weight, output] })),
  }));
}

// Sentences ----------------------------------------------------------------------------------------------------------

/** @param {any} view */
function batchSection({ prose, derived: { batch }, state, t }) {
  if (!batch) return sectionView('batch', proseView(prose, 'batch', { heading: 2 }), nothing);
  const short = (/** @type {number} */ token) => (token < batch.real ? (token < 2 ? t(`masking.short.${token}`) : tokenName('k', token)) : PAD);
  const keys = batch.rows[0].weights.map((/** @type {unknown} */ _, /** @type {number} */ j) => short(j));
  const rowHead = (/** @type {number} */ i) => html`${keys[i] ?? ''} <span class="ordinal">${tokenName('q', i)}</span>`;
  return sectionView('batch', html`${proseView(prose, 'batch', { heading: 2 })}${proseView(prose, 'padding-rows')}`, html`
    <ul class="batch" aria-label=${t('masking.batch')}>
      <li>${keys.map((/** @type {unknown} */ _, /** @type {number} */ j) => html`<span class="token">${wordOf(t, j)}</span>`)}</li>
      <li>${keys.map((/** @type {string} */ word, /** @type {number} */ j) => html`<span class="token ${j < batch.real ? '' : 'pad'}">${word}</span>`)}</li>
    </ul>
    <h3 class="list-title">${t('masking.batch-rows')}</h3>
    ${numbersTable({
      name: 'batch', label: t('masking.batch-rows'), digits: state.digits, worded: true, write: zeroOr(state),
      columns: [t('masking.query'), ...weightNames(keys), t('masking.sum'), ...batch.rows[0].output.map((/** @type {unknown} */ _, /** @type {number} */ c) => t('masking.output-of', { number: c + 1 }))],
      rows: batch.rows.map((/** @type {any} */ { weights, sum, output }, /** @type {number} */ i) => ({ head: rowHead(i), cells: [...weights, sum, ...output] })),
    })}`);
}

/** @param {any} view */
function cornersSection({ prose, derived: { corners }, t }) {
  return sectionView('corners', proseView(prose, 'corners', { heading: 2 }), corners && html`<div class="mask-pictures">${corners.map((/** @type {any} */ { mask, pairs }) => {
    const keys = pairs[0].map((/** @type {unknown} */ _, /** @type {number} */ j) => wordOf(t, j));
    const queries = pairs.map((/** @type {unknown} */ _, /** @type {number} */ i) => keys[keys.length - pairs.length + i] ?? null);
    return namedPicture({ name: `corner-${mask}`, label: t(`masking.corner.${mask}`), pairs, words: { queries, keys }, t, note: html`<p class="hint">${t(`masking.corner.${mask}.who`)}</p>` });
  })}</div>`);
}

/** @param {any} view */
function truthSection({ prose, derived: { misread }, state, t, actions: { set } }) {
  if (!misread) return sectionView('truth', proseView(prose, 'truth', { heading: 2 }), nothing);
  const { queries, keys } = wordsOf(state, t);
  const { pairs, weights } = misread;
  const written = pairs.flat().map((/** @type {number} */ sees) => (state.truth === 'look' ? sees : 1 - sees));
  const large = pairs.length > SMALL_WINDOW || pairs[0].length > SMALL_WINDOW;
  const common = { part: /** @type {const} */ ('operand'), labels: { rows: 'q', cols: 'k' }, words: { rows: queries, cols: keys }, windowed: large ? SMALL_WINDOW : undefined };
  return sectionView('truth', proseView(prose, 'truth', { heading: 2 }), html`
    ${segmentedView({ label: t('masking.truth'), value: state.truth, choose: (truth) => set({ truth }), choices: choicesOf('masking.truth', ['look', 'hide'], t) })}
    <div class="mask-pictures">
      <figure class="operand mask-picture"><figcaption>${t('masking.same-mask')}</figcaption>
        ${matrixView({ ...common, name: 'boolean', label: t('masking.same-mask'), kind: 'plain', digits: 0, matrix: { shape: [pairs.length, pairs[0].length], values: written },
          write: (value) => (value === 1 ? 'True' : 'False'), forbidden: ({ row, col }) => pairs[row][col] === 0 })}
        <p class="hint" data-readers=${state.truth}>${t(`masking.truth.${state.truth}.who`)}</p></figure>
      <figure class="operand mask-picture"><figcaption>${t('masking.misread')}</figcaption>
        ${matrixView({ ...common, name: 'misread', label: t('masking.misread'), kind: 'score', digits: state.digits, heat: 'share', matrix: weights, forbidden: ({ row, col }) => pairs[row][col] === 1 })}</figure>
    </div>`);
}

/** @param {any} view */
export function sections(view) {
  return html`<div class="deeper">
    ${readersSection(view)}
    ${waysSection(view)}
    ${batchSection(view)}
    ${cornersSection(view)}
    ${finiteSection(view)}
    ${truthSection(view)}
    ${leaksSection(view)}
    ${questionsView(['first-row', 'low-score', 'both-ways', 'last-token'], view.prose, view.t)}
  </div>`;
}

export { predictTask };
