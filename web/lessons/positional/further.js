// What the first look does not need: the order test, the pictures of the encoding, and what they are computed from.
import { html, nothing } from 'lit-html';
import { choicesOf, choiceView, numberView, segmentedView } from '../../views/controls.js';
import { heatmapView } from '../../views/heatmap.js';
import { tokenName } from '../../views/names.js';
import { exact, rounded, shown, typed } from '../../views/number.js';
import { numbersTable } from '../../views/numbers.js';
import { pictureView } from '../../views/picture.js';
import { plotView } from '../../views/plots.js';
import { proseView } from '../../views/prose.js';
import { questionsView, sectionView } from '../../views/sections.js';
import { turningView } from '../../views/turning.js';
import { measuredOf } from './measured.js';
import { ENCODINGS, headOf, orderOf, pairOf, tokenWord } from './model.js';
import { encoding, orders, parts, penalty, slopes, turn, turnedScores } from './scenes.js';

export { misfits } from './misfits.js';

const ENCODED = ['positions', 'dimension', 'base', 'layout', 'offset'];

/** What the page shows besides the trace; computed anew when one of the properties `of` changes. */
export const derived = {
  encoding: { of: ENCODED, compute: encoding },
  turn: { of: [...ENCODED, 'at', 'lag'], compute: turn },
  orders: { of: ['X', 'order', 'encoding', 'combine', 'causal', 'base', 'layout', 'offset', 'heads', 'head'], compute: orders },
  parts: { of: ['X', 'pair', 'base', 'layout', 'offset'], compute: parts },
  turned: { of: ['X', 'pair', 'base', 'layout', 'offset'], compute: turnedScores },
  slopes: { of: ['heads'], compute: slopes },
  penalty: { of: ['heads', 'head'], compute: penalty },
};

/** A number that the prose speaks of. @param {string} name @param {string} label @param {number} value */
const measure = (name, label, value) => html`<p class="measured">${label} <strong data-measured=${name} data-value=${exact(value)}>${value === 0 ? '0' : rounded(value, 3)}</strong></p>`;

/**
 * Numbers behind a figure. They are there while they are open: a slider would have to bring all of them up to date.
 * @param {any} view @param {string} name @param {() => unknown} table
 */
function behind({ ui, t, actions: { setUi } }, name, table) {
  const isOpen = Boolean(ui.numbersOpen?.[name]);
  const toggle = (/** @type {any} */ { target: { open } }) => { if (open !== isOpen) setUi({ numbersOpen: { ...ui.numbersOpen, [name]: open } }); };
  return html`<details class="behind" data-behind=${name} ?open=${isOpen} @toggle=${toggle}><summary>${t('positional.as-numbers')}</summary>${isOpen ? table() : nothing}</details>`;
}

// Order --------------------------------------------------------------------------------------------------------------

/** The word of a row of X and its letter. @param {any} view @param {number} row */
const tokenLabel = ({ state, t }, row) => html`<strong>${tokenWord(state, row, t) ?? '·'}</strong> <span class="ordinal">${tokenName('x', row)}</span>`;

/** The same in one line of text. @param {any} view @param {number} row */
const tokenText = ({ state, t }, row) => [tokenWord(state, row, t), tokenName('x', row)].filter(Boolean).join(' ');

