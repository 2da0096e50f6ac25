// Lesson 11 on the page: what attention notices of an order, and the encoding in numbers and pictures.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFurtherStrings } from '../../web/i18n/index.js';
import { assertClose as assertRowsClose, loadAttention } from '../js/module.js';
import { violationsIn } from './axe.js';
import { LANGUAGES, useBrowser } from './browser.js';
import { lowContrast } from './contrast.js';

/** @import { Visit } from './browser.js' */

await Promise.all(LANGUAGES.map(loadFurtherStrings));

const open = useBrowser();
const core = await loadAttention();

/** @param {number[]} actual @param {number[]} expected @param {number} tolerance relative beyond 1 */
const assertClose = (actual, expected, tolerance) => assertRowsClose([actual], [expected], tolerance);

/** Straight from the paper (Vaswani et al. 2017, section 3.5). @param {number} pos @param {number} col @param {number} d @param {number} [base] */
const paper = (pos, col, d, base = 10000) => (col % 2 === 0 ? Math.sin : Math.cos)(pos / base ** ((col - (col % 2)) / d));

/** The numbers of a table below the steps, a row each. @param {Visit} visit @param {string} name @returns {Promise<number[][]>} */
async function table(visit, name) {
  const place = visit.page.locator(`[data-table="${name}"]`);
  await visit.page.locator('main section[id^="section-"]').first().waitFor({ state: 'attached' });
  const closed = visit.page.locator(`details[data-behind="${name}"]:not([open]) summary`);
  if (await closed.count() > 0) await visit.repainted(() => closed.click());
  await place.waitFor({ state: 'attached' });
  return place.locator('tbody tr').evaluateAll((lines) => lines.map((line) =>
    [.../** @type {NodeListOf<HTMLElement>} */ (line.querySelectorAll('[data-value]'))].map((cell) => Number(cell.dataset.value))));
}

/** @param {Visit} visit @param {string} name */
async function measured(visit, name) {
  const place = visit.page.locator(`[data-measured="${name}"]`);
  await place.waitFor({ state: 'attached' });
  return Number(await place.getAttribute('data-value'));
}

/** @param {Visit} visit @param {string} name */
const readout = async (visit, name) => Number(await visit.page.locator(`[data-readout="${name}"]`).getAttribute('data-value'));

/** Until the products are those of the encoding that is shown. @param {Visit} visit */
const untilMeasured = (visit) => visit.page.locator('[data-measuring="no"]').waitFor({ state: 'attached' });

/** The tokens of the other order, as rows of X. @param {Visit} visit */
const listed = (visit) => visit.page.locator('[data-order-list] [data-token]').evaluateAll((lines) => lines.map((line) => Number(/** @type {HTMLElement} */ (line).dataset.token)));

/** Brings every section into sight, and waits for its charts. @param {Visit} visit */
async function seeEverything(visit) {
  await visit.page.locator('.deeper > section').first().waitFor({ state: 'attached' });
  const scroll = (/** @type {Element} */ element) => element.scrollIntoView({ block: 'center' });
  for (const section of await visit.page.locator('main section[id^="section-"]').all()) await section.evaluate(scroll);
  // What is drawn above a chart may push it out of sight again, where it waits.
  for (const chart of await visit.page.locator('[data-plot]').elementHandles())
    await visit.page.waitForFunction((element) => {
      if (!element.querySelector('svg')) element.scrollIntoView({ block: 'center' });
      return element.querySelector('svg');
    }, chart);
}

