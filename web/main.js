// The loop: address → state → core → page. Events only call actions (actions.js); every repaint starts here.
import { render } from 'lit-html';
import furtherCss from 'asset:further-css';
import katexCss from 'asset:katex-css';
import { createActions } from './actions.js';
import { createAttempts } from './attempts.js';
import { createAddress, linkTo, readLink, shortLinkTo } from './address.js';
import { createBelow } from './below.js';
import { createMatrixEditor } from './edit.js';
import { tellHeight } from './embed.js';
import { createEngine } from './engine.js';
import { addStrings, loadFurtherStrings, loadStrings, translator } from './i18n/index.js';
import { LANGUAGES, preferredLanguage } from './i18n/language.js';
import { listenToKeys } from './keys.js';
import { FIRST_LESSON, LESSONS } from './lessons/index.js';
import { createModel, NOTHING_YET } from './model.js';
import { createNumberEditor } from './number-field.js';
import { pageView } from './page.js';
import { createPlayer } from './play.js';
import { closedSteps } from './predictions.js';
import { propertiesOf } from './properties.js';
import { createStore, defaultsOf, modelChanged, sameMade } from './state.js';
import { nextTask, whenIdle } from './tasks.js';
import { currentKey, exists, stepKeys, stepOf } from './trace.js';
import { loadStylesheet } from './views/stylesheet.js';
import { fillLive } from './views/prose.js';
import { loadTex, typeset } from './views/tex.js';

/**
 * @typedef {NonNullable<ReturnType<typeof appNow>>} App      everything a repaint reads
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
/** Lessons and languages of which all texts are there. @type {Set<string>} */
const complete = new Set();
/** How each lesson was left, so that nothing made in it is lost. @type {Record<string, { state: any, drafts: any, opened: string[], history: any }>} */
const left = {};

/** What the page remembers beside the state, and no link carries. @type {any} */
let ui = { drafts: {}, opened: [], link: null, inputFocus: {}, missing: {}, addressHeld: true };
let result = NOTHING_YET;
let revision = 0;
/** Lessons whose sections below the steps have been painted; what those plot is computed after that. @type {Set<string>} */
const derivedIsWanted = new Set();

