// Finds the comments and strings of a source file, so that their prose can be checked.

/**
 * @typedef {object} Note a comment or string
 * @property {'comment' | 'string'} kind
 * @property {string} text without its delimiters
 * @property {number} line 1-based line of its first character
 * @property {number} column 0-based column of its first character
 * @property {boolean} block true for /* … *\/ and for docstrings
 * @property {string} callee the function whose argument this string is, or ''
 */

// A slash after one of these characters starts a regular expression; any other slash is a division.
const BEFORE_REGEXP = /(?:^|[=(,:;[{}!&|?+\-*%~^<>\n]|=>|\b(?:return|case|typeof|yield|await|in|of|do|else|void))\s*$/;

/**
 * Comments and strings of C, JavaScript, TypeScript or CSS.
 * @param {string} text
 * @param {'c' | 'js' | 'css'} language
 * @returns {Note[]}
 */
export function scanCode(text, language) {
  const notes = [];
  const calls = []; // callee of each open parenthesis, and the braces open at it
  const templates = []; // depth of braces at each open `${`
  let braces = 0;
  let i = 0;

  const place = (at) => {
    const before = text.slice(0, at);
    return { line: before.split('\n').length, column: at - (before.lastIndexOf('\n') + 1) };
  };
  // A string inside a function's body is not an argument of the call around the function.
  const callee = () => (calls.at(-1)?.braces === braces ? calls.at(-1).name : '');
  const add = (kind, from, inner, block = false) => {
    notes.push({ kind, text: inner, ...place(from), block, callee: kind === 'string' ? callee() : '' });
  };
  /** Reads a string from its opening quote on; a template ends at its quote or at `${`. */
  const string = (quote, start) => {
    let at = start;
    while (at < text.length && text[at] !== quote) {
      if (quote === '`' && text.startsWith('${', at)) break;
      if (quote !== '`' && text[at] === '\n' && text[at - 1] !== '\\') break;
      at += text[at] === '\\' ? 2 : 1;
    }
    add('string', start, text.slice(start, at));
    if (text.startsWith('${', at) && quote === '`') {
      templates.push(braces);
      return at + 2;
    }
    return at + 1;
  };

  while (i < text.length) {
    const c = text[i];
    if (language !== 'css' && text.startsWith('//', i)) {
      const end = text.indexOf('\n', i) < 0 ? text.length : text.indexOf('\n', i);
      add('comment', i, text.slice(i + 2, end));
      i = end;
    } else if (text.startsWith('/*', i)) {
      const end = text.indexOf('*/', i + 2) < 0 ? text.length : text.indexOf('*/', i + 2);
      add('comment', i, text.slice(i + 2, end), true);
      i = end + 2;
    } else if (c === '"' || c === "'" || (c === '`' && language === 'js')) {
      i = string(c, i + 1);
    } else if (c === '/' && language === 'js' && BEFORE_REGEXP.test(text.slice(Math.max(0, i - 20), i))) {
      let inClass = false;
      for (i++; i < text.length && text[i] !== '\n' && (inClass || text[i] !== '/'); i++) {
        if (text[i] === '\\') i++;
        else if (text[i] === '[') inClass = true;
        else if (text[i] === ']') inClass = false;
      }
      i++;
    } else {
      if (c === '(') calls.push({ name: /([\w$.]+)\s*$/.exec(text.slice(Math.max(0, i - 60), i))?.[1] ?? '', braces });
      else if (c === ')') calls.pop();
      else if (c === '{') braces++;
      else if (c === '}' && templates.at(-1) === braces) {
        templates.pop();
        i = string('`', i + 1);
        continue;
      } else if (c === '}') braces--;
      i++;
    }
  }
  return notes;
}

/**
 * Comments and docstrings of Python.
 * @param {string} text
 * @returns {Note[]}
 */
export function scanPython(text) {
  const notes = [];
  const token = /("""|''')([\s\S]*?)\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#([^\n]*)/g;
  for (const match of text.matchAll(token)) {
    const before = text.slice(0, match.index);
    const start = before.lastIndexOf('\n') + 1;
    const note = { line: before.split('\n').length, column: match.index - start, callee: '' };
    if (match[3] !== undefined) notes.push({ ...note, kind: 'comment', text: match[3], block: false });
    const alone = /^\s*[rR]?$/.test(before.slice(start)) && !/[(,=[]\s*$/.test(before);
    if (match[1] && alone) notes.push({ ...note, kind: 'comment', text: match[2], block: true });
  }
  return notes;
}

/**
 * Comments of a shell script or Makefile.
 * @param {string} text
 * @returns {Note[]}
 */
export function scanShell(text) {
  return text.split('\n').flatMap((line, i) => {
    const found = /^(\s*|.*\s)#{1,2}\s([^'"]*)$|^(\s*)#\s(.*)$/.exec(line);
    if (!found) return [];
    const [before, words] = found[4] === undefined ? [found[1], found[2]] : [found[3], found[4]];
    const place = { line: i + 1, column: before.length, block: false, callee: '' };
    return [{ ...place, kind: /** @type {const} */ ('comment'), text: words }];
  });
}
