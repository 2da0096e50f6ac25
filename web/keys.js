// Keys of the whole page: they act only where the focus is in nothing that wants them itself.

/** @param {EventTarget | null} target */
const wantsArrows = (target) =>
  target instanceof Element && Boolean(target.closest('input, textarea, select, [role="grid"], dialog, .matrix-box[tabindex], .scroll, .tape'));

/** @param {EventTarget | null} target */
const wantsSpace = (target) => wantsArrows(target) || (target instanceof Element && Boolean(target.closest('button, a, summary')));

/**
 * @param {{ move: (by: number) => void, play: () => void, stop: () => void, undo: () => void, redo: () => void,
 *   first: () => void, last: () => void }} actions
 */
export function listenToKeys({ move, play, stop, undo, redo, first, last }) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const typing = event.target instanceof Element && event.target.closest('input:not([type="range"]), textarea');
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !typing) {
      const key = event.key.toLowerCase();
      if (key === 'z') event.shiftKey ? redo() : undo();
      else if (key === 'y') redo();
      else return;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Escape') return stop();
    const action = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => move(-1), ArrowRight: () => move(1), Home: first, End: last, ' ': play,
    })[event.key];
    if (!action || (event.key === ' ' ? wantsSpace(event.target) : wantsArrows(event.target))) return;
    if (event.key !== ' ') stop();
    action();
    event.preventDefault();
  });
}
