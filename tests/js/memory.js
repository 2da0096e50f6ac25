// The memory of a core, which the module keeps to itself: caught where it is made.

/**
 * What `load` loads, and its memory.
 * @template Core @param {() => Promise<Core>} load @returns {Promise<{ core: Core, memory: WebAssembly.Memory }>}
 */
export async function withMemory(load) {
  const own = /** @type {any} */ (WebAssembly);
  const { instantiate } = own;
  /** @type {any} */
  let memory;
  own.instantiate = async (/** @type {any[]} */ ...args) => {
    const made = await instantiate(...args);
    memory = Object.values(made.exports).find((part) => part instanceof WebAssembly.Memory);
    return made;
  };
  try {
    return { core: await load(), memory };
  } finally {
    own.instantiate = instantiate;
  }
}
