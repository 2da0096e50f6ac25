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
