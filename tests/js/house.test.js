// The rules of the house: who may use whom, and what may not be used at all.

import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { files, read, scripts } from './source.js';

describe('C++', () => {
  const STANDARD = /^<[a-z_0-9]+>$/;
  /** What the files of a folder of src/ may include besides the standard library and themselves. @type {Record<string, RegExp>} */
  const MAY_INCLUDE = {
    core: /^"core\//,
    fast: /^"(core|fast)\/|^<wasm_simd128\.h>/,
    learn: /^"(core|fast|learn)\//,
    check: /^"(core|check)\//,
    wasm: /^"(core|fast|learn|check|wasm)\/|^<emscripten\//,
  };
  const sources = files('src', '.cpp', '.hpp');
  const includes = (/** @type {string} */ file) => [...read(file).matchAll(/^\s*#\s*include\s*([<"][^>"]+[>"])/gm)].map(([, name]) => name);

  for (const file of sources)
    test(`${file} includes only what it may`, () => {
      const folder = file.split('/')[1];
      assert.ok(folder in MAY_INCLUDE, `src/${folder} is not known`);
      for (const name of includes(file)) {
        const xtensor = file === 'src/core/xtensor.hpp' && /^<xtensor\//.test(name);
        assert.ok(xtensor || STANDARD.test(name) || MAY_INCLUDE[folder].test(name), `includes ${name}`);
      }
    });

  test('the core knows no Emscripten, prints nothing and draws no random numbers of the standard library', () => {
    for (const file of sources.filter((each) => each.startsWith('src/core/')))
      assert.doesNotMatch(read(file).replace(/\/\/[^\n]*/g, ''), /emscripten|EMSCRIPTEN|std::cout|std::cerr|printf|_distribution|std::rand\b/, file);
  });
});

/** What a script imports, by `from`, for its effect alone, and on demand; files of ours by their name in web/. @param {string} file */
function imports(file) {
  const { code } = /** @type {import('./source.js').Source} */ (scripts.get(file));
  const named = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name);
  return named.map((name) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name));
}

