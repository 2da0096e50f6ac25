// The loop: address → state → core → page. Events only call `actions`; every repaint starts here.
import { render } from 'lit-html';
import katexCss from 'asset:katex-css';
import { createAddress, linkTo, readLink } from './address.js';
import { createMatrixEditor } from './edit.js';
import { createEngine } from './engine.js';
import { loadStrings, translator } from './i18n/index.js';
import { LANGUAGES, preferredLanguage } from './i18n/language.js';
import { listenToKeys } from './keys.js';
import { LESSONS } from './lessons/index.js';
import { createModel, NOTHING_YET } from './model.js';
import { createNumberEditor, problemAt } from './number-field.js';
import { pageView } from './page.js';
import { createPlayer } from './play.js';
import { PROPERTIES } from './properties.js';
import { createStore, DEFAULTS, modelChanged } from './state.js';
import { currentKey, exists, rowsOf, samePlace, stepKeys, stepOf } from './steps.js';
import { nextTask, whenIdle } from './tasks.js';
import { nextTheme } from './theme.js';
import { spoken } from './views/equation.js';
import { fillLive } from './views/prose.js';
import { loadTex, typeset } from './views/tex.js';

/**
 * @typedef {ReturnType<typeof appNow>} App      everything a repaint reads
 * @typedef {import('./views/equation.js').Place} Place
 * @typedef {import('./views/message.js').Problem} Problem
 */

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const lessonId = 'attention';

/** @type {any} */
let lesson = null;
/** @type {Record<string, import('./views/prose.js').Prose>} */
const proses = {};
/** What the page remembers beside the state, and no link carries. @type {any} */
let ui = { drafts: {}, link: null, inputFocus: {}, addressHeld: true };
let result = NOTHING_YET;
let revision = 0;
/** What stands below the steps comes after the first paint, which it would double; what it plots comes after that. */
let belowIsShown = false;
let reachIsWanted = false;

const store = createStore((state, before) => {
  for (const name of Object.keys(state)) if (state[name] !== before[name]) editor.forgetAll(name);
  if (modelChanged(before, state)) {
    if (engine.status() === 'stopped') engine.load();
    compute();
    queueMicrotask(dropWhatIsGone);
  }
  if (state.lang !== before.lang) loadLanguage().catch(console.error);
  address.schedule();
  schedulePaint();
});
const engine = createEngine((status) => {
  if (status === 'failed') setUi({ restarted: true });
  compute();
  schedulePaint();
});
const model = createModel(engine);
const editor = createMatrixEditor({ get: store.get, set, settle: store.settle, revert: store.revert, getUi: () => ui, setUi, matrices: () => lesson.matrices });
const number = createNumberEditor({ get: store.get, set, settle: store.settle, editor, getUi: () => ui, problemsOf });
const address = createAddress(() => ({ held: ui.addressHeld, embedded: Boolean(store.get().embed), link: linkOf() }));
const player = createPlayer({
  isLast: () => keyNow() === stepKeys(result.trace).at(-1),
  next() {
    isPlaying = true;
    actions.move(1);
    isPlaying = false;
  },
  rewind: () => actions.go(stepKeys(result.trace)[0]),
  changed: (playing) => setUi({ playing }),
});

/** The language that is wanted, and the one that is there to be shown. */
const language = () => store.get().lang ?? preferredLanguage();
let spokenLanguage = '';
const linkOf = (extra = {}) => linkTo(lessonId, { ...store.get(), lang: language(), ...extra });
const keyNow = () => currentKey(result.trace, store.get().step, lesson.firstStep);

/** While the player itself takes a step. */
let isPlaying = false;

/** @param {any} patch */
function setUi(patch) {
  ui = { ...ui, ...patch };
  schedulePaint();
}

/** A change by the visitor: a faulty link has had its say, and so have its problems with what is changed. @param {any} patch @param {import('./state.js').Change} [change] */
function set(patch, change) {
  const problems = (ui.link?.problems ?? []).filter((/** @type {Problem} */ { field }) => !(field in patch));
  if (!isPlaying) player.stop();
  ui = { ...ui, addressHeld: false, link: ui.link && { ...ui.link, problems } };
  store.set(patch, change);
}

