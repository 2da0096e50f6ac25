// The door of the public module: whatever is wrong with what was handed in comes back as an AttentionError.
import { AttentionError } from './error.js';

/** @param {unknown} error what was thrown; it need not be an Error, nor let itself be looked at */
function passes(error) {
  try {
    // A core that has trapped is at its end; that is no fault of the call.
    return error instanceof AttentionError || error instanceof WebAssembly.RuntimeError;
  } catch {
    return false;
  }
}

/** @param {unknown} cause @returns {string} */
function reasonOf(cause) {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return 'for a reason that cannot be read either';
  }
}

/**
 * The same calls. Reading an argument may run code of the caller, a getter or a proxy, and may fail by itself, as with a
 * buffer that was given away: that is an AttentionError as well.
 * @template {Record<string, any>} Calls @param {Calls} calls @returns {Calls}
 */
export function atTheDoor(calls) {
  const guarded = Object.entries(calls).map(([name, call]) => [name, (/** @type {any[]} */ ...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (passes(error)) throw error;
      throw new AttentionError('unreadable', '', `what was handed in cannot be read: ${reasonOf(error)}`, { cause: error });
    }
  }]);
  return Object.fromEntries(guarded);
}
