// alibiSlopes(): how much each head cares for nearness.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, errorOf, loadAttention } from './module.js';

const core = await loadAttention();

/** @param {any} call */
const slopes = (call) => [...core.alibiSlopes(call).data];

describe('alibiSlopes', () => {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((power) => 2 ** -power);

  test('of 8 heads are 1/2 … 1/256', () => { // Press, Smith & Lewis 2022, section 3
    assert.deepEqual(slopes(8), eight);
    assert.deepEqual(core.alibiSlopes(8).shape, [8]);
    assert.deepEqual(slopes(1), [2 ** -8]);
  });

  test('of 12 heads are those of 8 and every second of 16', () => // the authors' get_slopes, fairseq/models/transformer.py
    assertClose([slopes(12)], [[...eight, ...[0.5, 1.5, 2.5, 3.5].map((power) => 2 ** -power)]], 1e-15));

  test('of every number of heads begin with those of the largest power of two', () => {
    for (let heads = 1; heads < 70; heads++) {
      const power = 2 ** Math.floor(Math.log2(heads)), above = slopes(2 * power);
      assert.deepEqual(slopes(heads), [...slopes(power), ...above.filter((_, i) => i % 2 === 0).slice(0, heads - power)]);
    }
  });

  test('end where biasMax says', () => { // Keras Hub, alibi_bias_test.py
    assert.deepEqual(slopes({ heads: 2, biasMax: 12 }), [2 ** -6, 2 ** -12]);
    assertClose([slopes({ heads: 3, biasMax: 6 })], [[0.125, 0.015625, 0.35355338]], 2e-8);
  });

  test('are rounded for float32', () => {
    const { data } = core.alibiSlopes({ heads: 12, precision: 'float32' });
    assert.ok(data instanceof Float32Array);
    assert.deepEqual(data, Float32Array.from(slopes(12)));
  });

  test('are there for 65536 heads and for no more', () => {
    assert.equal(slopes(65536).at(-1), 2 ** -8);
    errorOf(() => core.alibiSlopes(65537), { code: 'bad-size', field: 'heads' });
  });

  for (const [what, call, code, field] of /** @type {[string, any, string, string][]} */ ([
    ['no heads', 0, 'bad-size', 'heads'],
    ['nothing', undefined, 'bad-size', 'heads'],
    ['no object', null, 'not-an-object', 'options'],
    ['half a head', 2.5, 'bad-size', 'heads'],
    ['NaN heads', NaN, 'bad-size', 'heads'],
    ['heads as text', '8', 'bad-size', 'heads'],
    ['biasMax 0', { heads: 2, biasMax: 0 }, 'bad-bias-max', 'biasMax'],
    ['an infinite biasMax', { heads: 2, biasMax: Infinity }, 'not-finite', 'biasMax'],
    ['a misspelt option', { heads: 2, bias_max: 8 }, 'unknown-option', 'bias_max'],
  ]))
    test(`names the field: ${what}`, () => void errorOf(() => core.alibiSlopes(call), { code, field }));
});
