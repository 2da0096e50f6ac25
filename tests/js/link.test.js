import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { PROPERTY_DOCS } from '../../scripts/property-docs.mjs';
import { PROPERTIES } from '../../web/properties.js';
import { crc32 } from '../../web/share/checksum.js';
import { formatLink, formatValue, parseLink, parseValue } from '../../web/share/link.js';
import * as packing from '../../web/share/packed.js';
import { accidents, known, parse } from './links.js';
import { matrix, valueOf } from './values.js';

/** @import { Property, Value } from '../../web/properties.js' */
/** @typedef {{ [name: string]: any }} Values */

/** @param {string} path from the root of the project */
const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const golden = JSON.parse(readFileSync(file('tests/data/golden-links.json'), 'utf8'));
const DEFAULTS = Object.fromEntries(PROPERTIES.map((property) => [property.name, property.default]));

/** @param {Values} values */
const format = (values, table = PROPERTIES) => formatLink({ version: 1, lesson: 'attention', values }, table);

/** @param {string} query */
const problems = (query, table = PROPERTIES) => parseLink(`#1/attention?${query}`, table, known).problems;

/** @param {string} query */
const codes = (query, table = PROPERTIES) => problems(query, table).map(({ code }) => code);

/** A property with free text. @type {Property} */
const note = /** @type {any} */ (PROPERTIES.find(({ name }) => name === 'note'));

// --- Random views

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const plain = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -99, max: 99 }).map((tenths) => tenths / 10));

/**
 * A view as the page would share it: some keys set, always a language.
 * @param {fc.Arbitrary<number>} cell
 */
const views = (cell = finite, longest = 5, table = PROPERTIES) =>
  fc.record(
    Object.fromEntries(table.filter(({ lessons }) => lessons === '*' || lessons.includes('attention')).map((property) => [property.name, valueOf(property, { rows: longest, cols: longest, matrixOf: (rows, cols) => matrix(cell, rows, cols) })])),
    { requiredKeys: ['lang'], noNullPrototype: true },
  );

// --- Tests

describe('golden links', () => {
  it('version 1 keeps its defaults; a new key adds its own', () => {
    assert.deepEqual(DEFAULTS, golden.defaults);
    /** @type {{ [lesson: string]: Values }} */
    const own = {};
    for (const { name, in: lessons = {} } of PROPERTIES)
      for (const [lesson, { default: value }] of Object.entries(lessons)) if (value !== undefined) (own[lesson] ??= {})[name] = value;
    assert.deepEqual(own, golden.in);
  });

  for (const { name, link, lesson = 'attention', status, values, tail = false } of golden.links) {
    it(name, () => {
      const read = parseLink(link, PROPERTIES, { lessons: ['attention', 'mask'] }, packing);
      assert.deepEqual({ status: read.status, values: read.values, tail: read.tail }, { status, values, tail });
      assert.equal(read.version, golden.version);
      assert.equal(read.lesson, lesson);
      if (status !== 'damaged') assert.deepEqual(read.problems, []);
    });
  }
});

describe('the property table', () => {
  it('is frozen to the last cell', () => {
    assert.ok(Object.isFrozen(PROPERTIES) && PROPERTIES.every(Object.isFrozen));
    assert.ok(Object.isFrozen(/** @type {number[][]} */ (DEFAULTS.Q)[0]));
  });

  it('has unique names that need no encoding and leave `c` to the check and `m` to packed matrices', () => {
    const names = PROPERTIES.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^(?![cm]$)[A-Za-z]+$/);
  });

  it('has defaults within its own limits, and a meaning in both languages', () => {
    const everywhere = PROPERTIES.flatMap((property) => [property, ...Object.values(property.in ?? {}).map((own) => ({ ...property, ...own }))]);
    for (const property of everywhere) {
      if (property.default !== null) {
        assert.deepEqual(parseValue(formatValue(property.default, property), property), { value: property.default });
      }
      assert.ok(PROPERTY_DOCS[property.name], property.name);
    }
  });
});

