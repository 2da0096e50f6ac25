// A figure that can be saved as it is seen: as SVG with its styles inside, or as PNG. Nothing leaves the browser.
import { html } from 'lit-html';

/** What makes a shape or a text look as it does; everything else of a style is of no use outside of the page. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap', 'opacity',
  'font-family', 'font-size', 'font-weight', 'font-variant-numeric', 'text-anchor', 'dominant-baseline', 'image-rendering'];

const SVG = 'http://www.w3.org/2000/svg';

/** Pixels of a PNG for each of the page. */
const SHARPNESS = 2;

/** @param {Element} shown @param {Element} copy of the same tree */
function keepStyles(shown, copy) {
  const style = getComputedStyle(shown);
  for (const name of ['class', ...STYLES]) copy.removeAttribute(name);
  copy.setAttribute('style', STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'));
  for (const [i, child] of [...shown.children].entries()) keepStyles(child, copy.children[i]);
}

/** A canvas as an image at its place in the SVG, which `data-box` gives: x, y, width, height. @param {HTMLCanvasElement} canvas */
function imageOf(canvas) {
  const image = document.createElementNS(SVG, 'image');
  const [x, y, width, height] = /** @type {string} */ (canvas.dataset.box).split(' ');
  for (const [name, value] of Object.entries({ x, y, width, height, href: canvas.toDataURL('image/png'), preserveAspectRatio: 'none', style: 'image-rendering:pixelated' }))
    image.setAttribute(name, value);
  return image;
}

/** The figure as one SVG that needs nothing else. @param {Element} figure */
export function svgOf(figure) {
  const shown = /** @type {SVGSVGElement} */ (figure.querySelector('svg'));
  const copy = /** @type {SVGSVGElement} */ (shown.cloneNode(true));
  keepStyles(shown, copy);
  for (const cursor of copy.querySelectorAll('[data-cursor]')) cursor.remove();
  const { width, height } = shown.getBoundingClientRect();
  const [left, top, across, down] = (shown.getAttribute('viewBox') ?? `0 0 ${width} ${height}`).split(/[\s,]+/).map(Number);
  copy.removeAttribute('style');
  for (const [name, value] of Object.entries({ xmlns: SVG, width, height, viewBox: `${left} ${top} ${across} ${down}`, preserveAspectRatio: 'none' })) copy.setAttribute(name, String(value));
  const ground = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries({ x: left, y: top, width: across, height: down, fill: getComputedStyle(document.body).backgroundColor }))
    ground.setAttribute(name, String(value));
  copy.prepend(ground, ...[...figure.querySelectorAll('canvas')].map(imageOf));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

/** @param {ReturnType<typeof svgOf>} picture @returns {Promise<Blob>} */
async function pngOf({ text, width, height }) {
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.round(width * SHARPNESS), Math.round(height * SHARPNESS)];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * A figure with an SVG in it, or with an SVG over a canvas, and two buttons that save it.
 * @param {{ name: string, label: string, figure: unknown, t: import('../i18n/index.js').Translate }} props   name: of the file; label: what it shows
 */
export function pictureView({ name, label, figure, t }) {
  const figureOf = (/** @type {Event} */ event) => {
    const found = /** @type {Element} */ (event.currentTarget).closest('.picture')?.querySelector('.picture-figure');
    return found?.querySelector('svg') ? found : null;
  };
  const saveSvg = (/** @type {Event} */ event) => {
    const found = figureOf(event);
    if (found) save(new Blob([svgOf(found).text], { type: 'image/svg+xml' }), `${name}.svg`);
  };
  const savePng = (/** @type {Event} */ event) => {
    const found = figureOf(event);
    if (found) pngOf(svgOf(found)).then((blob) => save(blob, `${name}.png`)).catch(console.error);
  };
  return html`<div class="picture" data-picture=${name}>
    <div class="picture-figure">${figure}</div>
    <div class="picture-save">
      <button type="button" class="quiet" aria-label=${t('picture.save', { what: label, kind: 'SVG' })} @click=${saveSvg}>${'SVG'}</button>
      <button type="button" class="quiet" aria-label=${t('picture.save', { what: label, kind: 'PNG' })} @click=${savePng}>${'PNG'}</button>
    </div>
  </div>`;
}
