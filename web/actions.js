// What a visitor can do. Events call these, and nothing else changes the page.
import { rowsOf, samePlace, stepKeys, stepOf, walkedKeys } from './trace.js';
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
 * @property {() => Trace | null} traceNow
 * @property {() => string} keyNow                the step on the stage
 * @property {() => string[]} closedNow           steps that are to be opened by predicting
 * @property {(request: import('./main.js').Request) => void} openLesson
 * @property {(id: string) => void} choose   a lesson, as it was left
 * @property {(language: string) => void} speak
 * @property {ReturnType<typeof import('./attempts.js').createAttempts>['attempt']} attempt
 * @property {() => void} retry                  all that did not load
 * @property {(trace: Trace, place: Place) => import('./module/attention.d.ts').Explanation | null} explain
 * @property {ReturnType<typeof import('./engine.js').createEngine>['ask']} ask
 * @property {() => import('./i18n/index.js').Translate} t
 * @property {() => void} play
 * @property {() => void} stop                   playing
 * @property {() => void} reload
 * @property {(extra?: any) => Promise<string>} linkOf
 * @property {() => Promise<unknown>} loadTexts   those that the first look does not need, and their styles
 * @property {() => Promise<any>} loadFurther     the same of the lesson
 * @property {() => void} scheduleAddress
 */

/** Puts the focus on the explained cell of the stage, once it is there. */
function focusStage() {
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector('#stage .result td[tabindex="0"]'))?.focus());
}

/** @param {Parts} parts */
export function createActions({ store, set, getUi, setUi, lessonNow, traceNow, keyNow, closedNow, openLesson, choose, speak, attempt, retry, explain, ask, t, play, stop, reload, linkOf, loadTexts, loadFurther, scheduleAddress }) {
  /** Goes where the number is asked for that the next closed step waits for. */
  function askForPrediction() {
    stop();
    const keys = walkedKeys(traceNow());
    const last = keys[keys.indexOf(closedNow()[0]) - 1];
    if (last !== keyNow()) actions.go(last);
    setUi({ spoken: t()('predict.first') });
    requestAnimationFrame(() => document.getElementById('predict-field')?.focus());
  }

  const actions = {
    set,
    setUi,
    undo: store.undo,
    redo: store.redo,
    theme: nextTheme,
    reload,
    retry,
    speak,
    openLesson: choose,

    /** @param {string | undefined} key */
    go(key) {
      if (key === undefined) return;
      if (closedNow().includes(key)) return askForPrediction();
      setUi({ hover: null, expanded: false, predictText: '', checked: null, opened: [...new Set([...getUi().opened, keyNow(), key])] });
      set({ step: key });
    },

    /** @param {number} by */
    move(by) {
      const keys = stepKeys(traceNow());
      const at = keys.indexOf(keyNow());
      const next = keys[Math.max(0, Math.min(keys.length - 1, at + by))];
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
    openGradient: (place) => attempt('gradient', 'action.gradient', async () => {
      await loadTexts();
      const wrt = store.get().gradient?.wrt ?? lessonNow().matrices[0].name;
      setUi({ opened: [...getUi().opened, keyNow()] });
      set({ gradient: { ...place, wrt }, step: `grad/${place.key}`, cell: { row: place.row, col: place.col } });
      focusStage();
    }),
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
      setUi({ opened: [...getUi().opened, keyNow(), closedNow()[0]] });
      actions.move(1);
    },
    /** @param {Place} place */
    checkPrediction: (place) => attempt('prediction', 'action.check', async () => {
      const { predictTask: { judge } } = await loadFurther();
      const trace = traceNow();
      const asked = ask((core) => judge(core, store.get(), trace, place.key, place.row, place.col, getUi().predictText ?? ''));
      if (asked && 'answer' in asked) setUi({ checked: { place, trace, verdict: asked.answer }, opened: [...getUi().opened, keyNow(), place.key] });
    }),

    share: () => attempt('share', 'header.share', async () => {
      const [{ openSharing }] = await Promise.all([import('./share/dialog.js'), loadTexts()]);
      await openSharing({ state: store.get(), getUi, setUi, linkOf });
    }),

    openDamaged() {
      const { lesson, values } = getUi().link;
      setUi({ link: null, addressHeld: false });
      openLesson({ id: lesson ?? store.get().lesson, values, lang: values.lang });
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
