// Which number is to be predicted at a step, and which steps stay closed while each is predicted first.
import { stepOf, walkedKeys } from './trace.js';

/** @typedef {import('./trace.js').Trace} Trace */

/** The step whose numbers are predicted at this one: the next, where it is more than picked out of what was typed. @param {Trace | null} trace @param {string} key */
export function predictedAt(trace, key) {
  const keys = walkedKeys(trace);
  const at = keys.indexOf(key);
  const next = stepOf(trace, keys[at + 1]);
  return at >= 0 && next && next.op !== 'select' && stepOf(trace, key)?.op !== 'input' ? next : null;
}

/** Those behind the first number that was neither predicted nor skipped; steps of a gradient open none. @param {Trace | null} trace @param {string[]} opened steps that were reached */
export function closedSteps(trace, opened) {
  const keys = walkedKeys(trace);
  let last = Math.max(0, ...opened.map((key) => keys.indexOf(key)));
  while (last < keys.length - 1 && !predictedAt(trace, keys[last])) last++;
  return keys.slice(last + 1);
}