describe('a link that the page makes', () => {
  it('reads as one would write it', () => {
    const values = { Q: [[1, 0.5], [-2, 1e21]], T: 0.5, mask: 'causal', scale: 'on', cell: { row: 0, col: 1 }, lang: 'ko' };
    assert.match(format(values), /^#1\/attention\?c=[0-9a-z]+\.[0-9a-z]+&Q=1,0\.5;-2,1e21&T=0\.5&mask=causal&cell=0,1&lang=ko$/);
  });

  it('encodes text, but not what stays readable', () => {
    assert.match(format({ note: 'a_~,;.:/-b', lang: 'en' }), /&note=a_~,;\.:\/-b&/);
    assert.match(format({ note: "왜? 1+1 & (b')!", lang: 'en' }), /&note=%EC%99%9C%3F%201%2B1%20%26%20%28b%27%29%21&/);
  });

  it('leaves out defaults, absent values, empty text and what is not for links', () => {
    const secret = { ...note, name: 'secret', link: /** @type {false} */ (false) };
    const elsewhere = { ...note, name: 'elsewhere', lessons: ['softmax'] };
    const table = [...PROPERTIES, secret, elsewhere];
    const values = { ...DEFAULTS, note: '', secret: 'x', elsewhere: 'x', lang: 'en' };
    assert.match(format(values, table), /^#1\/attention\?c=[^&]*&lang=en$/);
    assert.deepEqual(codes('secret=x&elsewhere=x', table), ['unknown-key', 'unknown-key']);
  });

  it('comes back as the same values, to the last bit', () => {
    fc.assert(fc.property(views(), (values) => {
      const { status, values: read, problems, tail } = parse(format(values));
      assert.deepEqual({ status, problems, tail }, { status: 'ok', problems: [], tail: false });
      assert.deepEqual({ ...DEFAULTS, ...read }, { ...DEFAULTS, ...values });
    }));
  });

  it('comes back at full size', () => {
    const rows = Array.from({ length: 64 }, (_, row) => Array.from({ length: 64 }, (_, col) => -Math.exp(row - col) * 1e-200));
    assert.deepEqual(parse(format({ Q: rows, K: rows, V: rows })).values, { Q: rows, K: rows, V: rows });
  });

  it('ends in a letter or digit, whatever its last value is', () => {
    const table = [...PROPERTIES.filter(({ name }) => name !== 'note'), note];
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const link = format({ note: text }, table);
      assert.match(link, /^#1\/attention\?[\w~,;.:/&=%-]*[A-Za-z0-9]$/);
    }));
    for (const end of [',', ';', '.', '_', '-', '~', ')', '한']) {
      const link = format({ note: `x${end}` }, table);
      assert.match(link, /[A-Za-z0-9]$/);
      assert.equal(parseLink(link, table, known).values.note, `x${end}`);
    }
  });

  it('holds no control character and no half of a character', () => {
    const link = format({ note: 'a\x1eT\x1f9\0\ud800b\n', lang: 'en' });
    const { status, values } = parseLink(link, PROPERTIES, known);
    assert.equal(status, 'ok');
    assert.deepEqual(values, { note: 'a\ufffdT\ufffd9\ufffd\ufffdb\n', lang: 'en' });
  });
});

