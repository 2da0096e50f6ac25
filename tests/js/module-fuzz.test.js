// A hundred thousand malformed calls of every function: each ends in a result or an AttentionError, the right answers stay
// right, and memory does not grow. Each begins as a good call, of which some parts are spoilt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES } from './formula.js';
import { withMemory } from './memory.js';
import { AttentionError, loadAttention, randomNumbers } from './module.js';

const CALLS = Number(process.env.ATTENTION_CALLS ?? 100_000);
const SEED = 7;

const { core, memory } = await withMemory(loadAttention);

const random = randomNumbers(SEED);
const whole = (/** @type {number} */ least, /** @type {number} */ most) => least + Math.floor((most - least + 1) * random());
const pick = (/** @type {any[]} */ choices) => choices[whole(0, choices.length - 1)];
const chance = (/** @type {number} */ share) => random() < share;

const EXAMPLE = EXAMPLES.a.input;
const traces = [
  core.trace({ recipe: 'attention', inputs: EXAMPLE, options: { temperature: 2 } }),
  core.trace({ recipe: 'positional', inputs: { X: [[1, 2], [3, 4]] }, options: { causal: true } }),
  core.gradient(core.trace({ recipe: 'softmax', inputs: { x: [[1, 2, 3]] } }), { of: { key: 'weights', row: 0, col: 1 }, wrt: 'x' }),
];

/** A tensor of this shape, in one of the forms that are accepted. @param {number[]} shape @param {() => number} [cell] */
function tensor(shape, cell = () => whole(-3, 3)) {
  const data = Array.from({ length: shape.reduce((all, length) => all * length, 1) }, cell);
  const nested = (/** @type {number} */ axis, /** @type {number} */ from, /** @type {number} */ size) => /** @type {any} */ (
    axis === shape.length ? data[from] : Array.from({ length: shape[axis] }, (_, i) => nested(axis + 1, from + (i * size) / shape[axis], size / shape[axis])));
  return pick([() => ({ shape, data }), () => ({ shape, data: Float64Array.from(data) }), () => ({ shape, data: Float32Array.from(data) }), () => nested(0, 0, data.length)])();
}
const bits = (/** @type {number[]} */ ...shape) => tensor(shape, () => whole(0, 1));
const maybe = (/** @type {any} */ options) => Object.fromEntries(Object.entries(options).filter(() => chance(0.3)));
const precision = () => pick([undefined, 'float64', 'float32']);

