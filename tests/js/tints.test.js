// Where the scale of a table's tints ends, from what is asked of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { endOfTints } from '../../web/views/matrix.js';

test('the scale ends at 1, 2, 3, 5 or 10 of a power of ten, at the largest size or less than twice above', () => {
  const size = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true });
  fc.assert(fc.property(fc.array(size, { minLength: 1, maxLength: 5 }), fc.boolean(), (sizes, isNegative) => {
    const largest = Math.max(...sizes), end = endOfTints(sizes.map((each) => (isNegative ? -each : each)));
    assert.ok(end >= largest && end / 2 < largest, `${end} for ${largest}`);
    if (end < Number.MAX_VALUE) assert.match(end.toExponential(), /^[1235]e/);
  }));
});

test('a size where a scale may end is its end', () => {
  for (let power = -323; power <= 308; power++)
    for (const digit of [1, 2, 3, 5]) {
      const size = Number(`${digit}e${power}`);
      if (Number.isFinite(size)) assert.equal(endOfTints([size, -size / 3]), size);
    }
});

test('what is not finite has no tint and no say', () => {
  assert.equal(endOfTints([4, -Infinity, NaN]), 5);
  for (const none of [[], [0, -0], [NaN, Infinity]]) assert.ok(endOfTints(none) > 0);
  assert.ok(1.5e308 / endOfTints([1.5e308]) > 0.5);
});
