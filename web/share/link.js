/**
 * A view as a link and back: `#1/attention?c=…&Q=1,1&K=1,0;0,2&lang=ko` (docs/links.md has every key).
 * Links travel through chat programs that encode them again, cut them, or append to them. So a link that the page makes
 * carries a seal: length and checksum of its *decoded* content. Encoding may change under way; anything else is noticed,
 * and what follows the sealed content is dropped. A link written by hand has no seal.
 * Many numbers are packed into one value, `m`. What packs and unpacks (./packed.js) is handed in, because the first load
 * does without it.
 */

import { crc32 } from './checksum.js';
import { brief, formatMatrix, formatValue, parseValue } from './values.js';

export { formatValue, parseValue };

/** @import { Property } from '../properties.js' */
/** @import { Problem, ProblemCode } from './values.js' */

/**
 * @typedef {'empty' | 'ok' | 'unchecked' | 'damaged' | 'packed' | 'unknown-version' | 'unknown-lesson'} Status
 *   ok: the seal fits; unchecked: no seal, written by hand; damaged: cut or changed, not to be opened without asking;
 *   packed: holds `m` and no `unpack` was given, so it has to be parsed again with it before anything is opened
 *
 * @typedef {[name: string, rows: number[][]][]} Matrices
 * @typedef {(bytes: Uint8Array) => number} Checksum
 * @typedef {Omit<Problem, 'field'>} PackingProblem
 * @typedef {{ matrices: Matrices, problem: PackingProblem | null }} Unpacked
 * @typedef {{
 *   pack: (matrices: Matrices, checksum: Checksum) => string | null,
 *   unpack: (text: string, checksum: Checksum) => Unpacked,
 * }} Packing the module ./packed.js
 *
 * @typedef {object} Link
 * @property {Status} status
 * @property {number | null} version
 * @property {string | null} lesson           unknown-lesson: what was asked for, shortened
 * @property {{ [name: string]: any }} values   the good ones of those in the link; no defaults
 * @property {Problem[]} problems             the first few
 * @property {boolean} tail                   something had been appended, and was dropped
 */

const VERSION = 1;
export const MAX_LENGTH = 400_000; // three 64 × 64 matrices with all digits fit
export const MAX_PAIRS = 100;
/** In characters. Longer ones are packed; what is left of 800 is for the address of the page in front. */
export const READABLE_LENGTH = 740;
const MAX_PROBLEMS = 20;
const MAX_ENCODINGS = 2;

// Between pairs, and between key and text, of the sealed content. `decode` lets neither into a text.
const PAIR = '\x1e';
const EQUALS = '\x1f';

// The signs that hold a link together may have been encoded on the way.
const HEAD = /^(\d{1,6})(?:\/|%2f)(.*?)(?:(?:\?|%3f)(.*))?$/is;
const ESCAPED = /^(?:amp;)+/; // what is left of an `&amp;` behind its `&`
const KEY_AND_TEXT = /^(.*?)(?:=|%3d)(.*)$/is;
const SEAL = /^[0-9a-z]{1,6}\.[0-9a-z]{1,7}(?![0-9a-z])/i;

// --- Format

/**
 * The link of a view. Leaves out what is absent or equals its default, and ends in a letter or digit, because programs that
 * find links in running text leave out a final `,` `;` `.` or `_`. With `packing`, one that would be longer than
 * READABLE_LENGTH has its matrices packed, if that makes it shorter.
 * @param {{ version?: 1, lesson: string, values: { [name: string]: any } }} view
 * @param {readonly Property[]} properties
 * @param {Pick<Packing, 'pack'>} [packing]
 * @returns {string}
 */
export function formatLink({ lesson, values }, properties, packing) {
  /** @type {[string, string][]} */
  const pairs = [];
  /** @type {Matrices} */
  const matrices = [];
  for (const property of linked(properties, lesson)) {
    const { name, type } = property;
    const text = values[name] == null ? '' : clean(formatValue(values[name], property));
    const usual = property.default === null ? '' : formatValue(property.default, property);
    if (text.trim() === '' || text === usual) continue;
    pairs.push([name, text]);
    if (type === 'matrix' || type === 'bits') matrices.push([name, values[name]]);
  }
  const readable = write(lesson, pairs);
  if (!packing || readable.length <= READABLE_LENGTH || matrices.length === 0) return readable;

  const text = packing.pack(matrices, crc32);
  if (text === null) return readable;
  const packed = write(lesson, [['m', text], ...pairs.filter(([name]) => !matrices.some(([each]) => each === name))]);
  return packed.length < readable.length ? packed : readable;
}