describe('on its way', () => {
  /** @type {[string, (link: string) => string][]} */
  const encoders = [
    ['nothing', (link) => link],
    ['the # missing', (link) => link.slice(1)],
    ['everything percent-encoded', (link) => '#' + encodeURIComponent(link.slice(1))],
    ['everything percent-encoded twice', (link) => '#' + encodeURIComponent(encodeURIComponent(link.slice(1)))],
    ['every single character percent-encoded', (link) => '#' + link.slice(1).replace(/./g, (c) => '%' + c.charCodeAt(0).toString(16))],
    ['percent signs encoded', (link) => link.replaceAll('%', '%25')],
    ['? encoded', (link) => link.replace('?', '%3F')],
    ['/ and ? encoded', (link) => link.replace('/', '%2f').replace('?', '%3f')],
    ['; encoded', (link) => link.replaceAll(';', '%3B')],
    [', encoded', (link) => link.replaceAll(',', '%2C')],
    ['= encoded', (link) => link.replaceAll('=', '%3D')],
    ['& encoded', (link) => (link.includes('%26') ? link : link.replaceAll('&', '%26'))], // else nobody could tell which & was which
    ['& written as &amp;', (link) => link.replaceAll('&', '&amp;')],
    ['& written as &amp;amp;', (link) => link.replaceAll('&', '&amp;amp;')],
    ['&amp; and then everything percent-encoded', (link) => '#' + encodeURIComponent(link.slice(1).replaceAll('&', '&amp;'))],
    ['text shown decoded', (link) => decodeURI(link)],
    ['escapes in lower case', (link) => link.replace(/%../g, (escape) => escape.toLowerCase())],
  ];

  for (const [what, encoder] of encoders) {
    it(`survives: ${what}`, () => {
      fc.assert(fc.property(views(finite, 3), (values) => {
        const link = format(values);
        const read = parseLink(encoder(link), PROPERTIES, known);
        assert.equal(read.status, 'ok');
        assert.equal(read.tail, false);
        assert.deepEqual(read.values, parseLink(link, PROPERTIES, known).values);
      }), { numRuns: 60 });
    });
  }

  it('text keeps its own signs, when only those of the link are encoded', () => {
    const values = { note: '?a=b&amp;c;d,e/f%26%', lang: 'en' };
    const link = format(values);
    for (const encoder of [(/** @type {string} */ text) => text.replaceAll('=', '%3D'), (/** @type {string} */ text) => text.replace('?', '%3F')]) {
      assert.deepEqual(parseLink(encoder(link), PROPERTIES, known).values, values);
    }
  });

  it('a hand-written link survives the same, as far as it has no text', () => {
    const link = '#1/attention?Q=1,1&K=1,0;0,2&V=1,0;0,1&lang=en';
    for (const [what, encoder] of encoders) {
      assert.equal(parse(encoder(link)).status, 'unchecked', what);
      assert.deepEqual(parse(encoder(link)).values, parse(link).values, what);
    }
  });

  it('drops what was appended', () => {
    const tails = [' look!', '%20look!', ').', '.', ',', ';', '"', '>', '…', '를 보세요', '&utm_source=x', '&fbclid=IwAR0%2Bx', '&amp;utm_source=x&amp;b',
      '&lang=en', '&T=7', '?utm_source=x', '#top', '&c=1.1', '%', '%E', '&', '&&', '=', '/', '%1E', '\x1eT\x1f7', '\n', ':~:text=a'];
    fc.assert(fc.property(views(finite, 3), (values) => {
      const link = format(values);
      const expected = parse(link).values;
      for (const tail of tails) {
        const read = parse(link + tail);
        assert.equal(read.status, 'ok', tail);
        assert.equal(read.tail, !/^&+$/.test(tail), tail);
        assert.deepEqual(read.values, expected, tail);
        assert.deepEqual(read.problems, [], tail);
      }
    }), { numRuns: 30 });
    const bare = parse(format({}) + ' look!');
    assert.deepEqual([bare.status, bare.tail], ['ok', true]);
  });

  const generated = fc.sample(views(plain, 3), { numRuns: 200, seed: 1 }).map((values) => format(values));

  /**
   * Either it says that something is wrong, or it means what it meant.
   * @param {string} link
   * @param {string} changed
   */
  function assertSafe(link, changed) {
    const read = parse(changed);
    if (['damaged', 'unknown-version', 'unknown-lesson'].includes(read.status)) {
      assert.ok(read.status === 'damaged' || read.problems.length > 0, changed);
    } else {
      assert.deepEqual(read.values, parse(link).values, `${link} became ${changed}`);
    }
  }

  it('a cut is noticed at every position', () => {
    const bare = '#1/attention'.length; // a link to the lesson, complete in itself
    for (const link of generated) {
      for (let end = 2; end < link.length; end++) {
        if (end !== bare) assert.match(parse(link.slice(0, end)).status, /^(damaged|unknown-version|unknown-lesson)$/, link.slice(0, end));
      }
      assert.equal(parse(link.slice(0, bare)).status, 'unchecked');
      assert.equal(parse(link.slice(0, 1)).status, 'empty');
    }
  });

  it('the last value of a cut link is not offered', () => {
    const link = format({ T: 0.25, w: 0.75, lang: 'en' });
    const read = parse(link.slice(0, link.indexOf('75&')));
    assert.equal(read.status, 'damaged');
    assert.deepEqual(read.values, { T: 0.25 });
    assert.deepEqual(read.problems, [{ code: 'cut', field: 'w', detail: {} }]);
    for (const end of ['?', '?c', '?c=', '?c=1f', '?c=1f.']) assert.deepEqual(parse(`#1/attention${end}`).problems.map(({ code }) => code), ['cut'], end);
  });

  it('a changed link offers what can be read', () => {
    const read = parse(format({ T: 0.25, w: 0.75, lang: 'en' }).replace('T=0.25', 'T=0,25'));
    assert.equal(read.status, 'damaged');
    assert.deepEqual(read.values, { w: 0.75, lang: 'en' });
    assert.deepEqual(read.problems.map(({ code, field }) => [code, field]), [['not-a-number', 'T']]);
  });

  for (const [what, accident] of accidents([...'09aZTm,;.&=%?#/-+ _"<한', '\u2212', '\0'])) {
    it(`a character ${what} is noticed or harmless`, () => {
      for (const link of generated) {
        for (let at = 0; at < link.length; at++) assertSafe(link, accident(link, at));
      }
    });
  }
});