/** @param {number[]} list @param {number} from @param {number} to */
function moved(list, from, to) {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

/** Every drag is undone as one. */
let drags = 0;

/** The tokens in the other order: each is dragged by its grip or moved by its buttons. @param {any} view */
function orderList(view) {
  const { state, t, actions } = view;
  const order = orderOf(state);
  const put = (/** @type {number[]} */ next, /** @type {any} */ change) => actions.set({ order: [next] }, change);
  const step = (/** @type {number} */ at, /** @type {1 | -1} */ by) => {
    if (!(at + by in order)) return;
    put(moved(order, at, at + by), undefined);
    // The focus goes with the token.
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(`[data-token="${order[at]}"] [data-by="${by}"]`))?.focus());
  };
  const drag = (/** @type {PointerEvent} */ event, /** @type {number} */ start) => {
    const grip = /** @type {HTMLElement} */ (event.currentTarget);
    const list = /** @type {HTMLElement} */ (grip.closest('ol'));
    let [at, now] = [start, order];
    const merge = `order-${++drags}`;
    grip.setPointerCapture(event.pointerId);
    const follow = (/** @type {PointerEvent} */ { clientY }) => {
      const lines = [...list.children].map((line) => line.getBoundingClientRect());
      const under = lines.findIndex(({ top, bottom }) => clientY >= top && clientY <= bottom);
      if (under < 0 || under === at) return;
      now = moved(now, at, under);
      at = under;
      put(now, { merge });
    };
    grip.addEventListener('pointermove', follow);
    grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', follow), { once: true });
    event.preventDefault();
  };
  return html`<ol class="order" data-order-list>${order.map((row, i) => html`<li data-token=${row}>
    <span class="grip" data-grip aria-hidden="true" @pointerdown=${(/** @type {PointerEvent} */ event) => drag(event, i)}>⠿</span>
    <span class="line">${tokenLabel(view, row)}</span>
    <button type="button" data-by="-1" aria-disabled=${String(i === 0)} aria-label=${t('positional.earlier', { token: tokenText(view, row) })} @click=${() => step(i, -1)}><span aria-hidden="true">▲</span></button>
    <button type="button" data-by="1" aria-disabled=${String(i === order.length - 1)} aria-label=${t('positional.later', { token: tokenText(view, row) })} @click=${() => step(i, 1)}><span aria-hidden="true">▼</span></button>
  </li>`)}</ol>`;
}

/** Outputs of the sentence, and of the same tokens in the other order. @param {any} view @param {'sentence' | 'other'} which */
function outputTable(view, which) {
  const { t, state, derived: { orders: { rows } } } = view;
  return html`<div><h3>${t(`positional.outputs.${which}`)}</h3>${numbersTable({
    name: `outputs-${which}`, label: t(`positional.outputs.${which}`), digits: state.digits,
    columns: [t('positional.token'), ...rows[0][which].map((/** @type {number} */ _, /** @type {number} */ col) => String(col + 1))],
    rows: rows.map((/** @type {any} */ row) => ({ head: tokenLabel(view, row.from), cells: row[which] })),
  })}</div>`;
}

/** @param {any} view */
function orderSection(view) {
  const { prose, state, t, derived: { orders: found }, actions: { set } } = view;
  const apply = () => {
    const order = orderOf(state);
    set({ X: order.map((row) => state.X[row]), tokens: [order.map((row) => state.tokens[0][row] ?? -1)], order: null });
  };
  return sectionView('order', html`${proseView(prose, 'order', { heading: 2 })}${proseView(prose, 'causal-order')}`, html`
    <div class="settings-row">${choiceView('encoding', ENCODINGS, view)}${choiceView('causal', ['off', 'on'], view)}</div>
    <h3 class="list-title">${t('positional.other-order')}</h3>
    ${orderList(view)}
    <button type="button" @click=${apply}>${t('positional.apply')}</button>
    ${found && html`
      ${measure('order', t('positional.order-error'), found.error)}
      <div class="tables">${outputTable(view, 'sentence')}${outputTable(view, 'other')}</div>`}`);
}

/** The two tokens that are compared in the sections below. @param {any} view */
function pairView(view) {
  const { state, t, actions: { set } } = view;
  const pair = pairOf(state);
  const choose = (/** @type {number} */ side) => (/** @type {any} */ { target: { value } }) => set({ pair: [pair.map((row, i) => (i === side ? Number(value) : row))] });
  return html`<div class="settings-row">${/** @type {const} */ (['query', 'key']).map((side, i) => html`<label class="setting"><span class="setting-label">${t(`positional.pair.${side}`)}</span>
    <select data-pair=${side} @change=${choose(i)}>${state.X.map((/** @type {unknown} */ _, /** @type {number} */ row) => html`<option value=${row} .selected=${row === pair[i]}>${tokenText(view, row)}</option>`)}</select></label>`)}</div>`;
}

