// The strings of the interface, in both languages; only the one that is shown is loaded. What one lesson alone says stands
// with the lesson.

/** @typedef {Record<string, () => Promise<{ default: Record<string, string> }>>} Files */

/** @type {Files} */
const FIRST = { ko: () => import('./ko.js'), en: () => import('./en.js') };
/** @type {Files} */
const FURTHER = { ko: () => import('./further.ko.js'), en: () => import('./further.en.js') };

/** @type {Record<string, Record<string, string>>} */
const loaded = {};

/** Those of a lesson, which bring its own. @param {string} language @param {Record<string, string>} strings */
export function addStrings(language, strings) {
  loaded[language] = { ...loaded[language], ...strings };
}

/** @param {Files} files @param {string} language */
const load = async (files, language) => addStrings(language, (await files[language]()).default);

/** After this, `translator(language)` has the strings of the first look. @param {string} language */
export const loadStrings = (language) => load(FIRST, language);

/** And after this, all others. @param {string} language */
export const loadFurtherStrings = (language) => load(FURTHER, language);

/**
 * @typedef {(key: string, params?: { [name: string]: unknown }) => string} Translate
 * @param {string} language one that was loaded
 * @returns {Translate}
 */
export function translator(language) {
  const strings = loaded[language] ?? {};
  return (key, params = {}) =>
    (strings[key] ?? key).replace(/\{(\w+)\}/g, (placeholder, name) => String(params[name] ?? placeholder));
}
