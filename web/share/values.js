/**
 * One value as text and back, by the type that the property table gives it.
 * Text may come from anybody: reading never throws, answers with a value inside the limits or with what is wrong and where,
 * and takes time in proportion to the length of the text (no pattern below can repeat the same stretch in two ways).
 */

/** @import { Property, PropertyType, Value } from '../properties.js' */

/**
 * @typedef {'empty' | 'not-a-number' | 'not-an-integer' | 'not-finite' | 'ragged' | 'too-many-rows' | 'too-many-cols'
 *   | 'too-large' | 'too-small' | 'not-a-choice' | 'bad-key' | 'bad-cell' | 'too-long' | 'cut' | 'unknown-key' | 'repeated-key'
 *   | 'unknown-lesson' | 'unknown-version' | 'bad-packing' | 'packing-version' | 'packing-too-large' | 'packing-missing'} ProblemCode
 *
 * What was wrong and what is allowed: a key of the translations, the name of the property, and the facts for the message.
 * `row` and `col` in `detail` count from 0; `text` is what was found, shortened to 40 characters.
 * @typedef {{ code: ProblemCode, field: string, detail: { [name: string]: any } }} Problem
 *
 * @typedef {{ value: Value } | { problem: Omit<Problem, 'field'> }} Outcome
 */

/** Without a number these say nothing; a question or a list of parts may be empty. */
const NUMBERS = ['matrix', 'bits', 'number', 'integer'];

const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
const NOT_FINITE = /^[-+]?(?:inf|infinity|nan|∞)$/i;
const INDEX = /^\d{1,6}$/;
const KEY = /^[A-Za-z](?:[\w./-]*[A-Za-z0-9])?$/;

/**
 * @param {string} text
 * @param {Property} property
 * @returns {{ value: Value } | { problem: Problem }}
 */
export function parseValue(text, property) {
  const outcome = text.trim() === '' && NUMBERS.includes(property.type) ? failure('empty') : TYPES[property.type].parse(text, property);
  return 'value' in outcome ? outcome : { problem: { ...outcome.problem, field: property.name } };
}

/**
 * The text of a value, as it stands in a link before percent-encoding.
 * @param {Value} value of the property's type
 * @param {Property} property
 * @returns {string}
 */
export function formatValue(value, property) {
  return TYPES[property.type].format(value);
}

/**
 * Strangers' text for a message: at most 40 characters.
 * @param {string} text
 */
export function brief(text) {
  const characters = [...text.slice(0, 82)];
  return characters.length > 40 ? characters.slice(0, 39).join('') + '…' : characters.join('');
}

/**
 * @param {ProblemCode} code
 * @param {{ [name: string]: any }} [detail]
 * @returns {{ problem: Omit<Problem, 'field'> }}
 */
function failure(code, detail = {}) {
  return { problem: { code, detail } };
}

/**
 * @param {string} text
 * @param {Property} property
 * @returns {Outcome}
 */
function parseNumber(text, { min, max, minExclusive = false }) {
  const plain = text.trim().replaceAll('−', '-'); // U+2212, which typesetting programs make of a minus
  const value = Number(plain);
  const detail = { text: brief(text), min, max };
  if (NOT_FINITE.test(plain)) return failure('not-finite', detail);
  if (!NUMBER.test(plain)) return failure('not-a-number', detail);
  if (!Number.isFinite(value)) return failure('not-finite', detail);
  if (max !== undefined && value > max) return failure('too-large', detail);
  if (min !== undefined && (value < min || (minExclusive && value === min))) return failure('too-small', { ...detail, minExclusive });
  return { value };
}

/**
 * @param {string} text
 * @param {Property} property
 * @returns {Outcome}
 */
function parseInteger(text, property) {
  const outcome = parseNumber(text, property);
  if ('value' in outcome && !Number.isInteger(outcome.value)) {
    return failure('not-an-integer', { text: brief(text), min: property.min, max: property.max });
  }
  return outcome;
}

/**
 * The shortest text that reads back as the same number, never with a `+`, which some programs turn into a space.
 * @param {number} value
 */
function formatNumber(value) {
  return Object.is(value, -0) ? '-0' : String(value).replace('+', '');
}

/** @param {number[][]} rows */
export function formatMatrix(rows) {
  return rows.map((row) => row.map(formatNumber).join(',')).join(';');
}

