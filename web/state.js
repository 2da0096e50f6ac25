// The one state of the page: a frozen object of properties (properties.js), changed only by `set`.
import { PROPERTIES } from './properties.js';

/**
 * @typedef {{ [name: string]: any }} State
 * @typedef {{ merge?: string, remember?: boolean }} Change   merge: changes with one tag undo as one
 */

/** @type {State} */
export const DEFAULTS = Object.freeze(Object.fromEntries(PROPERTIES.map(({ name, default: value }) => [name, value])));

const MODEL = PROPERTIES.filter(({ scope }) => scope === 'model').map(({ name }) => name);

/** What a visitor made, as opposed to where they look. @param {State} state @returns {State} */
export const modelOf = (state) => Object.fromEntries(MODEL.map((name) => [name, state[name]]));

/** @param {State} before @param {State} after */
export const modelChanged = (before, after) => MODEL.some((name) => before[name] !== after[name]);

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
    const model = from.pop();
    if (!model) return;
    to.push(modelOf(state));
    lastMerge = undefined;
    become({ ...state, ...model });
  }

  return {
    get: () => state,

    /** @param {State} patch @param {Change} [change] */
    set(patch, { merge, remember = true } = {}) {
      const next = { ...state, ...patch };
      if (modelChanged(state, next) && remember) {
        if (merge === undefined || merge !== lastMerge) past.push(modelOf(state));
        past = past.slice(-HISTORY_LIMIT);
        future = [];
        lastMerge = merge;
      }
      become(next);
    },

    /** Ends a run of merged changes. */
    settle() { lastMerge = undefined; },
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
}
