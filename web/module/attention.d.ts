/** Numbers with a shape, row-major. */
export interface Tensor {
  shape: number[];
  data: Float64Array | Float32Array | Uint8Array | BigInt64Array | number[];
}

/** Whatever is accepted where a tensor goes in: a tensor, a number, nested arrays of numbers or booleans. */
export type Numbers = Tensor | number | boolean | readonly Numbers[] | ArrayLike<number>;

/** What comes out: Float64Array, or Float32Array for `precision: 'float32'`. */
export interface TensorOut {
  shape: number[];
  data: Float64Array | Float32Array;
}

export type Precision = 'float64' | 'float32';

export interface Place {
  /**
   * Where the numbers of the answer go, instead of into a new array: as long as it, a Float64Array, or a Float32Array for
   * `precision: 'float32'`. It may be what the numbers came from. `data` of the answer is it.
   */
  out?: Float64Array | Float32Array;
}

export interface AttentionOptions {
  /** Scores are multiplied by it; 1/√d_k when absent. */
  scale?: number;
  /** Scaled scores z become softcap·tanh(z/softcap), before bias and mask. None when absent or 0. */
  softcap?: number;
  /** Scores are divided by it after masking; finite, above 0; 1 when absent. */
  temperature?: number;
  /**
   * Key j is visible to query i when j ≤ i + offset. 'top-left': the offset is the number of keys from before, or kvLengths
   * less n_q, otherwise 0 (PyTorch's and ONNX's is_causal). 'bottom-right': n_k − n_q (flash-attention, MLX), with kvLengths
   * in place of n_k. true only where the two agree.
   */
  causal?: boolean | 'top-left' | 'bottom-right';
  /** What a row becomes in which nothing may be seen: 'zero' when absent. Without any keys it is 0, the empty sum, always. */
  emptyRow?: 'zero' | 'nan' | 'uniform';
}

/** Attention over batches and heads. b batches, h heads, n tokens, d columns; without batches or heads the axes are left out. */
export interface StreamingAttentionCall extends AttentionOptions, Place {
  /** Queries [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]; with `heads` [n_q, h·d_k] or [b, n_q, h·d_k]. */
  q: Numbers;
  /**
   * Keys, laid out as q, of n_k tokens and g heads; h must be a multiple of g. Each head of keys and values serves h/g heads
   * of queries: 0, 0, 1, 1.
   */
  k: Numbers;
  /** Values, laid out as k; their width d_v may be another. */
  v: Numbers;
  /**
   * 1 or true = may attend; broadcast from the right to [b, h, n_q, n_k]. With fewer keys than there are, and not 1, the rest
   * is forbidden. What stands in a key or value behind it, NaN or infinity, never reaches the output.
   */
  mask?: Numbers;
  /** Added to the scaled scores, broadcast as the mask; −Infinity forbids. In float32 so does what is below −3.4e38. */
  bias?: Numbers;
  /** [b, n_k] or [n_k], 1 or true = a real key. */
  padding?: Numbers;
  /** How many heads stand side by side in q, or a check of its axis of heads. */
  heads?: number;
  /** The same for k and v; `heads` when absent. */
  kvHeads?: number;
  /** Keys and values from before, [b, g, n, d] less the axes that q lacks: they stand in front of k and v, and n_k counts them. */
  pastKey?: Numbers;
  pastValue?: Numbers;
  /** How many keys are there, from the first, for each batch; [b], or a number where there is one batch. Not together with pastKey. */
  kvLengths?: Numbers;
  /**
   * At most so many keys to the left and to the right of the place of the query, which is where the causal diagonal is (at
   * the bottom right without a causal mask, as in flash-attention). −1 or Infinity: no bound.
   */
  window?: [number, number];
  precision?: Precision;
}

export interface AttentionGradientCall extends Omit<StreamingAttentionCall, 'out' | 'emptyRow'> {
  /** How much what is asked for changes with each number of the output: of the shape of the output. */
  outputGradient: Numbers;
  /** A row in which nothing may be seen is 0, whatever q, k and v are. */
  emptyRow?: 'zero';
}

export interface AttentionCall extends StreamingAttentionCall {
  /**
   * Also return this step, [b, h, n_q, n_k] less the axes that q lacks: scaled scores, after the softcap, after bias and mask
   * (−Infinity where forbidden), or the weights.
   */
  keep?: 'scaled' | 'softcapped' | 'masked' | 'weights';
}

export interface AttentionResult {
  /** Laid out as q, with the width of v. */
  output: TensorOut;
  kept?: TensorOut;
  /** All keys and values, where there were some from before; [b, g, n_k, d] less the axes that q lacks. */
  presentKey?: TensorOut;
  presentValue?: TensorOut;
}

