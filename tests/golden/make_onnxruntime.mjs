// Writes onnxruntime.json: answers of onnxruntime in single precision to cases of ONNX operators.
//   npm install --ignore-scripts --prefix FOLDER onnxruntime-node@1.30.0
//   node tests/golden/make_onnxruntime.mjs FOLDER > tests/golden/onnxruntime.json

import { createRequire } from 'node:module';
import path from 'node:path';
import { attentionCase, otherCase } from './onnx-cases.mjs';
import { ask } from './onnx-model.mjs';

const require = createRequire(path.resolve(process.argv[2], 'any.js'));
const ort = require('onnxruntime-node');
const { version } = require('onnxruntime-node/package.json');

/** JSON has no infinities and no NaN; nine digits hold every float. @param {any} cell */
const written = (cell) => (typeof cell === 'boolean' ? Number(cell) : Number.isFinite(cell) ? Number(cell.toPrecision(9)) : Number.isNaN(cell) ? 'nan' : cell > 0 ? 'inf' : '-inf');

const cases = [];
for (let seed = 1; seed <= 120; seed++) {
  const each = seed % 3 === 0 ? otherCase(seed) : attentionCase(seed);
  const answers = await ask(ort, each, Object.fromEntries(each.inputs.map(({ name, data }) => [name, data])));
  cases.push({
    ...each,
    inputs: each.inputs.map((input) => ({ ...input, data: input.data.map(written) })),
    outputs: each.outputs.map(({ name }) => ({ name, dtype: 'float32', shape: answers[name].shape, data: answers[name].data.map(written) })),
  });
}
console.log(JSON.stringify({
  about: 'Answers of onnxruntime in float32; written by tests/golden/make_onnxruntime.mjs. What it was not asked, and why: onnx-cases.mjs',
  versions: { 'onnxruntime-node': version },
  cases,
}));