/** A gradient or a pinned cell that the numbers no longer have leaves the state, and so the links. */
function dropWhatIsGone() {
  const { trace, stale } = result;
  if (!trace || stale) return;
  const { gradient, pin, step } = store.get();
  const patch = {};
  if (gradient && !trace.gradient) Object.assign(patch, { gradient: null }, step?.startsWith('grad/') && { step: gradient.key, cell: null });
  const pinned = pin && stepOf(trace, pin.key);
  if (pin && !(pinned && exists(pinned, pin))) Object.assign(patch, { pin: null });
  if (Object.keys(patch).length > 0) store.set(patch, { remember: false });
}

/** Puts the focus on the explained cell of the stage, once it is there. */
function focusStage() {
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (root.querySelector('#stage .result td[tabindex="0"]'))?.focus());
}

function compute() {
  if (lesson) result = model.compute(lesson, store.get(), result, { reach: reachIsWanted });
}

/** @param {string} field @returns {Problem[]} what the link had wrong there; that it was cut is said of the whole */
function problemsOf(field) {
  return (ui.link?.problems ?? []).filter((/** @type {Problem} */ problem) => problem.field === field && problem.code !== 'cut').map(problemAt);
}

/** Which given example the numbers are, if any. @param {any} state @returns {string | null} */
function exampleOf(state) {
  const same = (/** @type {any} */ values) => Object.keys(values).every((name) => JSON.stringify(values[name]) === JSON.stringify(state[name]));
  return lesson.examples.find((/** @type {any} */ { values }) => same(values))?.id ?? null;
}

// What a visitor can do --------------------------------------------------------------------------------------------