const ATTENTION = () => {
  const [b, g, n, m, d] = [whole(1, 2), whole(1, 2), whole(0, 3), whole(0, 4), whole(1, 3)];
  const h = g * whole(1, 2), past = chance(0.3) ? whole(0, 2) : undefined;
  const axes = chance(0.5) ? [b, h] : [], other = axes.length ? [b, g] : [];
  return {
    q: tensor([...axes, n, d]), k: tensor([...other, m, d]), v: tensor([...other, m, d]),
    ...(past !== undefined && { pastKey: tensor([...other, past, d]), pastValue: tensor([...other, past, d]) }),
    ...maybe({ mask: bits(n, m + (past ?? 0)), bias: tensor([m + (past ?? 0)]), padding: bits(m + (past ?? 0)), causal: pick([true, 'top-left', 'bottom-right']), scale: 0.5, temperature: 2,
      softcap: 3, kvLengths: tensor([axes.length ? b : 1], () => whole(0, m)), window: [whole(-1, 3), whole(-1, 3)], emptyRow: pick(['zero', 'nan', 'uniform']), heads: whole(1, 3), kvHeads: whole(1, 3) }),
    precision: precision(),
  };
};
const X = () => tensor(pick([[3], [2, 3], [2, 2, 3], [0, 3], [3, 0]]));
/** A good call of each function, as its arguments. @type {Record<string, () => any[]>} */
const GOOD = {
  attention: () => [{ ...ATTENTION(), ...maybe({ keep: pick(['scaled', 'softcapped', 'masked', 'weights']) }) }],
  streamingAttention: () => [ATTENTION()],
  attentionGradient: () => { const call = ATTENTION(); return [{ ...call, emptyRow: undefined, outputGradient: call.q }]; }, // v is as wide as q
  trace: () => [pick([
    { recipe: 'attention', inputs: { q: tensor([2, 3]), k: tensor([3, 3]), v: tensor([3, 2]), ...maybe({ mask: bits(2, 3), bias: tensor([2, 3]) }) }, options: maybe({ scale: 1, temperature: 2, causal: 'top-left', emptyRow: 'uniform', softmax: 'plain', compareSoftmax: true }), precision: precision() },
    { recipe: 'self-attention', inputs: { X: tensor([2, 3]) }, options: maybe({ causal: true }) },
    { recipe: 'positional', inputs: { X: tensor([2, 4]) }, options: maybe({ encoding: pick(['sinusoidal', 'rotary', 'alibi', 'none']), base: 100, layout: 'halves', offset: 1, combine: 'concatenate', width: 2, heads: whole(1, 9), head: whole(0, 9) }) },
    { recipe: 'softmax', inputs: { x: tensor([2, 3]) }, options: maybe({ factor: 2, shift: 1, temperature: 0, softmax: 'plain' }) },
    { recipe: 'recurrent', inputs: { x: tensor([3, 1]) }, options: { w: 0.5 } },
  ])],
  explain: () => { const trace = pick(traces), step = pick(trace.steps); return [{ ...trace }, step.key, whole(0, 1), whole(0, 1)]; },
  gradient: () => { const trace = pick(traces.slice(0, 2)), step = pick(trace.steps); return [{ ...trace }, { of: { key: step.key, row: 0, col: 0 }, wrt: pick(['q', 'Q', 'V', 'X']) }]; },
  softmax: () => [{ x: X(), ...maybe({ axis: whole(-2, 1), temperature: pick([0, 1, Infinity]), stable: false, infinity: pick(['nan', 'limit']), precision: precision() }) }],
  logSoftmax: () => [{ x: X(), ...maybe({ axis: whole(-2, 1), precision: precision() }) }],
  matmul: () => [{ a: tensor(pick([[3], [2, 3], [2, 2, 3]])), b: tensor(pick([[3], [3, 2], [2, 3, 1], [3, 0]])), precision: precision() }],
  sinusoidal: () => [{ positions: pick([3, [0, 1.5, -2], tensor([2])]), dModel: whole(1, 5), ...maybe({ base: 100, layout: 'halves', offset: 2, precision: precision() }) }],
  rotary: () => { const n = whole(1, 3); return [{ x: tensor([n, 4]), ...maybe({ positions: tensor([n]), base: 100, interleaved: true, rotaryDim: 2, heads: 1, precision: precision() }), ...(chance(0.2) && { cos: tensor([n, 2]), sin: tensor([n, 2]) }) }]; },
  alibiSlopes: () => [pick([whole(1, 20), { heads: whole(1, 20), ...maybe({ biasMax: 4, precision: precision() }) }])],
  layerNorm: () => [{ x: X(), ...maybe({ axis: whole(-2, 1), epsilon: 0.1, scale: tensor([3]), bias: tensor([3]), precision: precision() }) }],
  rmsNorm: () => [{ x: X(), ...maybe({ axis: whole(-2, 1), epsilon: 0, scale: tensor([3]), precision: precision() }) }],
  gelu: () => [{ x: X(), ...maybe({ approximate: 'tanh', precision: precision() }) }],
};
test('every function of the module is called that takes anything', () => {
  assert.deepEqual([...Object.keys(GOOD), 'warmUp'].sort(), Object.entries(core).filter(([, part]) => typeof part === 'function').map(([name]) => name).sort());
});

