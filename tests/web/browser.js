// The built page in a real browser. Tests hold on to what the page promises: tables with data-step (or data-operand) and
// cells with data-row, data-col, data-value; html[data-state] and html[data-revision]; other data-* attributes; roles and
// names out of the translations. Never to class names, and never to the clock.
//   CHROME_PATH   the browser; DIST   another build than dist/

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer } from '../../scripts/serve.mjs';
import { translator } from '../../web/i18n/index.js';
import { dist } from '../js/module.js';
import { en, ko } from '../js/strings.js';

/** @import { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core' */
/** @typedef {'ko' | 'en'} Language */
/** @typedef {number[][]} Rows */

export const LANGUAGES = /** @type {const} */ (['ko', 'en']);

const STRINGS = /** @type {Record<Language, Record<string, string>>} */ ({ ko, en });
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * A string of the page with anything filled in.
 * @param {Language} language @param {string} key @param {{ [name: string]: unknown }} [known] what is known of it
 */
function wording(language, key, known = {}) {
  const text = STRINGS[language][key];
  assert.ok(text, `there is no ${key}`);
  const quoted = (/** @type {string} */ part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? quoted(part) : part in known ? quoted(String(known[part])) : '.+?'));
  return new RegExp(`^\\s*${parts.join('')}\\s*$`, 's');
}

/**
 * One server and one browser for the tests of a file; every visit is a profile of its own.
 * @param {{ prefix?: string }} [options] the path that the page is served under
 */