describe('JavaScript', () => {
  /** Who may import what: the first line that fits a file counts. @type {[RegExp, RegExp][]} */
  const MAY_IMPORT = [
    [/^web\/engine\.js$/, /^(asset:wasm$|web\/module\/lessons\.js$)/],
    [/^web\/module\//, /^(glue:|node:|web\/module\/)/],
    [/^web\/properties\.js$/, /^$/],
    [/^web\/state\.js$/, /^web\/properties\.js$/],
    [/^web\/i18n\//, /^web\/i18n\//],
    [/^web\/share\//, /^(lit-html|fflate$|web\/share\/)/],
    [/^web\/trace\.js$/, /^$/],
    [/^web\/views\/plot-marks\.js$/, /^@observablehq\/plot$/],
    [/^web\/views\//, /^(lit-html|katex$|web\/(views|i18n)\/|web\/trace\.js$)/],
    [/^web\/lessons\//, /^(lit-html|web\/(lessons|views)\/|web\/trace\.js$)/],
    [/^web\/[^/]+\.js$/, /^(lit-html|asset:|web\/(?!module\/|main\.js))/],
  ];

  for (const file of scripts.keys())
    test(`${file} imports only what it may`, () => {
      const allowed = MAY_IMPORT.find(([files]) => files.test(file))?.[1] ?? /^$/;
      for (const name of imports(file)) assert.match(name, allowed);
    });

  test('nothing imports in a circle', () => {
    const visit = (/** @type {string} */ file, /** @type {string[]} */ way) => {
      assert.ok(!way.includes(file), [...way, file].join(' → '));
      for (const name of imports(file)) if (scripts.has(name)) visit(name, [...way, file]);
    };
    for (const entry of ['web/main.js', 'web/early.js', 'web/module/attention.js']) visit(entry, []);
  });

  test('charts of Plot are asked for on demand, since no first look needs them', () => {
    for (const [file, { code }] of scripts) if (file !== 'web/views/plot-marks.js') assert.doesNotMatch(code, /\bfrom\s*'[^']*(?:plot-marks\.js|@observablehq\/plot)'/, file);
  });

  test('every script is used', () => {
    const used = new Set(['web/main.js', 'web/early.js', 'web/module/attention.js', ...[...scripts.keys()].flatMap(imports)]);
    assert.deepEqual([...scripts.keys()].filter((file) => !used.has(file)), []);
  });

  for (const [what, pattern, where] of /** @type {[string, RegExp, RegExp?][]} */ ([
    ['random numbers without a seed', /Math\.random|getRandomValues|randomUUID/],
    ['code made of text', /\beval\b|new Function\b|\bFunction\(|document\.write|javascript:/],
    ['HTML made of text', /innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc/],
    ['HTML that is not escaped', /unsafeHTML|unsafeSVG|unsafeMathML|unsafeStatic/, /^web\/views\/prose\.js$/],
    ['the network', /\bfetch\b|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts/, /^web\/module\/core\.js$/],
    ['other places to keep things', /document\.cookie|indexedDB|sessionStorage/],
    ['the storage of the browser', /localStorage/, /^web\/theme\.js$/],
    ['messages that stop the page', /\b(alert|confirm|prompt)\(/],
    ['URLSearchParams, which turns + into a space', /URLSearchParams/],
  ]))
    test(`no script uses ${what}`, () => {
      for (const [file, { code }] of scripts) if (!where?.test(file)) assert.doesNotMatch(code, pattern, file);
    });

  test('no script names another host', () => {
    for (const [file, { code }] of scripts) assert.doesNotMatch(code, /\b(https?|wss?):\/\/(?!www\.w3\.org\/)|['"`]\/\//, file);
    for (const file of files('web', '.css', '.html')) assert.doesNotMatch(read(file), /(?:(?:href|src)="?|url\("?|@import "?)(?:https?:)?\/\//, file);
  });
});

describe('packages', () => {
  const manifest = JSON.parse(read('package.json'));
  const asked = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };

  test('are pinned exactly', () => {
    for (const [name, version] of Object.entries(asked)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
  });

  test('are locked as they are pinned, each with its checksum', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    for (const [name, version] of Object.entries(asked)) assert.equal(packages[`node_modules/${name}`]?.version, version, name);
    for (const [name, { integrity }] of Object.entries(packages)) if (name) assert.match(integrity ?? '', /^sha512-/, name);
  });

  test('are those that the project imports', () => {
    const sources = [...files('web', '.js'), ...files('scripts', '.mjs'), ...files('tests', '.js')];
    const used = new Set(sources.flatMap((file) =>
      [...read(file).matchAll(/^\s*(?:import|export)\b[^'"\n]*?from '([^'.:]+)'|\bimport\('([^'.:]+)'\)/gm)].map(([, name, late]) => (name ?? late).split('/').slice(0, name?.startsWith('@') ? 2 : 1).join('/'))));
    assert.deepEqual([...used].filter((name) => !(name in asked)), []);
    const shipped = [...scripts.keys()].flatMap(imports).filter((name) => !/[.:]/.test(name.split('/')[0]) && !name.startsWith('web/')).map((name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/'));
    assert.deepEqual([...new Set(shipped)].sort(), Object.keys(manifest.dependencies).sort());
  });
});

describe('words', () => {
  /** Files whose text is not for visitors, or is there in both languages. */
  const EXEMPT = /^web\/(i18n\/|module\/|properties\.js$)|\/strings\.\w+\.js$/;
  const own = [...scripts].filter(([file]) => !EXEMPT.test(file));

  test('in Korean are in the translations alone', () => {
    for (const [file, { code }] of own) assert.doesNotMatch(code, /\p{Script=Hangul}/u, file);
  });

  test('in English are in the translations alone', () => {
    for (const [file, { strings, templates, code }] of own) {
      for (const { text, at } of strings)
        if (!/(?:Error\(|console\.\w+\()$/.test(code.slice(0, at))) assert.doesNotMatch(text, /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}|^[A-Z][a-z]+ [a-z]+/, file);
      for (const { text, tag } of templates.filter((each) => ['html', 'svg'].includes(each.tag))) {
        assert.ok(tag);
        // What stays when tags are taken out is seen; symbols, exp and max are the same in every language.
        const seen = text.replace(/<[^>]*>/g, ' ').replace(/\$\{\}/g, ' ').match(/[A-Za-z]{2,}/g) ?? [];
        assert.deepEqual(seen.filter((word) => !['max', 'argmax', 'exp', 'id'].includes(word)), [], file);
        for (const [, name, value] of text.matchAll(/\b(aria-label|title|placeholder|alt|aria-description|label)="([^"]*[A-Za-z]{2,}[^"]*)"/g))
          assert.match(value, /^[^A-Za-z]*$/, `${file}: ${name}`);
      }
    }
  });
});
