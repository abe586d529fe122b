// tools/words.js: which sentences it flags, and which good technical prose it leaves alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../tools/words/rules.js';

const errors = (path, text) => check(path, text).filter(({ warning }) => !warning);
const rules = (path, text) => errors(path, text).map(({ rule }) => rule);

test('phrases that hide the noun are errors', () => {
  for (const sentence of [
    'Idle threads wait, but who has work continues.', // words: allow
    'Bytes that nobody reads.', // words: allow
    'Keys and those of others.', // words: allow
    'What is hidden adds nothing.', // words: allow
    'A result that is no number.', // words: allow
    'Sums have so many lanes.', // words: allow
    'A mask where it is none.', // words: allow
    'It changes nothing, were it infinite.', // words: allow
    'Exact, but for subnormals.', // words: allow
    'Four sums, for an addition takes as long.', // words: allow
    'The arena holds the rest of what was read.', // words: allow
    'A layer that there is not.', // words: allow
    'A stopped training goes on.', // words: allow
    'All events of which a reader is told.', // words: allow
    'The numbers that were asked for.', // words: allow
    'The rows stay, whatever the width.', // words: allow
    'The session starts anew.', // words: allow
    'The model falls short of its goal.', // words: allow
    'Elements know neither models nor files.', // words: allow
    'Each sum waits for the one before it.', // words: allow
    'The folder is gone.', // words: allow
  ]) {
    assert.equal(errors('a.md', sentence).length, 1, sentence);
  }
});

test('good technical prose passes', () => {
  const text = `# What you need

Each thread owns a range of parts; an idle thread steals from the end of another's.
What is a cache? There is no padding.
Readers who know PyTorch will recognize the names, for example \`layerNorm\`. The result is no longer than the input.
“What is hidden” is quoted. The four formats F32, F16, BF16 and Q8_0 need no table, e.g. for tests.

> Quoted text is not checked: bytes that nobody reads.


\`\`\`js
const what = isNone; // who
\`\`\`
`;
  assert.deepEqual(rules('a.md', text), []);
});

test('a sentence of more than 25 words is an error, and one of more than 20 a warning', () => {
  const words = (n) => `${Array(n).fill('word').join(' ')}.`;
  assert.deepEqual(check('a.md', words(20)), []);
  assert.deepEqual(check('a.md', words(21)).map(({ warning }) => warning), [true]);
  assert.deepEqual(check('a.md', words(26)).map(({ warning, rule }) => [warning, rule]), [[false, '26 words']]);
  assert.deepEqual(rules('a.md', `${words(15)} ${words(15)}`.replace(/word/g, 'Word')), []);
});

test('code, formulas, citations and lists of names count as one word each', () => {
  const sentence = `The update (Loshchilov and Hutter 2019, algorithm 2, with ten more words in it) is
    m = a * m + b * g + c * d + e * f, for F32, F16, BF16, Q8_0, Q4_0, Q4_1 and \`one two three four five six\` alike.`;
  assert.deepEqual(check('a.md', sentence), []);
});

test('comments of every language are read, with the line where the sentence starts', () => {
  const hidden = 'Fine here. Bytes that nobody reads.'; // words: allow
  for (const [path, text, line] of /** @type {[string, string, number][]} */ ([
    ['a.c', `int a; /* ${hidden} */\n`, 1],
    ['a.h', `\n\n/* First sentence.\n * ${hidden} */\n`, 4],
    ['a.js', `const a = 1;\n// ${hidden}\n`, 2],
    ['a.js', `/**\n * Summary.\n * @param {string} name ${hidden}\n */\n`, 3],
    ['a.css', `a { color: red; } /* ${hidden} */\n`, 1],
    ['a.py', `def f():\n    """${hidden}"""\n    return 1  # fine\n`, 2],
    ['a.py', `x = 1\ny = "# not a comment"\nz = 2  # ${hidden}\n`, 3],
    ['a.sh', `#!/bin/bash\necho a # ${hidden}\n`, 2],
    ['Makefile', `all: b ## ${hidden}\n`, 1],
    ['a.html', `<p>One.</p>\n<p>${hidden}\n</p>`, 2],
    ['a.html', `<button title="${hidden}">Go</button>`, 1],
  ])) {
    assert.deepEqual(errors(path, text).map((found) => found.line), [line], `${path}: ${text}`);
  }
});

test('strings are read where they are names of tests or messages of errors, and skipped elsewhere', () => {
  assert.equal(errors('a.js', "test('bytes that nobody reads', () => {});").length, 1); // words: allow
  assert.equal(errors('a.js', "throw new HeedError('bad', `a ${type({})} that is none`);").length, 1); // words: allow
  assert.equal(errors('a.js', "const text = 'bytes that nobody reads';").length, 0); // words: allow
  assert.equal(errors('a.js', "const quote = /['\"`]/; const a = b / c / d; // nothing").length, 0);
});

test('British spelling is an error in identifiers and in prose', () => {
  // words: allow
  for (const word of ['quantiseBlock', 'OPTIMISED', 'set_colour', 'neighbours', 'Licence', 'centre', 'labelled']) {
    assert.match(rules('a.js', `const ${word} = 1;`)[0] ?? '', /^spelling: /, word);
  }
  for (const word of ['exercise', 'promise', 'analysis', 'optimism', 'emphasis', 'called', 'controller', 'precise']) {
    assert.deepEqual(rules('a.js', `const ${word} = 1;`), [], word);
  }
});

test('`words: allow` exempts its line and the next', () => {
  assert.deepEqual(rules('a.js', '// words: allow\n// Bytes that nobody reads.\n'), []);
  assert.equal(rules('a.js', '// words: allow\n\n// Bytes that nobody reads.\n').length, 1); // words: allow
});
