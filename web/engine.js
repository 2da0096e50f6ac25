// The only importer of the WebAssembly core. Loads it, and starts it anew when it traps.
import wasmUrl from 'asset:wasm';
import { AttentionError, compileAttention, loadCore } from './module/lessons.js';

/**
 * @typedef {import('./module/lessons.js').LessonCore} Core
 * @typedef {'loading' | 'ready' | 'missing' | 'failed' | 'stopped'} Status   failed: being started again
 * @typedef {{ code: string, field: string, detail: { [name: string]: any } }} Problem
 */

/** Faults after which the core waits for other numbers, since the same ones may fault again. */
const MOST_FAULTS = 3;

/** @param {(status: Status) => void} onStatus */
export function createEngine(onStatus) {
  /** @type {Core | null} */
  let core = null;
  /** @type {Status} */
  let status = 'loading';
  /** @type {Promise<WebAssembly.Module> | null} */
  let compiled = null;
  let faults = 0;

  /** @param {Status} next */
  function become(next) {
    status = next;
    onStatus(next);
  }

  async function start() {
    try {
      compiled ??= compileAttention(wasmUrl);
      core = await loadCore(await compiled);
      become('ready');
    } catch (error) {
      console.error(error);
      compiled = null;
      become('missing');
    }
  }

  return {
    status: () => status,

    load() {
      faults = 0;
      become('loading');
      return start();
    },

    /**
     * Runs `question` with the core. What the core refuses comes back as a problem; a fault in the core restarts it.
     * @template Answer
     * @param {(core: Core) => Answer} question
     * @returns {{ answer: Answer } | { problem: Problem } | null} null while there is no core
     */
    ask(question) {
      if (!core) return null;
      try {
        return { answer: question(core) };
      } catch (error) {
        if (error instanceof AttentionError)
          return { problem: { code: error.code, field: error.field, detail: { text: error.message } } };
        console.error(error);
        core = null;
        faults++;
        become(faults < MOST_FAULTS ? 'failed' : 'stopped');
        if (faults < MOST_FAULTS) start();
        return { problem: { code: 'engine-failed', field: '', detail: {} } };
      }
    },
  };
}
