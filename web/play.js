// Plays the steps one after another until the last, or until the visitor does something else.

const PACE = 1600; // ms a step

/** @param {{ isLast: () => boolean, next: () => void, rewind: () => void, changed: (playing: boolean) => void }} steps */
export function createPlayer({ isLast, next, rewind, changed }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function stop() {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    changed(false);
  }

  function tick() {
    if (isLast()) return stop();
    next();
    timer = setTimeout(tick, PACE);
  }

  return {
    stop,
    toggle() {
      if (timer !== undefined) return stop();
      if (isLast()) rewind();
      timer = setTimeout(tick, PACE);
      changed(true);
    },
  };
}
