// The loop: address → state → core → page. Events only call `store.set` or `setUi`; every repaint starts here.
import { html, nothing, render } from 'lit-html';
import katexCss from 'asset:katex-css';
import { createEngine } from './engine.js';
import { preferredLanguage, translator } from './i18n/index.js';
import { LESSONS } from './lessons/index.js';
import { createMatrixEditor } from './edit.js';
import { listenToKeys } from './keys.js';
import { PROPERTIES } from './properties.js';
import { shareDialog } from './share/dialog.js';
import { formatLink, parseLink } from './share/link.js';
import { parseValue } from './share/values.js';
import { createStore, DEFAULTS, modelChanged } from './state.js';
import { nextTheme, restoreTheme } from './theme.js';
import { spoken } from './views/equation.js';
import { formulaView } from './views/formula.js';
import { headerView } from './views/header.js';
import { matrixInputView, numberView, segmentedView } from './views/inputs.js';
import { messageView, problemText } from './views/message.js';
import { isGradient, stepLabel, stepName } from './views/names.js';
import { overviewView } from './views/overview.js';
import { fillLive } from './views/prose.js';
import { explanationView, stageView } from './views/stage.js';
import { stepperView } from './views/stepper.js';
import { loadTex, typeset } from './views/tex.js';
import { whyView } from './views/why.js';

/** @typedef {import('./module/attention.d.ts').Trace} Trace @typedef {import('./views/message.js').Problem} Problem @typedef {import('./views/equation.js').Place} Place */

const ALL_STEPS_LIMIT = 1500; // cells; beyond, tables show a window
const ADDRESS_DELAY = 250; // ms after the last change
const PLAY_PACE = 1600; // ms a step

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const page = document.documentElement;

/** What the page remembers beside the state, and no link carries. @type {any} */
let ui = { drafts: {}, link: null, inputFocus: {} };
/** @type {any} */
let lesson = null;
let lessonId = 'attention';
/** @type {Record<string, import('./views/prose.js').Prose>} */
const proses = {};
/** The last answer of the core. @type {{ trace: Trace | null, reach: any, problems: Problem[], stale: boolean }} */
let result = { trace: null, reach: null, problems: [], stale: false };
let revision = 0;
/** @type {any} */
let addressTimer;
/** @type {any} */
let playTimer;

const store = createStore((state, before) => {
  if (modelChanged(before, state)) compute();
  if (state.lang !== before.lang) loadProse();
  scheduleAddress();
  schedulePaint();
});
const engine = createEngine(() => {
  compute();
  schedulePaint();
});

const language = () => store.get().lang ?? preferredLanguage();
const t = (/** @type {string} */ key, /** @type {any} */ params) => translator(language())(key, params);

/** @param {any} patch */
function setUi(patch) {
  ui = { ...ui, ...patch };
  schedulePaint();
}

const editor = createMatrixEditor({ store, getUi: () => ui, setUi, matrices: () => lesson.matrices });

// ---- core ----------------------------------------------------------------------------------------------------------

function compute() {
  if (!lesson) return;
  const state = store.get();
  const problems = lesson.check(state);
  if (problems.length > 0) {
    result = { ...result, problems, stale: true };
    return;
  }
  const asked = engine.ask((core) => {
    const trace = core.trace(lesson.request(state));
    return { trace: openGradient(core, trace, state.gradient), reach: reachOf(core, state) };
  });
  if (!asked) return;
  if ('problem' in asked) result = { ...result, problems: [asked.problem], stale: true };
  else result = { ...asked.answer, problems: [], stale: false };
}

/** The trace with the gradient that the state asks for, where the cell exists. @param {any} core @param {Trace} trace @param {any} gradient */
function openGradient(core, trace, gradient) {
  const step = gradient && trace.steps.find(({ key }) => key === gradient.key);
  const exists = step && gradient.row < step.shape[0] && gradient.col < step.shape[1]
    && lesson.matrices.some((/** @type {any} */ { name }) => name === gradient.wrt);
  return exists ? core.gradient(trace, { of: gradient, wrt: gradient.wrt }) : trace;
}

