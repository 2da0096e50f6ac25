// WebAssembly that was built for a benchmark alone.

/** Gives a function that answers a new instance's exports. @param {Uint8Array} wasm @returns {Promise<() => Promise<any>>} */
export async function opener(wasm) {
  const module = await WebAssembly.compile(/** @type {BufferSource} */ (wasm));
  const nothing = () => {};
  return async () => {
    const { exports } = await WebAssembly.instantiate(module, { env: { emscripten_notify_memory_growth: nothing }, wasi_snapshot_preview1: { proc_exit: nothing } });
    /** @type {any} */ (exports)._initialize();
    return exports;
  };
}
