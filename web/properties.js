/**
 * The one table of what a visitor can set. It drives the state, the links (in this order), validation, the controls and
 * docs/links.md, whose words are in scripts/property-docs.mjs. The names and defaults here are part of every link ever
 * shared: a link leaves out what equals its default, so changing a default changes what old links mean, and needs a new
 * version of links.
 */

/**
 * @typedef {'matrix' | 'bits' | 'number' | 'integer' | 'choice' | 'choices' | 'key' | 'text' | 'cell' | 'pin' | 'gradient'} PropertyType
 * @typedef {{ row: number, col: number }} Cell
 * @typedef {{ key: string, row: number, col: number }} Pin            a cell of the step `key`
 * @typedef {{ key: string, row: number, col: number, wrt: string }} Gradient   of that cell, with respect to the step `wrt`
 * @typedef {number | string | string[] | number[][] | Cell | Pin | Gradient} Value
 *
 * @typedef {object} Property
 * @property {string} name
 * @property {PropertyType} type
 * @property {Value | null} default      null: absent, the page decides
 * @property {'model' | 'view'} scope    model: a change recomputes; view: it only redraws
 * @property {'*' | string[]} lessons    where it exists
 * @property {number} [min]              of a number; smallest allowed
 * @property {number} [max]              of a number, or of the row and col of a cell; largest allowed
 * @property {boolean} [minExclusive]    `min` itself is not allowed
 * @property {string[]} [choices]
 * @property {number} [maxRows]
 * @property {number} [maxCols]
 * @property {number} [maxLength]        of a key or text, in characters
 * @property {{ [lesson: string]: Partial<Property> }} [in]   what is different in a lesson; its default there is part of its links as any other
 * @property {false} [link]              false: never in links
 */

const MATRIX = { type: /** @type {const} */ ('matrix'), maxRows: 64, maxCols: 64 };
const PLACE = { default: null, max: 63, maxLength: 64 };