/** @type {{ w: number, match: number, value: any } | null} */
let lastReach = null;
/** @param {any} core @param {any} state */
function reachOf(core, { w, match }) {
  if (!lastReach || lastReach.w !== w || lastReach.match !== match) lastReach = { w, match, value: lesson.reach(core, { w, match }) };
  return lastReach.value;
}

/** @param {Place} place */
function explain(place) {
  const asked = engine.ask((core) => core.explain(/** @type {Trace} */ (result.trace), place.key, place.row, place.col));
  return asked && 'answer' in asked ? asked.answer : null;
}

// ---- address -------------------------------------------------------------------------------------------------------

function readAddress() {
  const link = parseLink(location.hash, PROPERTIES, { lessons: Object.keys(LESSONS) });
  const loads = link.status === 'ok' || link.status === 'unchecked';
  setUi({ link, drafts: {}, inputFocus: {}, addressHeld: true });
  store.set({ ...DEFAULTS, ...(loads ? link.values : { lang: link.values.lang ?? store.get().lang }) }, { remember: false });
  ui.addressHeld = !(link.status === 'ok' || link.status === 'empty');
}

/** The address follows the state, except inside another page, and while a faulty link is still to be decided on. */
function scheduleAddress() {
  if (store.get().embed || ui.addressHeld || !lesson) return;
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, ADDRESS_DELAY);
}

const linkOf = (/** @type {any} */ extra = {}) =>
  formatLink({ version: 1, lesson: lessonId, values: { ...store.get(), lang: language(), ...extra } }, PROPERTIES);

function writeAddress() {
  const link = linkOf();
  if (link !== location.hash) history.replaceState(null, '', link);
}

/** A visitor's change: a link at fault has had its say. @param {any} patch @param {import('./state.js').Change} [change] */
function set(patch, change) {
  ui.addressHeld = false;
  if (ui.link?.problems.length > 0) {
    const left = ui.link.problems.filter((/** @type {Problem} */ { field }) => !(field in patch));
    ui.link = { ...ui.link, problems: left };
  }
  store.set(patch, change);
}

// ---- steps ---------------------------------------------------------------------------------------------------------

/** Keys of the steps in order: of the computation, or of the gradient when one is open. */
function stepKeys() {
  const steps = result.trace?.steps ?? [];
  if (gradientIsOpen()) return steps.filter(({ key }) => isGradient(key)).map(({ key }) => key);
  return steps.map(({ key }) => key).filter((key) => key !== 'mask' && key !== 'bias' && !isGradient(key) && !key.includes('/'));
}

const gradientIsOpen = () => Boolean(result.trace?.gradient);

/** The step on the stage. */
function currentKey() {
  const { step } = store.get();
  if (result.trace?.steps.some(({ key }) => key === step)) return step;
  return gradientIsOpen() ? stepKeys()[0] : lesson.firstStep;
}

const stepOf = (/** @type {string} */ key) => result.trace?.steps.find((step) => step.key === key);

/** @param {Place} place @returns {Place} the nearest cell that exists */
function inside({ key, row, col }) {
  const [rows, cols] = /** @type {any} */ (stepOf(key)).shape;
  return { key, row: Math.min(row, rows - 1), col: Math.min(col, cols - 1) };
}

function go(/** @type {string} */ key) {
  setUi({ hover: null, expanded: false, predictText: '', verdict: null });
  set({ step: key });
}

/** @param {number} by */
function move(by) {
  const keys = stepKeys();
  const at = Math.max(0, keys.indexOf(currentKey()));
  const next = keys[Math.max(0, Math.min(keys.length - 1, at + by))];
  if (next !== undefined && next !== currentKey()) go(next);
}

function stopPlaying() {
  clearTimeout(playTimer);
  if (ui.playing) setUi({ playing: false });
}

function togglePlay() {
  if (ui.playing) return stopPlaying();
  const tick = () => {
    const keys = stepKeys();
    if (keys.indexOf(currentKey()) === keys.length - 1) return stopPlaying();
    move(1);
    playTimer = setTimeout(tick, PLAY_PACE);
  };
  if (stepKeys().indexOf(currentKey()) === stepKeys().length - 1) go(stepKeys()[0]);
  setUi({ playing: true });
  playTimer = setTimeout(tick, PLAY_PACE);
}

