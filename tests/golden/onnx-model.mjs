// A model of one operator, or of several, as the bytes of ONNX's protobuf (onnx.proto), so that an engine can be asked without any other
// library.

const FLOAT = 1, INT64 = 7, BOOL = 9;
export const TYPES = /** @type {Record<string, number>} */ ({ float32: FLOAT, int64: INT64, bool: BOOL });

/** Negative numbers are written as 64 bits. @param {number | bigint} value @returns {number[]} */
function varint(value) {
  const rest = BigInt.asUintN(64, BigInt(value));
  return rest < 128n ? [Number(rest)] : [Number(rest % 128n) + 128, ...varint(rest / 128n)];
}
/** Field with bytes, a message or a text. @param {number} field @param {Iterable<number> | string} content */
const bytes = (field, content) => {
  const all = typeof content === 'string' ? [...new TextEncoder().encode(content)] : [...content];
  return [...varint(field * 8 + 2), ...varint(all.length), ...all];
};
/** @param {number} field @param {number} value */
const integer = (field, value) => [...varint(field * 8), ...varint(value)];
/** @param {number} field @param {number} value */
const float = (field, value) => [...varint(field * 8 + 5), ...new Uint8Array(Float32Array.of(value).buffer)];

/** AttributeProto: whole numbers, lists of them and text by their type, the named ones as floats. @param {string} name @param {any} value */
function attribute(name, value) {
  if (typeof value === 'string') return [...bytes(1, name), ...bytes(4, value), ...integer(20, 3)];
  if (['scale', 'softcap', 'epsilon'].includes(name)) return [...bytes(1, name), ...float(2, value), ...integer(20, 1)];
  if (Array.isArray(value)) return [...bytes(1, name), ...value.flatMap((each) => integer(8, each)), ...integer(20, 7)];
  return [...bytes(1, name), ...integer(3, value), ...integer(20, 2)];
}

/** ValueInfoProto; lengths of axes are left open. @param {string} name @param {number} type @param {number} rank */
function valueInfo(name, type, rank) {
  const axes = Array.from({ length: rank }, (_, axis) => bytes(1, bytes(2, `${name}_${axis}`))).flat();
  return [...bytes(1, name), ...bytes(2, bytes(1, [...integer(1, type), ...bytes(2, axes)]))];
}

/** NodeProto @param {{ op: string, inputs: string[], outputs: string[], attributes: Record<string, any> }} node @returns {number[]} */
const nodeOf = ({ op, inputs, outputs, attributes }) => [
  ...inputs.flatMap((name) => bytes(1, name)), ...outputs.flatMap((name) => bytes(2, name)),
  ...bytes(4, op), ...Object.entries(attributes).flatMap(([name, value]) => bytes(5, attribute(name, value))),
];

/**
 * @param {{ nodes: Parameters<typeof nodeOf>[0][], opset: number, inputs: { name: string, dtype: string, shape: number[] }[],
 *   outputs: { name: string, rank: number }[] }} model
 */
export function graphOf({ nodes, opset, inputs, outputs }) {
  const graph = [
    ...nodes.flatMap((node) => bytes(1, nodeOf(node))), ...bytes(2, 'operators'),
    ...inputs.flatMap(({ name, dtype, shape }) => bytes(11, valueInfo(name, TYPES[dtype], shape.length))),
    ...outputs.flatMap(({ name, rank }) => bytes(12, valueInfo(name, FLOAT, rank))),
  ];
  return Uint8Array.from([...integer(1, 10), ...bytes(7, graph), ...bytes(8, [...bytes(1, ''), ...integer(2, opset)])]);
}

/**
 * @param {{ op: string, opset: number, attributes: Record<string, any>, inputs: { name: string, slot: number, dtype: string, shape: number[] }[],
 *   outputs: { name: string, slot: number, rank: number }[] }} node slots that are not named are left out
 */
export function modelOf({ op, opset, attributes, inputs, outputs }) {
  const slots = (/** @type {{ name: string, slot: number }[]} */ list) => Array.from({ length: Math.max(...list.map(({ slot }) => slot)) + 1 }, (_, slot) => list.find((each) => each.slot === slot)?.name ?? '');
  return graphOf({ nodes: [{ op, inputs: slots(inputs), outputs: slots(outputs), attributes }], opset, inputs, outputs });
}

/**
 * What an engine says to a node. @param {any} ort onnxruntime-node @param {Parameters<typeof modelOf>[0]} node
 * @param {Record<string, ArrayLike<any>>} data by the names of the inputs @returns {Promise<Record<string, { shape: number[], data: number[] }>>}
 */
export async function ask(ort, node, data) {
  const session = await ort.InferenceSession.create(modelOf(node), { logSeverityLevel: 4 });
  const feeds = Object.fromEntries(node.inputs.map(({ name, dtype, shape }) => {
    const from = data[name];
    const cells = dtype === 'int64' ? BigInt64Array.from(from, BigInt) : dtype === 'bool' ? Uint8Array.from(from, Number) : Float32Array.from(from);
    return [name, new ort.Tensor(dtype, cells, shape)];
  }));
  const results = await session.run(feeds);
  await session.release();
  // The lowest float stands for −∞ in masked scores.
  const number = (/** @type {any} */ cell) => (cell < -3.4e38 ? -Infinity : Number(cell));
  return Object.fromEntries(Object.entries(results).map(([name, { dims, data: cells }]) => [name, { shape: [...dims], data: Array.from(cells, number) }]));
}
