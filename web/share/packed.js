/**
 * Many matrices as one short text, and back: the `m=` of a link (docs/links.md describes every byte).
 * Loaded on demand, so it imports nothing that the first load has: the checksum is handed in.
 * Text may come from anybody: reading never throws, and sizes are checked before anything of that size is made.
 */

import { deflateSync, Inflate } from 'fflate';

/** @import { Checksum, Matrices, Unpacked, PackingProblem } from './link.js' */

const VERSION = 1;
export const MAX_NUMBERS = 32_768; // eight matrices of 64 × 64
export const MAX_MATRICES = 100;
export const MAX_NAME = 32;
/** Of the inflated bytes: all numbers as doubles, and what stands around them. */
export const MAX_BYTES = MAX_NUMBERS * 8 + 8192;

/** How the numbers of a matrix are written. */
const DOUBLES = 0;
const VARINTS = 1;
const DIGITS = 2;

const HEADER = 5; // version and checksum
const CHUNK = 512; // deflated bytes at a time: at most 529 kB are made beyond MAX_BYTES before it is noticed
const LARGEST = 2 ** 51; // of integers, so that every sum and zig-zag of them is still exact
const MAX_DECIMALS = 400; // beyond any double
const MAX_FAMILIES = 16;
const CELLS = 64; // that share one large number: more save less than a bit each, and take longer
const NAME = /^[A-Za-z]\w*$/;
const BASE64 = /^[\w-]+$/;

// --- Pack

/**
 * A number as digits and the count of those behind the point; `odd`: not so, but as it stands in memory.
 * @typedef {{ number: number, digits: number, decimals: number, odd: boolean }} Cell
 */

/**
 * @param {Matrices} matrices
 * @param {Checksum} checksum
 * @returns {string | null} null: more than `unpack` would read
 */
export function pack(matrices, checksum) {
  const count = matrices.reduce((sum, [, rows]) => sum + rows.length * rows[0].length, 0);
  if (count > MAX_NUMBERS || matrices.length > MAX_MATRICES) return null;

  const bytes = Uint8Array.from(matrices.flatMap(writeMatrix));
  if (bytes.length > MAX_BYTES) return null;
  const deflated = deflate(bytes);
  const packed = new Uint8Array(HEADER + deflated.length);
  packed[0] = VERSION;
  new DataView(packed.buffer).setUint32(1, checksum(bytes));
  packed.set(deflated, HEADER);
  return toBase64(packed);
}

/** @param {Uint8Array} bytes */
const deflate = (bytes) => deflateSync(bytes, { level: 9 });

/** @param {Matrices[number]} matrix */
function writeMatrix([name, rows]) {
  const head = [...varint(name.length), ...new TextEncoder().encode(name), ...varint(rows.length), ...varint(rows[0].length)];
  return head.concat(shortestBody(rows.flat()));
}

/**
 * Tries every way of writing integers: varints are the shortest where numbers repeat, digits where they do not.
 * @param {number[]} numbers
 */
function shortestBody(numbers) {
  const cells = numbers.map(cellOf);
  const odd = cells.flatMap((cell, at) => (cell.odd ? [...varint(at), ...writeDoubles([cell.number])] : []));
  const count = cells.filter((cell) => cell.odd).length;
  const bodies = count > cells.length / 4 ? [] : [writeVarints, writeDigits, writeDigitsByDecimals].map((writeCells) => writeCells(cells));

  let [shortest, least] = [[DOUBLES, ...writeDoubles(numbers)], Infinity];
  for (const body of bodies) {
    const whole = body && [...body, ...varint(count), ...odd];
    const length = whole ? deflate(Uint8Array.from(whole)).length : Infinity;
    if (whole && length < least) [shortest, least] = [whole, length];
  }
  return shortest;
}

