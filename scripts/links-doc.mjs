/**
 * Writes docs/links.md from the property table. With --check it only compares, and fails when the page is out of date.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROPERTIES } from '../web/properties.js';
import { PROPERTY_DOCS } from './property-docs.mjs';
import { crc32 } from '../web/share/checksum.js';
import { formatLink, formatValue, MAX_LENGTH, MAX_PAIRS, READABLE_LENGTH } from '../web/share/link.js';
import { MAX_BYTES, MAX_MATRICES, MAX_NAME, MAX_NUMBERS, pack } from '../web/share/packed.js';

/** @import { Property } from '../web/properties.js' */

const PAGE = fileURLToPath(new URL('../docs/links.md', import.meta.url));

/** How a value of each type is written. */
const TYPES = {
  matrix: 'Rows separated by `;`, numbers by `,`; all rows equally long.',
  bits: 'A matrix of `0` and `1`.',
  number: 'A decimal number such as `-0.5` or `1e-3`.',
  integer: 'A whole number.',
  choice: 'One of the listed words.',
  choices: 'Some of the listed words, separated by `,`.',
  key: 'The key of a step, such as `row-max` or `grad/scores`: a letter, then letters, digits and `- _ . /`, with a letter or digit at the end.',
  text: 'Any text, percent-encoded.',
  cell: '`row,col`, counted from 0.',
  pin: '`key,row,col`: a step and a cell in it.',
  gradient: '`key,row,col,wrt`: a step, a cell in it, and the step or input that the gradient is taken with respect to.',
};

const EXAMPLES = [
  ['The first example by hand', '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1'],
  ['The second one, opened at its weights', '#1/attention?Q=2,0&K=2,0;0,2&V=10,0;0,10&step=weights&cell=0,0'],
  [
    'Three tokens that look at themselves and back, sharper than usual, in Korean',
    '#1/attention?Q=1,0;0,1;1,1&K=1,0;0,1;1,1&V=1,0;0,1;2,2&T=0.5&mask=causal&lang=ko',
  ],
];

/** Matrices with what their bytes are, after inflating: one by varints, one by digits, one as doubles. @type {{ matrices: [string, number[][]][], bytes: [string, string][] }} */
const PACKED = {
  matrices: [['Q', [[1.5, -2]]], ['K', [[1500, 1503], [1501, 1507]]], ['V', [[1 / 3], [0.5]]]],
  bytes: [
    ['01 51', 'a name of 1 byte: Q'],
    ['01 02', '1 row, 2 columns'],
    ['01', 'varints'],
    ['02', '1 decimal (zig-zag)'],
    ['1e 27', '15 and -20 (zig-zag): 1.5 and -2'],
    ['00', 'no other numbers'],
    ['01 4b', 'a name of 1 byte: K'],
    ['02 02', '2 rows, 2 columns'],
    ['02', 'digits'],
    ['01', '1 family'],
    ['00 b8 17 08', 'no decimals, the least 1500 (zig-zag 3000), the base 8'],
    ['00 cf', '((0 × 8 + 3) × 8 + 1) × 8 + 7 = 207: 1500, 1503, 1501 and 1507'],
    ['00', 'no other numbers'],
    ['01 56', 'a name of 1 byte: V'],
    ['02 01', '2 rows, 1 column'],
    ['00', 'doubles'],
    ['55 55 55 55 55 55 d5 3f', '0.3333333333333333'],
    ['00 00 00 00 00 00 e0 3f', '0.5'],
  ],
};

/** @param {Property} property */
function limitsOf({ type, min, max, minExclusive, choices, maxRows, maxCols, maxLength }) {
  const limits = [];
  if (choices) limits.push(choices.map((choice) => `\`${choice}\``).join(', '));
  if (maxRows) limits.push(`up to ${maxRows} × ${maxCols}`);
  if (min !== undefined) limits.push(minExclusive ? `more than ${min}` : `from ${min}`);
  if (max !== undefined) limits.push(min === undefined ? `row and col up to ${max}` : `up to ${max}`);
  if (maxLength && type !== 'cell') limits.push(`${type === 'text' ? 'text' : 'key'} up to ${maxLength} characters`);
  return limits.join(', ');
}

