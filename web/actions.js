// What a visitor can do. Events call these, and nothing else changes the page.
import { rowsOf, samePlace, stepKeys, stepOf } from './trace.js';
import { nextTheme } from './theme.js';
import { spoken } from './views/equation.js';

/**
 * @typedef {import('./trace.js').Place} Place
 * @typedef {import('./trace.js').Trace} Trace
 * @typedef {import('./views/message.js').Problem} Problem
 *
 * @typedef {object} Parts
 * @property {ReturnType<typeof import('./state.js').createStore>} store
 * @property {(patch: any, change?: import('./state.js').Change) => void} set   a change by the visitor
 * @property {() => any} getUi
 * @property {(patch: any) => void} setUi
 * @property {() => any} lessonNow
 * @property {() => any} furtherNow               what the first look at the lesson does not need; null until it is there
 * @property {() => Trace | null} traceNow
 * @property {() => string} keyNow                the step on the stage
 * @property {(lesson: string, values?: any) => void} openLesson   with these values, or as it was left
 * @property {(trace: Trace, place: Place) => import('./module/attention.d.ts').Explanation | null} explain
 * @property {ReturnType<typeof import('./engine.js').createEngine>['ask']} ask
 * @property {() => import('./i18n/index.js').Translate} t
 * @property {() => void} play
 * @property {() => void} stop                   playing
 * @property {() => void} reload
 * @property {(extra?: any) => Promise<string>} linkOf
 * @property {() => Promise<unknown>} loadTexts   those that the first look does not need, and their styles
 * @property {() => void} scheduleAddress
 */

/** Puts the focus on the explained cell of the stage, once it is there. */
function focusStage() {
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector('#stage .result td[tabindex="0"]'))?.focus());
}

/** @param {Parts} parts */
export function createActions({ store, set, getUi, setUi, lessonNow, furtherNow, traceNow, keyNow, openLesson, explain, ask, t, play, stop, reload, linkOf, loadTexts, scheduleAddress }) {
  /** Whether the next step waits for a prediction. */
  const mustPredict = () =>
    store.get().predict === 1 && Boolean(document.getElementById('predict-field')?.checkVisibility()) && !getUi().checked && !getUi().skipped;

  function askForPrediction() {
    stop();
    setUi({ spoken: t()('predict.first') });
    document.getElementById('predict-field')?.focus();
  }

  /** The links that the Share dialog offers. @param {any} options what a teacher adds */
  async function linksWith(options) {
    const page = location.origin + location.pathname;
    const [link, embedLink] = await Promise.all([linkOf(options), linkOf({ ...options, embed: 1 })]);
    return { link: page + link, embedLink: page + embedLink };
  }

  const actions = {
    set,
    setUi,
    undo: store.undo,
    redo: store.redo,
    theme: nextTheme,
    reload,
    openLesson: (/** @type {string} */ lesson) => openLesson(lesson),

    /** @param {string | undefined} key */
    go(key) {
      if (key === undefined) return;
      setUi({ hover: null, expanded: false, predictText: '', checked: null, skipped: false });
      set({ step: key });
    },

    /** @param {number} by */
    move(by) {
      const keys = stepKeys(traceNow());
      const at = keys.indexOf(keyNow());
      const next = keys[Math.max(0, Math.min(keys.length - 1, at + by))];
      if (by > 0 && mustPredict()) return askForPrediction();
      if (next !== undefined && next !== keyNow()) actions.go(next);
    },

    play,

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
      const ui = getUi();
      if (ui.hover || ui.expanded) setUi({ hover: null, expanded: false });
      if (!samePlace(place, cell && { key: place.key, ...cell })) set({ cell: { row: place.row, col: place.col } });
      const step = stepOf(traceNow(), place.key);
      const explanation = traceNow() && explain(/** @type {Trace} */ (traceNow()), place);
      if (step && explanation) setUi({ spoken: spoken({ place, step, explanation, digits, t: t() }) });
    },
    leave: () => setUi({ hover: null }),
    expand: () => setUi({ expanded: true }),
    /** @param {boolean} overview */
    toggleOverview(overview) { if (overview !== Boolean(getUi().overview)) setUi({ overview }); },
    /** @param {boolean} asText */
    toggleText(asText) { if (asText !== Boolean(getUi().asText)) setUi({ asText }); },
    /** @param {{ row: number, col: number }} mask */
    lookAtMask: (mask) => setUi({ inputFocus: { ...getUi().inputFocus, mask } }),

    /** @param {Place} place */
    pin: (place) => set({ pin: samePlace(store.get().pin, place) ? null : { ...place } }),

    /** @param {Place} place */
    async openGradient(place) {
      await loadTexts();
      const wrt = store.get().gradient?.wrt ?? lessonNow().matrices[0].name;
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
      const chosen = lessonNow().examples.find((/** @type {any} */ example) => example.id === id);
      if (!chosen) return;
      set(chosen.values);
    },

    /** From whatever mask there is, to one that is drawn. @param {{ row: number, col: number }} cell */
    drawMask({ row, col }) {
      const state = store.get();
      const shown = stepOf(traceNow(), 'mask');
      const drawn = state.mask === 'drawn';
      const mask = shown && !drawn ? rowsOf(shown) : lessonNow().drawnMask(drawn ? state : { ...state, allow: null });
      mask[row][col] = 1 - mask[row][col];
      set({ mask: 'drawn', allow: mask });
    },

    /** @param {string} predictText */
    typePrediction: (predictText) => setUi({ predictText, checked: null }),
    /** On to the next step without a prediction. */
    skipPrediction() {
      setUi({ skipped: true });
      actions.move(1);
    },
    /** @param {Place} place */
    checkPrediction(place) {
      const trace = traceNow();
      const judge = furtherNow()?.predictTask.judge;
      const asked = judge && ask((core) => judge(core, store.get(), trace, place.key, place.row, place.col, getUi().predictText ?? ''));
      if (asked && 'answer' in asked) setUi({ checked: { place, trace, verdict: asked.answer } });
    },

    async share() {
      const { question, note, predict, hide, lock } = store.get();
      const options = { question: question ?? '', note: note ?? '', predict, hide: hide ?? [], lock };
      const [{ shareDialog: view }, links] = await Promise.all([import('./share/dialog.js'), linksWith({}), loadTexts()]);
      setUi({ share: { view, ...links, options }, copied: '' });
      queueMicrotask(() => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.share'))?.showModal());
    },
    /** What a teacher adds to the links; the page itself stays as it is. @param {any} patch */
    async teach(patch) {
      const options = { ...getUi().share.options, ...patch };
      setUi({ share: { ...getUi().share, options }, copied: '' });
      const links = await linksWith(options);
      if (getUi().share?.options === options) setUi({ share: { ...getUi().share, ...links } });
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
      const { lesson, values } = getUi().link;
      setUi({ link: null, addressHeld: false });
      openLesson(lesson ?? store.get().lesson, values);
    },
    dismissLink() {
      setUi({ link: null, addressHeld: false });
      scheduleAddress();
    },
    /** @param {Problem} problem */
    dismissProblem: (problem) => setUi({ link: { ...getUi().link, problems: getUi().link.problems.filter((/** @type {Problem} */ each) => each !== problem) } }),
    dismissRestart: () => setUi({ restarted: false }),
  };
  return actions;
}
