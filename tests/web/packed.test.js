// Links with more numbers than can be read: packed, short, and the same view wherever they are opened.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useBrowser } from './browser.js';

const open = useBrowser();

/** 16 × 6 numbers as somebody types them, from a fixed sequence. @param {number} seed */
const matrix = (seed) => Array.from({ length: 16 }, (_, row) => Array.from({ length: 6 }, (__, col) => (((row * 31 + col * 17 + seed * 7) % 199) - 99) / 10));
const text = (/** @type {number[][]} */ rows) => rows.map((row) => row.join(',')).join(';');
const [Q, K, V] = [matrix(1), matrix(2), matrix(3)];
const readable = `#1/attention?Q=${text(Q)}&K=${text(K)}&V=${text(V)}&step=weights&cell=3,4&lang=en`;

describe('a link with 288 numbers', () => {
  test('is packed in the address and in the Share dialog, and opens the same view elsewhere', async (t) => {
    const first = await open(t, readable);
    await first.edit('V', 15, 5, '0.1');
    await first.untilAddress(/^#1\/attention\?c=.*&m=/);
    const link = await first.sharedLink();
    assert.ok(link.length <= 800, `${link.length} characters`);
    assert.match(link, /[?&]m=[\w-]+.*[A-Za-z0-9]$/);

    const second = await open(t, link.slice(link.indexOf('#')), { language: 'ko' });
    second.language = 'en'; // the link carries it
    await second.untilStep('weights');
    assert.deepEqual(await second.step('Q'), Q);
    assert.deepEqual(await second.step('V'), V.map((row, i) => row.map((cell, j) => (i === 15 && j === 5 ? 0.1 : cell))));
    assert.deepEqual(await second.steps(), await first.steps());
    assert.equal(await second.sharedLink(), link);
  });

  test('that was changed opens nothing by itself', async (t) => {
    const first = await open(t, readable);
    const link = (await first.sharedLink()).replace(/(&m=.{40})(.)/, (_, front, letter) => front + (letter === 'A' ? 'B' : 'A'));
    const second = await open(t, link.slice(link.indexOf('#')), { early: true });
    await second.message(second.page.locator('body'), 'problem.damaged');
    assert.deepEqual(await second.step('scores'), [[1, 2]]);
  });
});

test('few numbers stay readable, and ask for nothing that packs', async (t) => {
  const visit = await open(t, '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1');
  await visit.edit('Q', 0, 0, '5');
  await visit.untilAddress(/Q=5,1/);
  assert.deepEqual(visit.requests.filter((address) => /packed/.test(address)), []);
});