for (const language of LANGUAGES)
  describe(`the encoding, in ${language}`, () => {
    test('has the products of the first position that the prose speaks of', async (t) => {
      const visit = await open(t, '#1/positional', { language });
      const dots = (await table(visit, 'distance')).flat();
      assertClose(dots.slice(0, 6).map((dot) => Number(dot.toFixed(2))), [8, 7.49, 6.37, 5.54, 5.56, 6.14], 1e-12);
      const { data } = core.sinusoidal({ positions: 32, dModel: 16 });
      assertClose(dots, Array.from({ length: 32 }, (_, pos) => Array.from({ length: 16 }, (__, col) => data[col] * data[pos * 16 + col]).reduce((all, each) => all + each, 0)), 1e-12);
    });

    test('is stepped through with the tokens of an example', async (t) => {
      const visit = await open(t, '#1/positional', { language });
      const { X } = await visit.steps();
      await visit.go('H');
      const H = await visit.step('H');
      assertRowsClose(H, X.map((row, pos) => row.map((cell, col) => cell + paper(pos, col, 4))), 1e-15);
      await visit.go('P');
      assertRowsClose(await visit.step('P'), X.map((row, pos) => row.map((_, col) => paper(pos, col, 4))), 1e-15);
      await visit.repainted(() => visit.group('setting.combine').first().locator('[data-value="concatenate"]').click());
      await visit.go('H');
      assertRowsClose(await visit.step('H'), X.map((row, pos) => [...row, ...row.map((_, col) => paper(pos, col, 4))]), 1e-15);
      await visit.repainted(() => visit.page.locator('#example').selectOption('no-order'));
      assert.ok(!('H' in await visit.steps()));
      await visit.page.locator('#stage [data-operand="X"]').waitFor();
      await visit.repainted(() => visit.button('action.undo').click());
      await visit.go('output');
      await visit.button('action.gradient').first().click();
      await visit.page.locator('[data-go="grad/X"]').waitFor();
    });
  });

describe('the order of the tokens', () => {
  for (const [example, count] of /** @type {const} */ ([['particles', 5], ['dog-bites-man', 3]]))
    test(`is noticed through an encoding or a mask alone: ${example}`, async (t) => {
      const visit = await open(t, '#1/positional');
      if (example !== 'particles') await visit.repainted(() => visit.page.locator('#example').selectOption(example));
      assert.equal((await visit.step('X')).length, count);
      assert.ok((await measured(visit, 'order')) > 0.1, 'the encoding is noticed');
      const [none, add, concatenate, rotary, alibi] = await table(visit, 'ways');
      assert.ok(none[0] <= 1e-12, 'without both the outputs only change places');
      for (const error of [none[1], ...add, ...concatenate, ...rotary, alibi[1]]) assert.ok(error > 0.1, 'anything else is noticed');
      // First and third of three exchanged is the sentence turned round, which a distance to both sides cannot tell.
      if (count === 3) assert.ok(alibi[0] <= 1e-12);
      else assert.ok(alibi[0] > 0.1);

      await visit.repainted(() => visit.group('setting.encoding').first().locator('[data-value="none"]').click());
      assert.ok((await measured(visit, 'order')) <= 1e-12);
      assertRowsClose(await table(visit, 'outputs-other'), await table(visit, 'outputs-sentence'), 1e-12);
      await visit.repainted(() => visit.group('setting.causal').first().locator('[data-value="on"]').click());
      assert.ok((await measured(visit, 'order')) > 0.1);
    });

  test('is changed by keyboard, and goes into the link', async (t) => {
    const visit = await open(t, '#1/positional');
    assert.deepEqual(await listed(visit), [2, 1, 0, 3, 4]);
    const down = visit.page.locator('[data-token="2"] [data-by="1"]');
    await down.focus();
    await visit.repainted(() => visit.page.keyboard.press('Enter'));
    assert.deepEqual(await listed(visit), [1, 2, 0, 3, 4]);
    await visit.page.waitForFunction(() => document.activeElement?.closest('[data-token]')?.getAttribute('data-token') === '2');
    await visit.repainted(() => visit.page.keyboard.press('Enter'));
    assert.deepEqual(await listed(visit), [1, 0, 2, 3, 4]);
    await visit.untilAddress(/order=1,0,2,3,4/);
    await visit.repainted(() => visit.button('action.undo').click());
    assert.deepEqual(await listed(visit), [1, 2, 0, 3, 4]);
  });

  test('keeps the focus with its token where the list was scrolled out of sight', async (t) => {
    const visit = await open(t, '#1/positional');
    await visit.page.locator('[data-token="2"] [data-by="1"]').focus();
    await visit.page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    assert.ok(await visit.page.evaluate(() => /** @type {Element} */ (document.querySelector('.deeper')).getBoundingClientRect().top > window.innerHeight));
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForFunction(() => document.querySelector('[data-order-list] [data-token]')?.getAttribute('data-token') === '1');
    await visit.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await visit.page.evaluate(() => document.activeElement?.closest('[data-token]')?.getAttribute('data-token')), '2');
  });

  test('is changed by dragging', async (t) => {
    const visit = await open(t, '#1/positional');
    const lines = visit.page.locator('[data-order-list] [data-token]');
    await lines.last().scrollIntoViewIfNeeded();
    const grip = await lines.nth(4).locator('[data-grip]').boundingBox();
    const goal = await lines.nth(1).boundingBox();
    assert.ok(grip && goal);
    await visit.page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
    await visit.page.mouse.down();
    await visit.page.mouse.move(goal.x + 20, goal.y + goal.height / 2, { steps: 8 });
    await visit.page.mouse.up();
    await visit.page.waitForFunction(() => document.querySelectorAll('[data-token]')[1].getAttribute('data-token') === '4');
    assert.deepEqual(await listed(visit), [2, 4, 1, 0, 3]);
    await visit.repainted(() => visit.button('action.undo').click());
    assert.deepEqual(await listed(visit), [2, 1, 0, 3, 4]);
  });

  test('can be put into the steps, with the words', async (t) => {
    const visit = await open(t, '#1/positional?order=2,1,0,3,4');
    const before = await visit.step('X');
    const other = await table(visit, 'outputs-other');
    await visit.repainted(() => visit.button('positional.apply').click());
    assert.deepEqual(await visit.step('X'), [2, 1, 0, 3, 4].map((row) => before[row]));
    await visit.go('output');
    assertRowsClose(await visit.step('output'), [2, 1, 0, 3, 4].map((row) => other[row]), 1e-15);
    await visit.untilAddress(/tokens=2,1,0,3,4/);
    assert.match(await visit.group('positional.sentence').innerText(), /^man.*dog/s);
  });

  test('that is none is taken for the one at the start', async (t) => {
    const visit = await open(t, '#1/positional?order=0,0,7');
    assert.deepEqual(await listed(visit), [2, 1, 0, 3, 4]);
  });
});

