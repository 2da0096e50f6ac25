// The numbers on the page are those of the definition and of the module, whatever a visitor sets.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attentionSteps, EXAMPLES } from '../js/formula.js';
import { assertClose, loadAttention, stepRows } from '../js/module.js';
import { LANGUAGES, useBrowser } from './browser.js';

const core = await loadAttention();
const open = useBrowser();

describe('the examples of the lesson', () => {
  for (const language of LANGUAGES)
    for (const [name, { link, input, digits }] of Object.entries(EXAMPLES))
      test(`${name}, in ${language}`, async (t) => {
        const visit = await open(t, link, { language });
        assert.equal(await visit.page.getAttribute('html', 'lang'), language);
        const steps = await visit.steps();
        for (const [key, rows] of Object.entries(digits)) assertClose(steps[key], rows, 5e-10, key);
        for (const [key, rows] of Object.entries(attentionSteps(input))) assertClose(steps[key], rows, 1e-12, key);
        for (const name of /** @type {const} */ (['q', 'k', 'v'])) assert.deepEqual(steps[name.toUpperCase()], input[name]);
      });

  test('are what the list of examples gives', async (t) => {
    const visit = await open(t);
    for (const [name, { digits }] of Object.entries(EXAMPLES).reverse()) {
      await visit.page.getByLabel(visit.t('inputs.example')).selectOption(visit.t(`example.${name}`));
      await visit.page.waitForFunction((first) => document.querySelector('table[data-step="scores"] td')?.getAttribute('data-value') === first, String(digits.scores[0][0]));
      assertClose(await visit.step('output'), digits.output, 5e-10);
    }
  });
});

// Six tokens with four numbers each, none of them special.
const Q = [[1, -0.5, 2, 0], [0.25, 1, -1, 3], [-2, 0.1, 0.7, 1], [0, 0, 1.5, -1], [3, -1, 0.2, 0.4], [0.6, 0.6, -0.6, 1e-3]];
const K = [[0.5, 1, 0, -1], [2, -2, 1, 0.3], [1, 0, 0.9, 1], [-0.7, 1.1, 0.4, 0], [0, 2, -1, 0.5], [1, 1, 1, 1]];
const V = [[1, 0, 0, 2], [0, 1, -1, 0], [0.5, 0.5, 0.5, 0.5], [-3, 2, 0, 1], [10, 0, 1, -1], [0, 0, 0, 7]];
const drawn = [[1, 0], [2, 2], [5, 0], [5, 1], [5, 2], [5, 3], [5, 4], [5, 5]]; // the last row sees nothing

/** What the module answers in Node. @param {any} inputs @param {any} [options] */
function expected(inputs, options) {
  const { steps } = core.trace({ recipe: 'attention', inputs, options: { compareSoftmax: true, ...options } });
  return Object.fromEntries(steps.filter(({ key }) => key !== 'mask').map((step) => [step.key, stepRows({ steps }, step.key)]));
}

/** The tables of the computation; the embedding table E stands for itself. @param {import('./browser.js').Visit} visit */
async function computed(visit) {
  const { E, ...steps } = await visit.steps();
  assert.ok(E);
  return steps;
}

/** @param {import('./browser.js').Visit} visit */
async function enterMatrices(visit) {
  const more = (/** @type {string} */ name, /** @type {string} */ what, /** @type {number} */ times) => Array.from({ length: times }, () => () =>
    visit.repainted(() => visit.input(name).getByRole('button', { name: visit.t('inputs.add', { what: visit.t(what) }), exact: true }).click()));
  for (const press of [...more('Q', 'inputs.rows', 5), ...more('Q', 'inputs.cols', 2), ...more('K', 'inputs.rows', 4), ...more('V', 'inputs.cols', 2)]) await press();
  for (const [name, rows] of Object.entries({ Q, K, V }))
    for (const [row, numbers] of rows.entries())
      for (const [col, number] of numbers.entries()) await visit.edit(name, row, col, String(number));
}

