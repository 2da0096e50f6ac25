// Makes dist/ from web/ and the compiled core: content-hashed names under assets/, addresses relative to the page,
// so that any static host can serve it under any path.

import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { LANGUAGES } from '../web/i18n/language.js';
import { LESSONS } from '../web/lessons/index.js';
import { readProse } from './prose.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const web = path.join(root, 'web');
const core = path.join(root, 'build', 'wasm');
const dist = path.join(root, 'dist');

/** @param {string} style the one inside index.html */
const contentSecurityPolicy = (style) => [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  `style-src-elem 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "style-src-attr 'unsafe-inline'", // KaTeX places its boxes by style attributes
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** @satisfies {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: /** @type {const} */ ('esm'),
  target: ['es2022'],
  external: ['node:*'], // the module asks for them in node only
  minify: true,
  charset: /** @type {const} */ ('utf8'), // Korean as it is, not as escapes of twice the size
  legalComments: 'none', // the notices are collected in LICENSES.txt
  metafile: /** @type {const} */ (true),
  logLevel: /** @type {const} */ ('warning'),
};

/** @satisfies {esbuild.BuildOptions} */
const hashed = { entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', assetNames: '[name]-[hash]' };

/** `import prose from './ko.md'` gives the sections as an object. @type {esbuild.Plugin} */
const prose = {
  name: 'prose',
  setup(build) {
    build.onLoad({ filter: /\.md$/ }, async ({ path: file }) => {
      try {
        return { contents: JSON.stringify(await readProse(file)), loader: 'json' };
      } catch (error) {
        return { errors: [{ text: `${path.relative(root, file)}: ${/** @type {Error} */ (error).message}` }] };
      }
    });
  },
};

/** `import createCore from 'glue:<name>'` gives Emscripten's loader of that core. @type {esbuild.Plugin} */
const glue = {
  name: 'glue',
  setup(build) {
    build.onResolve({ filter: /^glue:/ }, ({ path: name }) => ({ path: path.join(core, `${name.slice('glue:'.length)}-core.js`) }));
  },
};

/**
 * `import url from 'asset:<name>'` gives the address of a built file, relative to the page, or several of them.
 * @param {Record<string, unknown>} addresses
 * @returns {esbuild.Plugin}
 */
const assets = (addresses) => ({
  name: 'assets',
  setup(build) {
    build.onResolve({ filter: /^asset:/ }, ({ path: name }) => ({ path: name.slice('asset:'.length), namespace: 'asset' }));
    build.onLoad({ filter: /.*/, namespace: 'asset' }, ({ path: name }) =>
      name in addresses
        ? { contents: JSON.stringify(addresses[name]), loader: 'json' }
        : { errors: [{ text: `there is no "asset:${name}"` }] },
    );
  },
});

/** Every browser that can run the page reads woff2. @type {esbuild.Plugin} */
const woff2Only = {
  name: 'woff2-only',
  setup(build) {
    build.onLoad({ filter: /katex(\.min)?\.css$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replace(/,\s*url\([^)]*\.(woff|ttf)\)\s*format\(["']\w+["']\)/g, ''),
      loader: 'css',
    }));
  },
};

/**
 * The built file of an entry point, relative to dist/.
 * @param {esbuild.Metafile} metafile
 * @param {string} entry
 */
function outputOf(metafile, entry) {
  const found = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry);
  if (!found) throw new Error(`esbuild wrote nothing for ${entry}`);
  return path.relative('dist', found[0]);
}

/**
 * What a built script needs before it can run, itself first.
 * @param {esbuild.Metafile} metafile
 * @param {string} file relative to dist/
 */
function staticImports(metafile, file) {
  const seen = new Set([file]);
  for (const each of seen) {
    const { imports } = metafile.outputs[path.join('dist', each)];
    for (const { kind, path: imported, external } of imports) {
      if (kind === 'import-statement' && !external) seen.add(path.relative('dist', imported));
    }
  }
  return [...seen];
}

/** Copies the compiled cores: the one of the module, and the page's under a hashed name. Returns that, relative to dist/. */
async function writeWasm() {
  await copyFile(path.join(core, 'attention-core.wasm'), path.join(dist, 'attention.wasm'));
  const source = path.join(core, 'lesson-core.wasm');
  const hash = createHash('sha256').update(await readFile(source)).digest('hex').slice(0, 8);
  const name = `assets/lesson-core-${hash}.wasm`;
  await copyFile(source, path.join(dist, name));
  return name;
}

/** The module that other pages and test suites import; finds its wasm beside itself. */
async function buildModule() {
  const result = await esbuild.build({
    ...common,
    entryPoints: ['web/module/attention.js'],
    outfile: 'dist/attention.js',
    platform: 'neutral',
    plugins: [glue],
  });
  await copyFile(path.join(web, 'module', 'attention.d.ts'), path.join(dist, 'attention.d.ts'));
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: 'attention-playground',
    version,
    license: 'MIT',
    type: 'module',
    exports: { '.': { types: './attention.d.ts', default: './attention.js' } },
  };
  await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return result.metafile;
}

/** Style sheets first: the scripts hold their addresses. */
async function buildStyles() {
  const result = await esbuild.build({
    ...common,
    ...hashed,
    entryPoints: ['web/styles/main.css', 'web/styles/deeper.css', 'node_modules/katex/dist/katex.min.css'],
    outdir: 'dist/assets',
    loader: { '.woff2': 'file' },
    plugins: [woff2Only],
  });
  return result.metafile;
}

/**
 * The files that every entry of a lesson and the main script import, whether they need them or not: what several of them
 * share is then one file instead of one for each combination, and on a slow line a request costs more than a few bytes.
 * @param {string[]} files
 * @returns {esbuild.Plugin}
 */
const together = (files) => ({
  name: 'together',
  setup(build) {
    build.onLoad({ filter: /\/web\/(main|lessons\/\w+\/(lesson|further))\.js$/ }, async ({ path: file }) => ({
      contents: [await readFile(file, 'utf8'), ...files.map((each) => `import ${JSON.stringify(path.join(root, each))};`)].join('\n'),
      resolveDir: path.dirname(file),
    }));
  },
});

/** @param {Record<string, string>} addresses */
async function buildScripts(addresses) {
  /** @param {string[]} shared */
  const build = async (shared) => {
    const { metafile } = await esbuild.build({
      ...common,
      ...hashed,
      entryPoints: ['web/main.js'],
      outdir: 'dist/assets',
      splitting: true,
      write: shared.length > 0,
      plugins: [prose, glue, assets(addresses), together(shared)],
    });
    return metafile;
  };
  const apart = await build([]);
  const entries = ['web/main.js', ...Object.keys(LESSONS).map((lesson) => `web/lessons/${lesson}/lesson.js`)];
  const imported = entries.map((entry) => staticImports(apart, outputOf(apart, entry)).slice(1));
  // What a single lesson uses, above and further down, nobody else waits for.
  const chunks = imported.flat().filter((chunk) => imported[0].includes(chunk) || imported.filter((each) => each.includes(chunk)).length > 1);
  return build([...new Set(chunks.flatMap((chunk) => Object.keys(apart.outputs[path.join('dist', chunk)].inputs)))]);
}

/**
 * What each lesson needs in each language besides the main script: its code, its prose, the strings.
 * @param {esbuild.Metafile} metafile
 * @param {string[]} main what is loaded anyway
 */
function earlyFiles(metafile, main) {
  return Object.fromEntries(Object.keys(LESSONS).map((name) => [name, Object.fromEntries(LANGUAGES.map((language) => {
    const entries = [`web/lessons/${name}/lesson.js`, `web/lessons/${name}/${language}.js`, `web/i18n/${language}.js`];
    const files = entries.flatMap((entry) => staticImports(metafile, outputOf(metafile, entry)));
    return [language, [...new Set(files)].filter((file) => !main.includes(file))];
  }))]));
}

/**
 * Lets browsers that know the hint (Chrome from 136) compile all of these files while they arrive, on another thread: nearly
 * every function in them runs before the page is shown, and would be compiled then, one by one, while the visitor waits.
 * @param {Iterable<string>} files relative to dist/
 */
async function hintCompilation(files) {
  for (const each of new Set(files)) {
    const file = path.join(dist, each);
    await writeFile(file, `//# allFunctionsCalledOnLoad\n${await readFile(file, 'utf8')}`);
  }
}

