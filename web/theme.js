// Light, dark, or as the system has it. Remembered in this browser, never in a link.
const THEMES = ['light', 'dark'];
const KEY = 'theme';

/** @param {string} theme */
function show(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Storage may be forbidden, as in a frame of another site. @param {() => string | null | void} use */
function storage(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

export function restoreTheme() {
  const stored = storage(() => localStorage.getItem(KEY));
  show(stored && THEMES.includes(stored) ? stored : 'auto');
}

/** To the theme that looks different from the present one. */
export function nextTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  const next = dark ? 'light' : 'dark';
  show(next);
  storage(() => localStorage.setItem(KEY, next));
}