/** @param {number} number @returns {Cell} */
function cellOf(number) {
  const [mantissa, exponent] = number.toExponential().split('e'); // the shortest decimal number that is read as this double
  const [whole, fraction = ''] = mantissa.split('.');
  const digits = Number(whole + fraction);
  const odd = Object.is(number, -0) || Math.abs(digits) >= LARGEST;
  return odd ? { number, digits: 0, decimals: 0, odd } : { number, digits, decimals: fraction.length - Number(exponent), odd };
}

/** @param {Cell[]} cells @returns {number[] | null} null: they are not decimal numbers of one size */
function writeVarints(cells) {
  const decimals = decimalsOf(cells);
  const integers = cells.map((cell) => integerOf(cell, decimals));
  if (!integers.every(isExact)) return null;
  return [VARINTS, ...varint(zigzag(decimals)), ...integers.flatMap((integer) => varint(zigzag(integer)))];
}

/** @param {Cell[]} cells @returns {number[] | null} */
function writeDigits(cells) {
  const decimals = decimalsOf(cells);
  return writeFamilies(cells, cells.map(() => decimals));
}

/** People write 2, -0.5 and 0.125 into one matrix: each family of equally many decimals has a range of its own. @param {Cell[]} cells */
function writeDigitsByDecimals(cells) {
  return writeFamilies(cells, cells.map(({ decimals }) => Math.max(0, decimals)));
}

/**
 * @param {Cell[]} cells
 * @param {number[]} decimals of each
 * @returns {number[] | null}
 */
function writeFamilies(cells, decimals) {
  const kinds = [...new Set(decimals)].sort((a, b) => a - b);
  const integers = cells.map((cell, i) => integerOf(cell, decimals[i]));
  if (kinds.length > MAX_FAMILIES || !integers.every(isExact)) return null;

  const families = kinds.map((kind) => {
    const own = integers.filter((_, i) => decimals[i] === kind);
    const least = own.reduce((a, b) => Math.min(a, b));
    return { least, base: own.reduce((a, b) => Math.max(a, b)) - least + 1 };
  });
  const choices = decimals.map((each) => kinds.indexOf(each));
  const bytes = [DIGITS, ...varint(kinds.length)];
  for (const [i, { least, base }] of families.entries()) bytes.push(...varint(zigzag(kinds[i])), ...varint(zigzag(least)), ...varint(base));
  for (let start = 0; start < cells.length; start += CELLS) {
    const chosen = choices.slice(start, start + CELLS);
    bytes.push(...writeNumber(chosen, chosen.map(() => kinds.length)));
    bytes.push(...writeNumber(chosen.map((choice, i) => integers[start + i] - families[choice].least), chosen.map((choice) => families[choice].base)));
  }
  return bytes;
}

/**
 * Digits, each with its own base, as one number: the first digit is the most significant.
 * @param {number[]} digits
 * @param {number[]} bases
 */
function writeNumber(digits, bases) {
  const number = digits.reduce((sofar, digit, i) => sofar * BigInt(bases[i]) + BigInt(digit), 0n);
  const hex = number.toString(16).padStart(sizeOf(bases) * 2, '0');
  return Array.from({ length: sizeOf(bases) }, (_, i) => parseInt(hex.slice(i * 2, i * 2 + 2), 16));
}

/** The bytes that the largest number of these bases needs. @param {number[]} bases */
function sizeOf(bases) {
  const largest = bases.reduce((product, base) => product * BigInt(base), 1n) - 1n;
  return largest === 0n ? 0 : Math.ceil(largest.toString(16).length / 2);
}

/** @param {Cell[]} cells */
const decimalsOf = (cells) => cells.reduce((most, { decimals }) => Math.max(most, decimals), -Infinity);

/** The digits with zeros behind, up to so many decimals. @param {Cell} cell @param {number} decimals */
const integerOf = ({ digits, decimals: own }, decimals) => (digits === 0 ? 0 : digits * 10 ** (decimals - own));

/** @param {number} integer */
const isExact = (integer) => Math.abs(integer) < LARGEST;