export function useBrowser({ prefix = '/' } = {}) {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  /** @type {Browser} */
  let browser;
  before(async () => {
    server = await startServer({ root: dist, prefix });
    browser = await chromium.launch({ executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium', args: FLAGS });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /**
   * Opens the page, and checks when the test is over that nothing went wrong in it.
   * @param {{ after: (hook: () => Promise<void>) => void }} t the test
   * @param {string} [hash]
   * @param {VisitOptions} [options]
   */
  return async function open(t, hash = '', options = {}) {
    const { language = 'en', prepare, state = 'ready', early = false, expected = /^$/, ...rest } = options;
    const context = await browser.newContext({ locale: language === 'ko' ? 'ko-KR' : 'en-US', viewport: { width: 1280, height: 900 }, ...rest });
    t.after(() => context.close());
    context.setDefaultTimeout(30000);
    const page = await context.newPage();
    const visit = new Visit(page, server.url, language);
    await visit.watch();
    await prepare?.(page, visit);
    await page.goto(server.url + hash);
    await visit.untilState(state);
    if (state === 'ready' && !early) await visit.untilLoaded();
    t.after(async () => assert.deepEqual(visit.faults.filter((fault) => !expected.test(fault)), [], 'what went wrong in the page'));
    return visit;
  };
}

/**
 * @typedef {Omit<BrowserContextOptions, 'locale'> & {
 *   language?: Language, state?: 'ready' | 'error', early?: boolean, expected?: RegExp, prepare?: (page: Page, visit: Visit) => unknown }} VisitOptions
 *   prepare: before the page is opened; state: what it ends up in; early: do not wait for formulas;
 *   expected: what may go wrong
 */

/** Holds files back. @param {Page} page @param {string} files @returns {Promise<() => void>} lets them go */
export async function holdBack(page, files) {
  /** @type {() => void} */
  let release = () => {};
  const released = new Promise((resolve) => { release = () => resolve(undefined); });
  await page.route(files, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The page as a visitor has it open. */
export class Visit {
  /** Errors, violations of the content security policy, requests to other hosts. @type {string[]} */
  faults = [];
  /** Every address that was asked for. @type {string[]} */
  requests = [];

  /** @param {Page} page @param {string} url @param {Language} language of the browser */
  constructor(page, url, language) {
    this.page = page;
    this.url = url;
    this.language = language;
  }

  /** @param {string} key @param {{ [name: string]: unknown }} [params] */
  t(key, params) {
    return translator(this.language)(key, params);
  }

  /** The same with anything filled in, but for what is known. @param {string} key @param {{ [name: string]: unknown }} [known] */
  wording(key, known) {
    return wording(this.language, key, known);
  }

  async watch() {
    const { page, faults } = this;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error}`));
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => {
      const address = request.url();
      if (address.startsWith('data:') || address.startsWith('blob:')) return;
      this.requests.push(address);
      if (!address.startsWith(this.url)) faults.push(`request: ${address}`);
    });
    await page.exposeFunction('reportViolation', (/** @type {string} */ text) => faults.push(`violation: ${text}`));
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) =>
      /** @type {any} */ (globalThis).reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
  }

  // Waiting

  /** @param {string} state */
  untilState(state) {
    return this.page.waitForFunction((wanted) => document.documentElement.dataset.state === wanted, state);
  }

  /** Until formulas and their fonts are there: from then on the page only answers its visitor. */
  async untilLoaded() {
    await this.page.locator('html[data-loaded]').waitFor({ state: 'attached' });
    await this.page.evaluate(async () => void (await document.fonts.ready));
  }

  revision() {
    return this.page.evaluate(() => Number(document.documentElement.dataset.revision));
  }

  /** Does something, and waits until the page has been painted anew. @param {() => Promise<unknown>} action */
  async repainted(action) {
    await this.untilFinished();
    const before = await this.revision();
    await action();
    await this.page.waitForFunction((revision) => Number(document.documentElement.dataset.revision) > revision, before);
    await this.untilFinished();
  }

  /** Until what is out of sight is painted as well. */
  untilFinished() {
    return this.page.waitForFunction(() => !('unfinished' in document.documentElement.dataset));
  }

  /** Stops the page's clock; `page.clock.runFor` lets it go on. */
  async stopClock() {
    await this.page.clock.install({ time: '2030-01-01T00:00:00Z' });
    await this.page.clock.pauseAt('2030-01-01T00:01:00Z');
  }

  // Numbers

  /** The numbers of every step that has its table in the page. @returns {Promise<Record<string, Rows>>} */
  async steps() {
    await this.untilFinished();
    const tables = await this.page.evaluate(() => [...document.querySelectorAll('table[data-step]')].map((table) => ({
      key: /** @type {HTMLElement} */ (table).dataset.step ?? '',
      cells: [.../** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll('td[data-row]'))].map(({ dataset }) => [Number(dataset.row), Number(dataset.col), dataset.value]),
    })));
    /** @type {Record<string, Rows>} */
    const steps = {};
    for (const { key, cells } of tables) {
      assert.ok(!(key in steps), `two tables of step ${key}`);
      steps[key] = [];
      for (const [row, col, value] of /** @type {[number, number, string][]} */ (cells)) {
        assert.match(value, /^(-?(\d+(\.\d+)?(e[+-]\d+)?|Infinity)|NaN)$/, `data-value of ${key}`);
        (steps[key][row] ??= [])[col] = Number(value);
      }
    }
    return steps;
  }

  /** @param {string} key @returns {Promise<Rows>} */
  async step(key) {
    const steps = await this.steps();
    assert.ok(key in steps, `there is no table of step ${key}`);
    return steps[key];
  }

  // What a visitor does

  /** @param {string} key @param {number} row @param {number} col */
  cell(key, row, col) {
    return this.page.locator(`table[data-step="${key}"] td[data-row="${row}"][data-col="${col}"]`);
  }

  /** Clicks a cell, types, and presses Enter. @param {string} name @param {number} row @param {number} col @param {string} text */
  async edit(name, row, col, text) {
    await this.cell(name, row, col).click();
    if (text === '') await this.page.keyboard.press('Delete');
    else await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** @param {string} key @param {{ [name: string]: unknown }} [params] */
  button(key, params) {
    return this.page.getByRole('button', { name: this.t(key, params), exact: true });
  }

  /** @param {string} key */
  group(key) {
    return this.page.getByRole('group', { name: this.t(key), exact: true });
  }

  /** Presses one of the choices of a setting. @param {string} setting @param {string} value as in a link */
  choose(setting, value) {
    return this.repainted(() => this.group(setting).locator(`[data-value="${value}"]`).click());
  }

  /** The inputs of a matrix, with its messages. @param {string} name */
  input(name) {
    return this.page.locator(`[data-input="${name}"]`);
  }

  /** The field of a number. @param {string} name */
  field(name) {
    return this.page.locator(`input[type="text"]#${name}`);
  }

  /** Where the messages of that number stand: beside its field. @param {string} name */
  besideField(name) {
    return this.page.locator('*').filter({ has: this.page.locator(`:scope > input[type="text"]#${name}`) });
  }

  /** Puts text on the clipboard and pastes it into a cell. @param {string} name @param {string} text */
  async paste(name, text) {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await this.cell(name, 0, 0).click();
    await this.repainted(() => this.page.keyboard.press('Control+V'));
  }

  /** The menu of lessons. */
  lessons() {
    return this.page.getByRole('combobox', { name: this.t('header.lessons') });
  }

  /** The bar of steps. */
  stepper() {
    return this.page.getByRole('navigation', { name: this.t('stepper.label'), exact: true });
  }

  /** @param {string} key */
  async go(key) {
    await this.stepper().locator(`[data-go="${key}"]`).click();
    await this.untilStep(key);
  }

  /** @param {string} key */
  untilStep(key) {
    return this.stepper().locator(`[data-go="${key}"][aria-current="step"]`).waitFor();
  }

  /** The explanation of a cell. @param {string} key @param {number} row @param {number} col */
  explanation(key, row, col) {
    return this.page.locator(`[data-explains="${key},${row},${col}"]`);
  }

  /** The link in the Share dialog. */
  async sharedLink() {
    await this.button('header.share').click();
    const link = await this.page.getByRole('dialog').getByLabel(this.t('share.link'), { exact: true }).inputValue();
    await this.page.keyboard.press('Escape');
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
    return link;
  }

  /** Until the address is that of what is shown. @param {RegExp} pattern */
  untilAddress(pattern) {
    return this.page.waitForFunction(([source, flags]) => new RegExp(source, flags).test(location.hash), [pattern.source, pattern.flags]);
  }

  /** Waits for a message of this wording, and checks that it stands alone there. @param {Locator} place @param {string} key @param {{ [name: string]: any }} [known] */
  async message(place, key, known = {}) {
    const name = this.t(`field.${known.field}`);
    const words = known.field && !name.startsWith('field.') ? { ...known, field: name } : known;
    const { source, flags } = this.wording(key, words);
    const message = place.getByRole('alert').getByText(new RegExp(source, `${flags}i`));
    await message.first().waitFor();
    assert.equal(await message.count(), 1, `${key} is shown more than once`);
    const text = await message.innerText();
    assert.doesNotMatch(text, /[{}]|undefined|\[object/, text);
    if (words !== known) assert.equal(text[0], text[0].toUpperCase(), text);
    return text;
  }

  /** Checks that no message of this wording is (still) there. @param {string} key */
  async noMessage(key) {
    await this.page.getByRole('alert').getByText(this.wording(key)).waitFor({ state: 'detached' });
  }
}
