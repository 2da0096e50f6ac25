// The scanner that the house rules stand on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scan } from './source.js';

test('comments are left out, and what looks like one in a string stays', () => {
  const { code, bare, strings } = scan("a('x // y'); // gone 'too'\n/* b */ c(\"/* d */\");");
  assert.equal(code, "a('x // y'); \n c(\"/* d */\");");
  assert.equal(bare, "a(''); \n c('');");
  assert.deepEqual(strings.map(({ text }) => text), ['x // y', '/* d */']);
});

test('templates have their tag, and code inside of them is code', () => {
  const { templates, strings } = scan("x = html`<b>${t('a', `in ${1 + { a: 2 }.a}`)}</b> // text`; y = `\\``;");
  assert.deepEqual(templates.map(({ tag, text }) => [tag, text]), [['html', '<b>${}</b> // text'], ['', 'in ${}'], ['', '\\`']]);
  assert.deepEqual(strings.map(({ text }) => text), ['a']);
});

test('regular expressions are no strings, and a division is none of them', () => {
  const { strings, bare } = scan("a = /'[/']/g.test(b) ? c / d / e : 'f';");
  assert.deepEqual(strings.map(({ text }) => text), ['f']);
  assert.equal(bare, "a = /./.test(b) ? c / d / e : '';");
});