/** @param {Place} place */
function openPlace({ key, row, col }) {
  go(key);
  set({ cell: { row, col } });
}

// ---- numbers with a field ------------------------------------------------------------------------------------------

const propertyOf = (/** @type {string} */ name) => /** @type {any} */ (PROPERTIES.find((property) => property.name === name));

/** @param {string} name of a number property */
function numberProps(name) {
  const draft = ui.drafts[name];
  return {
    id: name,
    value: store.get()[name],
    draft: draft?.text,
    problems: [...(draft?.problem ? [draft.problem] : []), ...linkProblems(name)],
    t,
    slide: (/** @type {number} */ value) => { editor.forget(name); set({ [name]: value }, { merge: name }); },
    type(/** @type {string} */ text) {
      const outcome = parseValue(text, propertyOf(name));
      if ('value' in outcome) {
        editor.forget(name, text);
        set({ [name]: outcome.value }, { merge: name });
      } else editor.remember(name, text, /** @type {any} */ ({ ...problemOf(name, outcome.problem), field: name }));
    },
    finish() { store.settle(); if (!ui.drafts[name]?.problem) editor.forget(name); },
  };
}

/** T ≤ 0 has a message of its own. @param {string} name @param {any} problem */
const problemOf = (name, problem) => (name === 'T' && problem.code === 'too-small' ? { ...problem, code: 'temperature-not-positive' } : problem);

/** @param {string} field */
const linkProblems = (field) => (ui.link?.problems ?? []).filter((/** @type {Problem} */ problem) => problem.field === field).map((/** @type {Problem} */ problem) => problemOf(field, problem));

// ---- page ----------------------------------------------------------------------------------------------------------

let paintScheduled = false;
function schedulePaint() {
  if (paintScheduled) return;
  paintScheduled = true;
  queueMicrotask(() => {
    paintScheduled = false;
    paint();
  });
}

function paint() {
  const state = store.get();
  const prose = proses[language()] ?? Object.values(proses)[0];
  if (!lesson || !prose) return;
  page.lang = language();
  document.title = `${prose.title.title} · ${t('app.title')}`;
  page.toggleAttribute('data-embed', Boolean(state.embed));
  render(pageView(state, prose), root);
  fillLive(root, result.trace, state.digits);
  typeset(root);
  keepStepInView();
  const status = engine.status();
  page.dataset.state = status === 'missing' ? 'error' : status === 'ready' && (result.trace || result.stale) ? 'ready' : 'loading';
  page.dataset.revision = String(++revision);
}

let stepInView = '';
function keepStepInView() {
  const chip = /** @type {HTMLElement | null} */ (document.querySelector('.stepper [aria-current="step"]'));
  const key = chip?.dataset.go ?? '';
  if (!chip || key === stepInView) return;
  stepInView = key;
  const list = /** @type {HTMLElement} */ (chip.closest('ol'));
  list.scrollLeft = chip.offsetLeft - list.offsetLeft - (list.clientWidth - chip.offsetWidth) / 2;
}