/** The script that runs before anything is shown. @param {Record<string, unknown>} addresses */
async function buildEarlyScript(addresses) {
  const { metafile } = await esbuild.build({ ...common, ...hashed, format: 'iife', entryPoints: ['web/early.js'], outdir: 'dist/assets', plugins: [assets(addresses)] });
  return outputOf(metafile, 'web/early.js');
}

/**
 * The style stands in the page itself: one file less to wait for before the first painting.
 * @param {{ wasm: string, style: string, early: string, scripts: string[] }} built
 */
async function writePage({ wasm, style, early, scripts }) {
  const parts = {
    csp: `<meta http-equiv="content-security-policy" content="${contentSecurityPolicy(style)}">`,
    preload: [
      ...scripts.map((script) => `<link rel="modulepreload" href="${script}">`),
      `<link rel="preload" href="${wasm}" as="fetch" type="application/wasm" crossorigin>`,
      `<script src="${early}"></script>`,
    ].join(''),
    styles: `<style>${style}</style>`,
    main: `<script type="module" src="${scripts[0]}"></script>`,
  };
  let html = await readFile(path.join(web, 'index.html'), 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const marker = `<!-- build:${name} -->`;
    if (html.split(marker).length !== 2) throw new Error(`web/index.html needs ${marker} once`);
    html = html.replace(marker, () => part);
  }
  html = html.replace(/<!--[^]*?-->/g, '').replace(/\s*\n\s*/g, '\n').trim();
  await writeFile(path.join(dist, 'index.html'), `${html}\n`);
}

