// What is sent, and when the page can be used, for a first visit over a slow line.
//
// The page is usable at the first moment at which a click on a cell of the first matrix opens a text field; it is ready when everything
// computed is shown. Bytes are counted on the same slow line: there it shows what a visitor really waits for.
import { FIRST_LESSON, LESSONS } from '../../web/lessons/index.js';
import { inWords, mainThread, newVisit } from './browser.mjs';
import { median } from './table.mjs';

/**
 * @typedef {import('./table.mjs').Row} Row
 * @typedef {{ name: string, bytes: number, before: number, arrived: number }} File   times in ms from the start of the navigation
 * @typedef {{ all: number, script: number, style: number, layout: number }} Spent
 * @typedef {{ ready: number, usable: number, firstPaint: number, painted: number, longTasks: { start: number, length: number }[] }} Moments
 */

const RUNS = 5;
const CPU_SLOWDOWN = 4;
const QUIET = 1000; // ms without a request: everything has been sent
const LINE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 1.6e6 / 8 };

/** Runs in the page before everything else. Tries the click whenever the page says that something changed. */
function probe() {
  /** @type {any} */
  const moments = { longTasks: [] };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) moments.longTasks.push({ start: startTime, length: duration });
  }).observe({ type: 'longtask', buffered: true });

  /** @type {any} */ (globalThis).bench = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const { state, revision } = document.documentElement.dataset;
      const now = performance.now();
      if (Number(revision) === 0) return;
      if (moments.usable === undefined) {
        const cell = /** @type {HTMLElement | null} */ (document.querySelector('table:is([data-step="Q"], [data-step="x"], [data-step="X"]) td[data-row]'));
        cell?.click();
        const field = cell?.querySelector('input');
        if (!field) return;
        moments.usable = now;
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      }
      if (state !== 'ready') return;
      observer.disconnect();
      moments.ready = now;
      // The task after a frame's callbacks comes when the frame has been drawn.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          moments.painted = performance.now();
          resolve(moments);
        };
        port2.postMessage(null);
      });
    });
    observer.observe(document, { subtree: true, attributeFilter: ['data-state', 'data-revision'] });
  });
}

/** @typedef {Awaited<ReturnType<typeof listen>>} Requests */

/** Keeps what the network did. @param {import('playwright-core').CDPSession} cdp */
async function listen(cdp) {
  /** @type {Map<string, { url: string, sent: number, wall: number, parts: { at: number, bytes: number }[], bytes: number, arrived: number, done: boolean }>} */
  const requests = new Map();
  cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp, wallTime }) =>
    requests.set(requestId, { url: request.url, sent: timestamp, wall: wallTime, parts: [], bytes: 0, arrived: Infinity, done: false }));
  cdp.on('Network.responseReceived', ({ requestId, timestamp, response }) =>
    requests.get(requestId)?.parts.push({ at: timestamp, bytes: response.encodedDataLength }));
  cdp.on('Network.dataReceived', ({ requestId, timestamp, encodedDataLength }) =>
    requests.get(requestId)?.parts.push({ at: timestamp, bytes: encodedDataLength }));
  cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { bytes: encodedDataLength, arrived: timestamp, done: true });
  });
  cdp.on('Network.loadingFailed', ({ requestId }) => Object.assign(requests.get(requestId) ?? {}, { done: true }));
  await cdp.send('Network.enable');
  return requests;
}

/** The value of an expression in the page, once it is there. @param {import('playwright-core').CDPSession} cdp @param {string} expression @returns {Promise<any>} */
async function valueOf(cdp, expression) {
  for (;;) {
    // While the navigation goes on, the page that is asked may be the old one.
    const answer = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }).catch(() => null);
    if (answer?.result.value !== undefined) return answer.result.value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Resolves when the page is idle, nothing is being sent, and nothing more is asked for.
 * @param {import('playwright-core').Page} page @param {import('playwright-core').CDPSession} cdp @param {Requests} requests
 */
async function quiet(page, cdp, requests) {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await new Promise((resolve) => {
    /** @type {any} */
    let timer;
    const look = () => {
      clearTimeout(timer);
      if ([...requests.values()].every(({ done }) => done)) timer = setTimeout(resolve, QUIET);
    };
    for (const event of /** @type {const} */ (['requestWillBeSent', 'loadingFinished', 'loadingFailed'])) cdp.on(`Network.${event}`, look);
    look();
  });
}

/**
 * @param {import('playwright-core').Browser} browser @param {string} url @param {string} locale
 * @returns {Promise<{ files: File[], moments: Moments, processor: Spent }>}
 */
