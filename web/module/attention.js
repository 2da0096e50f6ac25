// The public module: attention computed, traced, explained and differentiated by the WebAssembly core.
// attention.d.ts describes it; this file checks what comes in, since the core checks no types.
import createCore from 'glue:core';

/**
 * @typedef {import('./attention.d.ts').Tensor} Tensor
 * @typedef {import('./attention.d.ts').Numbers} Numbers
 * @typedef {import('./attention.d.ts').Trace} Trace
 * @typedef {{ shape: number[], data: Float64Array }} Plain   a tensor as it goes to the core
 */

export const version = '0.1.0';

/** What a caller did wrong: `code` for programs, `field` for the argument, both shapes in the message. */
export class AttentionError extends Error {
  /** @param {string} code @param {string} field @param {string} message */
  constructor(code, field, message) {
    super(message);
    this.name = 'AttentionError';
    this.code = code;
    this.field = field;
  }
}

/** @param {number[]} shape */
const product = (shape) => shape.reduce((all, length) => all * length, 1);

/** @param {number[]} shape */
const shapeText = (shape) => `[${shape.join(', ')}]`;

/** @param {unknown} value @returns {value is Tensor} */
function isTensor(value) {
  return typeof value === 'object' && value !== null && 'shape' in value && 'data' in value;
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
const isList = (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** @param {unknown} cell @param {string} field */
function toNumber(cell, field) {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'boolean' || typeof cell === 'bigint') return Number(cell);
  throw new AttentionError('not-a-number', field, `${field} may hold numbers only, not ${typeof cell}`);
}

/** Deeper nesting than any tensor here has, and an array that holds itself. */
const MOST_AXES = 8;

/** As many numbers as one tensor may have; lengths of empty tensors are bounded by it too. */
const MOST_NUMBERS = 2 ** 31 - 1;

/** As many numbers as one encoding of positions may have. */
const MOST_ENCODED = 2 ** 22;

/** The shape of nested arrays, from the first cell of each depth. @param {unknown} value @param {string} field */
function nestedShape(value, field) {
  const shape = [];
  for (let level = value; isList(level); level = level[0]) {
    const { length } = level;
    shape.push(length);
    if (shape.length > MOST_AXES) throw new AttentionError('bad-rank', field, `${field} is nested deeper than ${MOST_AXES} levels`);
    if (length === 0) break;
  }
  return shape;
}

/** @param {any} value @param {number[]} shape @param {string} field @param {number[]} into */
function flatten(value, shape, field, into) {
  if (shape.length === 0) {
    into.push(toNumber(value, field));
    return;
  }
  if (!isList(value) || value.length !== shape[0])
    throw new AttentionError('ragged', field, `${field} is ragged: every row needs ${shape[0]} cells`);
  for (const part of Array.from(value)) flatten(part, shape.slice(1), field, into);
}

/** A tensor of doubles from anything that is accepted as one. @param {unknown} value @param {string} field @returns {Plain} */
function toTensor(value, field) {
  if (value === undefined || value === null)
    throw new AttentionError('missing', field, `${field} is missing`);
  if (!isTensor(value)) {
    const shape = nestedShape(value, field);
    /** @type {number[]} */
    const cells = [];
    flatten(value, shape, field, cells);
    return { shape, data: Float64Array.from(cells) };
  }
  const { shape, data } = value;
  if (!Array.isArray(shape) || shape.length > MOST_AXES || !shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    throw new AttentionError('bad-shape', field, `${field}.shape must be a list of at most ${MOST_AXES} whole numbers from 0`);
  if (product(shape.map((length) => length || 1)) > MOST_NUMBERS)
    throw new AttentionError('bad-shape', field, `${field} ${shapeText(shape)} is larger than ${MOST_NUMBERS} numbers`);
  if (!isList(data) || data.length !== product(shape))
    throw new AttentionError('bad-shape', field,
      `${field} has the shape ${shapeText(shape)}, which needs ${product(shape)} numbers, not ${/** @type {any} */ (data)?.length}`);
  // Typed numbers need no look at each one.
  const plain = data instanceof Float64Array || data instanceof Float32Array || data instanceof Uint8Array;
  return { shape: [...shape], data: plain ? new Float64Array(data) : Float64Array.from(/** @type {any} */ (data), (cell) => toNumber(cell, field)) };
}

/** @param {unknown} value @param {string} field @returns {Plain} */
function toMatrix(value, field) {
  const tensor = toTensor(value, field);
  if (tensor.shape.length !== 2)
    throw new AttentionError('bad-rank', field, `${field} ${shapeText(tensor.shape)} must be a matrix, [rows, columns]`);
  return tensor;
}

/** A mask is 0/1 or false/true. @param {unknown} value @returns {Plain} */
function toMask(value) {
  const mask = toMatrix(value, 'mask');
  if (!mask.data.every((cell) => cell === 0 || cell === 1))
    throw new AttentionError('not-a-mask', 'mask', 'mask may hold 0, 1, false and true only; 1 = may attend');
  return mask;
}

/** @param {any} value @param {string} field */
function finiteNumber(value, field) {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new AttentionError('not-finite', field, `${field} must be a finite number`);
  return value;
}

/** @param {any} value @param {string} field @param {unknown[]} choices */
function oneOf(value, field, choices) {
  if (!choices.includes(value))
    throw new AttentionError('not-a-choice', field, `${field} must be one of ${choices.join(', ')}`);
  return value;
}

/**
 * Which corner a causal mask is anchored at. `true` is only clear where both corners are the same.
 * @param {any} causal @param {Plain} q @param {Plain} k
 */
function causalAnchor(causal, q, k) {
  if (causal === undefined || causal === false) return 'none';
  if (causal !== true) return oneOf(causal, 'causal', ['top-left', 'bottom-right']);
  if (q.shape[0] === k.shape[0]) return 'top-left';
  throw new AttentionError('ambiguous-causal', 'causal',
    `q ${shapeText(q.shape)} and k ${shapeText(k.shape)} differ in length: say 'top-left' or 'bottom-right'`);
}

/** @param {any} options @param {Plain} q @param {Plain} k */
function attentionOptions(options, q, k) {
  return {
    scale: options.scale === undefined ? undefined : finiteNumber(options.scale, 'scale'),
    temperature: positive(options.temperature ?? 1),
    causal: causalAnchor(options.causal, q, k),
    softmax: oneOf(options.softmax ?? 'stable', 'softmax', ['stable', 'plain']),
    compareSoftmax: Boolean(options.compareSoftmax),
    emptyRow: oneOf(options.emptyRow ?? 'zero', 'emptyRow', ['zero', 'nan', 'uniform']),
  };
}

/** @param {any} options */
function sinusoidalOptions({ base = 10000, layout = 'interleaved', offset = 0 }) {
  if (typeof base !== 'number' || !Number.isFinite(base) || base < 1)
    throw new AttentionError('bad-base', 'base', 'base must be a finite number of at least 1');
  return { base, layout: oneOf(layout, 'layout', ['interleaved', 'halves']), offset: finiteNumber(offset, 'offset') };
}

/** @param {any} value @param {string} field @param {number} least */
function encodedSize(value, field, least) {
  if (!Number.isSafeInteger(value) || value < least || value > MOST_ENCODED)
    throw new AttentionError('bad-size', field, `${field} must be a whole number from ${least} to ${MOST_ENCODED}`);
  return value;
}

/** A number n stands for 0 … n − 1. @param {any} positions @param {number} dModel @returns {Plain} a column */
function positionColumn(positions, dModel) {
  const given = typeof positions === 'number' ? undefined : toTensor(positions, 'positions');
  if (given && given.shape.length !== 1)
    throw new AttentionError('bad-rank', 'positions', `positions ${shapeText(given.shape)} must be a whole number or a list`);
  const count = given?.shape[0] ?? encodedSize(positions, 'positions', 0);
  if (count * dModel > MOST_ENCODED)
    throw new AttentionError('bad-size', 'positions', `${shapeText([count, dModel])} is larger than ${MOST_ENCODED} numbers`);
  if (given && !given.data.every(Number.isFinite))
    throw new AttentionError('not-finite', 'positions', 'positions must be finite numbers');
  return { shape: [count, 1], data: given?.data ?? Float64Array.from({ length: count }, (_, place) => place) };
}

/** @param {any} temperature */
function positive(temperature) {
  if (typeof temperature !== 'number' || !(temperature > 0) || temperature === Infinity)
    throw new AttentionError('temperature-not-positive', 'temperature', 'temperature must be a finite number above 0');
  return temperature;
}

/** @param {any} value @param {string} field */
function plainObject(value, field) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AttentionError('not-an-object', field, `${field} must be an object with named values`);
  return value;
}

/** Refuses names that mean nothing here, so that a misspelt option is not silently ignored. @param {any} object @param {string[]} known */
function refuseUnknown(object, known) {
  for (const name of Object.keys(plainObject(object, 'options')))
    if (!known.includes(name) && object[name] !== undefined)
      throw new AttentionError('unknown-option', name, `there is no '${name}'; there are ${known.join(', ')}`);
}

const ATTENTION_OPTIONS = ['scale', 'temperature', 'causal', 'emptyRow'];
const KEEPS = ['scaled', 'masked', 'weights'];

/** What a recipe takes, and how its request is checked. `inputs` are named as the steps they become. */
const RECIPES = {
  /** @param {any} inputs @param {any} options */
  attention(inputs, options) {
    refuseUnknown(inputs, ['Q', 'K', 'V', 'mask', 'bias']);
    refuseUnknown(options, [...ATTENTION_OPTIONS, 'softmax', 'compareSoftmax']);
    /** @type {Record<string, Plain>} */
    const tensors = { Q: toMatrix(inputs.Q, 'q'), K: toMatrix(inputs.K, 'k'), V: toMatrix(inputs.V, 'v') };
    if (inputs.mask !== undefined) tensors.mask = toMask(inputs.mask);
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
    refuseUnknown(options, [...ATTENTION_OPTIONS, 'softmax', 'compareSoftmax', 'encoding', 'base', 'layout', 'offset', 'combine', 'width']);
    const X = toMatrix(inputs.X, 'x');
    return {
      tensors: { X },
      options: {
        ...attentionOptions(options, X, X),
        ...sinusoidalOptions(options),
        encoding: oneOf(options.encoding ?? 'sinusoidal', 'encoding', ['sinusoidal', 'none']),
        combine: oneOf(options.combine ?? 'add', 'combine', ['add', 'concatenate']),
        width: options.width === undefined ? X.shape[1] : encodedSize(options.width, 'width', 1),
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
function index(value, field) {
  if (!Number.isSafeInteger(value) || value < 0 || value > MOST_NUMBERS)
    throw new AttentionError('no-such-cell', field, `${field} must be a whole number from 0 to ${MOST_NUMBERS}`);
  return value;
}

/** @param {any} key @param {string} field */
function keyOf(key, field) {
  if (typeof key !== 'string') throw new AttentionError('no-such-step', field, `${field} must name a step`);
  return key;
}

/** Of which cell, with respect to which input. @param {any} gradient */
function checkedGradient(gradient) {
  const { key, row, col, wrt } = plainObject(gradient, 'gradient');
  const input = Object.keys(namedInputs({ [keyOf(wrt, 'wrt')]: 0 }))[0];
  return { key: keyOf(key, 'of'), row: index(row, 'row'), col: index(col, 'col'), wrt: input };
}

/** @type {typeof import('./attention.d.ts').compileAttention} */
export async function compileAttention(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(/** @type {any} */ (wasm));
  const inPage = wasm !== undefined && typeof document !== 'undefined';
  const url = new URL(wasm ?? 'attention.wasm', inPage ? document.baseURI : import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new AttentionError('wasm-missing', 'wasm', `${url} answered ${response.status}`);
  const fallback = response.clone();
  // A host that serves .wasm under another type than application/wasm cannot stream.
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await fallback.arrayBuffer()));
}

/** Emscripten's loader waits for ever when instantiating fails, so the failure is passed on here. @param {WebAssembly.Module} module @returns {Promise<any>} */
function instantiate(module) {
  return new Promise((resolve, reject) => {
    createCore({
      instantiateWasm(/** @type {any} */ imports, /** @type {any} */ done) {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module)).catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}

/** Loads the core. @type {typeof import('./attention.d.ts').loadAttention} */
export async function loadAttention({ wasm } = {}) {
  const module = await compileAttention(wasm);
  const core = await instantiate(module);

  /** @param {Record<string, Plain>} tensors */
  function writeInputs(tensors) {
    const entries = Object.entries(tensors);
    const count = entries.reduce((sum, [, tensor]) => sum + tensor.data.length, 0);
    let at = core.reserve(count) / 8;
    if (at === 0 && count > 0) throw new AttentionError('out-of-memory', '', 'not enough memory for numbers of this size');
    return entries.map(([name, { shape, data }]) => {
      core.HEAPF64.set(data, at);
      at += data.length;
      return { name, rows: shape[0], cols: shape[1] };
    });
  }

  /** @param {'trace' | 'explain' | 'attention' | 'softmax' | 'sinusoidal'} call @param {Record<string, Plain>} tensors @param {any} request */
  function ask(call, tensors, request) {
    const answer = core[call]({ ...request, inputs: writeInputs(tensors) });
    if (!answer.ok) throw new AttentionError(answer.error.code, answer.error.field, answer.error.message);
    return answer;
  }

  /** @param {Float64Array} data @param {string} precision */
  const inPrecision = (data, precision) => (precision === 'float32' ? Float32Array.from(data) : data);

  /** @param {any} precision */
  const checkedPrecision = (precision) => oneOf(precision ?? 'float64', 'precision', ['float64', 'float32']);

  /** The request behind a trace, checked anew: a trace is plain data and may have been changed. @param {any} trace */
  function requestOf(trace) {
    const { recipe, inputs, options, precision, gradient } = plainObject(trace, 'trace');
    oneOf(recipe, 'recipe', Object.keys(RECIPES));
    const checked = RECIPES[/** @type {keyof typeof RECIPES} */ (recipe)](namedInputs(inputs), options ?? {});
    return { tensors: checked.tensors, request: { recipe, precision: checkedPrecision(precision), options: checked.options, gradient: gradient && checkedGradient(gradient) } };
  }

  /** @param {any} description @returns {any} */
  function traceOf(description) {
    const { tensors, request } = requestOf(description);
    const { steps } = ask('trace', tensors, request);
    for (const step of steps) step.values = inPrecision(step.values, request.precision);
    return {
      recipe: request.recipe,
      inputs: tensors,
      options: description.options ?? {},
      precision: request.precision,
      ...(request.gradient && { gradient: request.gradient }),
      steps,
    };
  }

  return {
    version,

    attention(call) {
      const { q, k, v, mask, bias, precision, keep, ...options } = plainObject(call, 'call');
      refuseUnknown(options, ATTENTION_OPTIONS);
      const { tensors, options: checked } = RECIPES.attention({ Q: q, K: k, V: v, mask, bias }, options);
      const request = { precision: checkedPrecision(precision), options: checked, keep };
      if (keep !== undefined) oneOf(keep, 'keep', KEEPS);
      const { output, kept } = ask('attention', tensors, request);
      output.data = inPrecision(output.data, request.precision);
      if (!kept) return { output };
      kept.data = inPrecision(kept.data, request.precision);
      return { output, kept };
    },

    trace(call) {
      refuseUnknown(plainObject(call, 'call'), ['recipe', 'inputs', 'options', 'precision']);
      const { recipe, inputs, options, precision } = call;
      return traceOf({ recipe, inputs, options, precision });
    },

    explain(trace, key, row, col) {
      const { tensors, request } = requestOf(trace);
      return ask('explain', tensors, { ...request, key: keyOf(key, 'key'), row: index(row, 'row'), col: index(col, 'col') }).explanation;
    },

    gradient(trace, request) {
      const { of, wrt } = plainObject(request, 'request');
      const { key, row, col } = plainObject(of, 'of');
      const gradient = { key, row, col, wrt };
      return traceOf({ ...trace, gradient });
    },

    softmax(call) {
      refuseUnknown(plainObject(call, 'call'), ['x', 'axis', 'temperature', 'stable', 'precision']);
      const { x, axis = -1, temperature = 1, stable = true, precision } = call;
      oneOf(stable, 'stable', [true, false]);
      const tensor = toTensor(x, 'x');
      const rank = tensor.shape.length;
      const along = Number.isSafeInteger(axis) && axis < 0 ? axis + rank : axis;
      if (!Number.isSafeInteger(along) || along < 0 || along >= rank)
        throw new AttentionError('bad-axis', 'axis', `x ${shapeText(tensor.shape)} has no axis ${typeof axis === 'number' ? axis : `of type ${typeof axis}`}`);
      if (typeof temperature !== 'number' || !(temperature >= 0))
        throw new AttentionError('temperature-not-positive', 'temperature', 'temperature must be a number from 0 to Infinity');
      const request = { precision: checkedPrecision(precision), options: { temperature, softmax: stable ? 'stable' : 'plain' } };
      const { output } = ask('softmax', { x: axisLast(tensor, along) }, request);
      return { shape: tensor.shape, data: inPrecision(axisBack(output.data, tensor.shape, along), request.precision) };
    },

    sinusoidal(call) {
      refuseUnknown(plainObject(call, 'call'), ['positions', 'dModel', 'base', 'layout', 'offset', 'precision']);
      const dModel = encodedSize(call.dModel, 'dModel', 1);
      const request = { precision: checkedPrecision(call.precision), options: { dModel, ...sinusoidalOptions(call) } };
      const { output } = ask('sinusoidal', { positions: positionColumn(call.positions, dModel) }, request);
      return { shape: output.shape, data: inPrecision(output.data, request.precision) };
    },
  };
}

/** How a tensor lies in memory around one axis: index = (outer·length + at)·inner + inside. @param {number[]} shape @param {number} axis */
function around(shape, axis) {
  return { outer: product(shape.slice(0, axis)), length: shape[axis], inner: product(shape.slice(axis + 1)) };
}

/** Calls `visit(index in the tensor, index with the axis last)` for every number. @param {number[]} shape @param {number} axis @param {(there: number, here: number) => void} visit */
function withAxisLast(shape, axis, visit) {
  const { outer, length, inner } = around(shape, axis);
  for (let o = 0; o < outer; o++)
    for (let at = 0; at < length; at++)
      for (let i = 0; i < inner; i++) visit((o * length + at) * inner + i, (o * inner + i) * length + at);
}

/** @param {Plain} tensor @param {number} axis @returns {Plain} a matrix whose rows run along the axis */
function axisLast({ shape, data }, axis) {
  const { outer, length, inner } = around(shape, axis);
  const rows = new Float64Array(data.length);
  withAxisLast(shape, axis, (there, here) => { rows[here] = data[there]; });
  return { shape: [outer * inner, length], data: rows };
}

/** @param {Float64Array} rows @param {number[]} shape @param {number} axis */
function axisBack(rows, shape, axis) {
  const data = new Float64Array(rows.length);
  withAxisLast(shape, axis, (there, here) => { data[there] = rows[here]; });
  return data;
}