/** The names of two vectors beside each other: x₁·p₃. @param {any} state */
const partNames = (state) => ['xx', 'xp', 'px', 'pp'].map((letters) => pairOf(state).map((row, i) => tokenName(letters[i], row)).join('·'));

/** @param {any} view */
function combineSection(view) {
  const { prose, state, t, derived: { parts: found }, actions: { set } } = view;
  return sectionView('combine', proseView(prose, 'combine', { heading: 2 }), html`
    ${segmentedView({ label: t('setting.combine'), value: state.combine, choose: (combine) => set({ combine, encoding: 'sinusoidal' }), choices: choicesOf('combine', ['add', 'concatenate'], t) })}
    ${pairView(view)}
    <h3 class="list-title">${t('positional.parts')}</h3>
    ${found && numbersTable({
      name: 'parts', label: t('positional.parts'), digits: state.digits,
      columns: [t('setting.combine'), ...partNames(state), t('positional.part.sum')],
      rows: found.map((/** @type {any} */ { combine, parts: some, sum }) => ({ head: t(`positional.way.${combine}`), cells: [...some, sum] })),
      write: (cell) => (Number.isNaN(cell) ? '–' : rounded(cell, state.digits)),
    })}`);
}

// Pictures -----------------------------------------------------------------------------------------------------------

/** The encoding of a position, or one number of it, as the formula has it. @param {...(string | number)} place */
const pe = (...place) => `PE(${place.join(', ')})`;

/** @param {any} state @param {number} row */
const positionOf = ({ offset }, row) => typed(row + offset);

/** The cell that is looked at, where the picture has one. @param {any} cell @param {number} rows @param {number} cols */
const inside = (cell, rows, cols) => ({ row: Math.min(cell?.row ?? 0, rows - 1), col: Math.min(cell?.col ?? 0, cols - 1) });

const TABLE = 16;

/** A part of a matrix as a table: the page of it that has the cell. @param {{ name: string, label: string, corner: string, rows: number, cols: number, values: ArrayLike<number>, cell: { row: number, col: number },
 *   rowName: (row: number) => string, colName: (col: number) => string, digits: number }} props */
function partTable({ name, label, corner, rows, cols, values, cell, rowName, colName, digits }) {
  const page = (/** @type {number} */ at, /** @type {number} */ count) => {
    const start = Math.floor(at / TABLE) * TABLE;
    return Array.from({ length: Math.min(TABLE, count - start) }, (_, i) => start + i);
  };
  const columns = page(cell.col, cols);
  return numbersTable({
    name, label, digits, columns: [corner, ...columns.map(colName)],
    rows: page(cell.row, rows).map((row) => ({ head: rowName(row), cells: columns.map((col) => values[row * cols + col]) })),
  });
}

/** @param {any} view */
function controls(view) {
  const { number, t } = view;
  return html`<div class="settings-row">
    ${numberView({ ...number('base'), t, label: t('field.base'), min: 1, max: 1e6, step: 0.01, log: true })}
    ${numberView({ ...number('offset'), t, label: t('field.offset'), min: 0, max: 1000, step: 1 })}
    ${numberView({ ...number('positions'), t, label: t('field.positions'), min: 2, max: 1024, step: 1 })}
    ${numberView({ ...number('dimension'), t, label: t('field.dimension'), min: 1, max: 512, step: 1 })}
    ${choiceView('layout', ['interleaved', 'halves'], view)}
  </div>`;
}