/**
 * @param {string} text
 * @returns {Outcome}
 */
function parseBit(text) {
  const bit = text.trim();
  return bit === '0' || bit === '1' ? { value: Number(bit) } : failure('not-a-choice', { text: brief(text), choices: ['0', '1'] });
}

/**
 * Rows by `;`, cells by `,`, each cell read by `parseCell`. Tells the first problem in reading order.
 * @param {(text: string, property: Property) => Outcome} parseCell
 */
const matrix = (parseCell) => ({
  /**
   * @param {string} text
   * @param {Property} property
   * @returns {Outcome}
   */
  parse(text, property) {
    const { maxRows = Infinity, maxCols = Infinity } = property;
    const rows = text.split(';');
    if (rows.length > maxRows) return failure('too-many-rows', { max: maxRows, actual: rows.length });

    /** @type {number[][]} */
    const value = [];
    for (const [row, line] of rows.entries()) {
      const cells = line.split(',');
      if (cells.length > maxCols) return failure('too-many-cols', { row, max: maxCols, actual: cells.length });
      value.push([]);
      for (const [col, cell] of cells.entries()) {
        const outcome = parseCell(cell, property);
        if ('problem' in outcome) return failure(outcome.problem.code, { ...outcome.problem.detail, row, col });
        value[row].push(/** @type {number} */ (outcome.value));
      }
      if (cells.length !== value[0].length) return failure('ragged', { row, expected: value[0].length, actual: cells.length });
    }
    return { value };
  },
  format: formatMatrix,
});

/**
 * A place on the tape, its parts joined by `,`: `row` and `col` are positions from 0, any other part is the key of a step.
 * @param {string[]} parts
 */
const place = (...parts) => ({
  /**
   * @param {string} text
   * @param {Property} property
   * @returns {Outcome}
   */
  parse(text, { max = Infinity, maxLength = Infinity }) {
    const found = text.split(',').map((part) => part.trim());
    const isPosition = parts.map((part) => part === 'row' || part === 'col');
    const good =
      found.length === parts.length &&
      found.every((part, i) => (isPosition[i] ? INDEX.test(part) && Number(part) <= max : part.length <= maxLength && KEY.test(part)));
    if (!good) return failure('bad-cell', { text: brief(text), form: parts.join(','), max });
    const value = Object.fromEntries(parts.map((part, i) => [part, isPosition[i] ? Number(found[i]) : found[i]]));
    return { value: /** @type {Value} */ (value) };
  },
  /** @param {{ [part: string]: string | number }} value */
  format: (value) => parts.map((part) => value[part]).join(','),
});

const asIs = String;

/** @type {Record<PropertyType, { parse: (text: string, property: Property) => Outcome, format: (value: any) => string }>} */
const TYPES = {
  matrix: matrix(parseNumber),
  bits: matrix(parseBit),
  number: { parse: parseNumber, format: formatNumber },
  integer: { parse: parseInteger, format: formatNumber },
  choice: {
    parse: (text, { choices = [] }) =>
      choices.includes(text.trim()) ? { value: text.trim() } : failure('not-a-choice', { text: brief(text), choices }),
    format: asIs,
  },
  choices: {
    parse(text, { choices = [] }) {
      const parts = [...new Set(text.split(',').map((part) => part.trim()).filter(Boolean))];
      const strange = parts.find((part) => !choices.includes(part));
      return strange === undefined ? { value: choices.filter((choice) => parts.includes(choice)) } : failure('not-a-choice', { text: brief(strange), choices });
    },
    format: (/** @type {string[]} */ value) => value.join(','),
  },
  key: {
    parse(text, { maxLength = Infinity }) {
      const key = text.trim();
      if (key.length > maxLength) return failure('too-long', { max: maxLength, actual: key.length });
      return KEY.test(key) ? { value: key } : failure('bad-key', { text: brief(text) });
    },
    format: asIs,
  },
  text: {
    parse: (text, { maxLength = Infinity }) =>
      text.length > maxLength ? failure('too-long', { max: maxLength, actual: text.length }) : { value: text.trim() && text },
    format: asIs,
  },
  cell: place('row', 'col'),
  pin: place('key', 'row', 'col'),
  gradient: place('key', 'row', 'col', 'wrt'),
};