describe('hostile links', () => {
  it('never throw, whatever the text', () => {
    const pieces = fc.constantFrom('#', '1', '/', 'attention', '?', 'c=', 'Q', 'T', 'cell', '=', '&', '&amp;', '%', '%26', '%00', '%FF', '%ED%A0%80',
      '1', ',', ';', '.', '-', 'e', '\ud800', '\udc00', '__proto__', 'constructor', 'NaN', '<img src=x onerror=alert(1)>', '한', '\x1e', '\x1f');
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')));
    fc.assert(fc.property(text, fc.constantFrom('', '#', '#1/attention?', '#1/attention?c=j.so48iz&'), (tail, head) => {
      const { status, values, problems } = parse(head + tail);
      assert.match(status, /^(empty|ok|unchecked|damaged|unknown-version|unknown-lesson)$/);
      assert.ok(Object.keys(values).every((name) => Object.hasOwn(DEFAULTS, name)));
      assert.ok(problems.every(({ field, detail }) => field.length <= 80 && String(detail.text ?? '').length <= 80));
    }), { numRuns: 3000 });
  });

  it('nothing', () => {
    for (const hash of ['', '#']) assert.equal(parse(hash).status, 'empty');
  });

  it('another version', () => {
    for (const [hash, version] of /** @type {const} */ ([['#2/attention?Q=1', 2], ['#999999/attention', 999999], ['#0/attention', 0], ['#glossary', null],
      ['#1', null], ['#/attention?Q=1,1', null], ['#1234567/attention', null], ['#-1/attention', null], ['#<script>', null], [`#${'1'.repeat(1e5)}/attention`, null]])) {
      const read = parse(hash);
      assert.deepEqual([read.status, read.version, read.lesson, read.values], ['unknown-version', version, null, {}], hash.slice(0, 50));
      assert.deepEqual(read.problems.map(({ code, field }) => [code, field]), [['unknown-version', 'version']]);
    }
  });

  it('another lesson', () => {
    for (const name of ['', 'Attention', 'attention/', 'softmax', '__proto__', 'constructor', '%00', '<img src=x onerror=alert(1)>', '..%2F..%2Fetc', 'x'.repeat(1e5)]) {
      const read = parse(`#1/${name}?Q=1,1`);
      assert.deepEqual([read.status, read.version, read.values], ['unknown-lesson', 1, {}], name.slice(0, 50));
      assert.deepEqual(read.problems.map(({ code, field }) => [code, field]), [['unknown-lesson', 'lesson']]);
      assert.ok(/** @type {string} */ (read.lesson).length <= 40);
    }
  });

  it('keys that name parts of JavaScript', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'q', ' Q', '<b>', 'x'.repeat(1e5)]) {
      const read = parse(`#1/attention?${key}=1,1&T=2`);
      assert.deepEqual(read.values, { T: 2 });
      assert.deepEqual(read.problems.map(({ code }) => code), ['unknown-key']);
      assert.ok(read.problems[0].field.length <= 40);
    }
    assert.equal(/** @type {any} */ ({}).polluted, undefined);
  });

  it('a key twice: the first counts, even when it cannot be used', () => {
    assert.deepEqual(parse('#1/attention?T=2&T=3').values, { T: 2 });
    assert.deepEqual(problems('T=2&T=3'), [{ code: 'repeated-key', field: 'T', detail: { text: '3' } }]);
    assert.deepEqual(codes('T=x&T=3'), ['not-a-number', 'repeated-key']);
    assert.deepEqual(codes('T=2&'.repeat(90) + 'colour=red&'.repeat(9)), ['repeated-key', 'unknown-key'], 'each is told once');
  });

  it('are limited in length and in the number of problems', () => {
    const long = parse(`#1/attention?Q=${'1,'.repeat(250_000)}`);
    assert.deepEqual([long.status, long.values], ['damaged', {}]);
    assert.deepEqual(long.problems, [{ code: 'too-long', field: '', detail: { max: 400_000, actual: 500_014 } }]);
    assert.equal(problems(Array.from({ length: 1000 }, (_, i) => `x${i}=1&`).join('')).length, 20);
    assert.deepEqual(parse(`#1/attention?${'x=1&'.repeat(99)}T=2&w=0.5`).values, { T: 2 });
  });

  it('of 100 kB are answered with the right problem', () => {
    /** @type {[string, string][]} */
    const cases = [
      [`Q=${'1'.repeat(1e5)}`, 'not-finite'],
      [`Q=${'1'.repeat(1e5)}x`, 'not-a-number'],
      [`Q=0.${'1'.repeat(1e5)}x`, 'not-a-number'],
      [`Q=${' '.repeat(1e5)}`, 'empty'],
      [`Q=1${' '.repeat(1e5)}1`, 'not-a-number'],
      [`Q=${'1,'.repeat(5e4)}1`, 'too-many-cols'],
      [`Q=${'1;'.repeat(1e4)}1`, 'too-many-rows'],
      [`allow=${'1;'.repeat(5e4)}1`, 'too-many-rows'],
      [`Q=${'%'.repeat(1e5)}`, 'not-a-number'],
      [`Q=${'%ED'.repeat(3e4)}`, 'not-a-number'],
      [`Q=${'<b>'.repeat(3e4)}`, 'not-a-number'],
      [`step=${'a'.repeat(1e5)}`, 'too-long'],
      [`step=${'-'.repeat(64)}`, 'bad-key'],
      [`cell=${'1,'.repeat(5e4)}1`, 'bad-cell'],
      [`cell=${'1'.repeat(1e5)},1`, 'bad-cell'],
      [`pin=${'a'.repeat(1e5)},1,1`, 'bad-cell'],
      [`mask=${'causal'.repeat(2e4)}`, 'not-a-choice'],
      [`T=${'='.repeat(1e5)}`, 'not-a-number'],
      [`${'&amp;'.repeat(2e4)}T=`, 'empty'],
    ];
    for (const [query, code] of cases) {
      assert.deepEqual(codes(query), [code], query.slice(0, 30));
      const { text = '' } = problems(query)[0].detail;
      assert.ok(text.length <= 40, query.slice(0, 30));
    }
  });
});

