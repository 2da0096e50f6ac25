// Where a number comes from: the same by mouse, keyboard and finger; pinned; followed; and turned round as a gradient.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertClose, loadAttention, stepRows } from '../js/module.js';
import { useBrowser } from './browser.js';

const core = await loadAttention();
const open = useBrowser();
const START = '#1/attention?Q=1,1;2,0&K=1,0;0,2&V=1,0;0,1';

describe('the explanation of a cell', () => {
  test('is the same by hover, focus, click and tap', async (t) => {
    const mouse = await open(t, `${START}&step=scores`);
    await mouse.cell('scores', 0, 1).hover();
    const hovered = await mouse.explanation('scores', 0, 1).innerText();
    assert.match(hovered.replaceAll('\u2212', '-'), /=\s*2$/m, 'the result is there');
    await mouse.cell('Q', 0, 0).hover();

    const keys = await open(t, `${START}&step=scores`);
    await keys.cell('scores', 0, 0).focus();
    await keys.page.keyboard.press('ArrowRight');
    assert.equal(await keys.page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).dataset.col), '1');
    assert.equal(await keys.explanation('scores', 0, 1).innerText(), hovered);

    const clicks = await open(t, `${START}&step=scores`);
    await clicks.cell('scores', 0, 1).click();
    assert.equal(await clicks.explanation('scores', 0, 1).innerText(), hovered);

    const finger = await open(t, `${START}&step=scores`, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
    await finger.cell('scores', 0, 1).tap();
    assert.equal(await finger.explanation('scores', 0, 1).innerText(), hovered);
  });

  test('is spoken when a cell is focused', async (t) => {
    const visit = await open(t, `${START}&step=scores`);
    await visit.cell('scores', 0, 0).focus();
    await visit.page.keyboard.press('ArrowDown');
    const spoken = visit.wording('say.sum', { step: visit.t('step.scores'), terms: '2 × 1, 0 × 0', result: 2 });
    await visit.page.getByRole('status').getByText(spoken).waitFor({ state: 'attached' });
  });

  test('goes back to the chosen cell when the mouse leaves', async (t) => {
    const visit = await open(t, `${START}&step=scores&cell=1,0`);
    await visit.explanation('scores', 1, 0).waitFor();
    await visit.cell('scores', 0, 1).hover();
    await visit.explanation('scores', 0, 1).waitFor();
    await visit.page.mouse.move(0, 0);
    await visit.explanation('scores', 1, 0).waitFor();
  });

  test('leads to the cells that it names', async (t) => {
    const visit = await open(t, `${START}&step=output&cell=0,1`);
    const weight = (await visit.step('weights'))[0][1];
    const explanation = visit.explanation('output', 0, 1);
    await explanation.getByRole('button', { name: visit.wording('equation.open', { value: weight.toFixed(3) }) }).click();
    await visit.untilStep('weights');
    await visit.explanation('weights', 0, 1).waitFor();
  });

  test('of a hidden cell says that it is hidden', async (t) => {
    const visit = await open(t, `${START}&mask=causal&step=weights&cell=0,1`);
    const text = await visit.explanation('weights', 0, 1).innerText();
    assert.ok(text.includes(visit.t('equation.forbidden')), text);
  });
});

describe('a pinned cell', () => {
  test('keeps its explanation while values, steps and cells change', async (t) => {
    const visit = await open(t, `${START}&step=scores&cell=0,1`);
    await visit.repainted(() => visit.explanation('scores', 0, 1).getByRole('button', { name: visit.t('action.pin') }).click());
    await visit.edit('Q', 0, 1, '5');
    await visit.cell('scores', 1, 0).click();
    await visit.go('weights');
    const pinned = visit.explanation('scores', 0, 1);
    await pinned.waitFor();
    assert.match(await pinned.innerText(), /=\s*10$/m);
    await visit.edit('Q', 0, 1, '7');
    assert.match(await pinned.innerText(), /=\s*14$/m);

    await visit.untilAddress(/[?&]pin=scores,0,1(&|$)/);
    await visit.repainted(() => pinned.getByRole('button', { name: visit.t('action.unpin') }).click());
    assert.equal(await pinned.count(), 0);
  });
});