/** @param {any} state @param {import('./views/prose.js').Prose} prose */
function pageView(state, prose) {
  const { trace } = result;
  const columns = state.convention === 'columns';
  const windowed = trace ? cellCount(trace) > ALL_STEPS_LIMIT : false;
  const step = trace ? stepOf(currentKey()) : undefined;
  const view = { prose, state, t, ui, setUi, set, trace, reach: result.reach, windowed, number: numberProps, embedding: editor.input('E', 'query', { max: 8 }, linkProblems('E')) };
  return html`
    ${headerView({ lesson: prose.title.title, language: language(), embedded: Boolean(state.embed), fullLink: linkOf({ embed: 0 }), t,
      speak: (lang) => set({ lang }), theme: nextTheme, share: openShare })}
    ${formulaView({ parts: lesson.formula(state), current: step?.key ?? '', t, name: (key) => stepName(key, t), go,
      what: step ? whatOf(step) : t('formula.hint') })}
    ${noticesView()}
    <main class="bench ${result.stale ? 'stale' : ''}">
      ${inputsView(state, columns, windowed)}
      <section id="stage" class="stage" tabindex="-1" aria-label=${t('stage.label')}>${stageOrStatus(state, step, columns, windowed)}</section>
      ${step ? whyView({ prose, step, intro: state.step === null, extra: extras(state, step), predict: predictProps(state, step), t }) : html`<aside class="why"></aside>`}
    </main>
    ${trace && !state.embed ? lesson.sections(view) : nothing}
    ${trace ? stepperView({ keys: stepKeys(), current: currentKey(), playing: Boolean(ui.playing), t, go, move, play: togglePlay,
      name: (key) => stepLabel(key, t), close: gradientIsOpen() ? closeGradient : undefined }) : nothing}
    ${ui.share ? shareDialog({ link: ui.share.link, embedLink: ui.share.embedLink, title: document.title, copied: ui.copied ?? '', t, copy,
      close: () => setUi({ share: null, copied: '' }) }) : nothing}
    <p class="visually-hidden" role="status" aria-live="polite" id="spoken">${ui.spoken ?? ''}</p>`;
}

/** @param {import('./module/attention.d.ts').Step} step */
function whatOf({ key, op }) {
  return isGradient(key) ? t('gradient.what', { name: stepName(/** @type {any} */ (result.trace?.gradient).key, t) }) : t(op === 'input' || !key.includes('/') ? `step.${key}.what` : `step.${key}.what`);
}

/** Cells of all steps together. @param {Trace} trace */
const cellCount = (trace) => trace.steps.reduce((count, { shape }) => count + shape[0] * shape[1], 0);

/** Problems that belong to no single field, and what became of a link. */
function noticesView() {
  const { link } = ui;
  const fields = ['Q', 'K', 'V', 'E', 'T', 'w', 'match'];
  const notices = [];
  if (link?.status === 'damaged')
    notices.push(messageView({ text: t('problem.damaged'), actions: [
      { label: t('link.open-anyway'), run: () => { setUi({ link: { ...link, status: 'opened' }, addressHeld: false }); set({ ...DEFAULTS, ...link.values }); } },
      { label: t('link.dismiss'), run: () => setUi({ link: null, addressHeld: false }) }] }));
  for (const problem of link?.problems ?? [])
      if (!fields.includes(problem.field)) notices.push(messageView({ text: problemText(problem, t), actions: [{ label: t('link.dismiss'), run: () => setUi({ link: { ...link, problems: link.problems.filter((/** @type {Problem} */ each) => each !== problem) } }) }] }));
  for (const problem of result.problems)
    if (!['dimension-mismatch', 'rows-mismatch'].includes(problem.code)) notices.push(messageView({ text: problemText(problem, t) }));
  if (ui.restarted) notices.push(messageView({ text: t('problem.engine-failed'), actions: [{ label: t('link.dismiss'), run: () => setUi({ restarted: false }) }] }));
  return notices.length > 0 ? html`<div class="notices">${notices}</div>` : nothing;
}

