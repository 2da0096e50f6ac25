// Links with many numbers: short, exact, safe on their way, and safe to read whoever made them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { deflateSync, Inflate } from 'fflate';
import en from '../../web/i18n/further.en.js';
import ko from '../../web/i18n/further.ko.js';
import { PROPERTIES } from '../../web/properties.js';
import { crc32 } from '../../web/share/checksum.js';
import { formatLink, parseLink, READABLE_LENGTH } from '../../web/share/link.js';
import * as packing from '../../web/share/packed.js';
import { defaultsOf } from '../../web/state.js';
import { awkward, filled, finite, format, known, LESSON, LESSONS, normal, pack, parse, random, readable, typed, unpack, viewsOf } from './links.js';
import { matrix } from './values.js';

/** @import { Property } from '../../web/properties.js' */

const SHORT = 800;
const DEFAULTS = Object.fromEntries(PROPERTIES.map((property) => [property.name, property.default]));

/** @param {number[][]} rows */
const throughPacking = (rows) => unpack(pack([['Q', rows]]));

// --- Length

describe('304 numbers', () => {
  const next = random(7);
  /** @type {[string, () => number][]} */
  const kinds = [
    ['between -10 and 10, with none to three decimals', () => Number((next() * 20 - 10).toFixed(Math.floor(next() * 4)))],
    ['around 0, with none to three decimals', () => Number(normal(next).toFixed(Math.floor(next() * 4)))],
    ['around 0, with three decimals each', () => Number(normal(next).toFixed(3))],
    ['between -1 and 1, with three decimals each', () => Number((next() * 2 - 1).toFixed(3))],
    ['around 0, with two decimals each', () => Number(normal(next).toFixed(2))],
    ['between 0 and 1, with three decimals each', () => Number(next().toFixed(3))],
  ];
  /** @type {[number, number][][]} */
  const shapes = [[[16, 6], [16, 6], [16, 7]], [[4, 19], [6, 19], [6, 19]]];
  for (const [what, cell] of kinds)
    it(`${what}: a link of at most ${SHORT} characters, that means the same`, (t) => {
      for (const shape of shapes) {
        const [Q, K, V] = shape.map(([rows, cols]) => filled(rows, cols, cell));
        const values = { Q, K, V, T: 0.5, lang: 'ko' };
        const count = [Q, K, V].flat(2).length;
        const link = format(values);
        t.diagnostic(`${count} numbers: ${link.length} characters, readable ${readable(values).length}`);
        assert.ok(count >= 304);
        assert.ok(link.length <= SHORT, `${link.length}`);
        assert.deepEqual(parse(link).values, values);
      }
    });

  it('four matrices of 4 × 19', (t) => {
    const names = ['Q', 'K', 'V', 'X'];
    /** @type {Property[]} */
    const table = [...PROPERTIES.filter(({ name }) => !names.includes(name)), ...names.map((name) => ({ ...PROPERTIES[0], name }))];
    const values = Object.fromEntries(names.map((name) => [name, filled(4, 19, kinds[0][1])]));
    const link = formatLink({ lesson: LESSON, values }, table, packing);
    t.diagnostic(`${link.length} characters`);
    assert.ok(link.length <= SHORT);
    assert.deepEqual(parseLink(link, table, known, packing).values, values);
  });
});

