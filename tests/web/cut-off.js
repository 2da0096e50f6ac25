// What cannot be seen whole: wider than the page, or clipped by a box that does not scroll.

/** Runs in the page. Each element is told once, by the words in it. @returns {string[]} */
export function cutOff() {
  const SLACK = 1; // px, of rounding

  const styles = new Map();
  const styleOf = (/** @type {Element} */ element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const named = (/** @type {Element} */ element) => `${element.localName}.${[...element.classList].join('.')} “${(element.textContent ?? '').trim().slice(0, 24)}”`;
  /** Left to those who hear the page. @param {Element} element */
  const isHidden = (element) => {
    for (let each = /** @type {Element | null} */ (element); each; each = each.parentElement)
      if (each.getBoundingClientRect().width <= 1 && styleOf(each).position === 'absolute' || each.localName === 'defs') return true;
    return false;
  };

  const faults = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.push(`the page is ${wide} px too wide`);
  for (const element of document.body.querySelectorAll('*')) {
    // Drawings are as wide as their frame; signs of formulas are drawn from a piece of one.
    if (element.closest('svg') && (element.localName !== 'svg' || element.closest('[aria-hidden]'))) continue;
    if (!element.checkVisibility() || styleOf(element).position === 'fixed' || isHidden(element)) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width === 0) continue;
    // The words of a cell stay inside of it.
    if (element.matches('td, th, button') && styleOf(element).textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + SLACK)
      faults.push(`${named(element)} is ${element.scrollWidth - element.clientWidth} px wider than its box`);
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowX, textOverflow, contain, contentVisibility } = styleOf(box);
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') break;
      if (overflowX === 'visible' && !/paint|content|strict/.test(contain) && contentVisibility !== 'auto') continue;
      const outer = box.getBoundingClientRect();
      const past = Math.max(outer.left + box.clientLeft - left, right - outer.left - box.clientLeft - box.clientWidth);
      if (past > SLACK) faults.push(`${named(element)} is cut off by ${Math.round(past)} px in ${named(box)}`);
    }
  }
  return faults;
}