const actions = {
  set,
  setUi,
  undo: store.undo,
  redo: store.redo,
  theme: nextTheme,
  reload: engine.load,

  /** @param {string | undefined} key */
  go(key) {
    if (key === undefined) return;
    setUi({ hover: null, expanded: false, predictText: '', checked: null });
    set({ step: key });
  },

  /** @param {number} by */
  move(by) {
    const keys = stepKeys(result.trace);
    const at = keys.indexOf(keyNow());
    const next = keys[Math.max(0, Math.min(keys.length - 1, at + by))];
    if (next !== undefined && next !== keyNow()) actions.go(next);
  },

  play: player.toggle,

  /** @param {Place} place */
  open({ key, row, col }) {
    actions.go(key);
    set({ cell: { row, col } });
    focusStage();
  },

  /** @param {Place} place @param {'hover' | 'choose'} how */
  look(place, how) {
    if (how === 'hover') return setUi({ hover: place });
    const { cell, digits } = store.get();
    if (ui.hover || ui.expanded) setUi({ hover: null, expanded: false });
    if (!samePlace(place, cell && { key: place.key, ...cell })) set({ cell: { row: place.row, col: place.col } });
    const step = stepOf(result.trace, place.key);
    const explanation = result.trace && model.explain(result.trace, place);
    if (step && explanation) setUi({ spoken: spoken({ place, step, explanation, digits, t: translator(spokenLanguage) }) });
  },
  leave: () => setUi({ hover: null }),
  expand: () => setUi({ expanded: true }),
  /** @param {boolean} overview */
  toggleOverview(overview) { if (overview !== Boolean(ui.overview)) setUi({ overview }); },
  /** @param {boolean} asText */
  toggleText(asText) { if (asText !== Boolean(ui.asText)) setUi({ asText }); },
  /** @param {{ row: number, col: number }} mask */
  lookAtMask: (mask) => setUi({ inputFocus: { ...ui.inputFocus, mask } }),

  /** @param {Place} place */
  pin: (place) => set({ pin: samePlace(store.get().pin, place) ? null : { ...place } }),

  /** @param {Place} place */
  openGradient(place) {
    const wrt = store.get().gradient?.wrt ?? lesson.matrices[0].name;
    set({ gradient: { ...place, wrt }, step: `grad/${place.key}`, cell: { row: place.row, col: place.col } });
    focusStage();
  },
  /** @param {string} wrt */
  chooseWrt: (wrt) => set({ gradient: { ...store.get().gradient, wrt }, step: `grad/${wrt}`, cell: null }),
  closeGradient() {
    const { gradient } = store.get();
    set({ gradient: null, step: gradient?.key ?? null, cell: gradient && { row: gradient.row, col: gradient.col } });
    focusStage();
  },

  /** @param {string} id */
  chooseExample(id) {
    const chosen = lesson.examples.find((/** @type {any} */ example) => example.id === id);
    if (!chosen) return;
    set({ ...chosen.values, allow: null });
  },

  /** From whatever mask there is, to one that is drawn. @param {{ row: number, col: number }} cell */
  drawMask({ row, col }) {
    const state = store.get();
    const shown = stepOf(result.trace, 'mask');
    const mask = state.mask === 'drawn' || !shown ? lesson.drawnMask(state) : rowsOf(shown);
    mask[row][col] = 1 - mask[row][col];
    set({ mask: 'drawn', allow: mask });
  },

  /** @param {string} predictText */
  typePrediction: (predictText) => setUi({ predictText, checked: null }),
  /** @param {Place} place */
  checkPrediction(place) {
    const { trace } = result;
    const asked = engine.ask((core) => lesson.predictTask.judge(core, store.get(), trace, place.key, place.row, place.col, ui.predictText ?? ''));
    if (asked && 'answer' in asked) setUi({ checked: { place, trace, verdict: asked.answer } });
  },

  share() {
    const page = location.origin + location.pathname;
    setUi({ share: { link: page + linkOf(), embedLink: page + linkOf({ embed: 1 }) }, copied: '' });
    queueMicrotask(() => /** @type {HTMLDialogElement | null} */ (root.querySelector('dialog.share'))?.showModal());
  },
  closeShare: () => setUi({ share: null, copied: '' }),
  /** @param {string} what @param {string} text */
  async copy(what, text) {
    const copied = await navigator.clipboard.writeText(text).then(() => true, () => {
      // Without permission the text is selected, so that the visitor's own copy works.
      /** @type {HTMLTextAreaElement | null} */ (document.getElementById(`share-${what}`))?.select();
      return document.execCommand('copy');
    });
    setUi({ copied: copied ? what : '' });
  },

  openDamaged() {
    const { values } = ui.link;
    setUi({ link: null });
    set({ ...DEFAULTS, ...values, lang: values.lang ?? store.get().lang });
  },
  dismissLink() {
    setUi({ link: null, addressHeld: false });
    address.schedule();
  },
  /** @param {Problem} problem */
  dismissProblem: (problem) => setUi({ link: { ...ui.link, problems: ui.link.problems.filter((/** @type {Problem} */ each) => each !== problem) } }),
  dismissRestart: () => setUi({ restarted: false }),
};

// Repaint ----------------------------------------------------------------------------------------------------------

/** @param {import('./views/prose.js').Prose} prose */
function appNow(prose) {
  const state = store.get();
  const t = translator(spokenLanguage);
  return {
    state, ui, lesson, prose, result, t, editor, number, model, actions, problemsOf, linkOf,
    language: spokenLanguage,
    title: `${prose.title.title} · ${t('app.title')}`,
    status: engine.status(),
    example: exampleOf(state),
    history: { canUndo: store.canUndo(), canRedo: store.canRedo() },
    fields: state.embed ? SHOWN_ALWAYS : FIELDS,
    belowIsShown,
  };
}

/** Properties with a field of their own, at which their problems are shown. */
const FIELDS = PROPERTIES.filter(({ type }) => type === 'matrix' || type === 'number').map(({ name }) => name);

