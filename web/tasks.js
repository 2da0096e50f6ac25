// Turns of the browser: work cut at these points lets clicks and frames through.

/** Resolves in a task of its own, after what the browser has waiting. @returns {Promise<void>} */
export const nextTask = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
});

/** How long idle time is waited for, in ms. On a machine with much else to do, Chromium may let 30 s pass without any. */
const LONGEST_WAIT = 500;

/** Resolves when a frame was drawn and nothing else is waiting. @returns {Promise<void>} */
export const whenIdle = () => new Promise((resolve) => {
  requestAnimationFrame(() => ('requestIdleCallback' in globalThis ? requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT }) : setTimeout(resolve, 50)));
});
