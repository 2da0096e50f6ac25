// Runs inside the page: every text whose contrast with what lies behind it is too low.

/** @returns {{ text: string, ratio: number, needed: number, where: string }[]} */
export function lowContrast() {
  /** @typedef {[number, number, number, number]} Colour red, green, blue from 0 to 255; alpha from 0 to 1 */
  const canvas = new OffscreenCanvas(1, 1);
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  /** @type {Map<string, Colour>} */
  const known = new Map();

  /** Any notation of CSS. @param {string} css @returns {Colour} */
  function colour(css) {
    const found = known.get(css);
    if (found) return found;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = css;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    known.set(css, [r, g, b, a / 255]);
    return [r, g, b, a / 255];
  }

  /** @param {Colour} top @param {Colour} below opaque @param {number} [strength] @returns {Colour} */
  const over = (top, below, strength = 1) => {
    const alpha = top[3] * strength;
    return /** @type {Colour} */ ([...[0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha)), 1]);
  };

  /** @param {Colour} colour */
  const luminance = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const part = colour[i] / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);

  /** @param {Colour} a @param {Colour} b */
  const ratio = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);

  /** Colours of a background image, as of hatching. @param {CSSStyleDeclaration} style */
  const imageColours = ({ backgroundImage }) => (backgroundImage.match(/(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)/g) ?? []).map(colour);

  /**
   * What text on the last of `chain` and what lies behind it look like: each ancestor paints over the one before, and one that is
   * dimmed mixes all of it with what is under it.
   * @param {Element[]} chain @param {string} text colour @param {Colour} under
   * @returns {{ front: Colour, behind: Colour }[]} several where the background is a pattern
   */
  function seen([element, ...rest], text, under) {
    const style = getComputedStyle(element);
    const ground = over(colour(style.backgroundColor), under);
    const grounds = [ground, ...imageColours(style).map((each) => over(each, ground))];
    const inside = grounds.flatMap((each) => (rest.length > 0 ? seen(rest, text, each) : [{ front: over(colour(text), each), behind: each }]));
    const opacity = Number(style.opacity);
    return opacity === 1 ? inside : inside.map(({ front, behind }) => ({ front: over(front, under, opacity), behind: over(behind, under, opacity) }));
  }

  /** @param {Element} element */
  function isSeen(element) {
    const box = element.getBoundingClientRect();
    // What is there for screen readers alone is one pixel large; what cannot be used need not be read.
    return element.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1 && !element.closest('[aria-disabled="true"], [aria-hidden="true"] svg');
  }

  /** The text of an element itself, and its colour. @param {Element} element @returns {[string, string][]} */
  function texts(element) {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent?.trim()).filter(Boolean).join(' ');
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return [[element.value, style.color], [element.value === '' ? element.placeholder : '', getComputedStyle(element, '::placeholder').color]];
    if (element instanceof HTMLSelectElement) return [[element.selectedOptions[0]?.text ?? '', style.color]];
    if (element instanceof HTMLOptionElement) return [];
    return [[own, element instanceof SVGElement ? style.fill : style.color]];
  }

  const page = over(colour(getComputedStyle(document.documentElement).backgroundColor), [255, 255, 255, 1]);
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    if (!isSeen(element)) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const chain = [];
    for (let each = /** @type {Element | null} */ (element); each; each = each.parentElement) {
      chain.unshift(each);
      if (each instanceof HTMLDialogElement) break; // it lies above everything, on a ground of its own
    }
    for (const [text, css] of texts(element)) {
      if (!text) continue;
      const lowest = Math.min(...seen(chain, css, page).map(({ front, behind }) => ratio(front, behind)));
      if (lowest < needed - 0.005) {
        const cell = /** @type {HTMLElement | null} */ (element.closest('td'));
        low.push({ text: text.slice(0, 40), ratio: Number(lowest.toFixed(2)), needed, where: `${element.tagName} ${element.getAttribute('class') ?? ''} ${cell ? `in ${cell.getAttribute('class')} ${cell.getAttribute('style')} of ${cell.closest('table')?.getAttribute('aria-label')}` : ''}` });
      }
    }
  }
  return low;
}
