// The browser that measures.
import { chromium } from 'playwright-core';

/** @param {string[]} args more of its switches */
export const launch = (args = []) =>
  chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', ...args],
  });

/** A visitor who was never here before. @param {import('playwright-core').Browser} browser @param {{ locale?: string }} [options] */
export async function newVisit(browser, { locale = 'ko-KR' } = {}) {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  return { page, cdp: await context.newCDPSession(page), close: () => context.close() };
}

/**
 * Processor time of the page's main thread from now on, in ms; unlike the clock it leaves out what others do to the machine.
 * @param {import('playwright-core').CDPSession} cdp
 */
export async function mainThread(cdp) {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const of = (/** @type {string} */ name) => (metrics.find((metric) => metric.name === `${name}Duration`)?.value ?? 0) * 1000;
    return { all: of('Task') - of('DevToolsCommand'), script: of('Script'), style: of('RecalcStyle'), layout: of('Layout') };
  };
  const before = await read();
  return async () => {
    const after = await read();
    return /** @type {typeof before} */ (Object.fromEntries(Object.entries(after).map(([name, time]) => [name, time - before[/** @type {keyof typeof before} */ (name)]])));
  };
}

/** @param {{ all: number, script: number, style: number, layout: number }} spent */
export const inWords = ({ all, script, style, layout }) =>
  `script ${script.toFixed(1)}, style ${style.toFixed(1)}, layout ${layout.toFixed(1)}, other ${(all - script - style - layout).toFixed(1)}`;