/** @param {number[]} row @param {number} angle of the first pair @param {number} slow of the second */
const turned = ([a, b, c, d], angle, slow) => [
  a * Math.cos(angle) - b * Math.sin(angle), a * Math.sin(angle) + b * Math.cos(angle), c * Math.cos(slow) - d * Math.sin(slow), c * Math.sin(slow) + d * Math.cos(slow),
];

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a.reduce((sum, number, i) => sum + number * b[i], 0);

for (const language of LANGUAGES)
  describe(`what came after, in ${language}`, () => {
    test('turns queries and keys: in the steps, the formula and the settings', async (t) => {
      const visit = await open(t, '#1/positional', { language });
      assert.ok(await visit.group('setting.combine').count() > 0);
      assert.equal(await visit.page.locator('.inputs').getByRole('group', { name: visit.t('setting.layout'), exact: true }).count(), 0);
      await visit.repainted(() => visit.group('setting.encoding').first().locator('[data-value="rotary"]').click());
      await visit.untilAddress(/encoding=rotary/);
      assert.equal(await visit.page.locator('.inputs').getByRole('group', { name: visit.t('setting.combine'), exact: true }).count(), 0);
      await visit.go('R');
      const X = await visit.step('X');
      assertRowsClose(await visit.step('R'), X.map((row, i) => turned(row, i, i / 100)), 1e-14);
      const R = await visit.step('R');
      assertRowsClose(await visit.step('scores'), R.map((a) => R.map((b) => dot(a, b))), 1e-14);
      const weights = await visit.step('weights');
      assertRowsClose(await visit.step('output'), weights.map((row) => X[0].map((_, col) => dot(row, X.map((values) => values[col])))), 1e-14);
      await visit.repainted(() => visit.page.locator('.inputs').getByRole('group', { name: visit.t('setting.layout'), exact: true }).locator('[data-value="halves"]').click());
      const [a, c, b, d] = [0, 1, 2, 3].map((col) => X[4][col]);
      const [ta, tb, tc, td] = turned([a, b, c, d], 4, 0.04);
      assertClose((await visit.step('R'))[4], [ta, tc, tb, td], 1e-14);
      // The gradient turns back.
      await visit.go('scores');
      await visit.button('action.gradient').first().click();
      await visit.page.locator('[data-go="grad/X"]').waitFor();
    });

    test('takes off a penalty for distance, by head', async (t) => {
      const visit = await open(t, '#1/positional?encoding=alibi&causal=on', { language });
      const bias = (/** @type {number} */ slope) => [0, 1, 2, 3, 4].map((i) => [0, 1, 2, 3, 4].map((j) => (i === j ? 0 : -slope * Math.abs(i - j))));
      await visit.go('bias');
      assert.deepEqual(await visit.step('bias'), bias(1 / 2));
      await visit.repainted(() => visit.field('head').fill('3'));
      assert.deepEqual(await visit.step('bias'), bias(1 / 8));
      const [scaled, biased] = [await visit.step('scaled'), await visit.step('biased')];
      assertRowsClose(biased, scaled.map((row, i) => row.map((score, j) => score - Math.abs(i - j) / 8)), 1e-15);
      await visit.repainted(() => visit.field('heads').fill('2'));
      assert.deepEqual(await visit.step('bias'), bias(1 / 256), 'the last head where there are fewer');
      await visit.untilAddress(/heads=2&head=3/);
    });

    test('is told of in numbers: scores by distance, slopes, a bias', async (t) => {
      const visit = await open(t, '#1/positional?heads=12&head=9', { language });
      const [query, key] = [[2, 0, 1, 0], [1, 2, 0, 0]]; // the first and the third token
      assert.ok((await measured(visit, 'turned-spread')) <= 1e-13);
      assert.ok((await measured(visit, 'added-spread')) > 1);
      assert.ok((await measured(visit, 'turned-layouts')) > 1);
      const distances = (await table(visit, 'turned-distance')).flat();
      assert.equal(distances.length, 63);
      assertClose(distances, Array.from({ length: 63 }, (_, i) => dot(turned(query, i - 31, (i - 31) / 100), key)), 1e-13);

      const slopes = (await table(visit, 'slopes')).flat();
      assertClose(slopes, [...[1, 2, 3, 4, 5, 6, 7, 8].map((power) => 2 ** -power), ...[0.5, 1.5, 2.5, 3.5].map((power) => 2 ** -power)], 1e-15);
      assertClose([await measured(visit, 'slope')], [Math.SQRT1_2], 1e-15);
      await visit.page.locator('[data-heatmap="bias"]').focus();
      for (const move of ['ArrowDown', 'ArrowDown']) await visit.repainted(() => visit.page.keyboard.press(move));
      assertClose([await readout(visit, 'bias')], [-2 * Math.SQRT1_2], 1e-15);
      const decay = (await table(visit, 'decay')).flat();
      assert.equal(decay.length, 16);
      assertClose(decay.slice(1).map((weight, i) => weight / decay[i]), Array(15).fill(Math.exp(-Math.SQRT1_2)), 1e-13);
      assertClose([decay.reduce((sum, weight) => sum + weight)], [1], 1e-14);

      const eight = visit.group('positional.heads').locator('[data-value="8"]');
      await visit.repainted(() => eight.click());
      assert.deepEqual((await table(visit, 'slopes')).flat(), [1, 2, 3, 4, 5, 6, 7, 8].map((power) => 2 ** -power));
    });

    test('adds the parts of a score to the whole', async (t) => {
      const visit = await open(t, '#1/positional', { language });
      await table(visit, 'parts');
      await visit.repainted(() => visit.page.locator('[data-pair="key"]').first().selectOption('4'));
      await visit.untilAddress(/pair=0,4/);
      const [[xx, xp, px, pp, sum], [, , , beside, apart]] = await table(visit, 'parts');
      assertClose([xx + xp + px + pp, xx + beside], [sum, apart], 1e-14);
      assertClose([sum], [(await visit.step('scores'))[0][4]], 1e-14);
    });
  });

