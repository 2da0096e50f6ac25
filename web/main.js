// The loop: address → state → core → page. Events only call actions (actions.js); every repaint starts here.
import { render } from 'lit-html';
import furtherCss from 'asset:further-css';
import katexCss from 'asset:katex-css';
import { createActions } from './actions.js';
import { createAddress, linkTo, readLink, shortLinkTo } from './address.js';
import { createMatrixEditor } from './edit.js';
import { tellHeight } from './embed.js';
import { createEngine } from './engine.js';
import { addStrings, loadFurtherStrings, loadStrings, translator } from './i18n/index.js';
import { LANGUAGES, preferredLanguage } from './i18n/language.js';
import { listenToKeys } from './keys.js';
import { FIRST_LESSON, LESSONS } from './lessons/index.js';
import { createModel, NOTHING_YET } from './model.js';
import { createNumberEditor, problemAt } from './number-field.js';
import { pageView } from './page.js';
import { createPlayer } from './play.js';
import { propertiesOf } from './properties.js';
import { createStore, defaultsOf, modelChanged } from './state.js';
import { nextTask, whenIdle } from './tasks.js';
import { currentKey, exists, stepKeys, stepOf } from './trace.js';
import { loadStylesheet } from './views/stylesheet.js';
import { fillLive } from './views/prose.js';
import { loadTex, typeset } from './views/tex.js';

/**
 * @typedef {ReturnType<typeof appNow>} App      everything a repaint reads
 * @typedef {import('./trace.js').Place} Place
 * @typedef {import('./views/message.js').Problem} Problem
 */

const root = /** @type {HTMLElement} */ (document.getElementById('app'));

/** Lessons and their texts that were loaded, and what the first look at them does not need. @type {Record<string, any>} */
const modules = {};
/** @type {Record<string, any>} */
const furthers = {};
/** @type {Record<string, Record<string, import('./views/prose.js').Prose>>} */
const proses = {};
/** How each lesson was left, so that nothing made in it is lost. @type {Record<string, any>} */
const left = {};

/** What the page remembers beside the state, and no link carries. @type {any} */
let ui = { drafts: {}, link: null, inputFocus: {}, addressHeld: true };
let result = NOTHING_YET;
let revision = 0;
/** Lessons whose sections below the steps have been painted; what those plot is computed after that. @type {Set<string>} */
const derivedIsWanted = new Set();