/** Whatever is done with it, it throws; not always an Error. */
const hostile = () => {
  const fail = () => { throw pick([new Error('hostile'), 'a string', undefined, null, Symbol('s'), Object.create(null)]); };
  return new Proxy(pick([{}, [], () => 0]), { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail });
};
/** Throws, or changes, when it is read again. */
const moody = (/** @type {any} */ value) => {
  let reads = 0;
  return { get shape() { if (reads++ > whole(0, 3)) throw new TypeError('not twice'); return pick([[2, 2], [3], 'x']); }, get data() { return chance(0.5) ? [1, 2, 3, 4] : value; } };
};
const detached = () => { const data = new Float64Array([1, 2, 3, 4]); structuredClone(data.buffer, { transfer: [data.buffer] }); return chance(0.5) ? data : { shape: [2, 2], data }; };
const endless = () => { /** @type {any[]} */ const list = [1]; list[whole(0, 1)] = list; return list; };
const frozenTime = { valueOf() { throw new Error('no value'); }, toString() { throw new Error('no text'); } };
const revoked = () => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; };

/** What no argument may be, or only just. @param {any} good */
const odd = (good) => pick([
  () => pick([undefined, null, true, false, '', 'x', '1', 'constructor', '__proto__', 'toString']),
  () => pick([NaN, Infinity, -Infinity, -0, -1, 0.5, 1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), 65537, 4194305]),
  () => pick([1n, -1n, 2n ** 80n, new BigInt64Array([1n, 2n]), new BigUint64Array([2n ** 63n])]),
  () => pick([Symbol('s'), () => 1, class {}, new Date(NaN), /x/, new Map([[1, 2]]), new Set([1]), Object.create(null), new Error('e'), Promise.resolve(1), new WeakMap(), new String('1'), new Number(1)]),
  () => pick([new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), new Uint8ClampedArray(3), new Int32Array([1, -1]), new SharedArrayBuffer(8), new Float64Array(new SharedArrayBuffer(16))]),
  () => pick([[], [[]], [[], []], [[[[[[[[[1]]]]]]]]], [1, [2]], [[1, 2], [3]], Array(3), [[1, , 3]], ['1', '2'], [null], [undefined, 1], { length: 3 }, { 0: 1, length: 1 }]), // eslint-disable-line no-sparse-arrays
  () => ({ shape: pick([[2, 2], [-1], [0.5], ['2'], [2 ** 31, 0], [0, 2 ** 31 - 1], [2 ** 16, 2 ** 16], [NaN], [], 'x', null, [1, 1, 1, 1, 1, 1, 1, 1, 1], [[2]], { length: 2 }, [1n]]), data: pick([[], [1], [1, 2, 3, 4], new Float64Array(4), new Uint8Array(4), 'abcd', null, { length: 4 }, [1, 'x', 3, 4], [{}, {}, {}, {}]]) }),
  () => ({ shape: [whole(0, 1) ? 0 : 1000000, 0, pick([1, 1000000])].slice(whole(0, 1)), data: [] }),
  hostile, () => moody(good), detached, endless, () => frozenTime, revoked,
  () => [[frozenTime]], () => [hostile()], () => ({ shape: [1], data: [hostile()] }), () => ({ shape: revoked(), data: [] }),
  () => [good], () => ({ good }), () => ({ ...Object(good) }),
])();

/** Spoils one part, at some depth. @param {any} value @param {number} depth @returns {any} */
function spoil(value, depth = 0) {
  // A number that is only a little off goes further in than nonsense does.
  if (typeof value === 'number' && chance(0.7)) return pick([0, 1, 2, 3, 4, 7, -1, -2, 0.5, 1e30, NaN]);
  const canEnter = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && Object.keys(value).length > 0;
  if (!canEnter || chance(depth === 0 ? 0.03 : 0.25)) return odd(value);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const name = pick(Object.keys(copy));
  const act = whole(0, 11);
  if (act === 0) delete copy[name];
  else if (act === 1 && !Array.isArray(copy)) copy[pick([`${name} `, name.toUpperCase(), `${name}s`, name.slice(1), 'axsi', 'temprature', '__proto__x', 'toString', ''])] = copy[name];
  else if (act === 2) Object.defineProperty(copy, name, { get() { throw pick([new Error('a getter'), 'text', null]); }, enumerable: true });
  else if (act === 3 && Array.isArray(copy)) copy.push(copy[0]);
  else copy[name] = spoil(copy[name], depth + 1);
  return copy;
}