/** @param {any} state @param {boolean} columns @param {boolean} windowed */
function inputsView(state, columns, windowed) {
  const example = lesson.examples.find((/** @type {any} */ { values }) => Object.keys(values).every((name) => JSON.stringify(values[name]) === JSON.stringify(state[name])));
  const fieldProblems = (/** @type {string} */ name) => [
    ...linkProblems(name),
    ...result.problems.filter(({ field, code }) => field === name && ['dimension-mismatch', 'rows-mismatch'].includes(code)),
  ];
  const different = state.Q.length !== state.K.length;
  const masks = ['none', 'causal', ...(different || state.mask === 'causal-end' ? ['causal-end'] : []), 'drawn'];
  return html`<section class="inputs" aria-label=${t('inputs.label')}>
    <div class="inputs-head">
      <label for="example">${t('inputs.example')}</label>
      <div class="undo"><button type="button" class="icon" ?disabled=${!store.canUndo()} aria-label=${t('action.undo')} title=${t('action.undo')} @click=${store.undo}><span aria-hidden="true">↶</span></button>
      <button type="button" class="icon" ?disabled=${!store.canRedo()} aria-label=${t('action.redo')} title=${t('action.redo')} @click=${store.redo}><span aria-hidden="true">↷</span></button></div>
    </div>
    <select id="example" .value=${example?.id ?? 'own'} @change=${(/** @type {any} */ event) => {
      const chosen = lesson.examples.find((/** @type {any} */ { id }) => id === event.target.value);
      if (chosen) { setUi({ drafts: {}, inputFocus: {} }); set({ ...chosen.values, allow: null }); }
    }}>
      ${lesson.examples.map((/** @type {any} */ { id }) => html`<option value=${id} ?selected=${example?.id === id}>${t(`example.${id}`)}</option>`)}
      <option value="own" ?selected=${!example} ?disabled=${Boolean(example)}>${t('example.own')}</option>
    </select>
    ${lesson.matrices.map(({ name, kind }) => matrixInputView(editor.input(name, kind, { max: 64, windowed }, fieldProblems(name)), columns, t))}
    <h3 class="settings-title">${t('inputs.settings')}</h3>
    ${segmentedView({ label: t('setting.scale'), value: state.scale, choose: (scale) => set({ scale }), choices: ['on', 'off'].map((value) => ({ value, label: t(`scale.${value}`) })) })}
    ${segmentedView({ label: t('setting.mask'), value: state.mask, choose: (mask) => set({ mask }), choices: masks.map((value) => ({ value, label: t(`mask.${value}`), ...(value === 'causal-end' && { full: t('mask.causal-end.full') }) })) })}
    ${state.mask === 'drawn' ? html`<p class="hint">${t('mask.draw-hint')} <button type="button" class="quiet" @click=${() => go('masked')}>${t('mask.draw-go')}</button></p>${drawView(state, columns, windowed)}` : nothing}
    ${numberView({ ...numberProps('T'), label: html`${t('setting.T')} <i>T</i>`, min: 0.05, max: 20, step: 0.01, log: true })}
    ${segmentedView({ label: t('setting.convention'), value: state.convention, choose: (convention) => set({ convention }), choices: ['rows', 'columns'].map((value) => ({ value, label: t(`convention.${value}`) })) })}
    <div class="setting"><label class="setting-label" for="digits">${t('setting.digits')}</label>
      <select id="digits" @change=${(/** @type {any} */ event) => set({ digits: Number(event.target.value) })}>${Array.from({ length: 13 }, (_, i) => html`<option value=${i} ?selected=${state.digits === i}>${i}</option>`)}</select></div>
  </section>`;
}

/** The mask to draw on. @param {any} state @param {boolean} columns @param {boolean} windowed */
function drawView(state, columns, windowed) {
  const mask = lesson.drawnMask(state);
  return editor.drawable({ name: 'allow', label: t('mask.drawn'), mask, columns, windowed, draw: toggleMask });
}

/** @param {{ row: number, col: number }} cell */
function toggleMask({ row, col }) {
  const state = store.get();
  const trace = result.trace;
  const mask = state.mask === 'drawn' || !trace ? lesson.drawnMask(state) : visiblePairs(trace);
  mask[row][col] = 1 - mask[row][col];
  set({ mask: 'drawn', allow: mask });
}

/** The mask on the tape as rows. @param {Trace} trace @returns {number[][]} */
function visiblePairs(trace) {
  const mask = /** @type {any} */ (trace.steps.find(({ key }) => key === 'mask'));
  return Array.from({ length: mask.shape[0] }, (_, row) => [...mask.values.slice(row * mask.shape[1], (row + 1) * mask.shape[1])]);
}

