// The address bar: read when the page opens, kept current after every change.
import { LESSONS } from './lessons/index.js';
import { PROPERTIES } from './properties.js';
import { formatLink, parseLink } from './share/link.js';

const DELAY = 250; // ms after the last change

/** @typedef {import('./share/link.js').Link} Link */

export const readLink = () => parseLink(location.hash, PROPERTIES, { lessons: Object.keys(LESSONS) });

/** @param {string} lesson @param {{ [name: string]: any }} values */
export const linkTo = (lesson, values) => formatLink({ version: 1, lesson, values }, PROPERTIES);

/**
 * Writes the address a moment after the last change. Not inside another page, whose reload would then lose the frame;
 * and not while it is `held`: a link at fault stays where it can be copied until the visitor changes something.
 * @param {() => { held: boolean, embedded: boolean, link: string }} current
 */
export function createAddress(current) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = location.hash;
  let isNewPage = false;

  function write() {
    const { held, embedded, link } = current();
    // An address that somebody else has just written is about to be read.
    if (held || embedded || link === last || location.hash !== last) return;
    if (isNewPage) history.pushState(null, '', link);
    else history.replaceState(null, '', link);
    isNewPage = false;
    last = location.hash;
  }

  return {
    /** The address was read. */
    read() { last = location.hash; },

    /** The next address is another page's: Back leads to the one before. */
    turnPage() {
      write();
      isNewPage = true;
    },

    schedule() {
      clearTimeout(timer);
      timer = setTimeout(write, DELAY);
    },
  };
}
