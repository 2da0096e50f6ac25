// Every string of the interface, in both languages; only the one that is shown is loaded.

/** @type {Record<string, () => Promise<{ default: Record<string, string> }>>} */
const FILES = { ko: () => import('./ko.js'), en: () => import('./en.js') };

/** @type {Record<string, Record<string, string>>} */
const loaded = {};

/** After this, `translator(language)` has its strings. @param {string} language */
export async function loadStrings(language) {
  loaded[language] ??= (await FILES[language]()).default;
}

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
