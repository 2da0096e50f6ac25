// The address bar: read when the page opens, kept current after every change.
import { LESSONS } from './lessons/index.js';
import { PROPERTIES } from './properties.js';
import { formatLink, parseLink, READABLE_LENGTH } from './share/link.js';

const DELAY = 250; // ms after the last change

/** @typedef {import('./share/link.js').Link} Link @typedef {import('./share/link.js').Packing} Packing */

/** What packs many numbers into a link; absent until a link needs it. @type {Packing | undefined} */
let packing;

const loadPacking = async () => { packing ??= await import('./share/packed.js'); };

/** A link, if not another that in the address bar. One that is packed cannot be read, when what unpacks it does not load. @returns {Promise<Link>} */
export async function readLink(hash = location.hash) {
  const link = parse(hash);
  if (link.status !== 'packed') return link;
  await loadPacking().catch(console.error);
  return parse(hash);
}

const parse = (/** @type {string} */ hash) => parseLink(hash, PROPERTIES, { lessons: Object.keys(LESSONS) }, packing);

/** The readable link of a view. @param {string} lesson @param {{ [name: string]: any }} values */
export const linkTo = (lesson, values) => formatLink({ version: 1, lesson, values }, PROPERTIES);

/** The link to hand on: packed when the readable one is long. @param {string} lesson @param {{ [name: string]: any }} values */
export async function shortLinkTo(lesson, values) {
  const readable = linkTo(lesson, values);
  if (readable.length <= READABLE_LENGTH) return readable;
  await loadPacking().catch(console.error);
  return formatLink({ version: 1, lesson, values }, PROPERTIES, packing);
}

/**
 * Writes the address a moment after the last change. Not inside another page, whose reload would then lose the frame;
 * and not while it is `held`: a link at fault stays where it can be copied until the visitor changes something.
 * @param {() => { held: boolean, embedded: boolean, link: () => Promise<string>, readable: () => string }} current
 */
export function createAddress(current) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = location.hash;
  let isNewPage = false;
  let writing = 0;

  /** Views that were left before they were written, by the mark of their entry in the history. @type {Map<unknown, string>} */
  const unwritten = new Map();
  let marks = 0;
  /** That of the entry whose view is shown. @type {unknown} */
  let entry = null;
  const newMark = () => `${performance.timeOrigin}.${++marks}`;

  /** @returns {Promise<boolean>} whether there was no later change, which writes its own */
  async function write() {
    const { held, embedded, link: linkNow } = current();
    if (held || embedded) return true;
    const mine = ++writing;
    const link = await linkNow();
    if (mine !== writing) return false;
    // An address that somebody else has just written is about to be read.
    if (link === last || location.hash !== last) return true;
    if (isNewPage) history.pushState(entry = newMark(), '', link);
    else history.replaceState(entry, '', link);
    isNewPage = false;
    last = location.hash;
    return true;
  }

  function stopTimer() {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    /** The address has become another one: what the one before it has yet to say is kept until it comes back. */
    leave() {
      const { held, embedded, readable } = current();
      if (timer !== undefined && !held && !embedded) unwritten.set(entry, readable());
      stopTimer();
    },

    /** Whether the address is one of this visit, to which the visitor came back. */
    isKnown: () => history.state !== null,

    /** What is to be read in place of the address, if it came back. */
    unwritten: () => unwritten.get(history.state),

    /** The address was read. */
    read() {
      last = location.hash;
      isNewPage = false;
      if (!current().embedded && history.state === null) history.replaceState(newMark(), '');
      entry = history.state;
      unwritten.delete(entry);
    },

    /** Writes at once what has yet to be written, with what changes meanwhile. */
    async settle() {
      do stopTimer();
      while (!(await write()) || timer !== undefined);
    },

    /** The next address is another page's: Back leads to the one before. */
    turnPage() {
      isNewPage = true;
    },

    /** Something changed. A new page has its address at once: Back may be the next thing that is pressed. */
    schedule() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        write().catch(console.error);
      }, isNewPage ? 0 : DELAY);
    },
  };
}