/**
 * @param {string} lesson
 * @param {[string, string][]} pairs
 */
function write(lesson, pairs) {
  const fields = [`c=${seal(contentOf(lesson, pairs))}`, ...pairs.map(([name, text]) => `${name}=${encode(text)}`)];
  return `#${VERSION}/${lesson}?${fields.join('&')}`.replace(/[^A-Za-z0-9]$/, percent);
}

// --- Parse

/**
 * Reads a link that may come from anybody, by whatever way. Never throws.
 * @param {string} hash `location.hash`, with or without its `#`
 * @param {readonly Property[]} properties
 * @param {{ lessons: readonly string[] }} known
 * @param {Pick<Packing, 'unpack'>} [packing] without it, a link with `m` has the status 'packed'
 * @returns {Link}
 */
export function parseLink(hash, properties, { lessons }, packing) {
  let text = hash.replace(/^#/, '');
  if (text === '') return link('empty');
  if (text.length > MAX_LENGTH) return link('damaged', { problems: [problem('too-long', '', { max: MAX_LENGTH, actual: text.length })] });

  const first = read(text, properties, lessons, packing);
  let best = first;
  // A link that was encoded as a whole shows its structure only when that is undone.
  for (let i = 0; i < MAX_ENCODINGS && (isBare(best) || best.status === 'damaged'); i++) {
    const decoded = decode(text);
    if (decoded === text) break;
    text = decoded;
    const next = read(text, properties, lessons, packing);
    if (next.status === 'ok' || isBare(best)) best = next;
  }
  const { packed, ...found } = isBare(best) ? first : best;
  return packed ? { ...found, status: 'packed' } : found;
}

/** @typedef {Link & { packed?: boolean }} Reading packed: holds what could not be unpacked */

/** @param {Reading} reading */
const isBare = ({ status, values, packed }) => status !== 'ok' && !packed && Object.keys(values).length === 0;

/**
 * @param {string} text
 * @param {readonly Property[]} properties
 * @param {readonly string[]} lessons
 * @param {Pick<Packing, 'unpack'>} [packing]
 * @returns {Reading}
 */
function read(text, properties, lessons, packing) {
  const [, digits, head, query] = HEAD.exec(text) ?? [];
  if (Number(digits) !== VERSION) {
    const version = digits === undefined ? null : Number(digits);
    return link('unknown-version', { version, problems: [problem('unknown-version', 'version', { text: brief(digits ?? text) })] });
  }
  const lesson = decode(head);
  if (!lessons.includes(lesson)) {
    const asked = brief(lesson);
    return link('unknown-lesson', { version: VERSION, lesson: asked, problems: [problem('unknown-lesson', 'lesson', { text: asked })] });
  }
  return { ...readPairs(lesson, query, linked(properties, lesson), packing), version: VERSION, lesson };
}

/**
 * @param {string} lesson
 * @param {string | undefined} query what follows the `?`
 * @param {Property[]} properties
 * @param {Pick<Packing, 'unpack'>} [packing]
 * @returns {Reading}
 */
function readPairs(lesson, query, properties, packing) {
  const pairs = (query ?? '').split('&').map((pair) => pair.replace(ESCAPED, '')).filter(Boolean).slice(0, MAX_PAIRS).map(splitPair);
  const sealed = pairs.find(([key]) => key === 'c') ?? misnamedSeal(lesson, pairs);
  if (!sealed && query !== '') return link('unchecked', collect(pairs, properties, packing));

  const mark = sealed?.[1] ?? '';
  const declared = SEAL.exec(mark)?.[0].toLowerCase() ?? '';
  const length = parseInt(declared, 36) || 0;
  const content = contentOf(lesson, pairs.filter((pair) => pair !== sealed));
  const kept = content.slice(0, length);
  if (seal(kept) === declared) {
    return link('ok', { ...collect(pairsOf(kept), properties, packing), tail: kept.length < content.length || declared.length < mark.length });
  }

  const rest = pairsOf(content);
  if (content.length >= length && rest.length > 0) return link('damaged', collect(rest, properties, packing));
  // Cut off: half a value would pass for another one, so the last is not offered.
  const [field] = rest.pop() ?? [''];
  const { problems, ...others } = collect(rest, properties, packing);
  return link('damaged', { ...others, problems: [problem('cut', brief(field), {}), ...problems].slice(0, MAX_PROBLEMS) });
}

/**
 * @param {[string, string][]} pairs
 * @param {Property[]} properties
 * @param {Pick<Packing, 'unpack'>} [packing]
 */
function collect(pairs, properties, packing) {
  const byName = new Map(properties.map((property) => [property.name, property]));
  const seen = new Set();
  /** @type {{ [name: string]: any }} */
  const values = {};
  /** @type {Problem[]} */
  const problems = [];
  let packed = false;

  /** Once, however often it is there. @param {Problem} found */
  function tell(found) {
    if (!problems.some(({ code, field }) => code === found.code && field === found.field)) problems.push(found);
  }

  /** @param {string} key @param {string} text */
  function take(key, text) {
    const property = byName.get(key);
    if (!property && key !== 'm') {
      tell(problem('unknown-key', brief(key), { text: brief(key) }));
    } else if (seen.has(key)) {
      tell(problem('repeated-key', key, { text: brief(text) }));
    } else {
      seen.add(key);
      if (!property) return takePacked(text);
      const outcome = parseValue(text, property);
      if ('value' in outcome) values[key] = outcome.value;
      else problems.push(outcome.problem);
    }
  }

  /** Packed matrices count as if they stood in the link one by one: the limits are those of text. @param {string} text */
  function takePacked(text) {
    if (!packing) {
      packed = true;
      problems.unshift(problem('packing-missing', 'm', {})); // first, so as to be told whatever else there is
      return;
    }
    const unpacked = packing.unpack(text, crc32);
    if (unpacked.problem) problems.push({ ...unpacked.problem, field: 'm' });
    for (const [name, rows] of unpacked.matrices) take(name, formatMatrix(rows));
  }

  for (const [key, text] of pairs) take(key, text);
  return { values, problems: problems.slice(0, MAX_PROBLEMS), packed };
}

/**
 * @param {string} pair
 * @returns {[string, string]}
 */
function splitPair(pair) {
  const [, key, text] = KEY_AND_TEXT.exec(pair) ?? [, pair, ''];
  return [decode(/** @type {string} */ (key)), decode(text)];
}

/**
 * The properties that a lesson's links may hold.
 * @param {readonly Property[]} properties
 * @param {string} lesson
 */
function linked(properties, lesson) {
  return properties
    .filter((property) => property.link !== false && (property.lessons === '*' || property.lessons.includes(lesson)))
    .map((property) => ({ ...property, ...property.in?.[lesson] }));
}

/**
 * @param {Status} status
 * @param {Partial<Reading>} [rest]
 * @returns {Reading}
 */
function link(status, rest = {}) {
  return { status, version: null, lesson: null, values: {}, problems: [], tail: false, ...rest };
}

/**
 * @param {ProblemCode} code
 * @param {string} field
 * @param {{ [name: string]: any }} detail
 * @returns {Problem}
 */
const problem = (code, field, detail) => ({ code, field, detail });

// --- Seal

/**
 * What the seal is taken of: everything that a link means, without how it is encoded.
 * @param {string} lesson
 * @param {[string, string][]} pairs
 */
function contentOf(lesson, pairs) {
  return [`${VERSION}/${lesson}`, ...pairs.map((pair) => pair.join(EQUALS))].join(PAIR);
}

/**
 * @param {string} content
 * @returns {[string, string][]}
 */
function pairsOf(content) {
  return content.split(PAIR).slice(1).map((pair) => /** @type {[string, string]} */ (pair.split(EQUALS)));
}

/**
 * A letter changed under way may turn `c` into another key: `m`, say, which would count in place of the one that follows.
 * @param {string} lesson
 * @param {[string, string][]} pairs
 */
function misnamedSeal(lesson, [first, ...rest]) {
  return first && SEAL.test(first[1]) && seal(contentOf(lesson, rest)) === first[1] ? first : undefined;
}

/** @param {string} content */
function seal(content) {
  return `${content.length.toString(36)}.${crc32(new TextEncoder().encode(content)).toString(36)}`;
}

// --- Percent-encoding

/**
 * Encodes all but what stays readable and survives in links: letters, digits and `_ ~ , ; . : / -`.
 * @param {string} text
 */
function encode(text) {
  return text.replace(/[^\w~,;.:/-]+/g, percent);
}

/** @param {string} text */
function percent(text) {
  return Array.from(new TextEncoder().encode(text), (byte) => '%' + byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}

/**
 * Undoes percent-encoding; an escape that means nothing stays as text. A `+` is a `+`.
 * @param {string} text
 */
function decode(text) {
  return clean(text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  }));
}

/**
 * Text without control characters (but tab and newline) and without halves of characters.
 * @param {string} text
 */
function clean(text) {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f\p{Surrogate}]/gu, '\ufffd');
}
