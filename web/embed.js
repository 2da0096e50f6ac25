// Inside another page: tells the host how tall this page is, so that its frame can fit.

/** What the host is sent by postMessage: { type, height }, the height in CSS pixels. */
const TYPE = 'attention-playground:height';

/** @param {HTMLElement} content */
export function tellHeight(content) {
  if (window.parent === window) return;
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    // Anybody may embed the page, and its height is no secret.
    window.parent.postMessage({ type: TYPE, height }, '*');
  }).observe(content);
}
