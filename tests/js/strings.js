// Every string of the page, as nobody loads it at once: the interface, what comes after the first look, all lessons.

import { strict as assert } from 'node:assert';
import firstEn from '../../web/i18n/en.js';
import furtherEn from '../../web/i18n/further.en.js';
import furtherKo from '../../web/i18n/further.ko.js';
import { addStrings } from '../../web/i18n/index.js';
import firstKo from '../../web/i18n/ko.js';
import { LESSONS } from '../../web/lessons/index.js';

/** Each key is said in one place. @param {string} language @param {Record<string, string>[]} shared @returns {Promise<Record<string, string>>} */
async function joined(language, shared) {
  const own = await Promise.all(Object.keys(LESSONS).map(async (lesson) => (await import(`../../web/lessons/${lesson}/strings.${language}.js`)).default));
  const parts = [...shared, ...own];
  const all = Object.assign({}, ...parts);
  assert.equal(Object.keys(all).length, parts.reduce((count, part) => count + Object.keys(part).length, 0), `a key stands twice in ${language}`);
  return all;
}

export const en = await joined('en', [firstEn, furtherEn]);
export const ko = await joined('ko', [firstKo, furtherKo]);

// From here on translator() knows them all.
addStrings('en', en);
addStrings('ko', ko);
