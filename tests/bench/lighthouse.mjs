// Lighthouse's opinion of the page on a phone, with what it found wrong.
import { createServer } from 'node:net';
import lighthouse from 'lighthouse';
import { launch } from './browser.mjs';
import { median } from './table.mjs';

/** @typedef {import('./table.mjs').Row} Row */

const RUNS = 3;
/** @type {{ id: string, atLeast?: number }[]} */
const CATEGORIES = [
  { id: 'performance', atLeast: 95 }, { id: 'accessibility', atLeast: 100 }, { id: 'best-practices', atLeast: 100 }, { id: 'seo' },
];

/** @returns {Promise<number>} */
const freePort = () => new Promise((resolve, reject) => {
  const server = createServer().once('error', reject).listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close(() => resolve(port));
  });
});

/**
 * Audits that cost points, as "name (what was measured)".
 * @param {any} report @param {string} category
 */
function failing(report, category) {
  const audits = report.categories[category].auditRefs.filter((/** @type {any} */ { weight }) => weight > 0)
    .map((/** @type {any} */ { id }) => report.audits[id]);
  return audits.filter((/** @type {any} */ { score }) => score !== null && score < 0.995)
    .map((/** @type {any} */ { id, displayValue }) => `${id}${displayValue ? ` (${displayValue})` : ''}`.replaceAll('\u00a0', ' '));
}

/** @param {{ url: string }} place @returns {Promise<Row[]>} */
export async function lighthouseScores({ url }) {
  const port = await freePort();
  const browser = await launch([`--remote-debugging-port=${port}`]);
  /** @type {any[]} */
  const reports = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      const result = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: CATEGORIES.map(({ id }) => id) });
      if (!result) throw new Error('Lighthouse gave no result');
      if (result.lhr.runtimeError) throw new Error(result.lhr.runtimeError.message);
      reports.push(result.lhr);
    }
  } finally {
    await browser.close();
  }
  return CATEGORIES.flatMap(({ id, atLeast }) => {
    const score = (/** @type {any} */ report) => report.categories[id].score * 100;
    const value = median(reports.map(score));
    const typical = reports.find((report) => score(report) === value) ?? reports[0];
    return [
      { what: `Lighthouse ${id}, mobile, median of ${RUNS}`, value, unit: /** @type {const} */ ('points'), atLeast, note: reports.map(score).map(Math.round).join(' ') },
      ...failing(typical, id).map((/** @type {string} */ what) => ({ what: `  ${what}`, value: typical.audits[what.split(' ')[0]].score * 100, unit: /** @type {const} */ ('points') })),
    ];
  });
}
