// What stands below the steps. Out of sight it is painted two frames after what is seen.
import { render } from 'lit-html';
import { sectionsView } from './page.js';

/** @typedef {import('./main.js').App} App */

/** @param {HTMLElement} root @param {{ appNow: () => App | null, painted: () => void }} page   painted: is called when what came later is there */
export function createBelow(root, { appNow, painted }) {
  /** The lesson and the language of what is there. */
  let paintedFor = '';
  let isLate = false;
  let isScheduled = false;

  const place = () => /** @type {HTMLElement} */ (root.querySelector('#below'));
  const isOutOfSight = () => place().getBoundingClientRect().top > window.innerHeight;

  /** @param {App} app */
  function paint(app) {
    paintedFor = `${app.state.lesson} ${app.language}`;
    isLate = false;
    render(sectionsView(app), place());
  }

  function schedule() {
    isLate = true;
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      isScheduled = false;
      const app = appNow();
      if (!app || !isLate) return; // painted with everything else meanwhile
      paint(app);
      painted();
    }));
  }

  return {
    /** Before the page is painted: whether that may come later. Not while something in it is worked with. @param {App} app */
    mayWait: ({ state, language }) =>
      paintedFor === `${state.lesson} ${language}` && place().childElementCount > 0 && !place().contains(document.activeElement) && isOutOfSight(),

    /** When the rest is painted. The page may have become shorter. @param {App} app @param {boolean} mayWait @returns {boolean} whether everything is there */
    paint(app, mayWait) {
      if (mayWait && isOutOfSight()) schedule();
      else paint(app);
      return !isLate;
    },
  };
}