/** @param {any} state @param {any} step @param {boolean} columns @param {boolean} windowed */
function stageOrStatus(state, step, columns, windowed) {
  const status = engine.status();
  if (status === 'missing') return messageView({ text: t('problem.engine-missing'), actions: [{ label: t('action.retry'), run: () => engine.load() }] });
  if (!step) return html`<p class="loading" role="status">${t(result.stale ? 'stage.waiting' : 'stage.loading')}</p>`;
  const place = inside(ui.hover?.key === step.key ? ui.hover : { key: step.key, row: state.cell?.row ?? 0, col: state.cell?.col ?? 0 });
  const explanation = explain(place);
  if (!explanation) return html`<p class="loading" role="status">${t('stage.loading')}</p>`;
  const props = {
    trace: /** @type {Trace} */ (result.trace), step, place, explanation, columns, digits: state.digits, windowed, expanded: Boolean(ui.expanded), t,
    pinned: samePlace(state.pin, place),
    text: windowed ? asText(step) : '',
    look: (/** @type {Place} */ cell, /** @type {'hover' | 'choose'} */ how) => {
      if (how === 'hover') return setUi({ hover: cell });
      setUi({ hover: null, expanded: false });
      if (!samePlace(cell, { key: step.key, ...(store.get().cell ?? { row: -1, col: -1 }) })) set({ cell: { row: cell.row, col: cell.col } });
      const told = explain(cell);
      if (told) setUi({ spoken: spoken({ place: cell, step, explanation: told, digits: state.digits, t }) });
    },
    leave: () => setUi({ hover: null }),
    open: openPlace,
    expand: () => setUi({ expanded: true }),
    pin: (/** @type {Place} */ cell) => set({ pin: samePlace(state.pin, cell) ? null : { ...cell } }),
    openGradient: (/** @type {Place} */ cell) => set({ gradient: { ...cell, wrt: state.gradient?.wrt ?? 'Q' }, step: `grad/${cell.key}`, cell: { row: cell.row, col: cell.col } }),
    toggleMask,
  };
  return html`
    ${result.stale ? html`<p class="stale-note" role="status">${t('stage.stale')}</p>` : nothing}
    ${gradientIsOpen() ? gradientBanner(state) : nothing}
    ${stageView(props)}
    ${pinnedView(state, place, props)}
    ${windowed ? nothing : overviewView({ steps: overviewSteps(), current: step.key, digits: state.digits, columns, forbidden: forbiddenIn, open: Boolean(ui.overview), toggle: (open) => { if (open !== Boolean(ui.overview)) setUi({ overview: open }); }, go, t })}
    <p class="digits-note">${t('stage.digits', { count: state.digits })}</p>`;
}

/** @param {any} a @param {any} b */
const samePlace = (a, b) => Boolean(a && b && a.key === b.key && a.row === b.row && a.col === b.col);