// The largest that is drawn, so that memory has its size before it is watched.
for (const call of [core.layerNorm, core.rmsNorm, core.softmax, core.logSoftmax, core.gelu])
  for (const shape of [[1000000, 0], [0, 1000000]]) call({ x: { shape, data: [] } });

const right = core.attention(EXAMPLE).output;

test(`${CALLS} malformed calls end in a result or an AttentionError, and leave the module as it was`, () => {
  const started = performance.now();
  const count = { results: 0, errors: 0 };
  /** @type {Map<string, number>} */
  const codes = new Map();
  let early = 0;
  let slowest = 0;
  for (let at = 1; at <= CALLS; at++) {
    const name = pick(Object.keys(GOOD));
    const args = GOOD[name]();
    for (let spoils = pick([0, 1, 1, 1, 2]); spoils > 0; spoils--) {
      const which = whole(0, args.length - 1);
      // What throws when it is read cannot be spoilt any more.
      try { args[which] = spoil(args[which]); } catch {}
    }
    if (chance(0.01)) args.length = whole(0, args.length - 1);
    const began = performance.now();
    try {
      const answer = /** @type {any} */ (core)[name](...args);
      assert.ok(typeof answer === 'object' && answer !== null, `call ${at} of ${name} (seed ${SEED}) gives ${typeof answer}`);
      count.results++;
    } catch (error) {
      const where = `call ${at} of ${name} (seed ${SEED})`;
      if (!(error instanceof AttentionError)) assert.fail(`${where} throws no AttentionError but ${describeThrown(error)}`);
      assert.ok(typeof error.code === 'string' && error.code !== '' && typeof error.field === 'string' && error.message !== '', `${where}: ${error.code}, ${error.field}, ${error.message}`);
      // Only what was made to fail here may be the cause; anything else is a fault of the module's own.
      if (error.code === 'unreadable') assert.match(describeThrown(error.cause), OURS, where);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
      count.errors++;
    }
    const took = performance.now() - began;
    slowest = Math.max(slowest, took);
    assert.ok(took < 5000, `call ${at} of ${name} (seed ${SEED}) took ${took} ms`);
    if (at % 1000 === 0) assert.deepEqual(core.attention(EXAMPLE).output, right, `after call ${at}`);
    if (at === Math.floor(CALLS / 5)) early = memory.buffer.byteLength;
  }
  console.log(`${count.results} results, ${count.errors} errors of ${codes.size} kinds; slowest call ${slowest.toFixed(1)} ms; ${memory.buffer.byteLength / 2 ** 20} MiB, ${early / 2 ** 20} MiB after a fifth; ${((performance.now() - started) / 1000).toFixed(1)} s`);
  assert.ok(count.errors > CALLS / 5 && count.results > CALLS / 20, 'both happen often');
  assert.ok(codes.size > 20, `errors of many kinds: ${[...codes.keys()]}`);
  // Numbers kept between calls may come to lie where the largest of all was, which then takes one place more.
  const largest = 8 * 1_000_000;
  assert.ok(memory.buffer.byteLength - early <= largest, `${memory.buffer.byteLength} bytes of memory after all calls, ${early} after a fifth of them`);
});

/** What the hostile, moody and worn-out parts above throw, or what reading them makes the engine throw. */
const OURS = /hostile|a string|^undefined$|^null$|Symbol|cannot be described|not twice|a getter|^text$|no value|no text|detached|revoked/;

/** @param {any} error */
function describeThrown(error) {
  try { return `${error?.stack ?? String(error)}`; } catch { return 'something that cannot be described'; }
}