export interface Step {
  /** "scores", "weights", "grad/scores", … */
  key: string;
  /** The operation, e.g. "matmul". */
  op: string;
  /** Keys of the steps it was computed from. */
  inputs: string[];
  /** Key of the mask (1 = allowed) whose forbidden terms it skips. */
  mask?: string;
  /** [rows, columns] */
  shape: number[];
  values: Float64Array | Float32Array;
  /** LaTeX of the step's name. */
  symbol: string;
  /** LaTeX of the formula of its cell (i, j). */
  tex: string;
  /** Of "matmul": which of its inputs enters transposed. */
  transposeLeft?: boolean;
  transposeRight?: boolean;
  /** Of "scale": each cell times factor, over divisor. */
  factor?: number;
  divisor?: number;
}

export interface Trace {
  recipe: string;
  inputs: Record<string, Tensor>;
  options: Record<string, unknown>;
  precision: Precision;
  /** In the trace of a gradient: of which cell, with respect to which step. */
  gradient?: { key: string; row: number; col: number; wrt: string };
  steps: Step[];
}

export interface Explanation {
  /** The cell is the sum of the terms, the largest of them, or a function of the cells of its one term. */
  form: 'sum' | 'max' | 'map';
  /** Each term is the product of its cells times `factor` over `divisor`. Forbidden terms are not there. */
  terms: {
    cells: { key: string; row: number; col: number; value: number }[];
    value: number;
    factor: number;
    divisor: number;
  }[];
  result: number;
}

export type TraceCall = { precision?: Precision } & (
  | {
      /** Steps: scores, scaled, softcapped, biased, masked, tempered, row-max, shifted, exp, row-sum, weights, output. */
      recipe: 'attention';
      inputs: { q: Numbers; k: Numbers; v: Numbers; mask?: Numbers; bias?: Numbers } | { Q: Numbers; K: Numbers; V: Numbers; mask?: Numbers; bias?: Numbers };
      options?: TraceOptions;
    }
  | {
      /** The same with Q = K = V = X. */
      recipe: 'self-attention';
      inputs: { X: Numbers };
      options?: TraceOptions;
    }
  | {
      /**
       * Self-attention of X that is told the positions 0 … n − 1. 'sinusoidal': of H, X plus or beside P, the encoding;
       * steps X, P, H, then those of attention with Q = K = V = H. 'rotary': steps X and R, the rows of X turned, then
       * attention with Q = K = R and V = X. 'alibi': steps X and bias, −slope·|i − j|, which is added to the scaled
       * scores of X (no bias where there is one token). 'none': those of 'self-attention'.
       */
      recipe: 'positional';
      /** [n, d] */
      inputs: { X: Numbers };
      options?: PositionalOptions;
    }
  | {
      /**
       * softmax of each row. Steps: x, c, multiplied, moved, tempered, row-max, shifted, exp, row-sum, weights; c,
       * multiplied, moved and tempered only when they do something.
       */
      recipe: 'softmax';
      /** [rows, n] */
      inputs: { x: Numbers };
      options?: SoftmaxOptions;
    }
  | {
      /** h_t = w·h_{t−1} + x_t over a column x [n, 1]. */
      recipe: 'recurrent';
      inputs: { x: Numbers };
      options: { w: number };
    }
);

export interface TraceOptions extends AttentionOptions {
  /** 'stable' (when absent) subtracts the row maximum before exp; 'plain' does not. */
  softmax?: 'stable' | 'plain';
  /** Also write the other kind of softmax, under "plain/…" or "stable/…". */
  compareSoftmax?: boolean;
}

export interface SinusoidalOptions {
  /** Finite, at least 1; 10000 when absent. */
  base?: number;
  /** 'interleaved' (when absent): sine and cosine side by side. 'halves': all sines, then all cosines. */
  layout?: 'interleaved' | 'halves';
  /** Added to every position; 0 when absent. */
  offset?: number;
}

/** base, layout and offset are those of the encoding, and of the turning. */
export interface PositionalOptions extends TraceOptions, SinusoidalOptions {
  /** 'sinusoidal' when absent. 'rotary' turns pairs of columns and leaves the last one of an odd number as it is. */
  encoding?: 'sinusoidal' | 'rotary' | 'alibi' | 'none';
  /** 'add' (when absent): H = X + P. 'concatenate': H = [X, P], so that scores are divided by √(d + width). */
  combine?: 'add' | 'concatenate';
  /** Columns of P: those of X when absent, and always when it is added. */
  width?: number;
  /** Of 'alibi': how many heads there are, whose slopes are those of alibiSlopes; 8 when absent. */
  heads?: number;
  /** Of 'alibi': the head, counted from 0; the first when absent. */
  head?: number;
}

