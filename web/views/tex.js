// Formulas. KaTeX comes after the first paint; until then, and for whoever cannot load it, the plain text stands.
import { html } from 'lit-html';
import { loadStylesheet } from './stylesheet.js';

/** @type {typeof import('katex').default | null} */
let katex = null;

/** Of HTML only class names, which colour Q, K and V. */
const OPTIONS = {
  throwOnError: false,
  strict: false,
  trust: (/** @type {{ command: string }} */ { command }) => command === '\\htmlClass',
};

/** A place for a formula; `typeset` fills it. @param {string} formula LaTeX @param {string} plain */
export const tex = (formula, plain) => html`<span class="tex" data-tex=${formula} data-plain=${plain}></span>`;

/** After this, `typeset` sets formulas. @param {string} stylesheet address of KaTeX's style sheet */
export async function loadTex(stylesheet) {
  const [module] = await Promise.all([import('katex'), loadStylesheet(stylesheet)]);
  katex = module.default;
}

/** How long one turn of typesetting may take, in ms; the formulas of a whole page take several. */
const TURN = 8;

/** Fills in formulas below `root` that changed. @param {ParentNode} root @returns {boolean} whether that were all; else it wants another turn */
export function typeset(root) {
  const end = performance.now() + TURN;
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.tex'))) {
    const formula = /** @type {string} */ (place.dataset.tex);
    const done = katex ? formula : `plain:${place.dataset.plain}`;
    if (place.dataset.done === done) continue;
    if (katex && performance.now() > end) return false;
    place.dataset.done = done;
    if (katex) katex.render(formula, place, OPTIONS);
    else place.textContent = place.dataset.plain ?? '';
  }
  return true;
}
