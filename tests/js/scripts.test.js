// The scripts around the page: prose compiler, static server, counting of test results.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compileProse } from '../../scripts/prose.mjs';
import { startServer } from '../../scripts/serve.mjs';
import { ctestTotals, tapTotals } from '../../scripts/test-totals.mjs';

describe('prose', () => {
  test('becomes sections by key', () => {
    const prose = compileProse('# Lesson\n\nignored\n\n## scores | The scores\n\nOne *word*.\n\n## row-max | Max\n\nTwo.\n');
    assert.deepEqual(prose, {
      title: { title: 'Lesson', html: '' },
      scores: { title: 'The scores', html: '<p>One <em>word</em>.</p>' },
      'row-max': { title: 'Max', html: '<p>Two.</p>' },
    });
  });

  test('has its formulas as MathML, without styles or a second copy as TeX', () => {
    const { html } = compileProse('## a | A\n\nwith $\\sqrt{d_k}$\n').a;
    assert.match(html, /<math><mrow><msqrt><msub><mi>d<\/mi><mi>k<\/mi><\/msub><\/msqrt><\/mrow><\/math>/);
  });

  test('leaves code alone', () => {
    assert.equal(compileProse('## a | A\n\n`$x$ {{y}}`\n').a.html, '<p><code>$x$ {{y}}</code></p>');
  });

  test('keeps a place for live numbers', () => {
    assert.match(compileProse('## a | A\n\n{{scores 0 1}}\n').a.html, /<span class="live" data-live="scores,0,1"><\/span>/);
  });

  for (const [what, markdown] of [
    ['a heading without a key', '## Scores\n'],
    ['two sections of one key', '## a | A\n\n## a | B\n'],
    ['a formula that TeX does not know', '## a | A\n\n$\\frac{$\n'],
    ['emphasis that Markdown leaves open', '## a | A\n\n**(가)**는\n'],
    ['a dollar without a partner', '## a | A\n\n5 $ and more\n'],
  ]) {
    test(`refuses ${what}`, () => assert.throws(() => compileProse(markdown)));
  }
});

describe('server', () => {
  /** @type {string} */
  let folder;
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'serve-'));
    await mkdir(path.join(folder, 'site', 'assets'), { recursive: true });
    await writeFile(path.join(folder, 'secret.txt'), 'secret');
    await writeFile(path.join(folder, 'site', 'index.html'), '<p>page</p>');
    await writeFile(path.join(folder, 'site', 'assets', 'core.wasm'), 'wasm');
    server = await startServer({ root: path.join(folder, 'site'), prefix: '/some/where/' });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  /**
   * `fetch` would tidy the path before it is sent.
   * @param {string} address
   * @returns {Promise<{ status: number | undefined, headers: import('node:http').IncomingHttpHeaders, body: Buffer }>}
   */
  const get = (address) =>
    new Promise((resolve, reject) => {
      const options = { port: server.port, host: '127.0.0.1', path: address, headers: { 'accept-encoding': 'gzip' } };
      request(options, async (response) => {
        const body = Buffer.concat(await response.toArray());
        resolve({ status: response.statusCode, headers: response.headers, body });
      })
        .on('error', reject)
        .end();
    });

  test('serves the page below its prefix, compressed and never stale', async () => {
    const { status, headers, body } = await get('/some/where/?x#1');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(gunzipSync(body).toString(), '<p>page</p>');
  });

  test('serves assets with their type, to be kept', async () => {
    const { headers } = await get('/some/where/assets/core.wasm');
    assert.equal(headers['content-type'], 'application/wasm');
    assert.match(String(headers['cache-control']), /immutable/);
  });

  for (const address of [
    '/',
    '/some/where/../secret.txt',
    '/some/where/../../secret.txt',
    '/some/where/%2e%2e/secret.txt',
    '/some/where/..%2fsecret.txt',
    '/some/where//../secret.txt',
    '/some/where/assets',
    '/some/where/%00',
    '/some/where/%zz',
  ]) {
    test(`has nothing at ${address}`, async () => assert.equal((await get(address)).status, 404));
  }
});

describe('totals', () => {
  const entry = (/** @type {string} */ result) => `1/1 Test #1: core_tests .......${result}  0.01 sec`;

  test('of Catch2 are its cases', () => {
    const log = `1: All tests passed (9 assertions in 4 test cases)\n${entry('   Passed  ')}`;
    assert.deepEqual(ctestTotals(log), { passed: 4, failed: 0 });
  });

  test('of Catch2 with failures', () => {
    const log = `1: test cases: 5 | 2 passed | 2 failed | 1 failed as expected\n${entry('***Failed  ')}`;
    assert.deepEqual(ctestTotals(log), { passed: 3, failed: 2 });
  });

  test('of a program that died are a failure', () => {
    assert.deepEqual(ctestTotals(entry('***Exception: SegFault')), { passed: 0, failed: 1 });
  });

  test('of a program that failed after its last test are a failure', () => {
    const log = `1: All tests passed (9 assertions in 4 test cases)\n${entry('***Failed  ')}`;
    assert.deepEqual(ctestTotals(log), { passed: 4, failed: 1 });
  });

  test('of node are those of its summary', () => {
    const log = '# pass 99\nok 1 - a\n# tests 7\n# pass 4\n# fail 2\n# cancelled 1\n# skipped 0\n';
    assert.deepEqual(tapTotals(log), { passed: 4, failed: 3 });
  });
});