describe('values', () => {
  it('one that cannot be used leaves the others alone', () => {
    const read = parse('#1/attention?Q=1,x&K=1,0;0,2&T=0&mask=causal&step=weights&cell=0&lang=de');
    assert.equal(read.status, 'unchecked');
    assert.deepEqual(read.values, { K: [[1, 0], [0, 2]], mask: 'causal', step: 'weights' });
    assert.deepEqual(read.problems, [
      { code: 'not-a-number', field: 'Q', detail: { text: 'x', min: undefined, max: undefined, row: 0, col: 1 } },
      { code: 'too-small', field: 'T', detail: { text: '0', min: 0, max: 1000, minExclusive: true } },
      { code: 'bad-cell', field: 'cell', detail: { text: '0', form: 'row,col', max: 63 } },
      { code: 'not-a-choice', field: 'lang', detail: { text: 'de', choices: ['ko', 'en'] } },
    ]);
  });

  it('a text or a list of parts may be empty', () => {
    assert.deepEqual(parse('#1/attention?question=%20&note=&hide='), { ...parse('#1/attention'), status: 'unchecked', values: { question: '', note: '', hide: [] } });
    for (const [text, code] of [['mask=', 'not-a-choice'], ['step=%20', 'bad-key'], ['cell=', 'bad-cell'], ['T=', 'empty']]) assert.deepEqual(codes(text), [code]);
  });

  /** @type {[string, string, Values][]} */
  const wrong = [
    ['Q=', 'empty', {}],
    ['Q=%20', 'empty', {}],
    ['Q', 'empty', {}],
    ['Q=1,', 'not-a-number', { text: '', row: 0, col: 1 }],
    ['Q=1;', 'not-a-number', { text: '', row: 1, col: 0 }],
    ['Q=;', 'not-a-number', { text: '', row: 0, col: 0 }],
    ['Q=1,2;3', 'ragged', { row: 1, expected: 2, actual: 1 }],
    ['Q=1;2;3,4', 'ragged', { row: 2, expected: 1, actual: 2 }],
    ['Q=1,2;3,%00', 'not-a-number', { text: '\ufffd', row: 1, col: 1 }],
    ['Q=1,\ud800', 'not-a-number', { text: '\ufffd', row: 0, col: 1 }],
    ['Q=1,%3Cimg%20src=x%20onerror=alert(1)%3E', 'not-a-number', { text: '<img src=x onerror=alert(1)>', row: 0, col: 1 }],
    ['Q=1e400', 'not-finite', { text: '1e400', row: 0, col: 0 }],
    ['Q=1,-Infinity', 'not-finite', { text: '-Infinity', row: 0, col: 1 }],
    ['Q=NaN', 'not-finite', { text: 'NaN', row: 0, col: 0 }],
    ['Q=0x10', 'not-a-number', { text: '0x10' }],
    ['Q=1_000', 'not-a-number', { text: '1_000' }],
    ['Q=1e', 'not-a-number', { text: '1e' }],
    ['Q=.', 'not-a-number', { text: '.' }],
    ['Q=+1', 'not-a-number', { text: '+1' }],
    ['Q=1+1', 'not-a-number', { text: '1+1' }],
    ['Q=--1', 'not-a-number', { text: '--1' }],
    ['Q=1%201', 'not-a-number', { text: '1 1' }],
    ['Q=[[1,1]]', 'not-a-number', { text: '[[1' }],
    [`Q=${'1;'.repeat(64)}1`, 'too-many-rows', { max: 64, actual: 65 }],
    [`Q=1;${'1,'.repeat(64)}1`, 'too-many-cols', { row: 1, max: 64, actual: 65 }],
    ['T=1001', 'too-large', { text: '1001', min: 0, max: 1000 }],
    ['T=-1', 'too-small', { min: 0, minExclusive: true }],
    ['T=0', 'too-small', { min: 0, minExclusive: true }],
    ['w=-0.1', 'too-small', { min: 0, max: 1.2, minExclusive: false }],
    ['w=1.3', 'too-large', { max: 1.2 }],
    ['digits=2.5', 'not-an-integer', { text: '2.5', min: 0, max: 12 }],
    ['digits=13', 'too-large', { max: 12 }],
    ['allow=1,2', 'not-a-choice', { text: '2', choices: ['0', '1'], row: 0, col: 1 }],
    ['allow=1,0;1', 'ragged', { row: 1, expected: 2, actual: 1 }],
    ['mask=Causal', 'not-a-choice', { text: 'Causal', choices: ['none', 'causal', 'causal-end', 'drawn'] }],
    ['step=__proto__', 'bad-key', { text: '__proto__' }],
    ['step=a%20b', 'bad-key', { text: 'a b' }],
    ['step=a-', 'bad-key', { text: 'a-' }],
    ['cell=0', 'bad-cell', { form: 'row,col', max: 63 }],
    ['cell=0,1,2', 'bad-cell', { text: '0,1,2' }],
    ['cell=-1,0', 'bad-cell', { text: '-1,0' }],
    ['cell=0,64', 'bad-cell', { max: 63 }],
    ['cell=0.5,0', 'bad-cell', { text: '0.5,0' }],
    ['pin=0,1', 'bad-cell', { form: 'key,row,col' }],
    ['pin="],0,1', 'bad-cell', { text: '"],0,1' }],
    ['gradient=output,0,1', 'bad-cell', { form: 'key,row,col,wrt' }],
    [`T=${'한'.repeat(50)}`, 'not-a-number', { text: '한'.repeat(39) + '…' }],
    [`T=${'𝒙'.repeat(50)}`, 'not-a-number', { text: '𝒙'.repeat(39) + '…' }],
    [`T=${'𝒙'.repeat(40)}`, 'not-a-number', { text: '𝒙'.repeat(40) }],
    [`note=${'x'.repeat(301)}`, 'too-long', { max: 300, actual: 301 }],
  ];

  for (const [query, code, detail] of wrong) {
    it(`${query.slice(0, 40)} is ${code}`, () => {
      const [problem, ...others] = problems(query);
      assert.deepEqual(others, []);
      assert.equal(problem.code, code);
      assert.equal(problem.field, query.match(/^\w+/)?.[0]);
      assert.deepEqual({ ...problem.detail, ...detail }, problem.detail);
    });
  }

  it('numbers may come as other programs write them', () => {
    for (const [text, value] of /** @type {const} */ ([['1e+21', 1e21], ['1E5', 1e5], ['1.', 1], ['.5', 0.5], ['−2', -2], ['2e−3', 0.002], [' 7\n', 7],
      ['\u00a07', 7], ['007', 7], ['-0', -0], ['1e-400', 0]])) {
      assert.deepEqual(parseValue(text, PROPERTIES[0]), { value: [[value]] }, text);
    }
  });

  it('a problem quotes the link as it came, not decoded further', () => {
    assert.equal(problems('T=%2526')[0].detail.text, '%26');
    assert.deepEqual(parse('#1/%253Cb%253E?T=2').lesson, '%3Cb%3E');
  });

  it('a plus sign is never a space', () => {
    assert.equal(parseLink('#1/attention?note=1+1', PROPERTIES, known).values.note, '1+1');
  });

  it('an escape that means nothing stays as text', () => {
    for (const text of ['100%', '%zz', '%E', '%FF', 'a%', '%ED%A0%80', '%u0041']) {
      assert.equal(parseLink(`#1/attention?note=${text}`, PROPERTIES, known).values.note, text);
    }
  });

  it('text is given as it is', () => {
    const markup = '<img src=x onerror="alert(1)"> & \'한국어\' 😀';
    assert.equal(parseLink(format({ note: markup, lang: 'ko' }), PROPERTIES, known).values.note, markup);
  });
});

describe('the checksum', () => {
  it('is CRC-32', () => {
    const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
    assert.equal(crc32(bytes('')), 0);
    assert.equal(crc32(bytes('123456789')), 0xcbf43926); // the check value in the catalogue of CRC algorithms
    assert.equal(crc32(bytes('The quick brown fox jumps over the lazy dog')), 0x414fa339);
  });
});

describe('docs/links.md', () => {
  it('is what the table says', () => {
    execFileSync(process.execPath, [file('scripts/links-doc.mjs'), '--check'], { stdio: 'pipe' });
  });

  it('has examples that open', () => {
    const examples = readFileSync(file('docs/links.md'), 'utf8').match(/#1\/\S+/g) ?? [];
    assert.ok(examples.length >= 4);
    for (const example of examples) {
      const { status, problems, values } = parse(example);
      assert.match(status, /^(ok|unchecked)$/, example);
      assert.deepEqual(problems, []);
      assert.ok(Object.keys(values).length > 0);
    }
  });
});