describe('own 6×4 matrices, entered cell by cell', () => {
  test('give the numbers of the module, under every setting', async (t) => {
    const visit = await open(t);
    await enterMatrices(visit);
    const inputs = { q: Q, k: K, v: V };
    const check = async (/** @type {string} */ what, /** @type {any} */ options = {}, /** @type {any} */ mask = undefined) => {
      for (const convention of ['columns', 'rows']) {
        await visit.choose('setting.convention', convention);
        assert.deepEqual(await computed(visit), expected(mask ? { ...inputs, mask } : inputs, options), `${what}, ${convention}`);
      }
    };

    await check('as they are');
    await visit.choose('setting.scale', 'off');
    await check('not scaled', { scale: 1 });
    await visit.repainted(() => visit.field('T').fill('0.5'));
    await check('not scaled, T = 0.5', { scale: 1, temperature: 0.5 });
    await visit.choose('setting.scale', 'on');
    await check('T = 0.5', { temperature: 0.5 });
    await visit.choose('setting.mask', 'causal');
    await check('causal, T = 0.5', { causal: 'top-left', temperature: 0.5 });
    await visit.repainted(() => visit.field('T').fill('1'));
    await check('causal', { causal: 'top-left' });

    await visit.choose('setting.mask', 'none');
    await visit.choose('setting.mask', 'drawn');
    const grid = visit.page.getByRole('grid', { name: visit.t('mask.drawn'), exact: true });
    const mask = Q.map(() => K.map(() => 1));
    for (const [row, col] of drawn) {
      await visit.repainted(() => grid.locator(`[data-row="${row}"][data-col="${col}"]`).click());
      mask[row][col] = 0;
    }
    await check('drawn', {}, mask);
    await visit.choose('softmax.label', 'plain');
    await check('drawn, softmax by hand', { softmax: 'plain' }, mask);
  });

  test('give the numbers of the module under a causal mask from the end', async (t) => {
    const visit = await open(t, '#1/attention?Q=1,-0.5;0.25,1&K=0.5,1;2,-2;1,0&V=1,0,3;0,1,2;5,5,5');
    const inputs = { q: [[1, -0.5], [0.25, 1]], k: [[0.5, 1], [2, -2], [1, 0]], v: [[1, 0, 3], [0, 1, 2], [5, 5, 5]] };
    for (const [choice, causal] of [['causal', 'top-left'], ['causal-end', 'bottom-right']]) {
      await visit.choose('setting.mask', choice);
      assert.deepEqual(await computed(visit), expected(inputs, { causal }), choice);
    }
  });

  test('are the same in a second profile that opens the shared link', async (t) => {
    const settings = '&T=0.7&mask=drawn&allow=1,0,1,1,1,1;1,1,1,1,1,1;1,1,0,1,1,1;1,1,1,1,1,1;1,1,1,1,1,1;0,0,0,0,0,0&convention=columns&softmax=plain&step=weights&cell=2,3&pin=output,1,1&digits=5&w=0.7&match=2';
    const text = (/** @type {number[][]} */ rows) => rows.map((row) => row.join(',')).join(';');
    const first = await open(t, `#1/attention?Q=${text(Q)}&K=${text(K)}&V=${text(V)}${settings}`, { language: 'ko' });
    await first.edit('V', 4, 0, '-12.125');
    const link = await first.sharedLink();
    assert.match(link, /#1\/attention\?c=[0-9a-z]+\.[0-9a-z]+&.*[A-Za-z0-9]$/);

    const second = await open(t, link.slice(link.indexOf('#')), { language: 'en' });
    second.language = 'ko'; // the link carries it
    assert.equal(await second.page.getAttribute('html', 'lang'), 'ko');
    assert.deepEqual(await second.steps(), await first.steps());
    assert.equal((await second.step('V'))[4][0], -12.125);
    assert.equal(await second.sharedLink(), link);
    for (const visit of [first, second]) {
      await visit.untilStep('weights');
      await visit.explanation('weights', 2, 3).waitFor();
      await visit.explanation('output', 1, 1).waitFor();
      assert.equal(await visit.field('T').inputValue(), '0.7');
    }
  });
});

describe('what a changed number repaints', () => {
  test('leaves the tints of the others while the largest stays below the end of their scale', async (t) => {
    const visit = await open(t, '#1/attention?Q=3.5,1&K=1,0;0,1&V=1,0;0,1&step=scores');
    // Twenty tints from 0 to 1, 2, 3, 5 or 10: here the scores are the two numbers of Q.
    const tints = () => visit.page.locator('table[data-step="scores"] td[data-row]').evaluateAll((cells) => cells.map((cell) => Number(/** @type {HTMLElement} */ (cell).dataset.heat)));
    assert.deepEqual(await tints(), [14, 4]); // of 5
    for (const [number, expected] of /** @type {const} */ ([['5', [20, 4]], ['6', [12, 2]], ['0.04', [1, 20]]])) {
      await visit.edit('Q', 0, 0, number);
      await visit.untilFinished();
      assert.deepEqual(await tints(), expected, number);
    }
  });

  test('is painted first where it is seen, and later below', async (t) => {
    const visit = await open(t, '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1&step=scores');
    await visit.untilLoaded();
    await visit.page.evaluate(() => {
      const value = (/** @type {string} */ key) => document.querySelector(`table[data-step="${key}"] td[data-row]`)?.getAttribute('data-value');
      const order = /** @type {any} */ (globalThis).order = /** @type {string[]} */ ([]);
      const before = [value('scores'), value('plain/exp')];
      const tellFrame = () => {
        const changed = [value('scores') !== before[0], value('plain/exp') !== before[1]].join();
        if (order.at(-1) !== changed) order.push(changed);
        if (changed !== 'true,true') requestAnimationFrame(tellFrame);
      };
      tellFrame();
    });
    await visit.edit('Q', 0, 0, '3');
    await visit.untilFinished();
    await visit.page.waitForFunction(() => /** @type {any} */ (globalThis).order.at(-1) === 'true,true');
    assert.deepEqual(await visit.page.evaluate(() => /** @type {any} */ (globalThis).order), ['false,false', 'true,false', 'true,true']);

    // Where the sections are in sight, at once.
    await visit.page.locator('table[data-step="plain/exp"]').scrollIntoViewIfNeeded();
    const late = await visit.page.evaluate(() => new Promise((resolve) => {
      new MutationObserver(() => resolve('unfinished' in document.documentElement.dataset)).observe(document.documentElement, { attributeFilter: ['data-revision', 'data-unfinished'] });
      /** @type {HTMLElement} */ (document.querySelector('[data-go="exp"]')).click();
    }));
    assert.equal(late, false);
  });
});