const store = createStore((state, before) => {
  if (state.lesson !== before.lesson) result = NOTHING_YET;
  else for (const name of Object.keys(state)) if (state[name] !== before[name]) editor.forgetChanged(name, before[name]);
  if (modelChanged(before, state)) {
    if (engine.status() === 'stopped') engine.load();
    compute();
  }
  if (!isComplete() && LESSONS[state.lesson].beginsFurther?.(state)) fetchFurtherProse(state.lesson, language()).then(schedulePaint, console.error);
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
const language = () => store.get().lang ?? preferredLanguage();
const shared = (/** @type {any} */ extra) => ({ ...store.get(), lang: language(), ...extra });
const linkOf = (extra = {}) => linkTo(store.get().lesson, shared(extra));
const shortLinkOf = (extra = {}) => shortLinkTo(store.get().lesson, shared(extra));
const keyNow = () => currentKey(result.trace, store.get().step, lessonNow().firstStep);
const propertyOf = (/** @type {string} */ name) =>
  /** @type {import('./properties.js').Property} */ (propertiesOf(store.get().lesson).find((each) => each.name === name));

const { attempt, retry } = createAttempts({ getUi: () => ui, setUi });
const editor = createMatrixEditor({
  get: store.get, set, settle: store.settle, revert: store.revert, getUi: () => ui, setUi, matrices: () => lessonNow().matrices, propertyOf,
});
const number = createNumberEditor({ get: store.get, set, settle: store.settle, editor, getUi: () => ui, problemsOf, propertyOf });
const address = createAddress(() => ({ held: ui.addressHeld, embedded: Boolean(store.get().embed), link: shortLinkOf, readable: linkOf }));
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
  store, set, getUi: () => ui, setUi, lessonNow, traceNow: () => result.trace, keyNow, closedNow, openLesson, choose, speak, attempt, retry, explain: model.explain, ask: engine.ask,
  t: () => translator(language()), play: player.toggle, stop: player.stop, reload: engine.load, linkOf: shortLinkOf, scheduleAddress: address.schedule,
  loadTexts: () => Promise.all([loadFurtherStrings(language()), loadStylesheet(furtherCss)]),
  async loadFurther() {
    const { lesson } = store.get();
    await fetchFurther(lesson, language());
    return furthers[lesson];
  },
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

/** A gradient or a pinned cell that the numbers no longer have leaves the state, and so the links; so does the gradient of a step that is to be opened by predicting. */
function dropWhatIsGone() {
  const { trace, stale } = result;
  if (!trace || stale) return;
  const { gradient, pin, step } = store.get();
  const patch = {};
  const isClosed = gradient && closedNow().includes(gradient.key);
  if (gradient && (isClosed || !trace.gradient)) Object.assign(patch, { gradient: null }, step?.startsWith('grad/') && { step: isClosed ? null : gradient.key, cell: null });
  const pinned = pin && stepOf(trace, pin.key);
  if (pin && !(pinned && exists(pinned, pin))) Object.assign(patch, { pin: null });
  if (Object.keys(patch).length > 0) store.set(patch, { remember: false });
}

function compute() {
  const { lesson: id } = store.get();
  if (!modules[id]) return;
  result = model.compute(modules[id], store.get(), result, derivedIsWanted.has(id) ? furthers[id].derived : {});
  queueMicrotask(dropWhatIsGone);
  if (ui.link && !ui.link.isTold && isComplete()) queueMicrotask(tellMisfits);
}

/** Those of them that stand for something near, and stay. */
const NEAR = ['cell', 'allow', 'tokens'];

/** What the link names that its numbers do not have is told, once, and left out. */
function tellMisfits() {
  const { link } = ui;
  const state = store.get();
  if (!link || link.isTold || !loads(link) || !result.trace || result.stale) return;
  const found = furthers[state.lesson].misfits({ link, state, trace: result.trace, closed: closedNow(), lesson: lessonNow() });
  setUi({ link: { ...link, isTold: true, problems: [...link.problems, ...found] } });
  const names = found.map((/** @type {Problem} */ { field }) => field).filter((/** @type {string} */ field) => !NEAR.includes(field));
  if (names.length > 0) store.set(Object.fromEntries(names.map((/** @type {string} */ name) => [name, defaultsOf(state.lesson)[name]])), { remember: false });
}

const isComplete = () => complete.has(`${store.get().lesson} ${language()}`);

/** The steps that a visitor has yet to open by predicting. */
function closedNow() {
  const { predicts } = lessonNow();
  return predicts && store.get().predict === 1 ? closedSteps(result.trace, [...ui.opened, keyNow()]) : [];
}

/** @param {string} field @returns {Problem[]} what the link had wrong there, and what the numbers have together; that a link was cut is said of the whole */
function problemsOf(field) {
  return [...ui.link?.problems ?? [], ...result.problems].filter((/** @type {Problem} */ problem) => problem.field === field && problem.code !== 'cut');
}

/** Which given example the numbers are, if any. @param {any} lesson @param {any} state @returns {string | null} */
function exampleOf(lesson, state) {
  const same = (/** @type {any} */ values) => Object.keys(values).every((name) => JSON.stringify(values[name]) === JSON.stringify(state[name]));
  return lesson.examples.find((/** @type {any} */ { values }) => same(values))?.id ?? null;
}

// Repaint ----------------------------------------------------------------------------------------------------------

/** Null until the lesson and its words are there. */
function appNow() {
  const state = store.get();
  const lesson = lessonNow(), prose = proses[state.lesson]?.[language()];
  if (!lesson || !prose) return null;
  const t = translator(language());
  // What is typed and no number yet makes the last answer as old as numbers that do not fit together.
  const stale = result.stale || lesson.fields.some(editor.isWrong);
  return {
    state, ui, lesson, prose, t, editor, number, model, actions, problemsOf, linkOf,
    result: { ...result, stale },
    closed: closedNow(),
    language: language(),
    wanted: asked?.id ?? state.lesson,
    title: `${prose.title.title} · ${t('app.title')}`,
    status: engine.status(),
    example: exampleOf(lesson, state),
    history: { canUndo: store.canUndo(), canRedo: store.canRedo() },
    further: isComplete() ? furthers[state.lesson] : null,
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
  const app = appNow();
  if (!app) return;
  const html = document.documentElement;
  // Writing the same value again would still restyle the whole page.
  if (html.lang !== app.language) html.lang = app.language;
  if (document.title !== app.title) document.title = app.title;
  html.toggleAttribute('data-embed', Boolean(app.state.embed));
  const mayWait = below.mayWait(app);
  render(pageView(app), root);
  const isWhole = below.paint(app, mayWait);
  dress();
  requestAnimationFrame(keepStepInView);
  const shown = { missing: 'error', stopped: 'error', loading: 'loading', failed: 'loading', ready: 'ready' }[app.status];
  if (html.dataset.state !== shown) html.dataset.state = shown;
  tell(isWhole);
}

const below = createBelow(root, {
  appNow,
  painted() {
    dress();
    tell(true);
  },
});

/** Formulas, and numbers in prose. */
function dress() {
  fillLive(root, result.trace, store.get().digits);
  if (!typeset(root)) nextTask().then(schedulePaint);
}

/** What tests and assistive tools wait for. @param {boolean} isWhole whether everything is painted */
function tell(isWhole) {
  document.documentElement.toggleAttribute('data-unfinished', !isWhole);
  if (isWhole) document.documentElement.dataset.revision = String(++revision);
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

/** @param {string} id @param {string} lang */
const fetchFurtherProse = async (id, lang) => addProse(id, lang, (await LESSONS[id].furtherProse[lang]()).default);

/** The rest of it. @param {string} id @param {string} lang */
async function fetchFurther(id, lang) {
  const [further] = await Promise.all([LESSONS[id].further(), fetchFurtherProse(id, lang), loadFurtherStrings(lang), loadStylesheet(furtherCss)]);
  furthers[id] = further;
  complete.add(`${id} ${lang}`);
}

/** @typedef {{ id: string, values?: any, lang?: string, link?: import('./address.js').Link, returns?: boolean }} Request   a lesson with these values or as it was left, in this language or the one in use; link: which asks for it; returns: by way of the history */

/** What was asked for last and is not there yet: a slower one that was asked for before it does not come after it. @type {Request | null} */
let asked = null;

/** What a request shows at first, further texts only where it needs them. @param {Request} request */
async function fetchRequest({ id, values, lang = language(), link = ui.link }) {
  const shown = values ?? (id === store.get().lesson ? store.get() : left[id]?.state) ?? {};
  const needsTexts = link?.status === 'damaged' || link?.problems.length > 0 || shown.gradient || shown.step?.includes('/');
  await Promise.all([
    fetchLesson(id, lang),
    needsTexts && loadFurtherStrings(lang),
    LESSONS[id].beginsFurther?.(shown) && fetchFurtherProse(id, lang).catch(console.error), // told with all that comes later
    furthers[id] && fetchFurther(id, lang).catch(console.error), // so that they do not go and come back
  ]);
}

/** Opens a lesson in a language. Until all of it is there the page stays as it is. @param {Request} request */
function openLesson(request) {
  return attempt('request', nameOf(request), async () => {
    let isLast = false;
    asked = request;
    schedulePaint();
    const turnsPage = !request.link && !request.values && request.id !== store.get().lesson;
    try {
      await fetchRequest(request);
      if (turnsPage) await address.settle();
    } finally {
      isLast = asked === request;
      if (isLast) asked = null;
      schedulePaint();
    }
    if (!isLast) return;
    if (turnsPage) address.turnPage();
    show(request);
    if (isComplete()) tellMisfits();
    else attempt('further', 'missing.rest', loadFurther);
  });
}

/** The key of what a request brings. @param {Request} request */
function nameOf({ id, lang = language() }) {
  if (id !== store.get().lesson) return `lesson.${id}`;
  return lang === language() ? 'field.link' : `language.${lang}`;
}

/** @param {string} lang */
function speak(lang) {
  return openLesson({ ...(asked ?? { id: store.get().lesson }), lang });
}

/** In the language that was asked for last. @param {string} id */
function choose(id) {
  return openLesson({ id, lang: asked?.lang });
}

/** @param {Request} request of which everything is there */
function show({ id, values, lang, link, returns }) {
  const before = store.get();
  if (link) ui = { ...ui, link, addressHeld: isHeld(link) };
  lang ??= before.lang;
  if (!values && id === before.lesson) return link ? store.set({ lang }) : set({ lang });
  // What is being typed belongs to the cell that it is typed in.
  /** @type {HTMLElement | null} */ (root.querySelector('td input'))?.blur();
  player.stop();
  ui = { ...ui, hover: null, checked: null, addressHeld: Boolean(link) && ui.addressHeld };
  if (id === before.lesson) {
    ui = { ...ui, opened: [] };
    return store.set({ ...defaultsOf(id), ...values, lang });
  }
  left[before.lesson] = { state: before, drafts: ui.drafts, opened: ui.opened, history: store.history() };
  // How the page is shown belongs to the visit; what is asked, to the example that it was written for.
  const { embed, lock, hide } = before;
  const next = { ...defaultsOf(id), embed, ...(values ?? { ...left[id]?.state, embed, lock, hide }), lang };
  const { drafts = {}, opened = [], history } = left[id] && sameMade(left[id].state, next) ? left[id] : {};
  store.open(next, history);
  // What a link had to say was said of the lesson before.
  setUi({ drafts, opened, inputFocus: {}, link: link ?? null });
  if (!returns) window.scrollTo({ top: 0, behavior: 'instant' });
}

/** What the first look at a lesson does not need comes piece by piece, when the browser has nothing better to do. */
async function loadFurther() {
  const { lesson: id } = store.get();
  await whenIdle();
  // The language may change meanwhile.
  let lang;
  do await fetchFurther(id, lang = language());
  while (lang !== language());
  if (id === store.get().lesson) tellMisfits();
  schedulePaint();
  await whenIdle();
  derivedIsWanted.add(id);
  compute();
  schedulePaint();
  // So that the other language and the Share dialog are there without a network.
  await whenIdle();
  await prefetch(id).catch(console.error);
  // From here on nothing is asked for unless another lesson is opened.
  document.documentElement.dataset.loaded = '';
}

/** @param {string} id */
async function prefetch(id) {
  await import('./share/dialog.js');
  for (const each of LANGUAGES) {
    await fetchLesson(id, each);
    await fetchFurther(id, each);
  }
}

/** Whether a link opens by itself. @param {import('./address.js').Link} link */
const loads = ({ status }) => status === 'ok' || status === 'unchecked' || status === 'empty';

/** Whether its address stays as it is, to be copied, until the visitor changes something. @param {import('./address.js').Link} link */
const isHeld = ({ status }) => status !== 'ok' && status !== 'empty';

/** The lesson that a link names, where there is one of that name. @param {import('./address.js').Link} link */
const lessonOf = ({ lesson }) => (lesson !== null && Object.hasOwn(LESSONS, lesson) ? lesson : null);

/** @param {import('./address.js').Link} link @param {boolean} [returns] @returns {Request} */
function requestOf(link, returns = false) {
  const from = { lang: link.values.lang, link, returns };
  if (loads(link)) return { id: lessonOf(link) ?? FIRST_LESSON, values: link.values, ...from };
  // A link that loads nothing leaves everything as it was; who comes back to one comes back to its lesson.
  return { id: (returns ? lessonOf(link) : null) ?? store.get().lesson, ...from };
}

async function readAddress() {
  address.leave();
  const { hash } = location;
  const link = await readLink(address.unwritten());
  if (location.hash !== hash) return; // its own event reads it
  const returns = address.isKnown();
  address.read();
  store.settle();
  setUi({ addressHeld: true });
  await openLesson(requestOf(link, returns));
}

// Start ------------------------------------------------------------------------------------------------------------

/** How long the page waits for the core, in ms, so as to be drawn once instead of twice. Numbers can be typed without it. */
const PATIENCE = 200;

async function start() {
  const coreIsThere = engine.load();
  let hash, link, lesson, lang, hasTexts;
  do {
    hash = location.hash;
    link = await readLink();
    lesson = lessonOf(link) ?? FIRST_LESSON;
    lang = link.values.lang;
    const request = { ...requestOf(link), id: lesson, lang: lang ?? preferredLanguage() };
    [hasTexts] = await Promise.all([fetchRequest(request).then(() => true, () => false), fetchLesson(lesson, request.lang)]);
    await Promise.race([coreIsThere, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  } while (location.hash !== hash); // nobody listens yet
  document.getElementById('loading')?.remove();
  if (hasTexts) ui = { ...ui, link, addressHeld: isHeld(link) };
  store.open({ ...defaultsOf(lesson), ...(hasTexts && loads(link) && link.values), lang: lang ?? null });
  address.read();
  if (result === NOTHING_YET) compute(); // what a link changes was computed already
  listen();
  if (store.get().embed) tellHeight(root);
  if (!hasTexts) readAddress(); // which tells what is missing
  await coreIsThere;
  await whenIdle();
  await attempt('formulas', 'missing.rest', () => loadTex(katexCss).then(schedulePaint));
  await attempt('further', 'missing.rest', loadFurther);
}

function listen() {
  window.addEventListener('resize', () => {
    stepInView = '';
    keepStepInView();
  });
  window.addEventListener('hashchange', () => void readAddress().catch(console.error));
  // Charts load what draws them when they come into sight.
  root.addEventListener('missing', (/** @type {any} */ { detail }) => {
    if (!ui.missing.charts) attempt('charts', 'missing.rest', detail);
  });
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
