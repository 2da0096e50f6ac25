// Formulas. KaTeX comes after the first paint; until then, and for whoever cannot load it, the plain text stands.
import { html } from 'lit-html';

/** @type {Promise<typeof import('katex').default> | null} */
let loading = null;
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

/** @param {string} stylesheet address of KaTeX's style sheet @param {() => void} done */
export function loadTex(stylesheet, done) {
  loading ??= Promise.all([import('katex'), addStylesheet(stylesheet)]).then(([module]) => module.default);
  loading.then((loaded) => { katex = loaded; done(); }, (error) => console.error(error));
}

/** @param {string} href @returns {Promise<void>} */
function addStylesheet(href) {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${href} did not load`));
    document.head.append(link);
  });
}

/** Fills in every formula below `root` that changed. @param {ParentNode} root */
export function typeset(root) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.tex'))) {
    const formula = /** @type {string} */ (place.dataset.tex);
    const done = katex ? formula : `plain:${place.dataset.plain}`;
    if (place.dataset.done === done) continue;
    place.dataset.done = done;
    if (katex) katex.render(formula, place, OPTIONS);
    else place.textContent = place.dataset.plain ?? '';
  }
}