const store = createStore((state, before) => {
  for (const name of Object.keys(state)) if (state[name] !== before[name]) editor.forgetAll(name);
  if (state.lesson !== before.lesson) result = NOTHING_YET;
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

/** The lesson that is open; null until its code is there. */
const lessonNow = () => modules[store.get().lesson] ?? null;
/** The language that is wanted, and the one that is there to be shown. */
const language = () => store.get().lang ?? preferredLanguage();
let spokenLanguage = '';
const shared = (/** @type {any} */ extra) => ({ ...store.get(), lang: language(), ...extra });
const linkOf = (extra = {}) => linkTo(store.get().lesson, shared(extra));
const shortLinkOf = (extra = {}) => shortLinkTo(store.get().lesson, shared(extra));
const keyNow = () => currentKey(result.trace, store.get().step, lessonNow().firstStep);
const propertyOf = (/** @type {string} */ name) =>
  /** @type {import('./properties.js').Property} */ (propertiesOf(store.get().lesson).find((each) => each.name === name));

const editor = createMatrixEditor({
  get: store.get, set, settle: store.settle, revert: store.revert, getUi: () => ui, setUi, matrices: () => lessonNow().matrices, propertyOf,
});
const number = createNumberEditor({ get: store.get, set, settle: store.settle, editor, getUi: () => ui, problemsOf, propertyOf });
const address = createAddress(() => ({ held: ui.addressHeld, embedded: Boolean(store.get().embed), link: shortLinkOf }));
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
const actions = createActions({
  store, set, getUi: () => ui, setUi, lessonNow, traceNow: () => result.trace, keyNow, furtherNow: () => furthers[store.get().lesson] ?? null, openLesson, explain: model.explain, ask: engine.ask,
  t: () => translator(spokenLanguage), play: player.toggle, stop: player.stop, reload: engine.load, linkOf: shortLinkOf, loadTexts: () => Promise.all([loadFurtherStrings(spokenLanguage), loadStylesheet(furtherCss)]).catch(console.error), scheduleAddress: address.schedule,
});

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

function compute() {
  const { lesson: id } = store.get();
  if (modules[id]) result = model.compute(modules[id], store.get(), result, derivedIsWanted.has(id) ? furthers[id].derived : {});
}

/** @param {string} field @returns {Problem[]} what the link had wrong there, and what the numbers have together; that a link was cut is said of the whole */
function problemsOf(field) {
  return [...ui.link?.problems ?? [], ...result.problems].filter((/** @type {Problem} */ problem) => problem.field === field && problem.code !== 'cut').map(problemAt);
}

/** Which given example the numbers are, if any. @param {any} lesson @param {any} state @returns {string | null} */
function exampleOf(lesson, state) {
  const same = (/** @type {any} */ values) => Object.keys(values).every((name) => JSON.stringify(values[name]) === JSON.stringify(state[name]));
  return lesson.examples.find((/** @type {any} */ { values }) => same(values))?.id ?? null;
}

// Repaint ----------------------------------------------------------------------------------------------------------

/** @param {any} lesson @param {import('./views/prose.js').Prose} prose */
function appNow(lesson, prose) {
  const state = store.get();
  const t = translator(spokenLanguage);
  return {
    state, ui, lesson, prose, result, t, editor, number, model, actions, problemsOf, linkOf,
    language: spokenLanguage,
    title: `${prose.title.title} · ${t('app.title')}`,
    status: engine.status(),
    example: exampleOf(lesson, state),
    history: { canUndo: store.canUndo(), canRedo: store.canRedo() },
    further: furthers[state.lesson] ?? null,
  };
}

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
  const { lesson: id } = store.get();
  const prose = proses[id]?.[spokenLanguage];
  if (!modules[id] || !prose) return;
  const app = appNow(modules[id], prose);
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

// Lessons and languages --------------------------------------------------------------------------------------------

/** @param {string} id @param {string} lang @param {import('./views/prose.js').Prose} prose */
function addProse(id, lang, prose) {
  proses[id] = { ...proses[id], [lang]: { ...proses[id]?.[lang], ...prose } };
}

/** What the first look at a lesson needs. @param {string} id @param {string} lang */
async function fetchLesson(id, lang) {
  const [module, { prose, strings }] = await Promise.all([LESSONS[id].load(), LESSONS[id].words[lang](), loadStrings(lang)]);
  modules[id] = module;
  addStrings(lang, strings);
  addProse(id, lang, prose);
}

/** The rest of it. @param {string} id @param {string} lang */
async function fetchFurther(id, lang) {
  const [further, prose] = await Promise.all([LESSONS[id].further(), LESSONS[id].furtherProse[lang](), loadFurtherStrings(lang), loadStylesheet(furtherCss)]);
  furthers[id] = further;
  addProse(id, lang, prose.default);
}

/** Text of the language in use: strings and prose together, so that no repaint mixes two languages. */
async function loadLanguage() {
  const { lesson } = store.get();
  const wanted = language();
  await Promise.all([fetchLesson(lesson, wanted), furthers[lesson] && fetchFurther(lesson, wanted), loadLinkTexts({ ...ui.link, problems: ui.link?.problems ?? [], values: store.get() }, wanted)]);
  spokenLanguage = language() in proses[lesson] ? language() : wanted;
  schedulePaint();
}

/** The last lesson that was asked for: a slower one that was asked for before it does not come after it. */
let wantedLesson = '';

/** Opens a lesson with these values, or as it was left. Until it is there the page stays as it is. @param {string} id @param {any} [values] */
async function openLesson(id, values) {
  wantedLesson = id;
  try {
    await fetchLesson(id, values?.lang ?? language());
  } catch (error) {
    console.error(error);
    return setUi({ lessonMissing: id });
  }
  if (wantedLesson !== id) return;
  if (values === undefined && id !== store.get().lesson) await address.turnPage();
  const state = store.get();
  const lang = values?.lang ?? state.lang;
  left[state.lesson] = state;
  player.stop();
  ui = { ...ui, lessonMissing: null, drafts: {}, inputFocus: {}, hover: null, checked: null, addressHeld: values !== undefined && ui.addressHeld };
  if (id === state.lesson) store.set({ ...defaultsOf(id), ...values, lang });
  else {
    store.open({ ...defaultsOf(id), embed: state.embed, ...(values ?? left[id]), lang });
    loadFurther().catch(console.error);
  }
}

/** What the first look at a lesson does not need comes piece by piece, when the browser has nothing better to do. */
async function loadFurther() {
  const { lesson: id } = store.get();
  await whenIdle();
  // The language may change meanwhile.
  let lang;
  do await fetchFurther(id, lang = language());
  while (lang !== language());
  schedulePaint();
  await whenIdle();
  derivedIsWanted.add(id);
  compute();
  schedulePaint();
  // So that the other language and the Share dialog are there without a network.
  await whenIdle();
  await import('./share/dialog.js');
  for (const each of LANGUAGES) {
    await fetchLesson(id, each);
    await fetchFurther(id, each);
  }
  schedulePaint();
}

/** Whether a link opens by itself. @param {import('./address.js').Link} link */
const loads = ({ status }) => status === 'ok' || status === 'unchecked' || status === 'empty';

/** Whether its address stays as it is, to be copied, until the visitor changes something. @param {import('./address.js').Link} link */
const isHeld = ({ status }) => status !== 'ok' && status !== 'empty';

/** Most links are right and show no gradient: what those that are not, or do, have to say is further text. @param {{ status?: string, problems: unknown[], values: any }} link @param {string} lang */
const loadLinkTexts = ({ status, problems, values }, lang) => status === 'damaged' || problems.length > 0 || values.gradient || values.step?.includes('/') ? loadFurtherStrings(lang).catch(console.error) : undefined;

async function readAddress() {
  const { hash } = location;
  const link = await readLink();
  await loadLinkTexts(link, language());
  if (location.hash !== hash) return; // its own event reads it
  address.read();
  store.settle();
  setUi({ link, addressHeld: isHeld(link) });
  // A link that loads nothing leaves everything as it was.
  if (loads(link)) await openLesson(link.lesson ?? FIRST_LESSON, link.values);
  else if (link.values.lang) store.set({ lang: link.values.lang });
}

// Start ------------------------------------------------------------------------------------------------------------

/** How long the page waits for the core, in ms, so as to be drawn once instead of twice. Numbers can be typed without it. */
const PATIENCE = 200;

async function start() {
  const coreIsThere = engine.load();
  const link = await readLink();
  address.read();
  const lesson = Object.hasOwn(LESSONS, link.lesson ?? '') ? /** @type {string} */ (link.lesson) : FIRST_LESSON;
  const lang = link.values.lang ?? null;
  spokenLanguage = lang ?? preferredLanguage();
  await Promise.all([fetchLesson(lesson, spokenLanguage), loadLinkTexts(link, spokenLanguage)]);
  await Promise.race([coreIsThere, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  document.getElementById('loading')?.remove();
  ui = { ...ui, link, addressHeld: isHeld(link) };
  store.open({ ...defaultsOf(lesson), ...(loads(link) && link.values), lang });
  if (result === NOTHING_YET) compute(); // what a link changes was computed already
  listen();
  if (store.get().embed) tellHeight(root);
  await coreIsThere;
  await whenIdle();
  await loadTex(katexCss).then(schedulePaint, console.error);
  await loadFurther().catch(console.error);
  // From here on nothing is asked for unless another lesson is opened.
  document.documentElement.dataset.loaded = '';
}

function listen() {
  window.addEventListener('resize', () => {
    stepInView = '';
    keepStepInView();
  });
  window.addEventListener('hashchange', () => void readAddress().catch(console.error));
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
