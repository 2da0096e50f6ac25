// The project's own source files, and a small scanner that tells code, comments and strings of JavaScript apart.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} file relative to the root */
export const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** Files below a folder that end in one of `endings`, relative to the root. @param {string} folder @param {string[]} endings */
export const files = (folder, ...endings) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .filter((file) => endings.some((ending) => file.endsWith(ending)) && !file.includes('/node_modules/'))
    .sort();

/**
 * @typedef {object} Source
 * @property {string} code                          without comments; strings are there
 * @property {string} bare                          neither comments nor the contents of strings and regular expressions
 * @property {{ text: string, at: number }[]} strings    contents of '…' and "…", and where they start in `code`
 * @property {{ text: string, tag: string, at: number, end: number }[]} templates  contents of `…` with `${}` for what is filled in, the tag before it, and where it lies
 */

/** After one of these a slash starts a regular expression. */
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[\n+>]|\breturn)\s*$/;
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;

/** @param {string} text @returns {Source} */
export function scan(text) {
  /** @type {Source} */
  const source = { code: '', bare: '', strings: [], templates: [] };
  let at = 0;
  const take = (/** @type {RegExp} */ pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) at += found.length;
    return found;
  };

  /** Code up to the end, or up to the brace that closes a template's part. @param {boolean} inTemplate */
  function code(inTemplate) {
    let depth = 0;
    while (at < text.length) {
      if (take(COMMENT)) continue;
      const start = source.code.length;
      const quoted = take(QUOTED);
      const regex = quoted ?? (BEFORE_REGEX.test(source.code.slice(-80)) ? take(REGEX) : undefined);
      if (regex) {
        if (quoted) source.strings.push({ text: quoted.slice(1, -1), at: start });
        source.code += regex;
        source.bare += quoted ? "''" : '/./';
      } else if (text[at] === '`') template();
      else {
        if (text[at] === '{') depth++;
        if (text[at] === '}' && depth-- === 0 && inTemplate) return;
        source.code += text[at];
        source.bare += text[at++];
      }
    }
  }

  function template() {
    const entry = { text: '', tag: /[\w.]*$/.exec(source.code)?.[0] ?? '', at: source.code.length, end: 0 };
    source.templates.push(entry);
    source.code += '`';
    source.bare += '`';
    for (at++; text[at] !== '`'; at++) {
      if (text.startsWith('${', at)) {
        entry.text += '${}';
        source.code += '${';
        source.bare += '${';
        at += 2;
        code(true);
        source.code += '}';
        source.bare += '}';
      } else {
        if (text[at] === '\\') source.code += text[at], entry.text += text[at++];
        entry.text += text[at];
        source.code += text[at];
      }
    }
    at++;
    source.code += '`';
    source.bare += '`';
    entry.end = source.code.length;
  }

  code(false);
  return source;
}

/** What each of our scripts in web/ is made of, by its name. */
export const scripts = new Map(files('web', '.js').map((file) => [file, scan(read(file))]));
