// How q, k and v lie, with the shapes a caller gave: batches, heads, tokens and columns of each, and what fits to them.
import { AttentionError } from './error.js';
import { shapeText, wholeNumber } from './tensor.js';

/** @typedef {import('./tensor.js').Plain} Plain */
/** @typedef {{ batches: number, heads: number, tokens: number, columns: number }} Lengths */

/**
 * How many heads stand side by side in q and in k; undefined where heads have an axis of their own or there are none.
 * @param {any} call @param {Record<'q' | 'k' | 'v', Plain>} given
 */
function packedHeads({ heads, kvHeads }, { q, k, v }) {
  const rank = q.shape.length;
  if (rank < 2 || rank > 4) throw new AttentionError('bad-rank', 'q', `q ${shapeText(q.shape)} must have 2, 3 or 4 axes`);
  for (const [field, { shape }] of Object.entries({ k, v }))
    if (shape.length !== rank)
      throw new AttentionError('bad-rank', field, `${field} ${shapeText(shape)} must have as many axes as q ${shapeText(q.shape)}`);
  if (heads === undefined && kvHeads === undefined) return undefined;
  if (heads === undefined) throw new AttentionError('missing', 'heads', 'kvHeads needs heads');
  const counts = { heads: wholeNumber(heads, 'heads', 1), kvHeads: wholeNumber(kvHeads ?? heads, 'kvHeads', 1) };
  if (rank < 4) return counts;
  const axes = /** @type {const} */ ([['heads', heads, 'q', q.shape], ['kvHeads', kvHeads ?? k.shape[1], 'k', k.shape]]);
  for (const [field, count, name, shape] of axes)
    if (shape[1] !== count)
      throw new AttentionError('dimension-mismatch', field, `${field} is ${count}, but ${name} ${shapeText(shape)} has ${shape[1]} heads`);
  return undefined;
}

/** @param {Plain} tensor @param {number | undefined} heads side by side @param {string} field @returns {Lengths} */
function lengthsOf({ shape }, heads, field) {
  const [tokens, width] = shape.slice(-2);
  if (heads === undefined) return { batches: shape.at(-4) ?? 1, heads: shape.at(-3) ?? 1, tokens, columns: width };
  if (width % heads !== 0)
    throw new AttentionError('dimension-mismatch', field, `${field} ${shapeText(shape)} cannot be split into ${heads} heads`);
  return { batches: shape.at(-3) ?? 1, heads, tokens, columns: width / heads };
}

/**
 * Checks that q, k, v and what belongs to them fit together.
 * @param {any} call @param {Record<'q' | 'k' | 'v', Plain> & Record<string, Plain>} given by their names
 * @returns {{ packed?: { heads: number, kvHeads: number }, rank: number, batches: number }}
 */
export function layoutOf(call, given) {
  const packed = packedHeads(call, given);
  const q = lengthsOf(given.q, packed?.heads, 'q');
  const k = lengthsOf(given.k, packed?.kvHeads, 'k');
  const v = lengthsOf(given.v, packed?.kvHeads, 'v');
  /** @param {boolean} fits @param {string} field @param {string} needs @param {string} other */
  const require = (fits, field, needs, other) => {
    if (!fits) throw new AttentionError('dimension-mismatch', field, `${field} ${shapeText(given[field].shape)} needs ${needs} ${other} ${shapeText(given[other].shape)}`);
  };
  if (q.columns === 0) throw new AttentionError('empty', 'q', `q ${shapeText(given.q.shape)} needs at least one column`);
  require(k.batches === q.batches, 'k', 'as many batches as', 'q');
  require(k.columns === q.columns, 'k', 'as many columns as', 'q');
  require(k.heads > 0 && q.heads % k.heads === 0, 'k', 'a number of heads that divides those of', 'q');
  require(v.batches === k.batches, 'v', 'as many batches as', 'k');
  require(v.heads === k.heads, 'v', 'as many heads as', 'k');
  require(v.tokens === k.tokens, 'v', 'as many rows as', 'k');

  for (const [field, other, now] of /** @type {const} */ ([['pastKey', 'k', k], ['pastValue', 'v', v]])) {
    if (!given[field]) continue;
    if (given[field].shape.length < 2 || given[field].shape.length > 4)
      throw new AttentionError('bad-rank', field, `${field} ${shapeText(given[field].shape)} must have 2, 3 or 4 axes`);
    const past = lengthsOf(given[field], undefined, field);
    require(past.batches === now.batches && past.heads === now.heads && past.columns === now.columns, field, 'the batches, heads and columns of', other);
  }
  if (given.pastKey && given.pastValue) require(given.pastKey.shape.at(-2) === given.pastValue.shape.at(-2), 'pastValue', 'as many keys as', 'pastKey');

  const whole = [q.batches, q.heads, q.tokens, (given.pastKey?.shape.at(-2) ?? 0) + k.tokens];
  for (const field of ['mask', 'bias']) if (given[field]) requirePairs(field, given, whole, given.q.shape.length + (packed ? 1 : 0));
  if (given.padding) {
    const [batches, keys] = given.padding.shape.length === 1 ? [1, ...given.padding.shape] : given.padding.shape;
    if (given.padding.shape.length > 2 || (batches !== 1 && batches !== q.batches) || keys !== whole[3])
      throw new AttentionError('dimension-mismatch', 'padding', `padding ${shapeText(given.padding.shape)} must be [batch, keys] = ${shapeText([q.batches, whole[3]])}`);
  }
  return { packed, rank: given.q.shape.length, batches: q.batches };
}

/**
 * A mask or a bias: broadcast from the right, with fewer keys than there are at most.
 * @param {string} field @param {Record<string, Plain>} given @param {number[]} whole [batch, heads, queries, keys]
 * @param {number} axes how many of those the caller's scores have
 */
function requirePairs(field, given, whole, axes) {
  const { shape } = given[field];
  const fits = shape.length >= 1 && shape.length <= 4 && shape.every((length, axis) => {
    const full = whole[axis + 4 - shape.length];
    return length === 1 || length === full || (axis === shape.length - 1 && length < full);
  });
  if (!fits)
    throw new AttentionError('dimension-mismatch', field,
      `${field} ${shapeText(shape)} does not fit the scores ${shapeText(whole.slice(4 - axes))} of q ${shapeText(given.q.shape)} and k ${shapeText(given.k.shape)}`);
}
