// Errors about an input of a trace call it as the caller does: K where K was given, or other capitals beside it.
import { AttentionError } from './error.js';

/** What the core says, and the step that it becomes, by recipe. @type {Map<unknown, [small: string, capital: string][]>} */
const CAPITALS = new Map([['attention', [['q', 'Q'], ['k', 'K'], ['v', 'V']]], ['self-attention', [['x', 'X']]], ['positional', [['x', 'X']]]]);

/** Steps that are not there have the names that a caller asked for. @param {AttentionError} error @param {any} call */
const isOfInputs = ({ code, field }, call) => code !== 'given-twice' && (CAPITALS.get(call?.recipe) ?? []).some(([small]) => small === field);

/** @param {AttentionError} error @param {any} call */
function renamed(error, call) {
  const given = Object.keys(call?.inputs ?? {});
  const capitals = CAPITALS.get(call?.recipe) ?? [];
  const isSmall = capitals.some(([small]) => given.includes(small)) && !capitals.some(([, capital]) => given.includes(capital));
  const names = new Map(capitals.filter(([small, capital]) => !given.includes(small) && (!isSmall || given.includes(capital))));
  const message = error.message.replace(/\b[a-z]\b/g, (word) => names.get(word) ?? word);
  return new AttentionError(error.code, names.get(error.field) ?? error.field, message, error.cause === undefined ? undefined : { cause: error.cause });
}

/** The same calls, each of which has the inputs in its first argument. @template {Record<string, any>} Calls @param {Calls} calls @returns {Calls} */
export const withOwnNames = (calls) => /** @type {Calls} */ (Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, (/** @type {any[]} */ ...args) => {
  try {
    return call(...args);
  } catch (error) {
    throw error instanceof AttentionError && isOfInputs(error, args[0]) ? renamed(error, args[0]) : error;
  }
}])));
