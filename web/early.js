// Runs before anything is shown: the files of the lesson and the language that the address asks for, so that they are on
// their way together with everything else; the theme, so that nothing flashes; and word of a load that takes its time.
import filesOf from 'asset:early-files';
import { LANGUAGES, preferredLanguage } from './i18n/language.js';
import { restoreTheme } from './theme.js';

const PATIENCE = 2000; // ms; a word that comes and goes at once would only delay the page

const { hash } = location;
const lesson = /^#\d+\/([\w-]+)/.exec(hash)?.[1] ?? '';
const asked = /[?&]lang=(\w+)/.exec(hash)?.[1];
const language = LANGUAGES.find((each) => each === asked) ?? preferredLanguage();
const files = Object.hasOwn(filesOf, lesson) ? filesOf[lesson] : Object.values(filesOf)[0];

for (const href of files[language])
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));

restoreTheme();

/** @param {string} id */
const show = (id) => {
  const word = document.getElementById(id);
  if (word) word.hidden = false;
};

// Browsers load no modules from files.
if (location.protocol === 'file:') addEventListener('DOMContentLoaded', () => show('from-file'));
else setTimeout(() => show('loading'), PATIENCE);
