// How many multiplications and additions a second WebAssembly reaches on this machine now: eight sums in registers, fed from
// the first-level cache as in a product of matrices. WebAssembly for itself, written here byte by byte, so that no compiler
// has a say in it.

/** @param {number} value @returns {number[]} LEB128 */
const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]);
/** @param {number[]} content */
const sized = (content) => [...unsigned(content.length), ...content];
/** i32.const @param {number} value @returns {number[]} */
const constant = (value) => [0x41, ...(value < 64 ? [value] : [value | 128, 0])];
/** @param {number} id @param {number[]} content */
const section = (id, content) => [id, ...sized(content)];
/** @param {number} code */
const simd = (code) => [0xfd, ...unsigned(code)];

const ROWS = 4, STEPS = 64, STEP_BYTES = 48;
const I32 = 0x7f, V128 = 0x7b;
const [get, set, tee] = [0x20, 0x21, 0x22];
const [LOAD, LOAD_SPLAT, ADD, MUL, STORE] = [simd(0), simd(9), simd(0xe4), simd(0xe6), simd(11)];

// Locals: 0 turns, 1 place, 2 step; 3 and 4 two vectors of B, 5 a number of A, 6 … 13 sums.
const [TURNS, PLACE, STEP, LEFT, RIGHT, NUMBER, SUMS] = [0, 1, 2, 3, 4, 5, 6];

/** @param {number} offset in bytes from PLACE @param {number[]} how */
const load = (offset, how) => [get, PLACE, ...how, 2, ...unsigned(offset)];
/** @param {number} sum @param {number} vector */
const multiplyAdd = (sum, vector) => [get, sum, get, NUMBER, get, vector, ...MUL, ...ADD, set, sum];

const body = [
  0x03, 0x40, // loop over turns
  ...constant(0), set, PLACE, ...constant(STEPS), set, STEP,
  0x03, 0x40, // loop over steps
  ...load(0, LOAD), set, LEFT, ...load(16, LOAD), set, RIGHT,
  ...Array.from({ length: ROWS }, (_, row) => [...load(32 + 4 * row, LOAD_SPLAT), set, NUMBER, ...multiplyAdd(SUMS + 2 * row, LEFT), ...multiplyAdd(SUMS + 2 * row + 1, RIGHT)]).flat(),
  get, PLACE, ...constant(STEP_BYTES), 0x6a, set, PLACE,
  get, STEP, ...constant(1), 0x6b, tee, STEP, 0x0d, 0, 0x0b,
  get, TURNS, ...constant(1), 0x6b, tee, TURNS, 0x0d, 0, 0x0b,
  // The sums are kept, so that nothing can be left out.
  ...Array.from({ length: 2 * ROWS }, (_, i) => [...constant(0), get, SUMS + i, ...STORE, 2, ...unsigned(8192 + 16 * i)]).flat(),
  0x0b,
];
const code = [2, 2, I32, 3 + 2 * ROWS, V128, ...body];
const bytes = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, [1, 0x60, 1, I32, 0]),
  ...section(3, [1, 0]),
  ...section(5, [1, 0, 1]),
  ...section(7, [1, ...sized([...new TextEncoder().encode('run')]), 0, 0]),
  ...section(10, [1, ...sized(code)]),
]);

/** One measurement, in GFLOP/s. @returns {Promise<() => number>} */
export async function peak() {
  const { instance } = await WebAssembly.instantiate(bytes);
  const run = /** @type {(turns: number) => void} */ (instance.exports.run);
  // Some milliseconds: a browser's clock has steps of a tenth of one.
  const turns = 80_000;
  run(turns);
  return () => {
    const start = performance.now();
    run(turns);
    return turns * STEPS * ROWS * 8 * 2 / (performance.now() - start) / 1e6;
  };
}
