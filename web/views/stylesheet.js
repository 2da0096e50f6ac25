// Style sheets that the first look does not need.

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Resolves when the style sheet applies; asks for it once. @param {string} address relative to the page @returns {Promise<void>} */
export function loadStylesheet(address) {
  const known = sheets.get(address);
  if (known) return known;
  /** @type {Promise<void>} */
  const sheet = new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => {
      sheets.delete(address);
      reject(new Error(`${address} did not load`));
    };
    document.head.append(link);
  });
  sheets.set(address, sheet);
  return sheet;
}