describe('a link is packed', () => {
  it('only where the readable one is long', () => {
    for (let cols = 1; cols <= 64; cols++) {
      const values = { Q: filled(4, cols, random(cols)).map((row) => row.map((cell) => Number(cell.toFixed(2)))), T: 2, lang: 'en' };
      const [plain, link] = [readable(values), format(values)];
      assert.equal(link === plain, plain.length <= READABLE_LENGTH, `${plain.length}`);
      if (link !== plain) {
        assert.match(link, /^#1\/attention\?c=[0-9a-z]+\.[0-9a-z]+&m=[\w-]+&T=2&lang=en$/);
        assert.ok(link.length < plain.length);
      }
    }
  });

  it('with the drawn mask, which packs well', () => {
    const allow = filled(64, 64, () => 1).map((row, i) => row.map((_, j) => Number(j <= i)));
    const link = format({ mask: 'drawn', allow, lang: 'en' });
    assert.ok(link.length < 500, `${link.length}`);
    assert.deepEqual(parse(link).values, { mask: 'drawn', allow, lang: 'en' });
  });

  it('and ends in a letter or digit', () => {
    for (let seed = 0; seed < 200; seed++) {
      const values = { Q: filled(8, 64, random(seed)).map((row) => row.map((cell) => Number(cell.toFixed(1)))) };
      assert.match(format(values), /&m=[\w%-]*[A-Za-z0-9]$/);
      assert.deepEqual(parse(format(values)).values, values);
    }
  });

  it('not where there is more than a link may unpack to', () => {
    assert.equal(packing.pack(Array.from({ length: 9 }, () => ['Q', filled(64, 64, () => 1)]), crc32), null);
    const link = formatLink({ lesson: LESSON, values: { Q: filled(64, 64, () => 1) } }, PROPERTIES, { pack: () => null });
    assert.match(link, /&Q=1,1/);
  });

  it('at full size: quickly', (t) => {
    const next = random(3);
    const Q = filled(64, 64, () => normal(next));
    const values = { Q, K: Q, V: Q, allow: filled(64, 64, () => Number(next() < 0.5)) };
    const before = process.cpuUsage().user;
    const link = format(values);
    const between = process.cpuUsage().user;
    assert.deepEqual(parse(link).values, values);
    t.diagnostic(`${link.length} characters; packed in ${(between - before) / 1e3} ms, read in ${(process.cpuUsage().user - between) / 1e3} ms of the processor`);
  });
});

// --- Exactness

describe('numbers', () => {
  it('come back as the same doubles', () => {
    for (const value of [0.1, -0, 0, 5e-324, 1e-300, 1e300, 2 ** 53 + 2, -(2 ** 60), 1 / 3, 0.1 + 0.2, 1e21, -1.7976931348623157e308, Math.PI * 1e-320])
      for (const rows of [[[value]], [[value, 1]], [[1, 0.5, value], [2, -3, value]], filled(9, 9, () => 0.125).concat([Array(9).fill(value)])])
        assert.deepEqual(throughPacking(rows), { matrices: [['Q', rows]], problem: null });
    assert.ok(Object.is(throughPacking([[1, 2, 3, 4, 5, -0]]).matrices[0][1][0][5], -0));
  });

  it('come back one by one, whatever they are and whatever stands beside them', () => {
    const any = matrix(fc.oneof({ weight: 6, arbitrary: typed }, { weight: 1, arbitrary: finite }, { weight: 1, arbitrary: awkward }), 12, 12);
    fc.assert(fc.property(fc.array(any, { minLength: 1, maxLength: 4 }), (all) => {
      const matrices = all.map((rows, i) => /** @type {[string, number[][]]} */ ([`M${i}`, rows]));
      assert.deepEqual(unpack(pack(matrices)), { matrices, problem: null });
    }), { numRuns: 1500, seed: 5 });
  });

  it('that are awkward cost only themselves', () => {
    const next = random(11);
    const rows = filled(16, 16, () => Number(next().toFixed(2)));
    const usual = pack([['Q', rows]]).length;
    rows[3][4] = -0;
    rows[7][9] = 1 / 3;
    assert.ok(pack([['Q', rows]]).length < usual + 40);
  });
});

it('10 000 random views come back as they were', (t) => {
  let packed = 0;
  const anyView = fc.oneof(...LESSONS.map((lesson, i) => ({ weight: i === 0 ? 5 : 1, arbitrary: fc.record({ lesson: fc.constant(lesson), values: viewsOf(lesson) }, { noNullPrototype: true }) })));
  fc.assert(fc.property(anyView, (view) => {
    const link = formatLink(view, PROPERTIES, packing);
    if (link.includes('&m=')) packed++;
    const { status, lesson, values, problems, tail } = parseLink(link, PROPERTIES, { lessons: LESSONS }, packing);
    assert.deepEqual({ status, lesson, problems, tail }, { status: 'ok', lesson: view.lesson, problems: [], tail: false });
    assert.deepEqual({ ...defaultsOf(lesson), ...values }, { ...defaultsOf(lesson), ...view.values });
  }), { numRuns: 10_000, seed: 2024 });
  t.diagnostic(`${packed} of them packed`);
  assert.ok(packed > 1000 && packed < 9000);
});

// --- Without what unpacks

describe('without what unpacks', () => {
  const values = { Q: filled(8, 30, random(1)), T: 0.25, lang: 'en' };
  const link = format(values);

  it('a packed link says so, and the rest is read', () => {
    const read = parseLink(link, PROPERTIES, known);
    assert.deepEqual([read.status, read.version, read.lesson, read.tail], ['packed', 1, LESSON, false]);
    assert.deepEqual(read.values, { T: 0.25, lang: 'en' });
    assert.deepEqual(read.problems, [{ code: 'packing-missing', field: 'm', detail: {} }]);
    assert.deepEqual(parse(link).values, values);
  });

  it('by hand, damaged, or encoded: it says so all the same', () => {
    const text = pack([['Q', [[1, 2]]]]);
    for (const hash of [`#1/attention?m=${text}`, `#1/attention%3Fm%3D${text}`, link.replace('T=0.25', 'T=0.75')]) assert.equal(parseLink(hash, PROPERTIES, known).status, 'packed', hash);
    assert.equal(parse(`#1/attention%3Fm%3D${text}`).status, 'unchecked');
  });

  it('no other link needs it', () => {
    for (const hash of ['', '#1/attention', '#1/attention?Q=1,1', '#2/attention?m=x', '#1/other?m=x', readable(values), `${readable({ T: 2, lang: 'en' })}&m=x`])
      assert.deepEqual(parseLink(hash, PROPERTIES, known), parse(hash));
  });
});

// --- Hostile

/** @param {Uint8Array | number[]} bytes */
const base64 = (bytes) => Buffer.from(bytes).toString('base64url');

/** @param {Uint8Array | number[]} bytes */
const asBytes = (bytes) => (bytes instanceof Uint8Array ? bytes : Uint8Array.from(bytes));

/** What a program could send: any bytes, deflated, with the checksum that they need. @param {Uint8Array | number[]} bytes */
function envelope(bytes, version = 1, checksum = crc32(asBytes(bytes))) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum);
  return base64(Buffer.concat([Buffer.of(version), sum, deflateSync(asBytes(bytes))]));
}