/** @param {any} view */
function encodingSection(view) {
  const { prose, state, ui, t, derived: { encoding: found }, actions: { setUi } } = view;
  if (!found) return sectionView('encoding', proseView(prose, 'encoding', { heading: 2 }), nothing);
  const { positions: rows, dimension: cols, values } = found;
  const cell = inside(ui.encodingCell, rows, cols);
  const value = values[cell.row * cols + cell.col];
  const rowName = (/** @type {number} */ row) => positionOf(state, row);
  return sectionView('encoding', html`${proseView(prose, 'encoding', { heading: 2 })}${proseView(prose, 'frequencies')}`, html`
    ${controls(view)}
    ${pictureView({
      name: 'positional-encoding', label: t('positional.heatmap'), t, figure: heatmapView({
        name: 'encoding', label: t('positional.heatmap-keys', { what: t('positional.heatmap') }), rows, cols, values, largest: 1, axes: { rows: t('positional.position'), cols: t('positional.dimension') },
        rowName, colName: String, cell, look: (encodingCell) => setUi({ encodingCell }),
        readout: html`${pe(rowName(cell.row), cell.col)} = <strong data-readout="encoding" data-value=${exact(value)}>${shown(value, state.digits)}</strong>`,
      }),
    })}
    ${behind(view, 'encoding', () => partTable({ name: 'encoding', label: t('positional.heatmap'), corner: t('positional.position'), rows, cols, values, cell, rowName, colName: String, digits: state.digits }))}`);
}

const MOST_WAVES = 5;
const WAVE_KINDS = ['query', 'key', 'value', 'score', 'output'];
const WAVE_DASHES = ['none', '7 3', '2 3', '9 3 2 3', '5 5'];

/** @param {any} view */
function wavesSection(view) {
  const { prose, state, ui, t, derived: { encoding: found }, actions: { set } } = view;
  if (!found) return nothing;
  const { positions, dimension, values } = found;
  const waves = /** @type {number[]} */ (state.waves[0]).filter((col) => Number.isInteger(col) && col >= 0 && col < dimension);
  const looked = inside(ui.encodingCell, positions, dimension).col;
  const canAdd = !waves.includes(looked) && waves.length < MOST_WAVES;
  const name = (/** @type {number} */ col) => t('positional.wave', { col });
  const lines = waves.map((col, i) => ({
    name: name(col), kind: WAVE_KINDS[i % MOST_WAVES], dashes: WAVE_DASHES[i % MOST_WAVES], values: Array.from({ length: positions }, (_, row) => values[row * dimension + col]),
  }));
  return sectionView('waves', proseView(prose, 'waves', { heading: 2 }), html`
    <div class="chips" role="group" aria-label=${t('positional.waves')}>
      ${waves.map((col) => html`<button type="button" data-wave=${col} aria-disabled=${String(waves.length === 1)} aria-label=${t('positional.wave-remove', { wave: name(col) })} @click=${() => waves.length > 1 && set({ waves: [waves.filter((each) => each !== col)] })}>${name(col)} <span aria-hidden="true">×</span></button>`)}
      <button type="button" class="quiet" aria-disabled=${String(!canAdd)} @click=${() => canAdd && set({ waves: [[...waves, looked].sort((a, b) => a - b)] })}>${t('positional.wave-add', { wave: name(looked) })}</button>
    </div>
    ${pictureView({ name: 'positional-waves', label: t('positional.waves'), t, figure: plotView({
      name: 'waves', label: t('positional.waves-label', { waves: waves.map(name).join(', ') }), lines: { lines, start: state.offset, axes: { x: t('positional.position'), y: '' } },
    }) })}
    ${behind(view, 'waves', () => numbersTable({
      name: 'waves', label: t('positional.waves'), digits: state.digits, columns: [t('positional.position'), ...waves.map(name)],
      rows: Array.from({ length: positions }, (_, row) => ({ head: positionOf(state, row), cells: lines.map((line) => line.values[row]) })),
    }))}`);
}

