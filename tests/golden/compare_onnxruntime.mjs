// Thousands of drawn ONNX cases, computed by onnxruntime and by the built module side by side. Run by hand: the engine is
// 60 MB, and its answers to some of these cases are kept in onnxruntime.json for every other run.
//   npm install --ignore-scripts --prefix FOLDER onnxruntime-node@1.30.0
//   node tests/golden/compare_onnxruntime.mjs FOLDER [how many]

import { createRequire } from 'node:module';
import path from 'node:path';
import { loadAttention } from '../js/module.js';
import { onnxOutputs, onnxTolerance } from '../conformance/onnx.js';
import { isNear } from '../conformance/cases.js';
import { attentionCase, otherCase } from './onnx-cases.mjs';
import { ask } from './onnx-model.mjs';

const [folder, count = '3000'] = process.argv.slice(2);
const ort = createRequire(path.resolve(folder, 'any.js'))('onnxruntime-node');
const core = await loadAttention();

/** @type {Map<string, { cases: number, refused: number, different: number }>} */
const table = new Map();
for (let seed = 1; seed <= Number(count); seed++) {
  const each = seed % 3 === 0 ? otherCase(seed) : attentionCase(seed);
  const line = table.get(each.op) ?? { cases: 0, refused: 0, different: 0 };
  table.set(each.op, line);
  line.cases++;
  let answers;
  try {
    answers = await ask(ort, each, Object.fromEntries(each.inputs.map(({ name, data }) => [name, data])));
  } catch (error) {
    line.refused++;
    console.log(`${each.name}: refused by onnxruntime: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
    continue;
  }
  const outputs = each.outputs.map(({ name }) => ({ name, dtype: 'float32', ...answers[name] }));
  for (const precision of ['float64', 'float32']) {
    const far = onnxOutputs(core, { ...each, outputs }, precision).filter(([, actual, expected]) => !isNear(actual, expected, onnxTolerance({ outputs })));
    if (far.length === 0) continue;
    line.different++;
    console.log(`${each.name}, ${precision}: ${far.map(([name]) => name)} ${JSON.stringify(each.attributes)} ${each.inputs.map(({ name, dtype, shape }) => `${name} ${dtype} [${shape}]`).join(', ')}`);
  }
}
console.table(Object.fromEntries(table));