/** @param {string} name */
const named = (name) => [name.length, ...Buffer.from(name)];
const MANY = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]; // 2 to the 49
const good = [...named('K'), 1, 2, 1, 0, 2, 4, 0]; // K = [[1, 2]] as varints

describe('hostile packings', () => {
  const sound = Buffer.from(pack([['Q', filled(9, 9, random(4))]]), 'base64url');

  /** What, the text of `m`, the code, details of it, and what is used all the same. @type {[string, string, string, Values, Values][]} */
  const wrong = [
    ['empty', '', 'bad-packing', { reason: 'base64' }, {}],
    ['other signs', 'AQ=*', 'bad-packing', { reason: 'base64' }, {}],
    ['markup', '<img src=x onerror=alert(1)>', 'bad-packing', { reason: 'base64' }, {}],
    ['a length that base64url has not', 'AQAAA', 'bad-packing', { reason: 'base64' }, {}],
    ['a version that never was', 'AAAA', 'bad-packing', { reason: 'version' }, {}],
    ['another version', envelope(good, 2), 'packing-version', { version: 2, known: 1 }, {}],
    ['nothing but the version', base64([1]), 'bad-packing', { reason: 'deflate' }, {}],
    ['nothing behind the checksum', base64([1, 0, 0, 0, 0]), 'bad-packing', { reason: 'deflate' }, {}],
    ['no deflated bytes', base64([1, 0, 0, 0, 0, 255, 255, 255]), 'bad-packing', { reason: 'deflate' }, {}],
    ['truncated', base64(sound.subarray(0, sound.length - 20)), 'bad-packing', { reason: 'deflate' }, {}],
    ['another checksum', envelope(good, 1, 1), 'bad-packing', { reason: 'checksum' }, {}],
    ['no name', envelope([...good, 0, 1, 1, 1, 0, 2, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['a name of many characters', envelope([...good, 33, ...Array(33).fill(65), 1, 1, 1, 0, 2, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['markup as a name', envelope([...good, ...named('<b>'), 1, 1, 1, 0, 2, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['a name that ends early', envelope([...good, 9, 65]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['no rows', envelope([...good, ...named('Q'), 0, 1, 1, 0, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['no columns', envelope([...good, ...named('Q'), 1, 0, 1, 0, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['no shape', envelope([...good, ...named('Q')]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['an unknown way of writing', envelope([...good, ...named('Q'), 1, 1, 3, 0, 2, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['fewer numbers than declared', envelope([...good, ...named('Q'), 2, 2, 1, 0, 2, 4, 6]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['fewer doubles than declared', envelope([...good, ...named('Q'), 2, 2, 0, ...Array(24).fill(0)]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['more numbers than declared', envelope([...good, ...named('Q'), 1, 1, 1, 0, 2, 0, 4, 6]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]], Q: [[1]] }],
    ['a number without an end', envelope([...good, ...named('Q'), 1, 1, 1, 0, ...Array(12).fill(255)]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['many decimals', envelope([...good, ...named('Q'), 1, 1, 1, ...MANY, 2, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['no families', envelope([...good, ...named('Q'), 1, 1, 2, 0, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['a family without numbers', envelope([...good, ...named('Q'), 1, 1, 2, 1, 0, 0, 0, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['digits beyond their base', envelope([...good, ...named('Q'), 1, 1, 2, 1, 0, 0, 3, 7, 0]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['more odd numbers than numbers', envelope([...good, ...named('Q'), 1, 1, 1, 0, 2, 2, ...Array(18).fill(0)]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['an odd number beyond the matrix', envelope([...good, ...named('Q'), 1, 1, 1, 0, 2, 1, 1, ...Array(8).fill(0)]), 'bad-packing', { reason: 'structure' }, { K: [[1, 2]] }],
    ['a huge shape', envelope([...good, ...named('Q'), ...MANY, ...MANY, 1, 0]), 'packing-too-large', { unit: 'numbers' }, { K: [[1, 2]] }],
    ['a large shape of nothing', envelope([...good, ...named('Q'), 255, 255, 3, 1, 2, 1, 0, 0, 1]), 'packing-too-large', { unit: 'numbers' }, { K: [[1, 2]] }],
    ['many matrices', envelope(Array(101).fill([...named('K'), 1, 2, 1, 0, 2, 4, 0]).flat()), 'packing-too-large', {}, { K: [[1, 2]] }],
  ];

  for (const [what, text, code, detail, used] of wrong)
    it(`${what}: ${code}`, () => {
      const read = parse(`#1/attention?m=${encodeURIComponent(text)}&T=2`);
      const own = read.problems.filter(({ field }) => field === 'm');
      assert.equal(own.length, what === 'many matrices' ? 1 : read.problems.length);
      assert.equal(own[0].code, code);
      assert.deepEqual({ ...own[0].detail, ...detail }, own[0].detail);
      assert.deepEqual(read.values, { ...used, T: 2 });
    });

  /** What stands in a sound packing is read with the limits of every other value. @type {[string, number[], string, string, Values][]} */
  const beyond = [
    ['too many rows', [...named('Q'), 65, 1, 1, 0, ...Array(65).fill(2), 0], 'too-many-rows', 'Q', { max: 64, actual: 65 }],
    ['too many columns', [...named('Q'), 1, 65, 2, 1, 0, 0, 1, 0], 'too-many-cols', 'Q', { max: 64, actual: 65, row: 0 }],
    ['not 0 or 1', [...named('allow'), 1, 2, 1, 0, 2, 4, 0], 'not-a-choice', 'allow', { row: 0, col: 1 }],
    ['NaN', [...named('Q'), 1, 1, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f], 'not-finite', 'Q', { row: 0, col: 0 }],
    ['infinity', [...named('Q'), 1, 1, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0xff], 'not-finite', 'Q', { row: 0, col: 0 }],
    ['infinity as an odd number', [...named('Q'), 1, 1, 1, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f], 'not-finite', 'Q', {}],
    ['beyond all doubles', [...named('Q'), 1, 1, 1, 0x9f, 6, 2, 0], 'not-finite', 'Q', {}],
    ['an unknown name', [...named('colour'), 1, 1, 1, 0, 2, 0], 'unknown-key', 'colour', {}],
    ['a name from JavaScript', [...named('constructor'), 1, 1, 1, 0, 2, 0], 'unknown-key', 'constructor', {}],
    ['the check', [...named('c'), 1, 1, 1, 0, 2, 0], 'unknown-key', 'c', {}],
    ['itself', [...named('m'), 1, 1, 1, 0, 2, 0], 'repeated-key', 'm', {}],
    ['a name twice', [...named('K'), 1, 1, 1, 0, 2, 0], 'repeated-key', 'K', {}],
    ['a number that is too large', [...named('w'), 1, 1, 1, 0, 4, 0], 'too-large', 'w', { max: 1.2 }],
  ];
  for (const [what, bytes, code, field, detail] of beyond)
    it(`${what}: ${code}`, () => {
      const read = parse(`#1/attention?m=${envelope([...good, ...bytes])}&T=2`);
      assert.deepEqual(read.values, { K: [[1, 2]], T: 2 });
      assert.deepEqual(read.problems.map((problem) => [problem.code, problem.field]), [[code, field]]);
      assert.deepEqual({ ...read.problems[0].detail, ...detail }, read.problems[0].detail);
    });

  it('what comes first counts, packed or not; a second packing is reported', () => {
    const text = envelope(good);
    assert.deepEqual(parse(`#1/attention?K=7,7&m=${text}`).values, { K: [[7, 7]] });
    assert.deepEqual(parse(`#1/attention?m=${text}&K=7,7`).values, { K: [[1, 2]] });
    const twice = parse(`#1/attention?m=${text}&m=${text}`);
    assert.deepEqual([twice.values, twice.problems.map(({ code, field }) => [code, field])], [{ K: [[1, 2]] }, [['repeated-key', 'm']]]);
  });

  it('spaces around it are understood', () => assert.deepEqual(parse(`#1/attention?m=%20${envelope(good)}%0a`).values, { K: [[1, 2]] }));

  it('never throw, whatever the bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 60 });
    const byte = fc.oneof(fc.constantFrom(0, 1, 2, 3, 64, 127, 128, 255), fc.nat(255));
    const nearlyGood = fc.array(byte, { maxLength: 40 }).map((tail) => envelope([...good, ...named('Q'), ...tail]));
    const text = fc.oneof(bytes.map(base64), bytes.map((each) => envelope(each)), nearlyGood, fc.string({ unit: 'binary' }));
    fc.assert(fc.property(text, (packed) => {
      const { status, values, problems } = parse(`#1/attention?m=${packed}`);
      assert.match(status, /^(unchecked|damaged)$/);
      assert.ok(Object.keys(values).every((name) => Object.hasOwn(DEFAULTS, name)));
      assert.ok(problems.every(({ field }) => field.length <= 80));
    }), { numRuns: 5000, seed: 3 });
  });

  it('every bit of a packing counts', () => {
    const intact = pack([['Q', filled(3, 4, random(8))]]);
    const { matrices } = unpack(intact);
    for (let at = 0; at < intact.length; at++)
      for (const other of 'A_-z09') {
        const read = unpack(intact.slice(0, at) + other + intact.slice(at + 1));
        if (!read.problem) assert.deepEqual(read.matrices, matrices); // the last bits of base64 may mean nothing
      }
  });

  /** @param {Uint8Array} bytes @param {import('node:test').TestContext} t */
  function isStopped(bytes, t) {
    const text = envelope(bytes);
    let made = 0;
    const { push } = Inflate.prototype;
    /** @this {any} */
    Inflate.prototype.push = function (...args) {
      const { ondata } = this;
      this.ondata = (/** @type {Uint8Array} */ piece, /** @type {boolean} */ last) => {
        made += piece.length;
        ondata(piece, last);
      };
      push.apply(this, /** @type {any} */ (args));
      this.ondata = ondata;
    };
    const start = process.cpuUsage().user;
    const { problem, matrices } = unpack(text);
    const time = (process.cpuUsage().user - start) / 1000;
    Inflate.prototype.push = push;
    t.diagnostic(`${text.length} characters for ${bytes.length} bytes: ${made} made, ${time.toFixed(1)} ms of the processor`);
    assert.deepEqual([problem?.code, problem?.detail.unit, matrices], ['packing-too-large', 'bytes', []]);
    assert.ok(made <= packing.MAX_BYTES + 512 * 1032, 'no more than one step beyond the limit');
    assert.ok(time < 500); // what is made is what counts; it takes less than 50 on a machine that does nothing else
  }

  it('that would become megabytes are stopped on their way', (t) => {
    const zeros = new Uint8Array(32_000_000);
    isStopped(zeros, t);
    isStopped(zeros, t);
    isStopped(new Uint8Array(2_000_000).map((_, i) => i % 251), t);
    isStopped(zeros.subarray(0, packing.MAX_BYTES + 1), t);
  });

  it('that stay just below are read', () => {
    assert.equal(unpack(envelope(new Uint8Array(packing.MAX_BYTES))).problem?.code, 'bad-packing');
  });

  it('have their messages in both languages', () => {
    for (const strings of /** @type {Record<string, string>[]} */ ([ko, en]))
      for (const code of ['bad-packing', 'packing-version', 'packing-too-large', 'packing-missing']) assert.match(strings[`problem.${code}`], /\S/);
  });
});

describe('docs/links.md', () => {
  const page = readFileSync(new URL('../../docs/links.md', import.meta.url), 'utf8');

  it('shows the bytes of a packing as they are', () => {
    const [, text] = /** @type {RegExpExecArray} */ (/m=([\w-]+)$/m.exec(page));
    const { matrices, problem } = unpack(text);
    assert.equal(problem, null);
    const shown = [...page.matchAll(/^ {4}((?:[0-9a-f]{2} )*[0-9a-f]{2}) {2}/gm)].flatMap(([, bytes]) => bytes.split(' '));
    const packed = Buffer.from(text, 'base64url');
    assert.deepEqual(shown.slice(0, 5), [...packed.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0')));
    assert.deepEqual(unpack(envelope(shown.slice(5).map((byte) => parseInt(byte, 16)))).matrices, matrices);
  });
});
