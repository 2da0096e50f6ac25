/**
 * Writes docs/links.md from the property table. With --check it only compares, and fails when the page is out of date.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROPERTIES } from '../web/properties.js';
import { formatLink, formatValue, MAX_LENGTH, MAX_PAIRS } from '../web/share/link.js';

/** @import { Property } from '../web/properties.js' */

const PAGE = fileURLToPath(new URL('../docs/links.md', import.meta.url));

/** How a value of each type is written. */
const TYPES = {
  matrix: 'Rows separated by `;`, numbers by `,`; all rows equally long.',
  bits: 'A matrix of `0` and `1`.',
  number: 'A decimal number such as `-0.5` or `1e-3`.',
  integer: 'A whole number.',
  choice: 'One of the listed words.',
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
  const { name, type, lessons, doc } = property;
  const usual = property.default === null ? 'none' : `\`${formatValue(property.default, property)}\``;
  const where = lessons === '*' ? 'every lesson' : lessons.join(', ');
  return `| \`${name}\` | ${type} | ${usual} | ${limitsOf(property)} | ${where} | ${doc.en} |`;
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
- A value that cannot be used is reported with its place, and its key keeps the default; all other values are used. An unknown key, or a key that is
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
