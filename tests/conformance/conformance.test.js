// The module against known answers from outside: ONNX's own operator tests, numbers printed in the tests of other
// projects, and wrong numbers that were reported in public. Every case runs in both precisions, or says why not.
// The cases lie in a folder of their own; ATTENTION_DATA names it, and without it there is nothing to hold against.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { loadAttention } from '../js/module.js';
import * as bugs from './bugs.js';
import { assertNear, bugCases, folder, inReach, isNear, literalCases, onnxCases } from './cases.js';
import * as literals from './literals.js';
import { onnxOutputs, onnxTolerance } from './onnx.js';

const PRECISIONS = ['float64', 'float32'];
const core = await loadAttention();

/** One line of the table for each operation. @type {Map<string, { cases: number, passed: number, leftOut: number, reasons: Set<string> }>} */
const table = new Map();

/**
 * A case in both precisions, or left out for a reason.
 * @param {string} operation @param {string} name @param {string | undefined} reason @param {(precision: string) => void} check
 */
function testCase(operation, name, reason, check) {
  const line = table.get(operation) ?? { cases: 0, passed: 0, leftOut: 0, reasons: new Set() };
  table.set(operation, line);
  line.cases++;
  if (reason) {
    line.leftOut++;
    line.reasons.add(reason);
    test(name, { skip: reason }, () => {});
    return;
  }
  const well = new Set();
  for (const precision of PRECISIONS)
    test(`${name}, ${precision}`, () => {
      check(precision);
      well.add(precision);
      if (well.size === PRECISIONS.length) line.passed++;
    });
}

if (folder === undefined) {
  test('external cases', { skip: 'ATTENTION_DATA names no folder of them' }, () => {});
} else {
  describe('operator tests of ONNX', () => {
    for (const each of onnxCases())
      testCase(`ONNX ${each.op}`, each.name, undefined, (precision) => {
        for (const [name, actual, expected] of onnxOutputs(core, each, precision)) assertNear(actual, expected, onnxTolerance(each), name);
      });
  });

  describe('numbers of other projects', () => {
    for (const each of literalCases())
      testCase(each.op, `${each.id}: ${each.what}`, literals.LEFT_OUT[each.op], (precision) => {
        assert.ok(literals.isKnown(each), `nothing is known about ${each.op}`);
        for (const [actual, expected, what] of literals.literalOutputs(core, each, precision)) assertNear(actual, expected, literals.literalTolerance(each, precision), what);
      });
  });

  describe('reported mistakes', () => {
    for (const bug of bugCases())
      testCase('reported mistakes', `${bug.id}: ${bug.symptom}`, bugs.LEFT_OUT[bug.id], (precision) => {
        assert.ok(bugs.isKnown(bug), `nothing is known about ${bug.id}`);
        const answers = bugs.bugAnswers(core, bug, precision);
        const tolerance = inReach({ abs: bug.tolerance }, precision);
        for (const [name, right] of Object.entries(bug.right)) {
          assert.ok(name in answers, `no answer for ${name}`);
          // The tolerance of 'exp-flush' is for its tiny weight.
          assertNear(answers[name], right, name === 'log_weights' ? { abs: 1e-6 } : tolerance, name);
        }
        // Where two answers are right, the "wrong" one may be one of them.
        const isRight = (/** @type {any} */ wrong) => Object.values(bug.right).some((right) => isNear(right, wrong, tolerance));
        for (const [name, wrong] of Object.entries(bug.wrong)) {
          if (!(name in answers) || isRight(wrong)) continue;
          assert.ok(!isNear(answers[name], wrong, tolerance), `${name} is the reported mistake, ${JSON.stringify(wrong)}`);
        }
      });
  });

  after(() => {
    const lines = [...table].map(([operation, { cases, passed, leftOut, reasons }]) =>
      `${operation.padEnd(28)}${String(cases).padStart(6)}${String(passed).padStart(8)}${String(leftOut).padStart(10)}  ${[...reasons].join('; ')}`);
    const all = [...table.values()].reduce((sum, line) => [sum[0] + line.cases, sum[1] + line.passed, sum[2] + line.leftOut], [0, 0, 0]);
    console.log(`\n${'operation'.padEnd(28)} cases  passed  left out\n${lines.join('\n')}\n${'all'.padEnd(28)}${String(all[0]).padStart(6)}${String(all[1]).padStart(8)}${String(all[2]).padStart(10)}\n`);
  });
}