/** @param {number[]} numbers */
function writeDoubles(numbers) {
  const bytes = new Uint8Array(numbers.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [i, number] of numbers.entries()) view.setFloat64(i * 8, number, true);
  return bytes;
}

/** @param {number} integer @param {number} decimals */
const decimal = (integer, decimals) => Number(`${integer}e${-decimals}`);

/** @param {number} integer */
const zigzag = (integer) => (integer < 0 ? -2 * integer - 1 : 2 * integer);

/** @param {number} natural */
function varint(natural) {
  const bytes = [];
  let rest = natural;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

// --- Unpack

/**
 * @param {string} text
 * @param {Checksum} checksum
 * @returns {Unpacked} what could be read, though there be a problem
 */
export function unpack(text, checksum) {
  /** @type {Matrices} */
  const matrices = [];
  const packed = fromBase64(text.trim());
  if (!packed || packed.length === 0) return { matrices, problem: bad('base64') };
  // There never was a version 0.
  if (packed[0] === 0) return { matrices, problem: bad('version') };
  if (packed[0] !== VERSION) return { matrices, problem: { code: 'packing-version', detail: { version: packed[0], known: VERSION } } };
  if (packed.length <= HEADER) return { matrices, problem: bad('deflate') };

  const bytes = inflateWithin(packed.subarray(HEADER), MAX_BYTES);
  if (!(bytes instanceof Uint8Array)) return { matrices, problem: bytes };
  if (checksum(bytes) !== new DataView(packed.buffer).getUint32(1)) return { matrices, problem: bad('checksum') };

  const source = { bytes, at: 0 };
  let numbers = 0;
  while (source.at < bytes.length) {
    const head = readHead(source);
    if (!head) return { matrices, problem: bad('structure') };
    numbers += head.rows * head.cols;
    if (numbers > MAX_NUMBERS || matrices.length === MAX_MATRICES) return { matrices, problem: tooLarge('numbers', MAX_NUMBERS) };
    const read = readNumbers(source, head.rows * head.cols);
    if (!read) return { matrices, problem: bad('structure') };
    matrices.push([head.name, Array.from({ length: head.rows }, (_, row) => read.slice(row * head.cols, (row + 1) * head.cols))]);
  }
  return { matrices, problem: null };
}

/** @param {'base64' | 'version' | 'deflate' | 'checksum' | 'structure'} reason @returns {PackingProblem} */
const bad = (reason) => ({ code: 'bad-packing', detail: { reason } });

/** @param {'bytes' | 'numbers'} unit @param {number} max @returns {PackingProblem} */
const tooLarge = (unit, max) => ({ code: 'packing-too-large', detail: { unit, max } });

/**
 * Inflates piece by piece, so that a few bytes that would become megabytes are stopped on their way.
 * @param {Uint8Array} deflated
 * @param {number} max
 * @returns {Uint8Array | PackingProblem}
 */
function inflateWithin(deflated, max) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  let length = 0;
  const stream = new Inflate((piece) => {
    pieces.push(piece);
    length += piece.length;
  });
  try {
    for (let at = 0; at < deflated.length && length <= max; at += CHUNK) stream.push(deflated.subarray(at, at + CHUNK), at + CHUNK >= deflated.length);
  } catch {
    return bad('deflate');
  }
  if (length > max) return tooLarge('bytes', max);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** @typedef {{ bytes: Uint8Array, at: number }} Source */

/** @param {Source} source */
function readHead(source) {
  const length = readVarint(source);
  if (!(length <= MAX_NAME)) return null;
  const name = new TextDecoder().decode(source.bytes.subarray(source.at, source.at + length));
  source.at += length;
  const rows = readVarint(source);
  const cols = readVarint(source);
  return NAME.test(name) && rows > 0 && cols > 0 ? { name, rows, cols } : null;
}

/**
 * @param {Source} source
 * @param {number} count
 * @returns {number[] | null}
 */
function readNumbers(source, count) {
  const kind = source.bytes[source.at++];
  if (kind === DOUBLES) return readDoubles(source, count);
  const numbers = kind === VARINTS ? readVarints(source, count) : kind === DIGITS ? readDigits(source, count) : null;
  return numbers && readOdd(source, numbers);
}

/** @param {Source} source @param {number} count */
function readDoubles(source, count) {
  const { bytes, at } = source;
  if (bytes.length - at < count * 8) return null;
  const view = new DataView(bytes.buffer, at);
  source.at += count * 8;
  return Array.from({ length: count }, (_, i) => view.getFloat64(i * 8, true));
}

/** The numbers that are no short decimals, each after its place. @param {Source} source @param {number[]} numbers */
function readOdd(source, numbers) {
  const count = readVarint(source);
  if (!(count <= numbers.length)) return null;
  for (let i = 0; i < count; i++) {
    const at = readVarint(source);
    const number = readDoubles(source, 1);
    if (!number || !(at < numbers.length)) return null;
    numbers[at] = number[0];
  }
  return numbers;
}

/** @param {Source} source @param {number} count */
function readVarints(source, count) {
  const decimals = readSigned(source);
  if (!(Math.abs(decimals) <= MAX_DECIMALS) || source.bytes.length - source.at < count) return null;
  const integers = Array.from({ length: count }, () => readSigned(source));
  return integers.every(Number.isFinite) ? integers.map((integer) => decimal(integer, decimals)) : null;
}

/** @param {Source} source @param {number} count */
function readDigits(source, count) {
  const size = readVarint(source);
  if (!(size >= 1 && size <= MAX_FAMILIES)) return null;
  const families = Array.from({ length: size }, () => ({ decimals: readSigned(source), least: readSigned(source), base: readVarint(source) }));
  if (!families.every(({ decimals, least, base }) => Math.abs(decimals) <= MAX_DECIMALS && Math.abs(least) < LARGEST && base >= 1 && base <= 2 * LARGEST)) return null;

  /** @type {number[]} */
  const numbers = [];
  while (numbers.length < count) {
    const cells = Math.min(CELLS, count - numbers.length);
    const choices = readNumber(source, new Array(cells).fill(size));
    const digits = choices && readNumber(source, choices.map((choice) => families[choice].base));
    if (!digits) return null;
    for (const [i, choice] of choices.entries()) numbers.push(decimal(families[choice].least + digits[i], families[choice].decimals));
  }
  return numbers;
}

/**
 * @param {Source} source
 * @param {number[]} bases
 * @returns {number[] | null}
 */
function readNumber(source, bases) {
  const size = sizeOf(bases);
  const bytes = source.bytes.subarray(source.at, source.at + size);
  if (bytes.length < size) return null;
  source.at += size;
  let number = bytes.reduce((sofar, byte) => (sofar << 8n) | BigInt(byte), 0n);
  const digits = new Array(bases.length);
  for (let i = bases.length - 1; i >= 0; i--) {
    const base = BigInt(bases[i]);
    digits[i] = Number(number % base);
    number /= base;
  }
  return number === 0n ? digits : null;
}

/** @param {Source} source @returns {number} NaN where there is none */
function readVarint(source) {
  let natural = 0;
  for (let unit = 1; unit < 2 ** 53; unit *= 128) {
    const byte = source.bytes[source.at++];
    natural += (byte % 128) * unit;
    if (!(byte > 127)) return Number.isSafeInteger(natural) ? natural : NaN;
  }
  return NaN;
}

/** @param {Source} source @returns {number} NaN where there is none */
function readSigned(source) {
  const natural = readVarint(source);
  return natural % 2 === 1 ? -(natural + 1) / 2 : natural / 2;
}

// --- base64url

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** @param {string} text */
function fromBase64(text) {
  if (!BASE64.test(text) || text.length % 4 === 1) return null;
  const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0));
}