/**
 * The licences of what was bundled.
 * @param {esbuild.Metafile[]} metafiles
 */
async function writeLicenses(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const packages = new Set(inputs.flatMap((input) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []));
  const texts = [`attention playground\n\n${await readFile(path.join(root, 'LICENSE'), 'utf8')}`];
  for (const name of [...packages].sort()) {
    const folder = path.join(root, 'node_modules', name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    texts.push(`${name}\n\n${await readFile(path.join(folder, file), 'utf8')}`);
  }
  texts.push(
    'In the WebAssembly file: xtensor and xtl (BSD-3-Clause, Johan Mabille, Sylvain Corlay, Wolf Vollprecht and others),\n' +
      "Emscripten's runtime and musl (MIT), libc++ and compiler-rt (Apache-2.0 with LLVM exceptions).\n",
  );
  await writeFile(path.join(dist, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

async function printSizes() {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  let [allRaw, allPacked] = [0, 0];
  /** @param {number} raw @param {number} packed @param {string} name */
  const line = (raw, packed, name) => console.log(`${String(raw).padStart(9)} ${String(packed).padStart(9)}  ${name}`);
  console.log(`${'bytes'.padStart(9)} ${'gzip'.padStart(9)}`);
  for (const file of files.sort()) {
    const content = await readFile(file);
    const packed = gzipSync(content).length;
    line(content.length, packed, path.relative(root, file));
    allRaw += content.length;
    allPacked += packed;
  }
  line(allRaw, allPacked, 'in all');
}

async function build() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(path.join(dist, 'assets'), { recursive: true });

  const wasm = await writeWasm();
  const module = await buildModule();
  const styles = await buildStyles();
  const scripts = await buildScripts({
    wasm,
    'further-css': outputOf(styles, 'web/styles/deeper.css'),
    'katex-css': outputOf(styles, 'node_modules/katex/dist/katex.min.css'),
  });
  const main = staticImports(scripts, outputOf(scripts, 'web/main.js'));
  const early = earlyFiles(scripts, main);
  await hintCompilation([...main, ...Object.values(early).flatMap((files) => Object.values(files)).flat()]);
  const styleFile = outputOf(styles, 'web/styles/main.css');
  await writePage({
    wasm,
    style: (await readFile(path.join(dist, styleFile), 'utf8')).trim(),
    early: await buildEarlyScript({ 'early-files': early }),
    scripts: main,
  });
  await rm(path.join(dist, styleFile));
  await writeLicenses([module, styles, scripts]);
  await printSizes();
}

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
