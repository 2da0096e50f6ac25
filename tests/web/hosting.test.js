// The page on any host: under a path of its own, and silent once it is loaded.

import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertClose, dist } from '../js/module.js';
import { attentionSteps, EXAMPLES } from '../js/formula.js';
import { useBrowser } from './browser.js';

/** @import { Visit } from './browser.js' */

/** Through everything that might ask for something. @param {Visit} visit */
async function walk(visit) {
  const keys = await visit.stepper().locator('[data-go]').evaluateAll((chips) => chips.map((chip) => /** @type {HTMLElement} */ (chip).dataset.go ?? ''));
  for (const key of keys) await visit.go(key);
  await visit.button('action.gradient').click();
  await visit.untilStep('grad/output');
  const gradient = await visit.stepper().locator('[data-go]').evaluateAll((chips) => chips.map((chip) => /** @type {HTMLElement} */ (chip).dataset.go ?? ''));
  for (const key of gradient) await visit.go(key);
  await visit.repainted(() => visit.button('action.close-gradient').first().click());
  await visit.edit('Q', 0, 0, '3');
  await visit.choose('setting.mask', 'causal');
  await visit.choose('setting.convention', 'columns');
  await visit.choose('softmax.label', 'plain');
  await visit.repainted(() => visit.field('T').fill('0.5'));
  await visit.sharedLink();
  await visit.button('header.theme').click();
  for (const language of /** @type {const} */ (['ko', 'en'])) {
    await visit.button(`language.${language}`).click();
    await visit.page.locator(`html[lang="${language}"]`).waitFor();
    visit.language = language;
  }
  await visit.untilAddress(/Q=3,.*lang=en/);
  await visit.page.evaluate(async () => void (await document.fonts.ready));
}

describe('the page', () => {
  const open = useBrowser();

  test('asks for nothing after it has loaded, and never another host', async (t) => {
    const visit = await open(t);
    const loaded = [...visit.requests];
    assert.ok(loaded.some((address) => address.endsWith('.wasm')), 'the core is loaded');
    await walk(visit);
    assert.deepEqual(visit.requests.slice(loaded.length), []);
  });

  test('goes on without a network', async (t) => {
    const visit = await open(t);
    await visit.page.context().setOffline(true);
    await walk(visit);
  });

  test('has a policy that forbids what it does not need', async (t) => {
    const visit = await open(t, '', { expected: /^(violation: script-src-elem inline|console: .*inline script)/ });
    const policy = await visit.page.locator('meta[http-equiv="content-security-policy" i]').getAttribute('content') ?? '';
    for (const directive of ["default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'"])
      assert.ok(policy.split('; ').includes(directive), `${directive} in ${policy}`);
    // One style stands in the page, let through by its hash alone.
    assert.match(policy, /(^|; )style-src-elem 'self' 'sha256-[\w+/]{43}='(;|$)/);
    const ran = await visit.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.head.append(script);
      return 'ran' in globalThis;
    });
    assert.equal(ran, false, 'the policy is not in force');
  });
});

describe('under a path of its own', () => {
  const open = useBrowser({ prefix: '/some/where/' });

  test('opened as a file, the page says that it needs a server', async (t) => {
    const visit = await open(t, '', { expected: /^(console|request): / });
    await visit.page.goto(pathToFileURL(path.join(dist, 'index.html')).href);
    await visit.page.getByText('파일로 열면').filter({ hasText: 'Opened as a file' }).waitFor();
  });

  test('the page works, and asks for nothing outside of it', async (t) => {
    const visit = await open(t, EXAMPLES.b.link);
    for (const [key, rows] of Object.entries(attentionSteps(EXAMPLES.b.input))) assertClose((await visit.steps())[key], rows, 1e-12, key);
    await walk(visit);
    const link = await visit.sharedLink();
    assert.ok(link.startsWith(`${visit.url}#1/attention?c=`), link);
  });
});
