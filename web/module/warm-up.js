// Engines make fast code of what has run a while, in a thread of its own; what is called before that runs slowly.

/** Milliseconds in which an engine gets on with that. */
const PAUSE = 5;

/** After a pause, when there is nothing else to do, where that can be known. */
async function idle() {
  await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
  if (typeof requestIdleCallback === 'function') await new Promise((resolve) => { requestIdleCallback(resolve, { timeout: 500 }); });
}

/**
 * @param {Pick<import('./attention.d.ts').AttentionCore, 'streamingAttention' | 'matmul' | 'softmax'>} core
 * @returns {Pick<import('./attention.d.ts').AttentionCore, 'warmUp'>}
 */
export const warmUpCalls = (core) => ({
  async warmUp() {
    // Few keys and many are computed by code of their own.
    const [x, more] = [64, 72].map((rows) => ({ shape: [rows, 64], data: new Float32Array(rows * 64) }));
    const precision = /** @type {const} */ ('float32');
    for (let turn = 0; turn < 4; turn++) {
      await idle();
      core.streamingAttention({ q: x, k: x, v: x, precision });
      core.streamingAttention({ q: x, k: more, v: more, precision });
      core.matmul({ a: x, b: x, precision });
      core.softmax({ x, precision });
    }
    await idle();
  },
});
