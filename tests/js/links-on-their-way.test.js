// Links travel through programs that change, cut, encode or find them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LinkifyIt } from 'linkify-it';
import * as linkify from 'linkifyjs';
import { marked } from 'marked';
import twitter from 'twitter-text';
import { PROPERTIES } from '../../web/properties.js';
import { parseLink } from '../../web/share/link.js';
import { accidents, filled, format, known, LESSON, parse, random, viewsOf } from './links.js';

/** Links as they are shared: half of them packed. */
const generated = (() => {
  const pool = fc.sample(viewsOf(LESSON), { numRuns: 1200, seed: 1 }).map(format);
  const isPacked = (/** @type {string} */ link) => link.includes('&m=');
  const short = (/** @type {string[]} */ links) => links.sort((a, b) => a.length - b.length).slice(0, 100);
  return [...short(pool.filter(isPacked)), ...short(pool.filter((link) => !isPacked(link) && link.length > 150))];
})();

describe('on its way', () => {
  for (const [what, accident] of accidents([...'09aZ,;.&=%?#/-+ _"<한m', '\u2212', '\0']))
    it(`a character ${what} is noticed or harmless, in ${generated.length} links at every place`, (t) => {
      let [noticed, harmless] = [0, 0];
      for (const link of generated) {
        const { values } = parse(link);
        for (let at = 0; at < link.length; at++) {
          const changed = accident(link, at);
          const read = parse(changed);
          if (['damaged', 'unknown-version', 'unknown-lesson'].includes(read.status)) {
            noticed++;
          } else {
            assert.deepEqual(read.values, values, `${link} became ${changed}`);
            harmless++;
          }
        }
      }
      t.diagnostic(`${noticed} noticed, ${harmless} harmless`);
    });

  const packed = generated.filter((link) => link.includes('&m='));

  it('a cut is noticed', () => {
    for (const link of packed.slice(0, 20))
      for (let end = '#1/attention?'.length; end < link.length; end++) assert.equal(parse(link.slice(0, end)).status, 'damaged');
  });

  it('half of what was packed is not offered, and what is whole is', () => {
    const values = { Q: filled(8, 30, random(1)), T: 0.25, lang: 'en' };
    const link = format(values);
    const cut = parse(link.slice(0, link.indexOf('&T') - 5));
    assert.deepEqual([cut.status, cut.values, cut.problems], ['damaged', {}, [{ code: 'cut', field: 'm', detail: {} }]]);
    const later = parse(link.replace('T=0.25', 'T=0.75'));
    assert.deepEqual([later.status, later.values, later.problems], ['damaged', { ...values, T: 0.75 }, []]);
    const at = link.indexOf('&m=') + 100;
    const inside = parse(link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1));
    assert.deepEqual([inside.status, inside.values], ['damaged', { T: 0.25, lang: 'en' }]);
    assert.deepEqual(inside.problems.map(({ code, field }) => [code, field]), [['bad-packing', 'm']]);
  });

  /** @type {[string, (link: string) => string][]} */
  const encoders = [
    ['everything percent-encoded', (link) => '#' + encodeURIComponent(link.slice(1))],
    ['everything percent-encoded twice', (link) => '#' + encodeURIComponent(encodeURIComponent(link.slice(1)))],
    ['every single character percent-encoded', (link) => '#' + link.slice(1).replace(/./g, (c) => '%' + c.charCodeAt(0).toString(16))],
    ['& written as &amp;', (link) => link.replaceAll('&', '&amp;')],
    ['= and & encoded', (link) => link.replaceAll('=', '%3D').replaceAll('&', '%26')],
    ['something appended', (link) => `${link}를 보세요`],
    ['a parameter appended', (link) => `${link}&utm_source=x`],
  ];
  for (const [what, encoder] of encoders)
    it(`survives: ${what}`, () => {
      for (const link of packed.slice(0, 30)) {
        const read = parse(encoder(link));
        assert.deepEqual([read.status, read.values, read.problems], ['ok', parse(link).values, []]);
        assert.equal(parseLink(encoder(link), PROPERTIES, known).status, 'packed');
      }
    });
});

describe('programs that find links in running text', () => {
  const linkifyIt = new LinkifyIt();
  const unescape = (/** @type {string} */ text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  /** The addresses that a program finds. @type {[string, (text: string) => string[]][]} */
  const programs = [
    ['twitter-text', (text) => twitter.extractUrls(text)],
    ['linkify-it', (text) => (linkifyIt.match(text) ?? []).map(({ url }) => url)],
    ['linkifyjs', (text) => linkify.find(text, 'url').map(({ href }) => href)],
    ['marked', (text) => [.../** @type {string} */ (marked.parse(text)).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => unescape(href))],
  ];
  /** @type {[string, (link: string) => string][]} */
  const sentences = [
    ['alone', (link) => link],
    ['before a full stop after a space', (link) => `See ${link} .`],
    ['at the end of a sentence', (link) => `See ${link}. Then more.`],
    ['at the end of a question', (link) => `Did you see ${link}?`],
    ['before a comma', (link) => `First ${link}, then the rest`],
    ['in parentheses', (link) => `It sums up (${link}) to one.`],
    ['in quotation marks', (link) => `He wrote "${link}" there.`],
    ['in angle brackets', (link) => `Look: <${link}>`],
    ['before a Korean particle', (link) => `${link}을 보세요.`],
    ['before a longer Korean particle', (link) => `여기 ${link}에서는 합이 1입니다.`],
    ['at the end of a Korean sentence', (link) => `링크는 ${link}입니다.`],
    ['on a line of its own', (link) => `Look:\n\n${link}\n\nGood.`],
  ];
  const bases = ['https://example.org/play/', 'https://someone.github.io/attention-playground/', 'https://example.org/play/index.html'];

  for (const [program, find] of programs)
    for (const [where, sentence] of sentences)
      it(`${program}: ${where}`, () => {
        for (const [i, hash] of [...generated.slice(0, 40), ...generated.slice(-40)].entries()) {
          const link = bases[i % bases.length] + hash;
          const [found = '', ...more] = find(sentence(link));
          assert.deepEqual(more, [], link);
          const read = parse(new URL(found || 'x:').hash);
          assert.equal(found.slice(0, link.length), link, `${link} became ${found}`);
          assert.deepEqual([read.status, read.values, read.problems], ['ok', parse(hash).values, []]);
        }
      });
});
