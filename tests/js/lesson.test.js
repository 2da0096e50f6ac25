// The prose of the attention lesson: there for every step, in both languages, and nothing in it that no step shows.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileProse } from '../../scripts/prose.mjs';
import { loadStrings, translator } from '../../web/i18n/index.js';
import { stepName } from '../../web/views/names.js';
import { read, scripts } from './source.js';
import { gradientSteps, stepKeys } from './traces.js';

await Promise.all(['ko', 'en'].map(loadStrings));

/** @type {Record<string, ReturnType<typeof compileProse>>} */
const prose = { ko: compileProse(read('web/lessons/attention/ko.md')), en: compileProse(read('web/lessons/attention/en.md')) };
const operations = new Set(gradientSteps.map(({ op }) => op));

/** Steps beside those that are stepped through: the other softmax, which has one section for all. */
const isAside = (/** @type {string} */ key) => key.includes('/') || key === 'mask' || key === 'bias';

describe('prose', () => {
  for (const language of ['ko', 'en']) {
    test(`in ${language} has a section for every step`, () => {
      for (const key of stepKeys) if (!isAside(key)) assert.ok(prose[language][key]?.html, key);
    });
    test(`in ${language} has a section for every operation of a gradient`, () => {
      for (const op of operations) assert.ok(prose[language][`gradient-${op}`]?.html, op);
    });
    test(`in ${language} has a name for every step`, () => {
      const t = translator(language);
      for (const key of [...stepKeys, ...gradientSteps.map((step) => step.key)]) {
        const name = stepName(key, t);
        assert.ok(!/step\.|part\.|word\.|[{}]/.test(name), `${key} is called "${name}"`);
        if (!key.startsWith('grad/') && key !== 'mask' && key !== 'bias') assert.notEqual(t(`step.${key}.what`), `step.${key}.what`);
      }
    });
    test(`in ${language} has only live numbers that a step can fill in`, () => {
      for (const [key, { html }] of Object.entries(prose[language]))
        for (const [, place] of html.matchAll(/data-live="([^"]*)"/g)) assert.match(place, /^([A-Za-z-]+),\d,\d$/, key) ?? assert.ok(stepKeys.has(place.split(',')[0]), `${key}: ${place}`);
    });
  }

  test('has the same sections in both languages, in the same order', () => assert.deepEqual(Object.keys(prose.ko), Object.keys(prose.en)));

  test('has the same live numbers in both languages', () => {
    const live = (/** @type {string} */ html) => [...html.matchAll(/data-live="([^"]*)"/g)].map(([, place]) => place).sort();
    for (const key of Object.keys(prose.en)) assert.deepEqual(live(prose.ko[key].html), live(prose.en[key].html), key);
  });

  test('names gradients so that no two steps of one gradient sound alike', () => {
    const t = translator('en');
    const names = gradientSteps.map(({ key }) => stepName(key, t));
    assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
  });

  test('has no section that nothing shows', () => {
    const shown = [...scripts].filter(([file]) => !file.startsWith('web/i18n/'));
    const literals = new Set(shown.flatMap(([, { strings }]) => strings.map(({ text }) => text)));
    const templates = shown.flatMap(([, source]) => source.templates.map(({ text }) => text)).filter((text) => /^[a-z-]+-\$\{\}$/.test(text)).map((text) => text.slice(0, -3));
    for (const key of Object.keys(prose.en)) {
      const filled = templates.some((front) => key.startsWith(front) && (operations.has(key.slice(front.length)) || literals.has(key.slice(front.length))));
      assert.ok(key === 'title' || literals.has(key) || stepKeys.has(key) || filled, `nothing shows ${key}`);
    }
  });
});