async function firstVisit(browser, url, locale) {
  const { page, cdp, close } = await newVisit(browser, { locale });
  const requests = await listen(cdp);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  // By the protocol itself: what the driver puts into every page it talks to would be measured too.
  await cdp.send('Page.enable');
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${probe})()` });
  const spent = await mainThread(cdp);
  await cdp.send('Page.navigate', { url });
  /** @type {Moments} */
  const moments = await valueOf(cdp, 'bench');
  const processor = await spent();
  await quiet(page, cdp, requests);
  const timeOrigin = await page.evaluate(() => performance.timeOrigin);
  moments.firstPaint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  await close();

  const sent = [...requests.values()].filter(({ url: address }) => address.startsWith('http'));
  // The browser's clock of network events, as the page's clock.
  const { wall, sent: start } = sent[0];
  const pageTime = (/** @type {number} */ timestamp) => (wall + timestamp - start) * 1000 - timeOrigin;
  const files = sent.map(({ url: address, bytes, arrived, parts }) => ({
    name: address.split('#')[0].slice(url.split('#')[0].length) || 'index.html',
    bytes,
    before: pageTime(arrived) <= moments.usable ? bytes
      : parts.reduce((all, part) => all + (pageTime(part.at) <= moments.usable ? part.bytes : 0), 0),
    arrived: pageTime(arrived),
  }));
  return { files: files.filter((file) => file.bytes > 0), moments, processor };
}

/** @param {number[]} values */
const sum = (values) => values.reduce((all, value) => all + value, 0);

/** @param {{ browser: import('playwright-core').Browser, url: string }} place @returns {Promise<Row[]>} */
export async function bytes({ browser, url }) {
  /** @type {Row[]} */
  const rows = [];
  for (const locale of ['ko-KR', 'en-US']) {
    const { files } = await firstVisit(browser, url, locale);
    const early = files.filter(({ before }) => before > 0);
    rows.push({ what: `bytes before usable, ${locale}`, value: sum(files.map(({ before }) => before)) / 1000, unit: 'KB', atMost: 110 });
    for (const { name, bytes: all, before } of early)
      rows.push({ what: `  ${name}`, value: before / 1000, unit: 'KB', note: before < all ? `of ${(all / 1000).toFixed(1)} KB` : '' });
    rows.push({ what: `bytes of the first lesson, ${locale}`, value: sum(files.map((file) => file.bytes)) / 1000, unit: 'KB', atMost: 300 });
    for (const { name, bytes: all, before } of files)
      if (before < all) rows.push({ what: `  ${name}`, value: all / 1000, unit: 'KB', note: before > 0 ? 'with the part above' : '' });
  }
  return rows;
}

/** The other lessons, opened by a link. @param {{ browser: import('playwright-core').Browser, url: string }} place @returns {Promise<Row[]>} */
export async function lessons({ browser, url }) {
  /** @type {Row[]} */
  const rows = [];
  for (const lesson of Object.keys(LESSONS).filter((each) => each !== FIRST_LESSON)) {
    const visits = [];
    for (let run = 0; run < RUNS; run++) visits.push(await firstVisit(browser, `${url}#1/${lesson}`, 'ko-KR'));
    const times = visits.map(({ moments }) => moments.usable / 1000);
    const least = (/** @type {(file: File) => number} */ count) => Math.min(...visits.map(({ files }) => sum(files.map(count)))) / 1000;
    rows.push(
      { what: `bytes before usable, ${lesson}`, value: least(({ before }) => before), unit: 'KB', atMost: 110 },
      { what: `bytes in all, ${lesson}`, value: least(({ bytes: all }) => all), unit: 'KB' },
      { what: `usable, ${lesson}, median of ${RUNS}`, value: median(times), unit: 's', atMost: 1.5, note: `${Math.min(...times).toFixed(2)} … ${Math.max(...times).toFixed(2)}` },
    );
  }
  return rows;
}

/** What the page waits for, by the names of the built files; where there are several, the last of them counts. */
const AWAITED = {
  'html arrived': /^index\.html$/,
  'main script arrived': /main-\w+\.js$/,
  'wasm arrived': /\.wasm$/,
  'lesson arrived': /lesson-\w+\.js$/,
  'language arrived': /\/ko-\w+\.js$/,
};

/** @param {{ browser: import('playwright-core').Browser, url: string }} place @returns {Promise<Row[]>} */
export async function usable({ browser, url }) {
  await firstVisit(browser, url, 'ko-KR'); // the server packs every file on its first request
  /** @type {Awaited<ReturnType<typeof firstVisit>>[]} */
  const visits = [];
  for (let run = 0; run < RUNS; run++) visits.push(await firstVisit(browser, url, 'ko-KR'));
  /** @param {string} what @param {(visit: typeof visits[0]) => number} time @returns {Row} */
  const row = (what, time) => {
    const value = median(visits.map(time));
    return { what: `  ${what}`, value: Number.isFinite(value) ? value : null, unit: 'ms', note: Number.isFinite(value) ? '' : 'there was none' };
  };
  const typical = [...visits].sort((a, b) => a.processor.all - b.processor.all)[RUNS >> 1];
  const times = visits.map(({ moments }) => moments.usable / 1000);
  const busy = (/** @type {typeof visits[0]} */ { moments }) => moments.longTasks.filter(({ start }) => start < moments.usable);
  return [
    {
      what: `usable, CPU ÷ ${CPU_SLOWDOWN}, 1.6 Mbit/s, 150 ms, median of ${RUNS}`, value: median(times), unit: 's', atMost: 1.5,
      note: `${Math.min(...times).toFixed(2)} … ${Math.max(...times).toFixed(2)}`,
    },
    ...Object.entries(AWAITED).map(([what, name]) => row(what, ({ files }) => Math.max(...files.filter((file) => name.test(file.name)).map(({ arrived }) => arrived)))),
    row('first contentful paint', ({ moments }) => moments.firstPaint),
    row('ready', ({ moments }) => moments.ready),
    row('ready and drawn', ({ moments }) => moments.painted),
    row('longest task until usable', (visit) => Math.max(0, ...busy(visit).map(({ length }) => length))),
    row('tasks over 50 ms until usable, together', (visit) => sum(busy(visit).map(({ length }) => length))),
    { ...row('processor time of the main thread until drawn', ({ processor }) => processor.all), note: inWords(typical.processor) },
  ];
}