export interface SoftmaxOptions {
  /** x is multiplied by it; 1 when absent. */
  factor?: number;
  /** Then it is added to every cell; 0 when absent. */
  shift?: number;
  /** Then every cell is divided by it; finite, from 0; 1 when absent. 0 is the limit: row-max, shifted, weights. */
  temperature?: number;
  /** 'stable' (when absent) subtracts the row maximum before exp; 'plain' does not. */
  softmax?: 'stable' | 'plain';
  /** Also write the other kind of softmax, under "plain/…" or "stable/…"; not at temperature 0. */
  compareSoftmax?: boolean;
}

export interface NormalizationCall {
  x: Numbers;
  /** The first of the axes that are normalised together; −1, the last, when absent. */
  axis?: number;
  /** Added under the root: finite, from 0; 1e-5 when absent. */
  epsilon?: number;
  /** Of the shape of the normalised axes, or broadcast to it; 1 when absent. */
  scale?: Numbers;
  precision?: Precision;
}

export interface RotaryCall {
  /** [n, d] | [h, n, d] | [b, h, n, d]; with `heads` packed: [n, h·d] | [b, n, h·d]. */
  x: Numbers;
  /** Rows for positions, [positions, r/2]; without `positions` also one for each token, [b, n, r/2]. Always with `sin`. */
  cos?: Numbers;
  sin?: Numbers;
  /** [n] for every batch, or [b, n]; 0 … n − 1 when absent. Without `cos` any finite numbers up to 2⁵³. */
  positions?: Numbers;
  /** Finite, at least 1; 10000 when absent. Not together with `cos`. */
  base?: number;
  /** Pairs are (2i, 2i + 1); (i, i + r/2) when absent. */
  interleaved?: boolean;
  /** How many numbers of each head are turned, even; all of them when absent. The rest stays. */
  rotaryDim?: number;
  /** Says that x is packed, and in how many heads. */
  heads?: number;
  precision?: Precision;
}

/**
 * What every wrong call throws; the module stays usable. `cause` is what was thrown while an argument was read, by a getter
 * for example; the code is 'unreadable' then.
 */
export class AttentionError extends Error {
  constructor(code: string, field: string, message: string, options?: { cause?: unknown });
  code: string;
  /** The argument, as it was called there. */
  field: string;
}

export interface AttentionCore {
  version: string;

  /**
   * softmax((softcap(q·kᵀ·scale) + bias, masked)/temperature)·v, over the keys (Vaswani et al. 2017, eq. 1). In float64
   * within 1e-12 of the formula for |scores| ≤ 100. In float32 without `keep` as streamingAttention.
   */
  attention(call: AttentionCall): AttentionResult;

  /**
   * The same output, without n_q·n_k numbers in memory: a running softmax over the keys. In float32 by SIMD, within
   * (6e-7 + s·2⁻²⁴) of the largest |v|, however many keys there are, where s bounds the scores: (√d_k·|q|·|k|·scale +
   * |bias|)/temperature, of the longest q and k. A row with NaN or ∞ in sight, or none, is computed one by one.
   */
  streamingAttention(call: StreamingAttentionCall): TensorOut;

  /**
   * The gradients of Σ output·outputGradient with respect to q, k and v, of their shapes, where output is that of
   * streamingAttention; none for pastKey, pastValue and bias. Heads of queries that share keys and values add up. Weights
   * are computed again, block by block (Dao et al. 2022), so that there are never n_q·n_k numbers in memory. What a query
   * may not see reaches no gradient by it; a row that sees nothing has a gradient of 0. In float64 within 1e-11 of the
   * largest sum of sizes of terms for |scores| ≤ 100. In float32 by SIMD, within 2e-6 + s·2⁻²³ + n·2⁻²⁹ of the largest
   * number of a gradient, s as in streamingAttention, n the queries that share a key; where terms cancel, there is left: of
   * q 1e-7 of |outputGradient|·|v|·scale/temperature times |k|, of k times |q| of all those queries together, of v 2e-7 +
   * n·2⁻²⁹ of the sizes of their output gradients together. What is below 1.2e-38 on its way loses digits. A head that meets NaN or ∞
   * is computed one by one, in double.
   */
  attentionGradient(call: AttentionGradientCall): { q: TensorOut; k: TensorOut; v: TensorOut };

  /** A computation step by step. */
  trace(call: TraceCall): Trace;

  /** The exact terms of one cell of a trace. */
  explain(trace: Trace, key: string, row: number, col: number): Explanation;

  /** The trace with the steps of d(cell)/d(input) appended, keys "grad/…". */
  gradient(trace: Trace, request: { of: { key: string; row: number; col: number }; wrt: string }): Trace;

  /**
   * a·b as NumPy's matmul: matrices in the last two axes, the axes before them broadcast; a list is a row on the left and
   * a column on the right. A cell is within m·2⁻⁵³ (float32, by SIMD: m·2⁻²⁴) of the sizes of its m terms together.
   */
  matmul(call: Place & { a: Numbers; b: Numbers; precision?: Precision }): TensorOut;

