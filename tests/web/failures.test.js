// The core that does not come, and the core that breaks: a message, nothing lost, and on it goes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps } from '../js/formula.js';
import { assertClose } from '../js/module.js';
import { LANGUAGES, useBrowser } from './browser.js';

/** @import { Page } from 'playwright-core' */
/** @import { Visit } from './browser.js' */

const open = useBrowser();
const OWN = '#1/attention?Q=3,1&K=1,0;0,2&V=1,0;7,1';

/** @param {Visit} visit @param {number[][]} q */
async function computes(visit, q) {
  const expected = attentionSteps({ q, k: [[1, 0], [0, 2]], v: [[1, 0], [7, 1]] });
  const steps = await visit.steps();
  for (const [key, rows] of Object.entries(expected)) assertClose(steps[key], rows, 1e-12, key);
}

describe('without the WebAssembly file', () => {
  for (const language of LANGUAGES)
    for (const [what, answer] of /** @type {[string, (route: import('playwright-core').Route) => Promise<void>][]} */ ([
      ['unreachable', (route) => route.abort()],
      ['not found', (route) => route.fulfill({ status: 404 })],
      ['another file', (route) => route.fulfill({ contentType: 'text/html', body: '<p>hello</p>' })],
    ]))
      test(`${what}, in ${language}`, async (t) => {
        const visit = await open(t, OWN, {
          language, state: 'error', expected: /^console: /,
          prepare: (page) => page.route('**/*.wasm', answer),
        });
        await visit.message(visit.page.getByRole('region', { name: visit.t('stage.label') }), 'problem.engine-missing');
        assert.deepEqual(await visit.step('Q'), [[3, 1]], 'the numbers are there');
        await visit.edit('Q', 0, 0, '5');

        await visit.page.unroute('**/*.wasm');
        await visit.button('action.retry').click();
        await visit.untilState('ready');
        await visit.noMessage('problem.engine-missing');
        await computes(visit, [[5, 1]]);
      });
});

/** Makes exported functions of the core trap, the next `trapsLeft` times that one is called after it has started. @param {Page} page */
const prepareTraps = (page) => page.addInitScript(() => {
  const own = /** @type {any} */ (globalThis);
  own.trapsLeft = own.instances = 0;
  // (module (func (export "t") unreachable))
  const module = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11);
  const instantiate = /** @type {any} */ (WebAssembly.instantiate);
  /** @type {any} */ (WebAssembly).instantiate = async (/** @type {any} */ core, /** @type {any} */ imports) => {
    const { exports } = await instantiate(core, imports);
    const trap = /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(module)).exports.t);
    own.instances++;
    let started = false;
    return { exports: Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, typeof value !== 'function' ? value : (/** @type {any[]} */ ...args) => {
      if (started && own.trapsLeft > 0) own.trapsLeft--, trap();
      queueMicrotask(() => { started = true; }); // all that is called before it runs belongs to the start
      return value(...args);
    }])) };
  };
});

/** @param {Visit} visit @param {number} times */
const setTraps = (visit, times) => visit.page.evaluate((count) => { /** @type {any} */ (globalThis).trapsLeft = count; }, times);
/** @param {Visit} visit @returns {Promise<number>} */
const instances = (visit) => visit.page.evaluate(() => /** @type {any} */ (globalThis).instances);

/** @param {Visit} visit @param {number} count */
const untilInstances = (visit, count) => visit.page.waitForFunction((wanted) => /** @type {any} */ (globalThis).instances >= wanted && document.documentElement.dataset.state === 'ready', count);

test('without memory for the core', async (t) => {
  const visit = await open(t, OWN, {
    state: 'error', expected: /no memory/,
    prepare: (page) => page.addInitScript(() => {
      const own = /** @type {any} */ (WebAssembly);
      own.given = own.instantiate;
      own.instantiate = () => Promise.reject(new RangeError('no memory'));
    }),
  });
  await visit.message(visit.page.getByRole('region', { name: visit.t('stage.label') }), 'problem.engine-missing');
  await visit.page.evaluate(() => { const own = /** @type {any} */ (WebAssembly); own.instantiate = own.given; });
  await visit.button('action.retry').click();
  await visit.untilState('ready');
  await computes(visit, [[3, 1]]);
});

describe('a trap in the core', () => {
  const expected = /^console: .*unreachable/;

  for (const language of LANGUAGES)
    test(`while computing, in ${language}`, async (t) => {
      const visit = await open(t, OWN, { language, expected, prepare: prepareTraps });
      await setTraps(visit, 1);
      await visit.edit('Q', 0, 1, '4');
      await untilInstances(visit, 2);
      await visit.message(visit.page.locator('body'), 'problem.engine-failed');
      assert.equal(await visit.cell('Q', 0, 1).getAttribute('data-value'), '4', 'the numbers are kept');
      await computes(visit, [[3, 4]]);

      await visit.edit('Q', 0, 0, '-2');
      await computes(visit, [[-2, 4]]);
      await visit.page.keyboard.press('Escape');
      await visit.repainted(() => visit.button('action.undo').click());
      await computes(visit, [[3, 4]]);
    });

  test('while explaining a cell', async (t) => {
    const visit = await open(t, OWN, { expected, prepare: prepareTraps });
    await visit.go('weights');
    await setTraps(visit, 1);
    await visit.cell('weights', 0, 1).click();
    await untilInstances(visit, 2);
    await visit.explanation('weights', 0, 1).waitFor();
    await computes(visit, [[3, 1]]);
  });

  test('while opening a gradient', async (t) => {
    const visit = await open(t, OWN, { expected, prepare: prepareTraps });
    await visit.go('output');
    await setTraps(visit, 1);
    await visit.button('action.gradient').click();
    await untilInstances(visit, 2);
    assert.equal((await visit.step('grad/output')).flat().reduce((sum, cell) => sum + cell), 1);
  });

  test('that comes back every time is not answered with a restart every time', async (t) => {
    const visit = await open(t, OWN, { expected, prepare: prepareTraps });
    await setTraps(visit, 1e9);
    await visit.edit('Q', 0, 1, '4');
    await visit.message(visit.page.locator('body'), 'problem.engine-failed');
    const frames = () => visit.page.evaluate(async () => { for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame); });
    await frames();
    const before = await instances(visit);
    await frames();
    assert.equal(await instances(visit), before, 'the core is started over and over');
    assert.equal(await visit.cell('Q', 0, 1).getAttribute('data-value'), '4');

    await setTraps(visit, 0);
    await visit.edit('Q', 0, 1, '1');
    await visit.page.waitForFunction(() => document.querySelector('table[data-step="scores"] td[data-col="1"]')?.getAttribute('data-value') === '2');
    await computes(visit, [[3, 1]]);
  });
});