/** @param {any} view */
function similaritySection(view) {
  const { prose, state, ui, t, derived: { encoding: found }, actions: { setUi } } = view;
  const { measured, isOld } = found ? measuredOf(found, () => setUi({})) : { measured: null, isOld: true };
  const text = html`${proseView(prose, 'similarity', { heading: 2 })}${proseView(prose, 'odd')}`;
  if (!measured) return sectionView('similarity', text, html`<p class="loading" role="status">${t('positional.measuring')}</p>`);
  const { taken, stride, values, largest, spread, otherLayout } = measured;
  const count = taken.length;
  const cell = inside(ui.similarityCell, count, count);
  const value = values[cell.row * count + cell.col];
  const name = (/** @type {number} */ i) => positionOf(state, taken[i]);
  return sectionView('similarity', text, html`<div data-measuring=${isOld ? 'yes' : 'no'} aria-busy=${String(isOld)}>
    ${stride > 1 ? html`<p class="hint">${t('positional.sampled', { stride })}</p>` : nothing}
    ${pictureView({
      name: 'positional-products', label: t('positional.products'), t, figure: heatmapView({
        name: 'products', label: t('positional.heatmap-keys', { what: t('positional.products') }), rows: count, cols: count, values, largest,
        axes: { rows: t('positional.position'), cols: t('positional.position') }, rowName: name, colName: name, cell, look: (similarityCell) => setUi({ similarityCell }),
        readout: html`${pe(name(cell.row))} · ${pe(name(cell.col))} = <strong data-readout="products" data-value=${exact(value)}>${shown(value, state.digits)}</strong>`,
      }),
    })}
    ${measure('spread', t('positional.spread'), spread)}
    ${measure('layouts', t('positional.layouts'), otherLayout)}
    ${behind(view, 'products', () => partTable({ name: 'products', label: t('positional.products'), corner: t('positional.position'), rows: count, cols: count, values, cell, rowName: name, colName: name, digits: state.digits }))}
  </div>`);
}

/** Distances whose numbers stand below the curve at once; beyond, all of them are opened. */
const MOST_DISTANCES = 32;

/** @param {any} view */
function distanceSection(view) {
  const { prose, state, t, derived: { encoding: found } } = view;
  if (!found) return nothing;
  const { dots } = found;
  const numbers = (/** @type {string} */ name, /** @type {number[]} */ some) => numbersTable({
    name, label: t('positional.distance-plot'), digits: Math.max(2, state.digits), columns: [t('positional.distance'), t('positional.product')],
    rows: some.map((dot, distance) => ({ head: String(distance), cells: [dot] })),
  });
  return sectionView('distance', proseView(prose, 'distance', { heading: 2 }), html`
    ${pictureView({ name: 'positional-distance', label: t('positional.distance-plot'), t, figure: plotView({
      name: 'distance', label: t('positional.distance-label', { first: dots.slice(0, 6).map((/** @type {number} */ dot) => shown(dot, 2)).join(', ') }),
      lines: { lines: [{ name: '', kind: 'score', values: dots }], axes: { x: t('positional.distance'), y: t('positional.product') }, dots: dots.length <= 64 },
    }) })}
    ${numbers('distance', dots.slice(0, MOST_DISTANCES))}
    ${dots.length > MOST_DISTANCES ? behind(view, 'distances', () => numbers('distances', dots)) : nothing}`);
}

const MOST_CIRCLES = 6;

/** @param {any} view */
function turnSection({ prose, state, number, t, derived: { turn: found } }) {
  return sectionView('turn', proseView(prose, 'turn', { heading: 2 }), html`
    <div class="settings-row">
      ${numberView({ ...number('at'), t, label: t('field.at'), min: 0, max: Math.min(1023, state.positions - 1), step: 1 })}
      ${numberView({ ...number('lag'), t, label: t('field.lag'), min: -32, max: 32, step: 1 })}
    </div>
    ${found && html`
      ${found.count === 0 ? nothing : pictureView({ name: 'positional-turning', label: t('positional.turning'), t, figure: turningView({
        label: t('positional.turning-label', { from: positionOf(state, state.at), to: positionOf(state, state.at + state.lag) }),
        axes: { x: t('positional.sine'), y: t('positional.cosine') }, from: pe(positionOf(state, state.at)), to: pe(positionOf(state, state.at + state.lag)),
        pairs: found.pairs.slice(0, MOST_CIRCLES).map((/** @type {any} */ pair) => ({ ...pair, name: `r = ${pair.r}` })),
      }) })}
      ${measure('turn', t('positional.turn-error', { count: found.count }), found.error)}
      ${numbersTable({
        name: 'turn', label: t('positional.turning'), digits: state.digits,
        columns: ['r', 'ω', '−kω', t('positional.turned-sine'), t('positional.turned-cosine'), t('positional.there-sine'), t('positional.there-cosine'), t('positional.error')],
        rows: found.pairs.map((/** @type {any} */ { r, omega, angle, reached, to, error }) => ({ head: String(r), cells: [omega, angle, ...reached, ...to, error] })),
      })}`}`);
}

