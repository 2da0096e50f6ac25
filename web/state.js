// The one state of the page: a frozen object of properties (properties.js), changed only by `set`.
import { PROPERTIES, propertiesOf } from './properties.js';

/**
 * @typedef {{ [name: string]: any }} State
 * @typedef {{ merge?: string, remember?: boolean }} Change   merge: changes with one tag undo as one
 */

/** Every property, and which lesson is open. @type {State} */
export const DEFAULTS = Object.freeze({ lesson: 'attention', ...Object.fromEntries(PROPERTIES.map(({ name, default: value }) => [name, value])) });

/** The same as a lesson has them. @param {string} lesson @returns {State} */
export const defaultsOf = (lesson) => ({ ...DEFAULTS, ...Object.fromEntries(propertiesOf(lesson).map(({ name, default: value }) => [name, value])), lesson });

const MODEL = PROPERTIES.filter(({ scope }) => scope === 'model').map(({ name }) => name);

/** What a visitor made, as opposed to where they look: what undo brings back. */
const MADE = PROPERTIES.filter(({ scope, type }) => type === 'matrix' || (scope === 'model' && type !== 'gradient')).map(({ name }) => name);

/** @param {State} state @returns {State} */
const madeOf = (state) => Object.fromEntries(MADE.map((name) => [name, state[name]]));

/** @param {State} before @param {State} after */
export const modelChanged = (before, after) => ['lesson', ...MODEL].some((name) => before[name] !== after[name]);

/** Whether both hold the same numbers and settings. @param {State} a @param {State} b */
export const sameMade = (a, b) => JSON.stringify(madeOf(a)) === JSON.stringify(madeOf(b));

const HISTORY_LIMIT = 200;

/** @param {(state: State, before: State) => void} onChange */
export function createStore(onChange) {
  /** @type {State} */
  let state = DEFAULTS;
  /** @type {State[]} */
  let past = [];
  /** @type {State[]} */
  let future = [];
  /** @type {string | undefined} */
  let lastMerge;

  /** @param {State} next */
  function become(next) {
    const before = state;
    state = Object.freeze(next);
    onChange(state, before);
  }

  /** @param {State[]} from @param {State[]} to */
  function travel(from, to) {
    const made = from.pop();
    if (!made) return;
    to.push(madeOf(state));
    lastMerge = undefined;
    become({ ...state, ...made });
  }

  return {
    get: () => state,

    /** @param {State} patch @param {Change} [change] */
    set(patch, { merge, remember = true } = {}) {
      const next = { ...state, ...patch };
      if (remember && MADE.some((name) => state[name] !== next[name])) {
        if (merge === undefined || merge !== lastMerge) past.push(madeOf(state));
        past = past.slice(-HISTORY_LIMIT);
        future = [];
        lastMerge = merge;
      }
      become(next);
    },

    /** What can be undone and redone, to be kept while another lesson is open. */
    history: () => ({ past, future }),

    /** Another lesson, with what can be undone there. @param {State} next @param {{ past: State[], future: State[] }} [history] */
    open(next, history = { past: [], future: [] }) {
      ({ past, future } = history);
      lastMerge = undefined;
      become(next);
    },

    /** Takes a run of merged changes back, as if it had not been. @param {string} merge */
    revert(merge) {
      const made = lastMerge === merge ? past.pop() : undefined;
      lastMerge = undefined;
      if (made) become({ ...state, ...made });
    },

    /** Ends a run of merged changes. */
    settle() { lastMerge = undefined; },
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