describe('a step of k', () => {
  for (const [link, d, base] of /** @type {[string, number, number][]} */ ([
    ['at=2&lag=3', 16, 10000], ['at=900&lag=100&positions=1024&dimension=512', 512, 10000], ['at=5&lag=-4&base=1&dimension=7', 7, 1], ['at=1&lag=31&base=1000000&layout=halves', 16, 1e6],
  ]))
    test(`turns every pair by −kω: ${link}`, async (t) => {
      const visit = await open(t, `#1/positional?${link}`);
      const { at, lag } = Object.fromEntries(link.split('&').map((part) => part.split('=')).map(([name, value]) => [name, Number(value)]));
      assert.ok((await measured(visit, 'turn')) <= 1e-12);
      const rows = await table(visit, 'turn');
      assert.equal(rows.length, Math.min(16, Math.floor(d / 2)));
      for (const [r, [omega, angle, sine, cosine, sineThere, cosineThere, error]] of rows.entries()) {
        const expected = base ** ((-2 * r) / d);
        assertClose([omega, angle], [expected, -lag * expected], 1e-13);
        assertClose([sine, cosine, sineThere, cosineThere], [0, 1, 0, 1].map((half) => paper(at + lag, 2 * r + half, d, base)), 1e-12);
        assert.ok(error <= 1e-12);
      }
    });
});

