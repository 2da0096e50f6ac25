// The prose of a lesson: Markdown in, HTML by section out. Runs at build time, so the page needs neither
// a Markdown parser nor KaTeX to show its text.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import katex from 'katex';
import { Marked } from 'marked';

/** @typedef {{ title: string, html: string }} Section */

/** @param {string} text */
const escapeAttribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * The bare <math> element: KaTeX's wrapper would tie the prose to a style sheet that arrives late, and the TeX
 * annotation would be read and copied a second time.
 * @param {string} tex
 * @param {boolean} displayMode
 */
function mathml(tex, displayMode) {
  const html = katex.renderToString(tex, { output: 'mathml', displayMode, strict: 'error' });
  const math = html.slice(html.indexOf('<math'), html.lastIndexOf('</math>') + '</math>'.length);
  return math.replace(/<annotation [^]*?<\/annotation>|<\/?semantics>| xmlns="[^"]*"/g, '');
}

/** `$tex$` in a line, `$$tex$$` on its own. */
const formula = {
  name: 'formula',
  level: /** @type {const} */ ('inline'),
  /** @param {string} src */
  start: (src) => src.indexOf('$'),
  /** @param {string} src */
  tokenizer(src) {
    const match = /^\$\$([^$]+)\$\$|^\$([^$\n]+)\$/.exec(src);
    if (!match) return undefined;
    return { type: 'formula', raw: match[0], tex: match[1] ?? match[2], display: match[1] !== undefined };
  },
  /** @param {any} token */
  renderer: (token) => mathml(token.tex, token.display),
};

/** `{{scores 0 1}}`: a number that the page fills in from what it shows. */
const liveNumber = {
  name: 'liveNumber',
  level: /** @type {const} */ ('inline'),
  /** @param {string} src */
  start: (src) => src.indexOf('{{'),
  /** @param {string} src */
  tokenizer(src) {
    const match = /^\{\{([^{}]+)\}\}/.exec(src);
    return match ? { type: 'liveNumber', raw: match[0], words: match[1].trim().split(/\s+/) } : undefined;
  },
  /** @param {any} token */
  renderer: (token) => `<span class="live" data-live="${escapeAttribute(token.words.join(','))}"></span>`,
};

const marked = new Marked({ extensions: [formula, liveNumber] });

/**
 * Sections start with `## key | Title`. Before the first one only `# Title` counts; it becomes the section "title".
 * @param {string} markdown
 * @returns {Record<string, Section>}
 */
export function compileProse(markdown) {
  /** @type {Map<string, { title: string, tokens: import('marked').Token[] }>} */
  const sections = new Map();
  /** @type {import('marked').Token[]} */
  let tokens = [];

  /** @param {string} key @param {string} title */
  const open = (key, title) => {
    if (sections.has(key)) throw new Error(`two sections "${key}"`);
    tokens = [];
    sections.set(key, { title, tokens });
  };

  const lexed = marked.lexer(markdown);
  for (const token of lexed) {
    if (token.type === 'heading' && token.depth === 1) {
      open('title', token.text);
      tokens = []; // what follows it belongs to no section
    } else if (token.type === 'heading' && token.depth === 2) {
      const match = /^(\S+) \| (.+)$/.exec(token.text);
      if (!match) throw new Error(`"## ${token.text}" is not "## key | Title"`);
      open(match[1], match[2]);
    } else {
      tokens.push(token);
    }
  }
  return Object.fromEntries(
    [...sections].map(([key, section]) => [key, { title: section.title, html: render(key, section.tokens) }]),
  );
}

/** @param {string} key @param {import('marked').Token[]} tokens */
function render(key, tokens) {
  let html;
  try {
    html = marked.parser(tokens).trim();
  } catch (error) {
    throw new Error(`section "${key}": ${error instanceof Error ? error.message : error}`);
  }
  // Markdown does not close emphasis between punctuation and a Korean letter: **(a)**는 would show its stars.
  const text = html.replace(/<code>[^]*?<\/code>/g, '').replace(/<[^>]*>/g, '');
  const unread = /\*\*|\$|\{\{/.exec(text);
  if (unread) {
    const around = text.slice(Math.max(0, unread.index - 20), unread.index + 20);
    throw new Error(`section "${key}": "${unread[0]}" is left over near "${around}"`);
  }
  return html;
}

/**
 * The prose in a file; a line `@include other.md` stands for the sections of that file, which several lessons share.
 * @param {string} file
 * @returns {Promise<Record<string, Section>>}
 */
export async function readProse(file) {
  const text = await readFile(file, 'utf8');
  const parts = await Promise.all(text.split('\n').map((line) => {
    const [, included] = /^@include (\S+)$/.exec(line) ?? [];
    return included === undefined ? line : readFile(path.join(path.dirname(file), included), 'utf8');
  }));
  return compileProse(parts.join('\n'));
}