/** @type {Property[]} */
const table = [
  { name: 'Q', ...MATRIX, default: [[1, 1]], scope: 'model', lessons: ['attention', 'mask'], in: { mask: { default: [[1, 0], [1, 1], [0, 1], [2, 0]] } } },
  { name: 'K', ...MATRIX, default: [[1, 0], [0, 2]], scope: 'model', lessons: ['attention', 'mask'], in: { mask: { default: [[1, 1], [3, 0], [2, 2], [0, 3]] } } },
  { name: 'V', ...MATRIX, default: [[1, 0], [0, 1]], scope: 'model', lessons: ['attention', 'mask'], in: { mask: { default: [[1, 0], [0, 1], [1, 1], [2, 0]] } } },
  {
    name: 'T', type: 'number', default: 1, min: 0, minExclusive: true, max: 1000, scope: 'model', lessons: ['attention', 'softmax'],
    in: { softmax: { minExclusive: false, max: 1e6 } }, // 0 is the limit there
  },
  { name: 'scale', type: 'choice', choices: ['on', 'off'], default: 'on', scope: 'model', lessons: ['attention'] },
  {
    name: 'mask', type: 'choice', choices: ['none', 'causal', 'causal-end', 'drawn'], default: 'none', scope: 'model', lessons: ['attention', 'mask'],
    in: { mask: { default: 'causal' } },
  },
  { name: 'allow', type: 'bits', maxRows: 64, maxCols: 64, default: null, scope: 'model', lessons: ['attention', 'mask'] },
  { name: 'softmax', type: 'choice', choices: ['stable', 'plain'], default: 'stable', scope: 'model', lessons: ['attention', 'softmax'] },
  { name: 'convention', type: 'choice', choices: ['rows', 'columns'], default: 'rows', scope: 'view', lessons: ['attention'] },
  { name: 'gradient', type: 'gradient', ...PLACE, scope: 'model', lessons: '*' },
  { name: 'step', type: 'key', default: null, maxLength: 64, scope: 'view', lessons: '*' },
  { name: 'cell', type: 'cell', ...PLACE, scope: 'view', lessons: '*' },
  { name: 'pin', type: 'pin', ...PLACE, scope: 'view', lessons: '*' },
  { name: 'digits', type: 'integer', default: 3, min: 0, max: 12, scope: 'view', lessons: '*' },
  { name: 'w', type: 'number', default: 0.9, min: 0, max: 1.2, scope: 'model', lessons: ['attention'] },
  { name: 'match', type: 'number', default: 1, min: 0, max: 4, scope: 'model', lessons: ['attention'] },
  { name: 'E', type: 'matrix', maxRows: 4, maxCols: 8, default: [[6, 1, 0], [0, 7, 2], [1, 1, 5], [3, 0, 4]], scope: 'view', lessons: ['attention'] },
  {
    name: 'x', type: 'matrix', maxRows: 1, maxCols: 64, default: [[2, 1, 0]], scope: 'model', lessons: ['softmax', 'mask'],
    in: { mask: { default: [[1, 2, 3]], maxCols: 6 } },
  },
  { name: 'factor', type: 'number', default: 1, min: -1000, max: 1000, scope: 'model', lessons: ['softmax'] },
  { name: 'shift', type: 'number', default: 0, min: -1e6, max: 1e6, scope: 'model', lessons: ['softmax'] },
  { name: 'precision', type: 'choice', choices: ['float64', 'float32'], default: 'float64', scope: 'model', lessons: ['softmax'] },
  { name: 'X', ...MATRIX, default: [[2, 0, 1, 0], [0, 0, 1, 1], [1, 2, 0, 0], [0, 1, 0, 2], [0, 1, 2, 1]], scope: 'model', lessons: ['positional'] },
  { name: 'tokens', type: 'matrix', maxRows: 1, maxCols: 64, default: [[0, 1, 2, 3, 4]], scope: 'view', lessons: ['positional'] },
  { name: 'order', type: 'matrix', maxRows: 1, maxCols: 64, default: null, scope: 'model', lessons: ['positional'] },
  { name: 'encoding', type: 'choice', choices: ['sinusoidal', 'rotary', 'alibi', 'none'], default: 'sinusoidal', scope: 'model', lessons: ['positional'] },
  { name: 'combine', type: 'choice', choices: ['add', 'concatenate'], default: 'add', scope: 'model', lessons: ['positional'] },
  { name: 'causal', type: 'choice', choices: ['off', 'on'], default: 'off', scope: 'model', lessons: ['positional'] },
  { name: 'base', type: 'number', default: 10000, min: 1, max: 1e6, scope: 'model', lessons: ['positional'] },
  { name: 'layout', type: 'choice', choices: ['interleaved', 'halves'], default: 'interleaved', scope: 'model', lessons: ['positional'] },
  { name: 'offset', type: 'number', default: 0, min: -100000, max: 100000, scope: 'model', lessons: ['positional'] },
  { name: 'heads', type: 'integer', default: 8, min: 1, max: 64, scope: 'model', lessons: ['positional'] },
  { name: 'head', type: 'integer', default: 1, min: 1, max: 64, scope: 'model', lessons: ['positional'] },
  { name: 'pair', type: 'matrix', maxRows: 1, maxCols: 2, default: [[0, 2]], scope: 'model', lessons: ['positional'] },
  { name: 'positions', type: 'integer', default: 32, min: 2, max: 1024, scope: 'model', lessons: ['positional'] },
  { name: 'dimension', type: 'integer', default: 16, min: 1, max: 512, scope: 'model', lessons: ['positional'] },
  { name: 'waves', type: 'matrix', maxRows: 1, maxCols: 5, default: [[0, 4, 8]], scope: 'view', lessons: ['positional'] },
  { name: 'at', type: 'integer', default: 2, min: 0, max: 1023, scope: 'model', lessons: ['positional'] },
  { name: 'lag', type: 'integer', default: 3, min: -1023, max: 1023, scope: 'model', lessons: ['positional'] },
  { name: 'padding', type: 'integer', default: 0, min: 0, max: 64, scope: 'model', lessons: ['mask'] },
  { name: 'emptyRow', type: 'choice', choices: ['zero', 'nan', 'uniform'], default: 'zero', scope: 'model', lessons: ['mask'] },
  { name: 'truth', type: 'choice', choices: ['look', 'hide'], default: 'look', scope: 'view', lessons: ['mask'] },
  { name: 'question', type: 'text', maxLength: 300, default: null, scope: 'view', lessons: '*' },
  { name: 'note', type: 'text', maxLength: 300, default: null, scope: 'view', lessons: '*' },
  { name: 'predict', type: 'integer', default: 0, min: 0, max: 1, scope: 'view', lessons: '*' },
  { name: 'hide', type: 'choices', choices: ['inputs', 'settings', 'why', 'further', 'steps'], default: null, scope: 'view', lessons: '*' },
  { name: 'lock', type: 'integer', default: 0, min: 0, max: 1, scope: 'view', lessons: '*' },
  { name: 'embed', type: 'integer', default: 0, min: 0, max: 1, scope: 'view', lessons: '*' },
  {
    // Without a default it is always written, and being last it makes links end in a letter.
    name: 'lang', type: 'choice', choices: ['ko', 'en'], default: null, scope: 'view', lessons: '*',
  },
];

/** @param {any} value */
function deepFreeze(value) {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** @type {readonly Property[]} */
export const PROPERTIES = deepFreeze(table);

/** The properties of a lesson, as they are there. @param {string} lesson @param {readonly Property[]} [properties] @returns {Property[]} */
export const propertiesOf = (lesson, properties = PROPERTIES) => properties
  .filter(({ lessons }) => lessons === '*' || lessons.includes(lesson))
  .map((property) => ({ ...property, ...property.in?.[lesson] }));