describe('products of the encoding', () => {
  test('depend on the distance alone when d is even, and no longer when it is odd', async (t) => {
    const visit = await open(t, '#1/positional');
    assert.ok((await measured(visit, 'spread')) <= 1e-12);
    await visit.repainted(() => visit.field('dimension').fill('3'));
    assert.ok((await measured(visit, 'spread')) > 1e-5);
  });

  test('are the same in both layouts, though the columns are not', async (t) => {
    const visit = await open(t, '#1/positional');
    const [interleaved, dots] = [await table(visit, 'encoding'), await table(visit, 'distance')];
    await visit.repainted(() => visit.page.locator('#section-encoding [data-value="halves"]').click());
    const halves = await table(visit, 'encoding');
    assert.deepEqual(halves, interleaved.map((row) => [...row.filter((_, col) => col % 2 === 0), ...row.filter((_, col) => col % 2 === 1)]));
    assertRowsClose(await table(visit, 'distance'), dots, 1e-12);
    assert.ok((await measured(visit, 'layouts')) <= 1e-12);
  });

  test('are of 1024 positions and 512 dimensions: some of them, when nothing moves any more', async (t) => {
    const visit = await open(t, '#1/positional?positions=1024&dimension=512');
    await visit.page.locator('[data-measured="spread"]').waitFor({ state: 'attached' });
    await untilMeasured(visit);
    assert.ok((await measured(visit, 'spread')) <= 1e-10);
    await visit.page.locator('[data-heatmap="products"]').focus();
    for (const key of ['PageDown', 'ArrowRight']) await visit.repainted(() => visit.page.keyboard.press(key));
    // One in eight of the positions: 80 and 8.
    const dot = Array.from({ length: 512 }, (_, col) => paper(80, col, 512) * paper(8, col, 512)).reduce((all, each) => all + each, 0);
    assertClose([await readout(visit, 'products')], [dot], 1e-11);
  });
});