/** Those of them that an embedded page shows. */
const SHOWN_ALWAYS = ['Q', 'K', 'V', 'T'];

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
  const prose = proses[spokenLanguage];
  if (!lesson || !prose) return;
  const app = appNow(prose);
  const html = document.documentElement;
  // Writing the same value again would still restyle the whole page.
  if (html.lang !== app.language) html.lang = app.language;
  if (document.title !== app.title) document.title = app.title;
  html.toggleAttribute('data-embed', Boolean(app.state.embed));
  render(pageView(app), root);
  fillLive(root, result.trace, app.state.digits);
  if (!typeset(root)) nextTask().then(schedulePaint);
  requestAnimationFrame(keepStepInView);
  const shown = { missing: 'error', stopped: 'error', loading: 'loading', failed: 'loading', ready: 'ready' }[app.status];
  if (html.dataset.state !== shown) html.dataset.state = shown;
  html.dataset.revision = String(++revision);
}

let stepInView = '';
function keepStepInView() {
  const chip = /** @type {HTMLElement | null} */ (root.querySelector('.stepper [aria-current="step"]'));
  const key = chip?.dataset.go ?? '';
  if (!chip || key === stepInView) return;
  stepInView = key;
  const list = /** @type {HTMLElement} */ (chip.closest('ol'));
  list.scrollLeft = chip.offsetLeft - list.offsetLeft - (list.clientWidth - chip.offsetWidth) / 2;
}

// Start ------------------------------------------------------------------------------------------------------------

function readAddress() {
  const link = readLink();
  address.read();
  const loads = link.status === 'ok' || link.status === 'unchecked' || link.status === 'empty';
  const lang = link.values.lang ?? store.get().lang;
  store.settle();
  setUi({ link, addressHeld: link.status !== 'ok' && link.status !== 'empty' });
  // A link that loads nothing leaves everything as it was; one that loads can be undone.
  store.set(loads ? { ...DEFAULTS, ...link.values, lang } : { lang }, { remember: lesson !== null });
}

/** @param {string} wanted */
async function fetchLanguage(wanted) {
  const [prose] = await Promise.all([LESSONS[lessonId].prose[wanted](), loadStrings(wanted)]);
  proses[wanted] = prose.default;
}

/** Text of the language in use: strings and prose together, so that no repaint mixes two languages. */
async function loadLanguage() {
  const wanted = language();
  await fetchLanguage(wanted);
  spokenLanguage = language() in proses ? language() : wanted;
  schedulePaint();
}

/** What the first look does not need comes piece by piece, when the browser has nothing better to do. */
async function loadTheRest() {
  await whenIdle();
  belowIsShown = true;
  schedulePaint();
  await whenIdle();
  reachIsWanted = true;
  compute();
  schedulePaint();
  await whenIdle();
  await loadTex(new URL(katexCss, document.baseURI).href);
  schedulePaint();
  await whenIdle();
  // So that the other language is there without a network.
  for (const each of LANGUAGES) await fetchLanguage(each);
}

/** How long the page waits for the core, in ms, so as to be drawn once instead of twice. Numbers can be typed without it. */
const PATIENCE = 200;

async function start() {
  const coreIsThere = engine.load();
  readAddress();
  const [module] = await Promise.all([LESSONS[lessonId].load(), loadLanguage()]);
  await Promise.race([coreIsThere, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  document.getElementById('loading')?.remove();
  lesson = module;
  compute();
  schedulePaint();
  listen();
  await coreIsThere;
  loadTheRest().catch(console.error);
}

function listen() {
  window.addEventListener('hashchange', readAddress);
  listenToKeys({
    move: actions.move, play: player.toggle, stop: player.stop, undo: store.undo, redo: store.redo,
    first: () => actions.go(stepKeys(result.trace)[0]),
    last: () => actions.go(stepKeys(result.trace).at(-1)),
  });
}

start().catch((error) => {
  console.error(error);
  document.documentElement.dataset.state = 'error';
  document.getElementById('loading')?.remove();
  /** @type {HTMLElement} */ (document.getElementById('not-loaded')).hidden = false;
});
