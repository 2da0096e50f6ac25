// What the rows and columns of a step are called: queries, keys, values.

/** @param {{ key: string, shape: number[] }} step @returns {import('../../trace.js').Labels} */
export function labelsOf({ key, shape }) {
  const base = key.replace(/^(grad|plain|stable)\//, '').split('/')[0];
  const letter = /** @type {Record<string, string>} */ ({ Q: 'q', K: 'k', V: 'v' })[base];
  if (letter) return { rows: letter, cols: null };
  const isColumn = (base === 'row-max' || base === 'row-sum') && shape[1] === 1;
  return { rows: 'q', cols: base === 'output' || isColumn ? null : 'k' };
}