/** @param {Property} property */
function keyRow(property) {
  const { name, type, lessons } = property;
  const doc = PROPERTY_DOCS[name];
  if (doc === undefined) throw new Error(`scripts/property-docs.mjs says nothing of ${name}`);
  const written = (/** @type {Property['default']} */ value) => (value === null ? 'none' : `\`${formatValue(value, property)}\``);
  const others = Object.entries(property.in ?? {}).flatMap(([lesson, { default: own }]) => (own === undefined ? [] : [`; ${lesson}: ${written(own)}`]));
  const usual = written(property.default) + others.join('');
  const where = lessons === '*' ? 'every lesson' : lessons.join(', ');
  return `| \`${name}\` | ${type} | ${usual} | ${limitsOf(property)} | ${where} | ${doc} |`;
}

/** @param {[string, number[][]][]} matrices */
function head(matrices) {
  const bytes = Buffer.from(/** @type {string} */ (pack(matrices, crc32)), 'base64url').subarray(0, 5);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

export function linksPage() {
  const shared = PROPERTIES.filter((property) => property.link !== false);
  const used = Object.entries(TYPES).filter(([type]) => shared.some((property) => property.type === type));
  const made = formatLink({ lesson: 'attention', values: { Q: [[2, 0]], T: 0.5, lang: 'en' } }, PROPERTIES);

  return `# Links

<!-- Made by scripts/links-doc.mjs from web/properties.js: change it there. -->

A link holds the whole view after its \`#\`, so a browser sends none of it to a server:

    #<version>/<lesson>?<key>=<value>&<key>=<value>…

Links can be written by hand. Put one of these after the address of the page:

${EXAMPLES.map(([what, link]) => `- ${what}:\n\n      ${link}`).join('\n\n')}

## Keys

A key that is left out has its default. The order does not matter; the page writes them in this one.

| key | type | default | limits | lessons | meaning |
|---|---|---|---|---|---|
${shared.map(keyRow).join('\n')}

| type | how it is written |
|---|---|
${used.map(([type, how]) => `| ${type} | ${how} |`).join('\n')}

- Matrices hold tokens as rows, whichever way the page shows them.
- Numbers are finite, without \`+\` in front. A typographic minus (−) and spaces around a value are understood.
- In values, letters, digits and \`_ ~ , ; . : / -\` stand as they are; everything else is percent-encoded as UTF-8. A \`+\` is never a space.
- A value that cannot be used is reported with its place, and its key keeps the default; all other values are used. That holds for what is not there
  too, such as a step, a pinned cell or an order of other tokens. Three stand for what is near and are reported all the same: a cell beyond the numbers
  for the nearest one, \`allow\` of another size for its part that fits, unknown tokens for their letters. In a link with a check (below) nothing is
  said of what its numbers no longer have, since the page shows what it showed when it made the link. An unknown key, or a key that is
  there a second time, is reported and left out.
- A link has at most ${MAX_LENGTH.toLocaleString('en')} characters and ${MAX_PAIRS} pairs; more is not read.
- Whether values fit together (Q and K equally wide, K and V equally long) is for the page to say, beside the inputs.
- Whatever a link holds is data: numbers within limits, or text that is shown as text. A link makes the page load nothing.

## The check

Links that the page makes begin with \`c\`:

    ${made}

\`c=<length>.<checksum>\`, both in base 36, is taken of the decoded content: \`<version>/<lesson>\`, then for each pair U+001E, key, U+001F, value.
The length is in UTF-16 code units, the checksum is CRC-32 of the content as UTF-8. It guards against accidents, not against intent.

- Encoded again on the way (\`%26\`, \`%2526\`, \`&amp;\`): the content is the same, the link opens.
- Something appended (\`).\`, \` look!\`, \`&utm_source=…\`): what follows the counted length is dropped, the link opens.
- Cut or changed: the page says so, opens nothing by itself, and offers what can still be read. The last value of a cut link is not offered, because it may
  be half of what it was.
- No \`c\`: written by hand, opens unchecked. When changing a link by hand, take its \`c\` out.

The page's links end in a letter or digit, since programs that recognise links in running text leave out punctuation at the end.

## Packed matrices

The page writes a link as above as long as that is at most ${READABLE_LENGTH} characters (800, less what the address of the page may take). A longer one
has all its matrices and bits in one value, \`m\`, where that is shorter; all other keys stand beside it as usual:

    #<version>/<lesson>?c=<check>&m=<packed>&<key>=<value>…

What is packed counts as if it stood at the place of \`m\` as \`<name>=<rows>\`, with the same limits and the same check of each number. A program
may pack links of any length, and may choose any of the ways below; the page chooses the shortest.

\`m\` is base64url without padding. Its bytes:

1. one byte: the version of the packing, 1;
2. four bytes, the highest first: CRC-32 of the inflated bytes;
3. the rest: raw deflate (RFC 1951, without a header). It inflates to at most ${MAX_BYTES.toLocaleString('en')} bytes.

The inflated bytes are matrices one after the other, up to their end: at most ${MAX_MATRICES} matrices, at most ${MAX_NUMBERS.toLocaleString('en')} numbers in all. A *varint* is a whole
number from 0 in groups of 7 bits, the lowest first, where the top bit of a byte says that another byte follows (LEB128), below 2^53. A *signed* one
is a varint in zig-zag: 0, -1, 1, -2, … are 0, 1, 2, 3, …. A *double* is 8 bytes of IEEE 754, the lowest first. Every matrix is:

- the length of its name (varint, 1 to ${MAX_NAME}) and the name in ASCII: a letter, then letters, digits and \`_\`;
- rows and columns (varints, at least 1);
- one byte that says how its numbers are written, row by row:
  - **0, doubles**: all numbers as doubles.
  - **1, varints**: the count of decimals (signed, at most 400 either way), then every number times 10^decimals (signed). Then the other numbers.
  - **2, digits**: how many families of numbers there are (varint, 1 to 16), and for each its decimals (signed), its least integer (signed) and its
    base (varint, at least 1). Then, for every 64 numbers and for what is left at the end, two large numbers: the families of these numbers as digits
    whose base is the count of families, and then, as digits each in the base of its family, what the number times 10^decimals has beyond the least
    integer. Then the other numbers.
  - *Large number*: for digits d1, d2, … with bases b1, b2, … it is ((d1 × b2 + d2) × b3 + d3) …, in as many bytes as b1 × b2 × … - 1 needs, the highest
    first: no byte where all bases are 1.
  - *The other numbers* are those that are no short decimals (-0, 1/3): their count (varint), then for each its position in the matrix, counted from 0
    (varint), and a double. What stood at that position before does not count.

A number is the double that is nearest to the decimal number \`<integer>e<-decimals>\`, so 1 with one decimal is exactly the 0.1 that one types.

An example that has all three ways. The link:

    #1/attention?m=${pack(PACKED.matrices, crc32)}

Its first bytes:

    ${head(PACKED.matrices)}  version 1, CRC-32

The inflated ones (deflate may do the same in several ways):

${PACKED.bytes.map(([bytes, what]) => `    ${bytes.padEnd(24)}  ${what}`).join('\n')}

What of \`m\` cannot be read is reported, and everything else in the link is used: \`bad-packing\` (base64, deflate, checksum or structure),
\`packing-version\`, \`packing-too-large\`. Matrices before the place at fault are used as well, as far as the checksum fits.

## Versions

The number in front is the version of this format, now 1. What a link of version 1 means stays as it is: keys are added, but no default, name or
meaning changes under that number. Such a change takes a new version, and the page goes on reading the older ones; \`tests/data/golden-links.json\` holds
links that must always mean what they meant. A link of a version that the page does not know is not guessed at: the page says that it may be newer.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(PAGE, linksPage());
  } else if (readFileSync(PAGE, 'utf8') !== linksPage()) {
    console.error('docs/links.md is out of date: run node scripts/links-doc.mjs');
    process.exitCode = 1;
  }
}
