// The picture of a mask: the numbers that are added, with the words of the tokens along both sides.
import { html, nothing } from 'lit-html';
import { matrixView } from '../../views/matrix.js';
import { additive, PAD } from './model.js';

/**
 * @param {{ name: string, label: string, pairs: number[][], words?: { queries: (string | null)[], keys: (string | null)[] }, guesses?: boolean,
 *   t: import('../../i18n/index.js').Translate } & Partial<import('../../views/matrix.js').MatrixProps>} props
 *   guesses: each row is to guess the next token, and whether it can see it is said beside it
 */
export function maskPicture({ name, label, pairs, words, guesses = false, t, ...rest }) {
  const answers = pairs.map((_, i) => {
    const next = guesses ? words?.keys[i + 1] : null;
    return next && next !== PAD ? next : null;
  });
  const inSight = pairs.map((row, i) => answers[i] !== null && row[i + 1] === 1);
  return matrixView({
    name, part: 'operand', label, kind: 'plain', digits: 0, labels: { rows: 'q', cols: 'k' }, words: words && { rows: words.queries, cols: words.keys },
    matrix: { shape: [pairs.length, pairs[0].length], values: additive(pairs).flat() },
    forbidden: ({ row, col }) => pairs[row][col] === 0,
    beside: guesses ? { head: t('masking.next'), rows: answers.map((word, i) => (word && inSight[i] ? t('masking.in-sight', { word }) : word ?? '')), marked: (row) => inSight[row] } : undefined,
    lit: guesses ? ({ row, col }) => inSight[row] && col === row + 1 : undefined,
    ...rest,
  });
}

/** The same with what it is above it. @param {Parameters<typeof maskPicture>[0] & { note?: unknown }} props */
export const namedPicture = ({ note = nothing, ...props }) =>
  html`<figure class="operand mask-picture"><figcaption>${props.label}</figcaption>${maskPicture(props)}${note}</figure>`;