  /**
   * softmax(x/temperature) along an axis. temperature 0 and Infinity are the limits; one above 0 that is so small that
   * 1/temperature is infinite in this precision is refused. Where +Infinity is among the scores, `infinity` 'nan' (when
   * absent) gives NaN, as PyTorch, JAX and TensorFlow.js do; 'limit' gives it everything, shared between several, as NNlib
   * does. In float32, by SIMD, within 5e-7 of the largest of a line.
   */
  softmax(call: Place & { x: Numbers; axis?: number; temperature?: number; stable?: boolean; infinity?: 'nan' | 'limit'; precision?: Precision }): TensorOut;

  /**
   * log softmax(x) along an axis, x − max − log Σ exp(x − max): [0, −1000] gives [0, −1000]. A number is within
   * (2n + t + 4)·2⁻⁵³ of its size (float32: 2⁻²⁴), where t is how far the second largest is below the first. −Infinity
   * stays; a line with Infinity or NaN, or of −Infinity alone, is NaN.
   */
  logSoftmax(call: { x: Numbers; axis?: number; precision?: Precision }): TensorOut;

  /**
   * (x − mean)/√(variance + epsilon)·scale + bias, over `axis` (−1 when absent) and all after it together, with the
   * population variance (Ba et al. 2016; ONNX LayerNormalization-17). `mean` and `invStdDev` have the shape of x with 1
   * from `axis` on. Without scale and bias within (n + 8)·2⁻⁵³ (float32: 2⁻²⁴) of a number or of 1, whichever is larger.
   * A line with NaN or Infinity is NaN, and so is one of equal numbers with epsilon 0; one whose squares are beyond the
   * precision is 0.
   */
  layerNorm(call: NormalizationCall & { bias?: Numbers }): { output: TensorOut; mean: TensorOut; invStdDev: TensorOut };

  /**
   * x/√(mean of x² + epsilon)·scale, over `axis` and all after it (Zhang & Sennrich 2019; ONNX RMSNormalization-23).
   * Within (n + 8)·2⁻⁵³ of its size (float32: 2⁻²⁴); a line whose squares are beyond the precision is 0.
   */
  rmsNorm(call: NormalizationCall): TensorOut;

  /**
   * x·½·erfc(−x/√2), or with 'tanh' ½x(1 + tanh(√(2/π)(x + 0.044715x³))) (Hendrycks & Gimpel 2016). Within 1e-12 of its
   * size, also in the tail; in float32 that is rounded once. −Infinity gives the limit −0.
   */
  gelu(call: { x: Numbers; approximate?: 'none' | 'tanh'; precision?: Precision }): TensorOut;

  /**
   * Every pair (u, v) becomes (u·cos − v·sin, u·sin + v·cos) of the angle position·base^(−2i/r), where r is `rotaryDim`
   * (Su et al. 2021; ONNX RotaryEmbedding-23). Angles are computed in double: within 4e-15·(1 + |position|) of the length
   * of a pair for base ≤ 1e6, in float32 2⁻²² more.
   */
  rotary(call: RotaryCall): TensorOut;

  /**
   * ALiBi's slopes, [heads]: 2^(−biasMax·(h + 1)/heads) for a power of two; otherwise those of the largest power of two
   * below, then every second one of twice that power (Press et al. 2022, the authors' get_slopes). 1 to 65536 heads.
   */
  alibiSlopes(heads: number | { heads: number; biasMax?: number; precision?: Precision }): TensorOut;

  /**
   * PE(pos, 2r) = sin(pos/base^(2r/dModel)), PE(pos, 2r+1) = cos of the same (Vaswani et al. 2017, 3.5), one row for
   * each position: [n, dModel], at most 2²² numbers. `positions` is a list, or a whole number n for 0 … n − 1.
   * Computed in double; `precision` says what it is rounded to.
   */
  sinusoidal(call: { positions: Numbers; dModel: number; precision?: Precision } & SinusoidalOptions): TensorOut;

  /**
   * Small calls in float32, in turns in which a browser is idle, some milliseconds of work in all: so that the engine has
   * made fast code before a first long call, which would else run slowly to its end. Answers are the same without.
   */
  warmUp(): Promise<void>;
}

/** The compiled core, to load it several times or to post it to a worker. */
export function compileAttention(wasm?: string | URL | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module>;

/**
 * Loads the core, in a browser or in Node ≥ 18. Finds attention.wasm beside this module unless `wasm` gives its URL,
 * its bytes or the compiled module. Throws when it cannot be loaded.
 */
export function loadAttention(options?: { wasm?: string | URL | BufferSource | WebAssembly.Module }): Promise<AttentionCore>;

export const version: string;
