// What a link asks of the sentence that is not there.
import { misfit, misfits as shared } from '../misfits.js';
import { isOrder, VOCABULARY } from './model.js';

/** The first number that is none of 0 … max. @param {string} name @param {number[][]} matrix @param {number} max */
function outside(name, [numbers], max) {
  const strange = numbers.find((number) => !Number.isInteger(number) || number < 0 || number > max);
  return strange === undefined ? [] : [misfit(name, 'not-in-list', { text: String(strange), min: 0, max })];
}

/** @param {import('../misfits.js').Asked} asked */
export const misfits = (asked) => shared(asked, {
  tokens: (_, tokens) => outside('tokens', tokens, VOCABULARY - 1),
  order: ({ state: { X } }, order) => (isOrder(order[0], X.length) ? [] : [misfit('order', 'not-an-order', { text: order[0].join(','), max: X.length - 1 })]),
  pair: ({ state: { X } }, pair) => (pair[0].length === 2 ? outside('pair', pair, X.length - 1) : [misfit('pair', 'not-a-pair', { max: X.length - 1 })]),
  waves: ({ state: { dimension } }, waves) => outside('waves', waves, dimension - 1),
});
