// Reads the log of one test suite and prints "<passed> <failed>".
//   node scripts/test-totals.mjs ctest|tap <log>

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {{ passed: number, failed: number }} Totals */

/**
 * Output of `ctest --verbose`. One ctest entry runs a whole Catch2 program, so the cases are counted from Catch2's
 * own last line; an entry that died without one, or failed in spite of one, counts as a failure.
 * @param {string} log
 * @returns {Totals}
 */
export function ctestTotals(log) {
  const totals = { passed: 0, failed: 0 };
  /** @type {Map<string, Totals>} */
  const cases = new Map();
  // A program under node may colour what it says.
  for (const line of log.replace(/\x1b\[[\d;]*m/g, '').split('\n')) {
    const output = /^(\d+): (.*)$/.exec(line);
    const counted = output && catchTotals(output[2]);
    if (counted) cases.set(output[1], counted);

    const entry = /^\s*\d+\/\d+ Test\s+#(\d+): .*?(\*\*\*|\bPassed\b)/.exec(line);
    if (!entry) continue;
    const well = entry[2] === 'Passed';
    const { passed, failed } = cases.get(entry[1]) ?? { passed: Number(well), failed: 0 };
    totals.passed += passed;
    totals.failed += well ? failed : Math.max(failed, 1);
  }
  return totals;
}

/**
 * @param {string} line
 * @returns {Totals | undefined}
 */
function catchTotals(line) {
  const all = /^All tests passed \(.* in (\d+) test cases?\)/.exec(line);
  if (all) return { passed: Number(all[1]), failed: 0 };
  if (!line.startsWith('test cases: ')) return undefined;
  /** @param {RegExp} pattern */
  const number = (pattern) => Number(pattern.exec(line)?.[1] ?? 0);
  return {
    passed: number(/(\d+) passed/) + number(/(\d+) failed as expected/),
    failed: number(/(\d+) failed(?! as expected)/),
  };
}

/**
 * What `node --test` writes as TAP; its summary comes last.
 * @param {string} log
 * @returns {Totals}
 */
export function tapTotals(log) {
  /** @param {string} name */
  const last = (name) => Number([...log.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? 0);
  return { passed: last('pass'), failed: last('fail') + last('cancelled') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, file] = process.argv.slice(2);
  const { passed, failed } = (kind === 'tap' ? tapTotals : ctestTotals)(readFileSync(file, 'utf8'));
  console.log(`${passed} ${failed}`);
}