// What came after -----------------------------------------------------------------------------------------------------

/** @param {any} view */
function rotarySection(view) {
  const { prose, state, ui, t, derived: { turned: found }, actions: { setUi } } = view;
  const text = html`${proseView(prose, 'rotary', { heading: 2 })}${proseView(prose, 'pairs')}`;
  if (!found) return sectionView('rotary', text, nothing);
  const { count, values, largest, byDistance } = found;
  const cell = inside(ui.turnedCell, count, count);
  const value = values[cell.row * count + cell.col];
  const name = (/** @type {number} */ row) => positionOf(state, row);
  const [query, key] = pairOf(state);
  return sectionView('rotary', text, html`
    ${pairView(view)}
    <div class="settings-row">${choiceView('layout', ['interleaved', 'halves'], view)}</div>
    ${pictureView({
      name: 'positional-rope', label: t('positional.turned-scores'), t, figure: heatmapView({
        name: 'turned', label: t('positional.heatmap-keys', { what: t('positional.turned-scores') }), rows: count, cols: count, values, largest,
        axes: { rows: t('positional.query-position'), cols: t('positional.key-position') }, rowName: name, colName: name, cell, look: (turnedCell) => setUi({ turnedCell }),
        readout: html`${tokenText(view, query)} (${name(cell.row)}) · ${tokenText(view, key)} (${name(cell.col)}) = <strong data-readout="turned" data-value=${exact(value)}>${shown(value, state.digits)}</strong>`,
      }),
    })}
    ${measure('turned-spread', t('positional.turned-spread'), found.spread)}
    ${measure('added-spread', t('positional.added-spread'), found.added)}
    ${measure('turned-layouts', t('positional.turned-layouts'), found.otherLayout)}
    ${behind(view, 'turned', () => partTable({ name: 'turned', label: t('positional.turned-scores'), corner: t('positional.position'), rows: count, cols: count, values, cell, rowName: name, colName: name, digits: state.digits }))}
    ${pictureView({ name: 'positional-rope-distance', label: t('positional.turned-distance'), t, figure: plotView({
      name: 'turned-distance', label: t('positional.turned-distance-label', { first: typed(1 - count), last: typed(count - 1) }),
      lines: { lines: [{ name: '', kind: 'score', values: byDistance.map((/** @type {any} */ { score }) => score) }], start: 1 - count, axes: { x: t('positional.signed-distance'), y: t('positional.score') }, dots: true, mark: 0 },
    }) })}
    ${behind(view, 'turned-distance', () => numbersTable({
      name: 'turned-distance', label: t('positional.turned-distance'), digits: state.digits, columns: [t('positional.signed-distance'), t('positional.score')],
      rows: byDistance.map((/** @type {any} */ { distance, score }) => ({ head: typed(distance), cells: [score] })),
    }))}`);
}

/** Numbers of heads to begin with: powers of two and others. */
const HEADS = [4, 6, 8, 12, 16];

