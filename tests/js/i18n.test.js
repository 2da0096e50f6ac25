// The strings of the interface: both languages say the same things, and exactly what the page asks for.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { translator } from '../../web/i18n/index.js';
import { problemText } from '../../web/views/message.js';
import { files, read, scripts } from './source.js';
import { en, ko } from './strings.js';
import { lessons } from './traces.js';

const stepKeys = new Set(Object.values(lessons).flatMap((lesson) => [...lesson.stepKeys]));

/** @type {Record<string, Record<string, string>>} */
const languages = { ko, en };
const own = [...scripts].filter(([file]) => !/^web\/i18n\/|\/strings\.\w+\.js$/.test(file));
const literals = new Set(own.flatMap(([, { strings }]) => strings.map(({ text }) => text)));
const words = new Set(own.flatMap(([, { bare }]) => bare.match(/[A-Za-z]\w*/g) ?? [])); // names in objects are keys too
const templates = new Set(own.flatMap(([, source]) => source.templates.map(({ text }) => text)).filter((text) => /^(?:[a-z-]+|\$\{\})\.[^\s<]*\$\{\}[^\s<]*$/.test(text)));

const quoted = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const fitting = (/** @type {string} */ template) => new RegExp(`^${template.split('${}').map(quoted).join('(.+)')}$`);

describe('both languages', () => {
  test('have the same keys, in the same order', () => assert.deepEqual(Object.keys(ko), Object.keys(en)));

  test('fill in the same things', () => {
    const filled = (/** @type {string} */ text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    for (const key of Object.keys(en)) assert.deepEqual(filled(ko[key]), filled(en[key]), key);
  });

  test('say something everywhere', () => {
    for (const strings of Object.values(languages)) for (const [key, text] of Object.entries(strings)) assert.match(text, /\S/, key);
  });

  test('are themselves', () => {
    const hangul = /\p{Script=Hangul}/u;
    for (const [key, text] of Object.entries(en)) if (!key.startsWith('language.')) assert.doesNotMatch(text, hangul, key);
    for (const [key, text] of Object.entries(ko)) if (/[a-z]{3,} [a-z]{3,} [a-z]{3,}/i.test(text)) assert.match(text, hangul, key);
  });
});

/** The keys that code may ask for: what stands in the first argument of every call of t. @param {import('./source.js').Source} source */
function askedFor({ code, strings, templates: all }) {
  const asked = [];
  for (const { index } of code.matchAll(/(?<![\w.$])t\(/g)) {
    let [depth, end] = [1, index + 2];
    while (depth > 0 && !(depth === 1 && code[end] === ',')) {
      if ('([{'.includes(code[end])) depth++;
      if (')]}'.includes(code[end])) depth--;
      end++;
    }
    const inside = (/** @type {{ at: number }} */ { at }) => at >= index + 2 && at < end && !/(===|!==|includes\()\s*$/.test(code.slice(0, at));
    const keys = all.filter(inside);
    // What a template is filled in with is a part of a key.
    const whole = strings.filter((string) => inside(string) && !keys.some((template) => string.at > template.at && string.at < template.end));
    asked.push(...whole.map(({ text }) => text), ...keys.map(({ text }) => text));
  }
  return asked;
}

/** Korean particles change with the sound before them, which an inserted number does not have until it is there. */
const PARTICLE = /\}(?:은|는|이|가|을|를|과|와|으로|로|이나|나|이라|라)(?![\p{L}\p{N}])/u;

describe('in Korean', () => {
  test('no particle that changes follows what is inserted', () => {
    for (const [key, text] of Object.entries(ko)) assert.doesNotMatch(text, PARTICLE, key);
    for (const file of files('web/lessons', '.md').filter((each) => /\bko\./.test(each)))
      for (const line of read(file).split('\n')) assert.doesNotMatch(line, PARTICLE, file);
  });

  test('words that are quoted have marks of one kind, and sentences of another', () => {
    const straight = /(?<![\w$])['"](?=\p{Script=Hangul})/u;
    for (const [key, text] of Object.entries(ko)) assert.doesNotMatch(text, straight, key);
    for (const file of files('web/lessons', '.md').filter((each) => /\bko\./.test(each))) assert.doesNotMatch(read(file), straight, file);
  });
});

test('steps have names that are true whether tokens are rows or columns', () => {
  for (const [language, strings] of Object.entries(languages))
    for (const [key, text] of Object.entries(strings)) if (lessons.attention.stepKeys.has(key.split('.')[1]) && key.startsWith('step.')) assert.doesNotMatch(text, /행(?:의|마다)|열(?:의|마다)|\b(?:row|column)s?\b/i, `${language} ${key}`);
});

describe('every key', () => {
  test('that the page asks for is there', () => {
    const keys = Object.keys(en);
    for (const [file, source] of own)
      for (const asked of askedFor(source)) assert.ok(keys.some((key) => fitting(asked).test(key)), `${file} asks for ${asked}`);
  });

  test('that is there is asked for', () => {
    const known = (/** @type {string} */ part) => literals.has(part) || words.has(part) || stepKeys.has(part) || /^\d$/.test(part) || [...literals].some((text) => part === `${text}.single`);
    const codes = new Set([...files('src', '.cpp', '.hpp')].flatMap((file) => [...read(file).matchAll(/"([a-z-]+)"/g)].map(([, text]) => text)));
    const used = (/** @type {string} */ key) => literals.has(key) || [...templates].some((template) =>
      fitting(template).exec(key)?.slice(1).every((part) => known(part) || codes.has(part)));
    assert.deepEqual(Object.keys(en).filter((key) => !used(key)), []);
  });
});

test('a problem that nobody foresaw still gets a message', () => {
  for (const language of ['ko', 'en']) {
    const text = problemText({ code: 'no-such-code', field: '', detail: { text: 'allocator<T>' } }, translator(language));
    assert.match(text, / /);
    assert.doesNotMatch(text, /no-such-code|allocator/);
  }
});

test('a translation fills in what it is given, and text stays text', () => {
  const t = translator('en');
  assert.ok(t('problem.empty.single', { field: 'Q' }).startsWith('Q '));
  assert.ok(t('problem.empty.single', { field: '$& <b>' }).startsWith('$& <b> '));
  assert.equal(t('no.such.key'), 'no.such.key');
});
