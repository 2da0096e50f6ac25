// Every string of the interface, in both languages.
import en from './en.js';
import ko from './ko.js';

export const LANGUAGES = /** @type {const} */ (['ko', 'en']);

/** @type {Record<string, Record<string, string>>} */
const STRINGS = { ko, en };

/** Korean for a browser that prefers it, else English. */
export const preferredLanguage = () => (navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en');

/**
 * @typedef {(key: string, params?: { [name: string]: unknown }) => string} Translate
 * @param {string} language
 * @returns {Translate}
 */
export function translator(language) {
  const strings = STRINGS[language];
  return (key, params = {}) =>
    (strings[key] ?? key).replace(/\{(\w+)\}/g, (placeholder, name) => String(params[name] ?? placeholder));
}