/** @param {any} view */
function alibiSection(view) {
  const { prose, state, ui, t, derived: { slopes: found, penalty: of }, actions: { set, setUi } } = view;
  const text = html`${proseView(prose, 'alibi', { heading: 2 })}${proseView(prose, 'slopes')}`;
  if (!found || !of) return sectionView('alibi', text, nothing);
  const head = headOf(state);
  const { count, values, largest, decay } = of;
  const cell = inside(ui.biasCell, count, count);
  const value = values[cell.row * count + cell.col];
  const name = (/** @type {number} */ row) => tokenName('x', row);
  return sectionView('alibi', text, html`
    <div class="settings-row">
      ${segmentedView({ label: t('positional.heads'), value: String(state.heads), choose: (heads) => set({ heads: Number(heads) }), choices: HEADS.map((heads) => ({ value: String(heads), label: String(heads) })) })}
      <label class="setting"><span class="setting-label">${t('field.head')}</span>
        <select data-head @change=${(/** @type {any} */ { target }) => set({ head: Number(target.value) })}>${found.map((/** @type {number} */ _, /** @type {number} */ i) => html`<option value=${i + 1} .selected=${i + 1 === head}>${i + 1}</option>`)}</select></label>
    </div>
    ${pictureView({ name: 'positional-slopes', label: t('positional.slopes'), t, figure: plotView({
      name: 'slopes', label: t('positional.slopes-label', { heads: found.length, slopes: found.map((/** @type {number} */ slope) => shown(slope, 3)).join(', ') }),
      lines: { lines: [{ name: '', kind: 'key', values: found }], start: 1, axes: { x: t('positional.head'), y: t('positional.slope') }, dots: true, mark: head },
    }) })}
    <div class="tall">${numbersTable({
      name: 'slopes', label: t('positional.slopes'), digits: Math.max(4, state.digits), columns: [t('positional.head'), t('positional.slope')],
      rows: found.map((/** @type {number} */ slope, /** @type {number} */ i) => ({ head: String(i + 1), cells: [slope] })),
    })}</div>
    ${measure('slope', t('positional.slope-of', { head, heads: found.length }), found[head - 1])}
    ${pictureView({
      name: 'positional-bias', label: t('positional.bias'), t, figure: heatmapView({
        name: 'bias', label: t('positional.heatmap-keys', { what: t('positional.bias') }), rows: count, cols: count, values, largest,
        axes: { rows: t('positional.pair.query'), cols: t('positional.pair.key') }, rowName: name, colName: name, cell, look: (biasCell) => setUi({ biasCell }),
        readout: html`−m · |${cell.row + 1} − ${cell.col + 1}| = <strong data-readout="bias" data-value=${exact(value)}>${shown(value, Math.max(4, state.digits))}</strong>`,
      }),
    })}
    ${behind(view, 'bias', () => partTable({ name: 'bias', label: t('positional.bias'), corner: t('positional.token'), rows: count, cols: count, values, cell, rowName: name, colName: name, digits: state.digits }))}
    ${pictureView({ name: 'positional-decay', label: t('positional.decay'), t, figure: plotView({
      name: 'decay', label: t('positional.decay-label', { head, first: decay.slice(0, 4).map((/** @type {number} */ weight) => shown(weight, 3)).join(', ') }),
      lines: { lines: [{ name: '', kind: 'score', values: decay }], axes: { x: t('positional.distance'), y: t('positional.weight') }, dots: true },
    }) })}
    ${behind(view, 'decay', () => numbersTable({
      name: 'decay', label: t('positional.decay'), digits: state.digits, columns: [t('positional.distance'), t('positional.weight')],
      rows: decay.map((/** @type {number} */ weight, /** @type {number} */ distance) => ({ head: String(distance), cells: [weight] })),
    }))}`);
}

/** @param {any} view */
function todaySection({ prose, state, t, derived: { orders: found } }) {
  return sectionView('today', html`${proseView(prose, 'today', { heading: 2 })}${proseView(prose, 'choices')}`, found && html`
    <h3 class="list-title">${t('positional.ways')}</h3>
    ${numbersTable({
      name: 'ways', label: t('positional.ways'), digits: state.digits, worded: true,
      columns: [t('positional.way'), t('positional.way.off'), t('positional.way.on')],
      rows: found.ways.map((/** @type {any} */ { way, errors }) => ({ head: t(`positional.way.${way}`), cells: errors })),
    })}`);
}

/** @param {any} view */
export function sections(view) {
  return html`<div class="deeper">
    ${orderSection(view)}
    ${combineSection(view)}
    ${encodingSection(view)}
    ${wavesSection(view)}
    ${similaritySection(view)}
    ${distanceSection(view)}
    ${turnSection(view)}
    ${rotarySection(view)}
    ${alibiSection(view)}
    ${todaySection(view)}
    ${questionsView(['order', 'causal'], view.prose, view.t)}
  </div>`;
}