const overviewSteps = () => (result.trace?.steps ?? []).filter(({ key, op }) => key !== 'mask' && key !== 'bias' && (op !== 'input' || isGradient(key)) && !/^(plain|stable)\//.test(key));

/** @param {any} step */
function forbiddenIn(step) {
  const mask = step.mask && stepOf(step.mask);
  if (!mask || mask.shape[1] !== step.shape[1]) return undefined;
  return (/** @type {any} */ { row, col }) => mask.values[row * mask.shape[1] + col] === 0;
}

/** @param {any} step */
const asText = ({ shape, values }) => Array.from({ length: shape[0] }, (_, row) => [...values.slice(row * shape[1], (row + 1) * shape[1])].join('\t')).join('\n');

/** A pinned cell keeps its explanation while the numbers change. @param {any} state @param {Place} place @param {any} props */
function pinnedView({ pin }, place, props) {
  const step = pin && stepOf(pin.key);
  if (!step || samePlace(pin, place) || pin.row >= step.shape[0] || pin.col >= step.shape[1]) return nothing;
  const explanation = explain(pin);
  return explanation ? html`<div class="pinned"><h3>${t('stage.pinned')}</h3>${explanationView({ ...props, place: { key: pin.key, row: pin.row, col: pin.col }, step, explanation, pinned: true })}</div>` : nothing;
}

/** @param {any} state */
function gradientBanner({ gradient }) {
  const choose = (/** @type {string} */ wrt) => set({ gradient: { ...gradient, wrt }, step: `grad/${wrt}`, cell: null });
  return html`<div class="gradient-banner">
    <p>${t('gradient.banner', { step: stepName(gradient.key, t), row: gradient.row + 1, col: gradient.col + 1 })}</p>
    ${segmentedView({ label: t('gradient.wrt'), value: gradient.wrt, choose, choices: lesson.matrices.map(({ name }) => ({ value: name, label: name })) })}
    <button type="button" class="quiet" @click=${closeGradient}>${t('action.close-gradient')}</button>
  </div>`;
}

function closeGradient() {
  const { gradient } = store.get();
  set({ gradient: null, step: gradient?.key ?? null, cell: gradient ? { row: gradient.row, col: gradient.col } : null });
}

/** Sections of the prose that this state calls for. @param {any} state @param {any} step */
function extras(state, step) {
  const example = lesson.examples.find((/** @type {any} */ { values }) => Object.keys(values).every((name) => JSON.stringify(values[name]) === JSON.stringify(state[name])));
  const plain = state.mask === 'none' && state.T === 1 && state.scale === 'on';
  const mask = stepOf('mask');
  const emptyRow = mask && visiblePairs(/** @type {Trace} */ (result.trace)).some((row) => row.every((cell) => cell === 0));
  return [
    ...(step.key === 'output' && example && plain ? [`result-${example.id}`] : []),
    ...(emptyRow && ['masked', 'weights', 'output', 'row-max', 'row-sum'].includes(step.key) ? ['mask-empty'] : []),
  ];
}

/** The number to predict: the same cell, one step on. @param {any} state @param {any} step */
function predictProps(state, step) {
  const keys = stepKeys();
  const next = keys[keys.indexOf(step.key) + 1];
  if (gradientIsOpen() || step.op === 'input' || !next || ['row-max', 'masked'].includes(next)) return null;
  const { row, col } = inside({ key: next, row: state.cell?.row ?? 0, col: state.cell?.col ?? 0 });
  return {
    next, row, col, text: ui.predictText ?? '', verdict: ui.verdict ?? null,
    type: (/** @type {string} */ text) => setUi({ predictText: text, verdict: null }),
    check() {
      const judged = engine.ask((core) => lesson.predictTask.judge(core, state, result.trace, next, row, col, ui.predictText ?? ''));
      if (judged && 'answer' in judged) setUi({ verdict: judged.answer });
    },
  };
}

// ---- sharing -------------------------------------------------------------------------------------------------------

function openShare() {
  const base = location.href.split('#')[0];
  setUi({ share: { link: base + linkOf(), embedLink: base + linkOf({ embed: 1 }) }, copied: '' });
  queueMicrotask(() => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.share'))?.showModal());
}

/** @param {string} what @param {string} text */
async function copy(what, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission the text is selected, so that the visitor's own copy works.
    /** @type {HTMLTextAreaElement | null} */ (document.getElementById(`share-${what}`))?.select();
    document.execCommand('copy');
  }
  setUi({ copied: what });
}

// ---- start ---------------------------------------------------------------------------------------------------------

async function loadProse() {
  const wanted = language();
  if (!proses[wanted]) proses[wanted] = (await LESSONS[lessonId].prose[wanted]()).default;
  schedulePaint();
}

function afterFirstPaint() {
  const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ callback) => setTimeout(callback, 50));
  requestAnimationFrame(() => idle(() => loadTex(new URL(katexCss, document.baseURI).href, () => schedulePaint())));
}

async function start() {
  restoreTheme();
  engine.load();
  readAddress();
  const [module] = await Promise.all([LESSONS[lessonId].load(), loadProse()]);
  lesson = module;
  root.replaceChildren();
  compute();
  schedulePaint();
  afterFirstPaint();
}

window.addEventListener('hashchange', readAddress);
listenToKeys({ move, play: togglePlay, stop: stopPlaying, undo: store.undo, redo: store.redo, first: () => go(stepKeys()[0]), last: () => go(/** @type {string} */ (stepKeys().at(-1))) });
start();
