// A section of a lesson's prose. It was compiled from our own Markdown, and no visitor's text is ever in it.
import { html, nothing } from 'lit-html';
import { unsafeHTML } from 'lit-html/directives/unsafe-html.js';
import { stepOf } from '../trace.js';
import { shown } from './number.js';

/** @typedef {Record<string, { title: string, html: string }>} Prose */

/** @param {Prose} prose @param {string} key @param {{ heading?: 2 | 3 | 0 }} [options] */
export function proseView(prose, key, { heading = 3 } = {}) {
  const section = prose[key];
  if (!section) return nothing;
  const title = heading === 2 ? html`<h2>${section.title}</h2>` : heading === 3 ? html`<h3>${section.title}</h3>` : nothing;
  return html`<div class="prose" data-prose=${key}>${title}${unsafeHTML(section.html)}</div>`;
}

/** The text of a one-line section. @param {Prose} prose @param {string} key */
export const proseLine = (prose, key) => unsafeHTML((prose[key]?.html ?? '').replace(/^<p>|<\/p>\s*$/g, ''));

/**
 * Writes the live numbers into prose.
 * @param {ParentNode} root @param {import('../trace.js').Trace | null} trace @param {number} digits
 */
export function fillLive(root, trace, digits) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.live'))) {
    const [key, row, col] = /** @type {string} */ (place.dataset.live).split(',');
    const step = stepOf(trace, key);
    const inside = step && Number(row) < step.shape[0] && Number(col) < step.shape[1];
    const text = inside ? shown(step.values[Number(row) * step.shape[1] + Number(col)], digits) : '…';
    if (place.textContent !== text) place.textContent = text;
  }
}