describe('a gradient', () => {
  const inputs = { Q: [[1, 0.5], [2, -1]], K: [[1, 0], [0, 2], [-1, 1]], V: [[1, 0, 2], [0, 1, 1], [3, -1, 0]] };
  const text = (/** @type {number[][]} */ rows) => rows.map((row) => row.join(',')).join(';');
  const link = `#1/attention?Q=${text(inputs.Q)}&K=${text(inputs.K)}&V=${text(inputs.V)}&mask=causal-end&T=0.8`;
  const H = 2 ** -17;

  /** Central differences of attention() itself. @param {'output' | 'weights'} key @param {number} row @param {number} col @param {'Q' | 'K' | 'V'} wrt */
  function differences(key, row, col, wrt) {
    const at = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ by) => {
      const moved = structuredClone(inputs);
      moved[wrt][r][c] += by;
      const { output, kept } = core.attention({ q: moved.Q, k: moved.K, v: moved.V, causal: 'bottom-right', temperature: 0.8, keep: 'weights' });
      const { shape, data } = /** @type {any} */ (key === 'output' ? output : kept);
      return data[row * shape[1] + col];
    };
    return inputs[wrt].map((cells, r) => cells.map((_, c) => (at(r, c, H) - at(r, c, -H)) / (2 * H)));
  }

  test('of any cell opens as steps, and equals finite differences', async (t) => {
    const visit = await open(t, link);
    for (const [key, row, col] of /** @type {['output' | 'weights', number, number][]} */ ([['output', 1, 2], ['output', 0, 0], ['weights', 1, 1]])) {
      await visit.go(key);
      await visit.cell(key, row, col).click();
      await visit.repainted(() => visit.explanation(key, row, col).getByRole('button', { name: visit.t('action.gradient') }).click());
      for (const wrt of /** @type {const} */ (['K', 'V', 'Q'])) {
        const choice = visit.group('gradient.wrt').locator(`[data-value="${wrt}"]`);
        if ((await choice.getAttribute('aria-pressed')) !== 'true') await visit.repainted(() => choice.click());
        const steps = await visit.steps();
        assertClose(steps[`grad/${wrt}`], differences(key, row, col, wrt), 1e-8, `d ${key} ${row},${col} / d ${wrt}`);
        const expected = core.gradient(core.trace({ recipe: 'attention', inputs, options: { causal: 'bottom-right', temperature: 0.8 } }), { of: { key, row, col }, wrt });
        for (const step of expected.steps) if (step.key.startsWith('grad/')) assert.deepEqual(steps[step.key], stepRows(expected, step.key), step.key);
      }
      await visit.repainted(() => visit.button('action.close-gradient').first().click());
      assert.deepEqual(Object.keys(await visit.steps()).filter((name) => name.startsWith('grad/')), []);
    }
  });

  test('can be stepped through, cell by cell explained', async (t) => {
    const visit = await open(t, `${link}&gradient=output,1,0,Q`);
    const keys = await visit.stepper().locator('[data-go]').evaluateAll((chips) => chips.map((chip) => /** @type {HTMLElement} */ (chip).dataset.go ?? ''));
    assert.ok(keys.length > 10 && keys.every((key) => key.startsWith('grad/')), keys.join());
    for (const key of keys) {
      await visit.go(key);
      const explanation = visit.explanation(key, 0, 0);
      await explanation.waitFor();
      assert.doesNotMatch(await explanation.innerText(), /undefined|NaN|\[object|[a-z]+\.[a-z]+-?[a-z]*\b(?<!\.\d)/, key);
    }
    await visit.untilAddress(/gradient=output,1,0,Q/);
  });

  test('predicts what a small change does', async (t) => {
    const visit = await open(t, `${link}&gradient=output,1,0,Q`);
    const slope = (await visit.step('grad/Q'))[1][0];
    await visit.repainted(() => visit.button('action.close-gradient').first().click());
    const before = (await visit.step('output'))[1][0];
    await visit.edit('Q', 1, 0, '2.000001');
    const after = (await visit.step('output'))[1][0];
    assert.ok(Math.abs((after - before) / 1e-6 - slope) < 1e-5, `${(after - before) / 1e-6} against ${slope}`);
  });
});
