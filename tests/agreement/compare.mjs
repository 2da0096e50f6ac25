// Holds two printings of numbers.cpp against each other: node compare.mjs <native> <wasm>
// Every tensor must agree within 1e-13 of its largest value in float64; in float32 within 2e-5, since exp of a float may
// differ in its last place between C libraries, and a plain softmax or a gradient makes that larger.
// Closes with "N agree, M differ".

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A maximum changes no weight, so its gradient is 0 and what is computed is rounding alone: it is measured against 1. */
const IS_ROUNDING = /\/grad\/(.*\/)?row-max/;
const TOLERANCE = { float64: 1e-13, float32: 2e-5 };

/** "-0x1.8p+1" is −3. @param {string} text */
function numberOf(text) {
  const [, sign, whole, fraction = '', exponent] = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(text) ?? [];
  if (whole === undefined) return { inf: Infinity, '-inf': -Infinity }[text] ?? NaN;
  // Two powers, since one alone may be out of range where the number is not.
  const mantissa = parseInt(whole + fraction, 16) / 16 ** fraction.length;
  const power = Number(exponent), half = Math.trunc(power / 2);
  return (sign ? -1 : 1) * mantissa * 2 ** half * 2 ** (power - half);
}

/** @param {string} file */
const lines = (file) => createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();

const [native, wasm] = process.argv.slice(2).map(lines);
const worst = { float64: 0, float32: 0 };
let agree = 0, differ = 0;
for (;;) {
  const [a, b] = [await native.next(), await wasm.next()];
  if (a.done && b.done) break;
  const [[name, ...left], [other, ...right]] = [(a.value ?? '').split(' '), (b.value ?? '').split(' ')];
  if (name !== other || left.length !== right.length) throw new Error(`${name} stands where ${other} does`);
  const precision = /** @type {'float64' | 'float32'} */ (name.split('/')[0]);
  const [x, y] = [left.map(numberOf), right.map(numberOf)];
  const size = Math.max(...x.filter(Number.isFinite).map(Math.abs), IS_ROUNDING.test(name) ? 1 : 0);
  const distance = Math.max(...x.map((number, i) => Object.is(number, y[i]) || number === y[i] ? 0 : Math.abs(number - y[i]) / size), 0);
  if (distance <= TOLERANCE[precision]) {
    agree++;
    worst[precision] = Math.max(worst[precision], distance);
  } else {
    differ++;
    console.log(`${name}: ${distance} of its largest value, ${size}`);
  }
}
if (agree + differ === 0) throw new Error('there was nothing to compare');
console.log(`largest difference: ${worst.float64} in float64, ${worst.float32} in float32, of the largest value of a tensor`);
console.log(`${agree} agree, ${differ} differ`);
process.exitCode = differ > 0 ? 1 : 0;