describe('the picture of the encoding', () => {
  test('has every cell of 1024 × 512, and reads out the one that the keys lead to', async (t) => {
    const visit = await open(t, '#1/positional?positions=1024&dimension=512&step=scores');
    const map = visit.page.locator('[data-heatmap="encoding"]');
    await map.waitFor({ state: 'attached' });
    assert.deepEqual(await map.locator('canvas').evaluate((canvas) => [/** @type {HTMLCanvasElement} */ (canvas).width, /** @type {HTMLCanvasElement} */ (canvas).height]), [512, 1024]);
    await map.focus();
    for (const key of ['PageDown', 'PageDown', 'ArrowDown', 'End', 'ArrowLeft']) await visit.repainted(() => visit.page.keyboard.press(key));
    assertClose([await readout(visit, 'encoding')], [paper(21, 510, 512)], 1e-12);
    // The part of it around that cell stands in the table, and the steps have not moved.
    assert.ok((await table(visit, 'encoding')).flat().includes(await readout(visit, 'encoding')));
    await visit.untilStep('scores');
  });

  test('reads out the cell under the pointer, and has its colour', async (t) => {
    const visit = await open(t, '#1/positional?positions=8&dimension=4');
    const canvas = visit.page.locator('[data-heatmap="encoding"] canvas');
    await canvas.evaluate((element) => element.scrollIntoView({ block: 'center' })); // clear of the bar of steps
    const box = await canvas.boundingBox();
    assert.ok(box);
    await visit.repainted(() => visit.page.mouse.move(box.x + box.width * 0.3, box.y + box.height * (3.5 / 8)));
    assertClose([await readout(visit, 'encoding')], [paper(3, 1, 4)], 1e-14);
    const read = () => canvas.evaluate((element) => {
      const pen = /** @type {any} */ (new OffscreenCanvas(4, 8).getContext('2d', { willReadFrequently: true }));
      pen.drawImage(element, 0, 0);
      return [[0, 0], [1, 0], [1, 3]].map(([x, y]) => [...pen.getImageData(x, y, 1, 1).data]);
    });
    const colours = await read();
    // Zero is paper, 1 and −0.99 are full.
    assert.deepEqual(colours[0], [252, 251, 247, 255]);
    assert.deepEqual(colours[1], [0x71, 0x3a, 0x96, 255]);
    assert.ok(colours[2][0] > 170 && colours[2][2] < 60);
    await visit.button('header.theme').click();
    assert.deepEqual((await read())[0], [22, 23, 27, 255]);
  });

  test('is painted in the frame in which the base moves, at 128 positions', async (t) => {
    const visit = await open(t, '#1/positional?positions=128&dimension=512');
    await untilMeasured(visit);
    const slider = visit.page.getByRole('slider', { name: visit.t('inputs.slider', { what: visit.t('field.base') }), exact: true });
    await slider.scrollIntoViewIfNeeded();
    const frames = await slider.evaluate(async (input) => {
      const canvas = /** @type {any} */ (document.querySelector('[data-heatmap="encoding"] canvas'));
      const pen = /** @type {any} */ (new OffscreenCanvas(512, 128).getContext('2d', { willReadFrequently: true }));
      const pixels = () => {
        pen.drawImage(canvas, 0, 0);
        return pen.getImageData(0, 0, 512, 128).data.join();
      };
      const seen = [];
      for (const value of ['3', '2.5', '5.5']) {
        const before = pixels();
        // After the event and before the next painting, whose callback runs first.
        const changed = new Promise((resolve) => requestAnimationFrame(() => resolve(pixels() !== before)));
        /** @type {HTMLInputElement} */ (input).value = value;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        seen.push(await changed);
      }
      return seen;
    });
    assert.deepEqual(frames, [true, true, true]);
  });
});

describe('charts', () => {
  test('are asked for when they are seen, and by no other lesson', async (t) => {
    const visit = await open(t, '#1/attention');
    assert.ok(!visit.requests.some((address) => /plot/.test(address)));
    await visit.page.getByLabel(visit.t('header.lessons'), { exact: true }).selectOption('positional');
    await visit.page.locator('[data-plot="waves"]').waitFor({ state: 'attached' });
    await seeEverything(visit);
    assert.equal(visit.requests.filter((address) => /plot-marks/.test(address)).length, 1);
  });

  test('of waves take the dimension that is looked at', async (t) => {
    const visit = await open(t, '#1/positional');
    await visit.page.locator('[data-heatmap="encoding"]').focus();
    await visit.repainted(() => visit.page.keyboard.press('ArrowRight'));
    await visit.repainted(() => visit.button('positional.wave-add', { wave: visit.t('positional.wave', { col: 1 }) }).click());
    await visit.untilAddress(/waves=0,1,4,8/);
    assertRowsClose(await table(visit, 'waves'), Array.from({ length: 32 }, (_, pos) => [0, 1, 4, 8].map((col) => paper(pos, col, 16))), 1e-13);
    await visit.repainted(() => visit.page.locator('[data-wave="4"]').click());
    assert.deepEqual((await table(visit, 'waves'))[0].length, 3);
  });
});

for (const look of /** @type {const} */ ([
  { language: 'en', colorScheme: 'dark', viewport: { width: 390, height: 844 } }, { language: 'ko', colorScheme: 'light', viewport: { width: 820, height: 1180 } },
]))
  test(`everybody can read it: ${look.colorScheme}, in ${look.language}, ${look.viewport.width} px wide`, async (t) => {
    const visit = await open(t, '#1/positional?step=weights', { ...look, reducedMotion: 'reduce' });
    await seeEverything(visit);
    await visit.page.locator('summary').evaluateAll((summaries) => summaries.forEach((summary) => {
      if (!summary.parentElement?.hasAttribute('open')) /** @type {HTMLElement} */ (summary).click();
    }));
    assert.equal(await visit.page.evaluate(() => document.documentElement.scrollWidth), look.viewport.width);
    assert.deepEqual(await violationsIn(visit.page), []);
    assert.deepEqual(await visit.page.evaluate(lowContrast), []);
  });
