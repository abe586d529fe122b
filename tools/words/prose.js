// Turns a file into sentences: comments, names of tests, messages of errors, Markdown and HTML.
import { scanCode, scanPython, scanShell } from './comments.js';

/**
 * @typedef {object} Sentence
 * @property {string} text quotations, code, formulas and addresses are each replaced by the placeholder ◦
 * @property {number} line 1-based line where its paragraph starts, plus the lines before it
 * @property {boolean} heading true for headings and labels, which may be questions without a mark
 */

/** @typedef {{ text: string, line: number, heading?: boolean }} Line a piece of text and its line in the file */

/** Language of a file by its name, or undefined for files without prose. */
export function languageOf(path) {
  if (/\.[mc]?[jt]s$/.test(path)) return 'js';
  if (/\.[ch]$/.test(path)) return 'c';
  if (/\.css$/.test(path)) return 'css';
  if (/\.py$/.test(path)) return 'python';
  if (/\.sh$|(^|\/)Makefile$|\.mk$|(^|\/)\.ci\/run$/.test(path)) return 'shell';
  if (/\.md$/.test(path)) return 'markdown';
  if (/\.html$/.test(path)) return 'html';
}

// Strings that a person reads: names of tests, and messages of errors.
const READ_BY_PEOPLE = /^(?:(?:t\.)?test|it|describe)(?:\.\w+)?$|Error$|^heed_(?:fail|error)|^(?:fail|refuse)/;

const ABBREVIATION = /\b(?:e\.g|i\.e|cf|etc|vs|al|Fig|Eq|Sec|No|pp?|ca|approx|Dr|resp)\.$/;

/**
 * Sentences of a file.
 * @param {string} path
 * @param {string} text
 * @returns {Sentence[]}
 */
export function sentences(path, text) {
  return paragraphs(languageOf(path), text).flatMap(split);
}

