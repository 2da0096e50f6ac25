// What a tape can be asked for: every recipe's inputs and options, checked.
import { ATTENTION_OPTIONS, attentionOptions } from './attention-options.js';
import { AttentionError } from './error.js';
import { checkedPrecision, finiteNumber, MOST_NUMBERS, oneOf, plainObject, positive, refuseUnknown, toMask, toMatrix, wholeNumber } from './tensor.js';
import { encodedSize, sinusoidalOptions } from './sinusoidal.js';

/** @typedef {import('./tensor.js').Plain} Plain */

/** What a recipe takes, and how its request is checked. `inputs` are named as the steps they become. */
const RECIPES = {
  /** @param {any} inputs @param {any} options */
  attention(inputs, options) {
    refuseUnknown(inputs, ['Q', 'K', 'V', 'mask', 'bias']);
    refuseUnknown(options, [...ATTENTION_OPTIONS, 'softmax', 'compareSoftmax']);
    /** @type {Record<string, Plain>} */
    const tensors = { Q: toMatrix(inputs.Q, 'q'), K: toMatrix(inputs.K, 'k'), V: toMatrix(inputs.V, 'v') };
    if (inputs.mask !== undefined) tensors.mask = toMask(toMatrix(inputs.mask, 'mask'), 'mask');
    if (inputs.bias !== undefined) tensors.bias = toMatrix(inputs.bias, 'bias');
    return { tensors, options: attentionOptions(options, tensors.Q, tensors.K) };
  },
  /** @param {any} inputs @param {any} options */
  'self-attention'(inputs, options) {
    refuseUnknown(inputs, ['X']);
    refuseUnknown(options, [...ATTENTION_OPTIONS, 'softmax', 'compareSoftmax']);
    const X = toMatrix(inputs.X, 'x');
    return { tensors: { X }, options: attentionOptions(options, X, X) };
  },
  /** @param {any} inputs @param {any} options */
  positional(inputs, options) {
    refuseUnknown(inputs, ['X']);
    refuseUnknown(options, [...ATTENTION_OPTIONS, 'softmax', 'compareSoftmax', 'encoding', 'base', 'layout', 'offset', 'combine', 'width', 'heads', 'head']);
    const X = toMatrix(inputs.X, 'x');
    return {
      tensors: { X },
      options: {
        ...attentionOptions(options, X, X),
        ...sinusoidalOptions(options),
        encoding: oneOf(options.encoding ?? 'sinusoidal', 'encoding', ['sinusoidal', 'rotary', 'alibi', 'none']),
        combine: oneOf(options.combine ?? 'add', 'combine', ['add', 'concatenate']),
        width: options.width === undefined ? X.shape[1] : encodedSize(options.width, 'width', 1),
        heads: wholeNumber(options.heads ?? 8, 'heads', 1),
        head: wholeNumber(options.head ?? 0, 'head', 0),
      },
    };
  },
  /** @param {any} inputs @param {any} options */
  softmax(inputs, options) {
    refuseUnknown(inputs, ['x']);
    refuseUnknown(options, ['factor', 'shift', 'temperature', 'softmax', 'compareSoftmax']);
    const { temperature = 1 } = options;
    return {
      tensors: { x: toMatrix(inputs.x, 'x') },
      options: {
        factor: finiteNumber(options.factor ?? 1, 'factor'),
        shift: finiteNumber(options.shift ?? 0, 'shift'),
        temperature: temperature === 0 ? 0 : positive(temperature),
        softmax: oneOf(options.softmax ?? 'stable', 'softmax', ['stable', 'plain']),
        compareSoftmax: Boolean(options.compareSoftmax),
      },
    };
  },
  /** @param {any} inputs @param {any} options */
  recurrent(inputs, options) {
    refuseUnknown(inputs, ['x']);
    refuseUnknown(options, ['w']);
    return { tensors: { x: toMatrix(inputs.x, 'x') }, options: { w: finiteNumber(options.w, 'w') } };
  },
};

/** `q` and `Q` are one input; a step carries the capital. @param {any} inputs */
function namedInputs(inputs) {
  const capitals = /** @type {Record<string, string>} */ ({ q: 'Q', k: 'K', v: 'V' });
  const given = plainObject(inputs, 'inputs');
  for (const [small, capital] of Object.entries(capitals))
    if (small in given && capital in given)
      throw new AttentionError('given-twice', small, `${small} and ${capital} are one input`);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [capitals[name] ?? name, value]));
}

/** @param {any} value @param {string} field */
export function index(value, field) {
  if (!Number.isSafeInteger(value) || value < 0 || value > MOST_NUMBERS)
    throw new AttentionError('no-such-cell', field, `${field} must be a whole number from 0 to ${MOST_NUMBERS}`);
  return value;
}

/** @param {any} key @param {string} field */
export function keyOf(key, field) {
  if (typeof key !== 'string') throw new AttentionError('no-such-step', field, `${field} must name a step`);
  return key;
}

/** Of which cell, with respect to which input. @param {any} gradient */
function checkedGradient(gradient) {
  const { key, row, col, wrt } = plainObject(gradient, 'gradient');
  const input = Object.keys(namedInputs({ [keyOf(wrt, 'wrt')]: 0 }))[0];
  return { key: keyOf(key, 'of'), row: index(row, 'row'), col: index(col, 'col'), wrt: input };
}

/** The request behind a trace, checked anew: a trace is plain data and may have been changed. @param {any} trace */
export function requestOf(trace) {
  const { recipe, inputs, options, precision, gradient } = plainObject(trace, 'trace');
  oneOf(recipe, 'recipe', Object.keys(RECIPES));
  const checked = RECIPES[/** @type {keyof typeof RECIPES} */ (recipe)](namedInputs(inputs), options ?? {});
  return {
    tensors: checked.tensors,
    request: { recipe, precision: checkedPrecision(precision), options: checked.options, gradient: gradient === undefined ? undefined : checkedGradient(gradient) },
  };
}
