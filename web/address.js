// The address bar: read when the page opens, kept current after every change.
import { LESSONS } from './lessons/index.js';
import { PROPERTIES } from './properties.js';
import { formatLink, parseLink, READABLE_LENGTH } from './share/link.js';

const DELAY = 250; // ms after the last change

/** @typedef {import('./share/link.js').Link} Link @typedef {import('./share/link.js').Packing} Packing */

/** What packs many numbers into a link; absent until a link needs it. @type {Packing | undefined} */
let packing;

const loadPacking = async () => { packing ??= await import('./share/packed.js'); };

/** The link in the address bar. One that is packed cannot be read, when what unpacks it does not load. @returns {Promise<Link>} */
export async function readLink() {
  const link = parse();
  if (link.status !== 'packed') return link;
  await loadPacking().catch(console.error);
  return parse();
}

const parse = () => parseLink(location.hash, PROPERTIES, { lessons: Object.keys(LESSONS) }, packing);

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
 * @param {() => { held: boolean, embedded: boolean, link: () => Promise<string> }} current
 */
export function createAddress(current) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = location.hash;
  let isNewPage = false;

  let writing = 0;

  async function write() {
    const { held, embedded, link: linkNow } = current();
    if (held || embedded) return;
    const mine = ++writing;
    const link = await linkNow();
    // A later change writes its own; an address that somebody else has just written is about to be read.
    if (mine !== writing || link === last || location.hash !== last) return;
    if (isNewPage) history.pushState(null, '', link);
    else history.replaceState(null, '', link);
    isNewPage = false;
    last = location.hash;
  }

  return {
    /** The address was read. */
    read() {
      last = location.hash;
      isNewPage = false;
    },

    /** The next address is another page's: Back leads to the one before. */
    async turnPage() {
      await write();
      isNewPage = true;
    },

    schedule() {
      clearTimeout(timer);
      timer = setTimeout(() => write().catch(console.error), DELAY);
    },
  };
}
