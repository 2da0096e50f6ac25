// The prose of every lesson: there for every step, in both languages, and nothing in it that no step shows.

import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readProse } from '../../scripts/prose.mjs';
import { translator } from '../../web/i18n/index.js';
import { LESSONS } from '../../web/lessons/index.js';
import { PROPERTIES } from '../../web/properties.js';
import { defaultsOf } from '../../web/state.js';
import { stepName } from '../../web/views/names.js';
import { loadAttention } from './module.js';
import { read, root, scripts } from './source.js';
import './strings.js';
import { lessons } from './traces.js';

const core = await loadAttention();

/** Steps beside those that are stepped through: the other softmax, which has one section for all, and what only enters; a bias that no visitor of that lesson meets. @param {string} lesson @param {string} key */
const isAside = (lesson, key) => key.includes('/') || ['mask', 'output-mask', 'c'].includes(key) || (key === 'bias' && lesson !== 'positional');

/** Steps that a lesson speaks of under other names. @type {Record<string, Record<string, string[]>>} */
const SHOWN_AS = { softmax: { weights: ['softmax-weights', 'weights-broken', 'weights-limit'] }, attention: {}, mask: {}, positional: { H: ['added', 'concatenated'], scores: ['scores', 'scores-turned'], biased: ['penalised'], output: ['output', 'output-turned', 'output-near', 'output-unordered'] } };

/** Sections that several lessons share, of which one may not need all. */
const isShared = (/** @type {string} */ key) => key.startsWith('gradient');

test('every lesson is known here', () => assert.deepEqual(Object.keys(lessons), Object.keys(LESSONS)));

for (const [lesson, { stepKeys, gradientSteps }] of Object.entries(lessons)) {
  /** @type {Record<string, Awaited<ReturnType<typeof readProse>>>} */
  const first = {};
  /** @type {typeof first} */
  const prose = {};
  for (const language of ['ko', 'en']) {
    const [own, further] = await Promise.all([`${language}.md`, `${language}.further.md`].map((file) => readProse(path.join(root, 'web/lessons', lesson, file))));
    first[language] = own;
    prose[language] = { ...own, ...further };
  }
  const operations = new Set(Object.values(lessons).flatMap((each) => each.gradientSteps.map(({ op }) => op)));
  const sectionsOf = (/** @type {string} */ key) => SHOWN_AS[lesson]?.[key] ?? [key];

  describe(`prose of ${lesson}`, () => {
    for (const language of ['ko', 'en']) {
      const t = translator(language);
      test(`in ${language} has a section for every step`, () => {
        for (const key of stepKeys) if (!isAside(lesson, key)) for (const section of sectionsOf(key)) assert.ok(prose[language][section]?.html, section);
      });
      test(`in ${language} has a section for every operation of a gradient`, () => {
        for (const { op } of gradientSteps) assert.ok(prose[language][`gradient-${op}`]?.html, op);
      });
      test(`in ${language} has a name for every step`, () => {
        for (const key of [...stepKeys, ...gradientSteps.map((step) => step.key)]) {
          const name = stepName(key, t);
          assert.ok(!/step\.|part\.|word\.|[{}]/.test(name), `${key} is called "${name}"`);
          if (!key.startsWith('grad/') && !isAside(lesson, key)) for (const section of sectionsOf(key)) assert.notEqual(t(`step.${section}.what`), `step.${section}.what`);
        }
      });
      test(`in ${language} has only live numbers that a step can fill in`, () => {
        for (const [key, { html }] of Object.entries(prose[language]))
          for (const [, place] of html.matchAll(/data-live="([^"]*)"/g)) {
            assert.match(place, /^([A-Za-z-]+),\d,\d$/, key);
            assert.ok(stepKeys.has(place.split(',')[0]), `${key}: ${place}`);
          }
      });
      test(`in ${language} is in the menu`, () => assert.notEqual(t(`lesson.${lesson}`), `lesson.${lesson}`));
    }

    test('is there from the start for every step of an example and of every choice, or asked for', async () => {
      const { examples, request, shownAs, extraProse } = await LESSONS[lesson].load();
      const choices = PROPERTIES.filter((each) => each.scope === 'model' && each.choices && (each.lessons === '*' || each.lessons.includes(lesson)));
      const shown = examples.flatMap((/** @type {any} */ { id, values }) => [{ id, values }, ...choices.flatMap(({ name, choices: list = [] }) => list.map((choice) => ({ id: null, values: { ...values, [name]: choice } })))]);
      for (const { id, values } of shown) {
        const state = { ...defaultsOf(lesson), ...values };
        const trace = core.trace(request(state));
        for (const { key } of trace.steps)
          for (const section of [shownAs(state, key, trace), ...extraProse(state, trace, id, key)])
            for (const language of ['ko', 'en'])
              if (prose[language][section]) assert.ok(first[language][section] || LESSONS[lesson].beginsFurther?.(values), `${section} of ${JSON.stringify(values)}`);
      }
    });

    test('has the same sections in both languages, in the same order', () => assert.deepEqual(Object.keys(prose.ko), Object.keys(prose.en)));

    test('has the same live numbers in both languages', () => {
      const live = (/** @type {string} */ html) => [...html.matchAll(/data-live="([^"]*)"/g)].map(([, place]) => place).sort();
      for (const key of Object.keys(prose.en)) assert.deepEqual(live(prose.ko[key].html), live(prose.en[key].html), key);
    });

    test('names gradients so that no two steps of one gradient sound alike', () => {
      const names = gradientSteps.map(({ key }) => stepName(key, translator('en')));
      assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), []);
    });

    test('has no section that nothing shows', () => {
      const shown = [...scripts].filter(([file]) => !file.startsWith('web/i18n/'));
      const literals = new Set(shown.flatMap(([, { strings }]) => strings.map(({ text }) => text)));
      const templates = shown.flatMap(([, source]) => source.templates.map(({ text }) => text)).filter((text) => /^[a-z-]+-\$\{\}$/.test(text)).map((text) => text.slice(0, -3));
      for (const key of Object.keys(prose.en).filter((each) => !isShared(each))) {
        const filled = templates.some((front) => key.startsWith(front) && (operations.has(key.slice(front.length)) || literals.has(key.slice(front.length))));
        assert.ok(key === 'title' || literals.has(key) || stepKeys.has(key) || filled, `nothing shows ${key}`);
      }
    });
  });
}

test('that a lesson has no numbers to predict is said with the names of those that have', () => {
  for (const language of ['ko', 'en']) {
    const t = translator(language);
    for (const lesson of Object.keys(LESSONS)) {
      const predicts = /^export const predicts = true;/m.test(read(`web/lessons/${lesson}/lesson.js`));
      assert.equal(t('problem.no-predictions').includes(t(`lesson.${lesson}`)), predicts, `${language} ${lesson}`);
    }
  }
});