/** @returns {Line[][]} paragraphs, each a list of lines */
function paragraphs(language, text) {
  if (language === 'markdown') return markdown(text);
  if (language === 'html') return html(text);
  if (language === 'python') return notes(scanPython(text));
  if (language === 'shell') return notes(scanShell(text.replace(/^#!.*/, '')));
  return notes(scanCode(text, language));
}

/** Paragraphs of comments; comments of one line in consecutive lines and the same column are one text. */
function notes(list) {
  const found = [];
  let run = null;
  for (const note of list) {
    if (note.kind === 'string') {
      const text = note.text.replace(/%[-\d.]*[a-z]+/g, '◦');
      if (READ_BY_PEOPLE.test(note.callee)) found.push([{ text, line: note.line }]);
    } else if (note.block) {
      found.push(...comment(note.text.split('\n'), note.line, true));
    } else if (run && note.line === run.line + run.lines.length && note.column === run.column) {
      run.lines.push(note.text);
    } else {
      run = { line: note.line, column: note.column, lines: [note.text] };
      found.push(run);
    }
  }
  return found.flatMap((item) => (Array.isArray(item) ? [item] : comment(item.lines, item.line, false)));
}

/** Paragraphs of one comment. A blank line, a list item, a JSDoc tag or an indented line starts a new one. */
function comment(lines, first, block) {
  const result = [];
  let current = null;
  let list = false;
  let skip = false;
  const bare = lines.map((line) => line.replace(/^\s*\*(?!\*)/, '').replace(/^[*!<]+/, ''));
  let depth = 0; // indentation of the current paragraph's last line
  for (const [i, line] of bare.entries()) {
    let text = line.trim();
    const indent = line.search(/\S/);
    if (/^@/.test(text)) {
      skip = /^@(?:example|type|template|import|see|license|module|overload|this|satisfies)\b/.test(text);
      text = withoutTag(text);
      current = null;
      list = true;
      if (skip) continue;
    } else if (skip) continue;
    if (/^```/.test(text)) {
      skip = !skip;
      continue;
    }
    if (!text || /^[-=*_~#]{3,}$/.test(text)) {
      current = null;
      list = false;
      continue;
    }
    const item = /^(?:[-*•·]|\d+[.)])\s+|^(?=--[a-z])/.exec(text); // a list item, or an option of a command
    if (item) text = text.slice(item[0].length);
    // The first line of a block comment stands behind its delimiter, so its indentation is unknown.
    const shifted = Math.abs(indent - depth) > 1 && !list && i > (block ? 1 : 0);
    if (!current || item || shifted) result.push((current = []));
    depth = indent;
    if (item) list = true;
    current.push({ text, line: first + i });
  }
  return result;
}

/** Description behind a JSDoc tag, its type and its name. */
function withoutTag(text) {
  let rest = text.replace(/^@\w+\s*/, '');
  if (rest.startsWith('{')) {
    let depth = 0;
    let i = 0;
    do {
      if (rest[i] === '{') depth++;
      else if (rest[i] === '}') depth--;
      i++;
    } while (depth > 0 && i < rest.length);
    rest = rest.slice(i).trim();
  }
  const named = /^@(?:param|property|prop|arg|typedef|callback)\b/.test(text);
  if (named) rest = rest.replace(/^(?:\[[^\]]*\]|[\w$.]+)\s*/, '');
  return rest.replace(/^-\s+/, '');
}

/** Paragraphs of Markdown, without code blocks and quotations. */
function markdown(text) {
  const result = [];
  let current = null;
  let fence = '';
  const clean = text.replace(/<!--[\s\S]*?-->/g, (all) => all.replace(/[^\n]/g, ''));
  for (const [i, raw] of clean.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(raw)?.[1] ?? '';
    if (mark && (!fence || mark.startsWith(fence))) {
      fence = fence ? '' : mark;
      current = null;
      continue;
    }
    const isCode = /^ {4,}\S/.test(raw) && !current;
    if (fence || !raw.trim() || isCode || /^\s*>/.test(raw) || /^\s*\[[^\]]+\]:\s/.test(raw)) {
      current = null;
      continue;
    }
    const line = raw.replace(/<[^>]+>/g, ' ');
    if (/^\s*\|/.test(line)) {
      current = null;
      const cells = line.split(/(?<!\\)\|/).filter((cell) => /[a-z]/i.test(cell));
      result.push(...cells.map((cell) => [{ text: cell.trim(), line: i + 1, heading: true }]));
    } else if (/^#{1,6}\s/.test(line)) {
      current = null;
      result.push([{ text: line.replace(/^#+\s+/, ''), line: i + 1, heading: true }]);
    } else {
      const item = /^\s*(?:[-*+]|\d+[.)])\s+/.exec(line);
      if (item || !current) result.push((current = []));
      current.push({ text: line.slice(item?.[0].length ?? 0).trim(), line: i + 1 });
    }
  }
  return result;
}

const BLOCK = new RegExp(
  `</?(?:${[
    'p|div|section|article|header|footer|main|nav|aside|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|h[1-6]|figure',
    'figcaption|form|fieldset|legend|label|button|option|select|summary|details|br|hr|dialog|title|template|caption',
    'output|body|html|head|heed-[\\w-]+',
  ].join('|')})\\b[^>]*>`,
  'gi',
);

/** Paragraphs of HTML: text between block elements, and the attributes that people read. */
function html(text) {
  const blank = (all) => all.replace(/[^\n]/g, '');
  const result = [];
  for (const match of text.matchAll(/\s(?:title|alt|placeholder|aria-label|content)="([^"]*\s[^"]*\s[^"]*)"/g)) {
    if (/[;{}=]|width=/.test(match[1])) continue;
    result.push([{ text: match[1], line: text.slice(0, match.index).split('\n').length, heading: true }]);
  }
  const bare = text
    .replace(/<!--([\s\S]*?)-->/g, (all, inner) => `<p>${inner}</p>`)
    .replace(/<!doctype[^>]*>/gi, '')
    .replace(/<(script|style|pre|svg)\b[\s\S]*?<\/\1>/gi, blank)
    .replace(/<(code|math|kbd|var|samp|q|cite)\b[\s\S]*?<\/\1>/gi, (all) => `◦${blank(all)}`)
    .replace(/\$\$[\s\S]*?\$\$/g, (all) => `◦${blank(all)}`)
    .replace(/<h([1-6])\b[^>]*>/gi, (all) => `\u0001\u0002${blank(all)}`)
    .replace(BLOCK, (all) => `\u0001${blank(all)}`)
    .replace(/<[^>]+>/g, (all) => blank(all))
    .replace(/&nbsp;/g, ' ')
    .replace(/&(?:lt|gt|amp|#?\w+);/g, '◦');
  let line = 1;
  for (const piece of bare.split('\u0001')) {
    const heading = piece.startsWith('\u0002');
    const lines = piece.replace('\u0002', '').split('\n');
    const paragraph = lines.map((words, i) => ({ text: words.trim(), line: line + i, heading }));
    if (piece.replace('\u0002', '').trim()) result.push(paragraph.filter((part) => part.text));
    line += lines.length - 1;
  }
  return result;
}

/** Replaces code, quotations, formulas and addresses of links by the placeholder. */
function plain(text) {
  return text
    .replace(/\$\{[^}]*\}/g, '◦')
    .replace(/\{@link\w*\s+([^}]*)\}/g, '◦')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, '◦')
    .replace(/\$[^$\s][^$]*\$/g, '◦')
    .replace(/“[^”]*”|"[^"]*"|(?<![\p{L}\d])‘[^’]*’|(?<![\p{L}\d])'[^']*'(?![\p{L}\d])/gu, '◦')
    .replace(/https?:\/\/\S*[^\s.,;:)]/g, '◦')
    .replace(/\*\*|__/g, '')
    .replace(/\([A-Z][^()]*\b(?:1[89]|20)\d\d[^()]*\)/g, '◦')
    .replace(NAMES, '◦')
    .split(FORMULA_END)
    .map(withoutFormulas)
    .join('');
}

/** A list of at least three names of formats, files, types and the like. */
const NAMES = /(?:[\w-]*(?:[\d_]|[A-Z]{2})[\w-]*,\s+){2,}(?:and\s+|or\s+)?[\w-]*(?:[\d_]|[A-Z]{2})[\w-]*/g;

const FORMULA_END = /(?<=[.;] )/;
const OPERATION =
  /[^\s,;:\u0003\u0004]+\s+(?:[=+*\/·×<>≤≥≈~→&|∘-]|<=|>=|:=|<<|>>|\|\||&&)\s+[^\s,;:\u0003\u0004]+/;

/** A formula counts as one word: `a = b + c` becomes the placeholder. */
function withoutFormulas(text) {
  for (let next = text.replace(OPERATION, '◦'); ; next = text.replace(OPERATION, '◦')) {
    if (next === text) return text;
    text = next;
  }
}

/** Sentences of a paragraph, each with the line where it starts. */
function split(paragraph) {
  const heading = Boolean(paragraph[0].heading);
  // Line numbers travel as marks, because quotations and code may go over several lines.
  const joined = paragraph.map(({ text, line }) => `\u0003${line}\u0004 ${text}`).join(' ');
  const marked = plain(
    joined.replace(/(`[^`]*`|“[^”]*”|"[^"]*")/g, (all) => all.replace(/\u0003\d+\u0004/g, '')),
  );
  const result = [];
  let line = paragraph[0].line;
  let words = [];
  let start = line;
  const close = () => {
    if (words.length > 0) result.push({ text: words.join(' '), line: start, heading });
    words = [];
  };
  const tokens = marked.split(/\s+/).filter(Boolean);
  for (const [i, token] of tokens.entries()) {
    const mark = /^\u0003(\d+)\u0004(.*)$/.exec(token);
    if (mark) line = Number(mark[1]);
    const word = mark ? mark[2] : token;
    if (!word) continue;
    if (words.length === 0) start = line;
    words.push(word);
    const next = tokens.slice(i + 1).find((other) => !/^\u0003\d+\u0004$/.test(other)) ?? '';
    // Names and calls that start a sentence may be in lower case: “… of a file. llama.cpp reads it.”
    const stops = /[.!?][)\]’”"]*$/.test(word) && !ABBREVIATION.test(word);
    const ends = stops ? !/^[,;)]/.test(next) : /…[)\]]*$/.test(word) && /^[^a-z,;)]|^$/.test(next);
    if (ends) close();
  }
  close();
  return result;
}
