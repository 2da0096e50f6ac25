// What steps and cells are called on the page.
import { isGradient } from '../trace.js';

/** @typedef {import('../i18n/index.js').Translate} Translate */

const BASE_KINDS = /** @type {Record<string, string>} */ ({ Q: 'query', K: 'key', V: 'value', X: 'query', P: 'key', R: 'key', H: 'output', output: 'output', mask: 'plain', bias: 'score' });

/** The colour of a step: that of what it belongs to. @param {string} key */
export function kindOf(key) {
  const base = key.replace(/^grad\//, '').split('/')[0];
  return BASE_KINDS[base] ?? 'score';
}

/** The keys of steps inside a longer one: "plain/exp" is one of them. */
const PARTS = /(?:(?:plain|stable)\/)?[^/]+/g;

/** "scores" → "Scores"; "grad/exp/weights" → "gradient of exp, share of weights". @param {string} key @param {Translate} t @returns {string} */
export function stepName(key, t) {
  if (!isGradient(key)) return t(`step.${key}`);
  const [base, ...rest] = key.slice('grad/'.length).match(PARTS) ?? [];
  const name = t('step.gradient', { name: t(`step.${base}`) });
  if (rest.length === 0) return name;
  const parts = rest.map((part) => (t(`part.${part}`) === `part.${part}` ? t('part.share', { name: t(`step.${part}`) }) : t(`part.${part}`)));
  return `${name} (${parts.join(', ')})`;
}

/** The name where it is known that gradients are meant. @param {string} key @param {Translate} t */
export const stepLabel = (key, t) => stepName(key, (name, params) => (name === 'step.gradient' ? String(params?.name) : t(name, params)));

/** The name without the letter that stands beside it. @param {string} key @param {Translate} t */
export const shortName = (key, t) => (BASE_KINDS[key] && t(`word.${key}`) !== `word.${key}` ? t(`word.${key}`) : stepLabel(key, t));

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** "q₁" for the first query. @param {string} letter @param {number} index from 0 */
export const tokenName = (letter, index) => letter + String(index + 1).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)]);

/** "q₁,k₂", or numbers where a side has no tokens; in a list of one row, the entry alone. @param {import('../trace.js').Step} step @param {number} row @param {number} col */
export function placeName({ labels: { rows, cols }, shape }, row, col) {
  if (shape[0] === 1 && rows === null && cols !== null) return tokenName(cols, col);
  return `${rows ? tokenName(rows, row) : row + 1},${cols ? tokenName(cols, col) : col + 1}`;
}

/** Which weights the colours of a step mean. @param {{ key: string, op: string }} step @returns {'signed' | 'share' | undefined} */
export function heatOf({ key, op }) {
  if (op === 'input' && !isGradient(key)) return undefined;
  return /(^|\/)weights$/.test(key) && !isGradient(key) ? 'share' : 'signed';
}
