// The languages there are, and the visitor's.

export const LANGUAGES = /** @type {const} */ (['ko', 'en']);

/** Korean for a browser that prefers it, else English. */
export const preferredLanguage = () => (navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en');
