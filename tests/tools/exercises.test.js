// The exercises in copying names share no template with the prompts that measure copying.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PROMPTS } from '../../tools/stories/copying.js';

const SCRIPT = fileURLToPath(new URL('../../tools/stories/exercises.py', import.meta.url));
const COUNT = 2000;
/** Words and marks before the answer of a prompt, which no exercise has before a name. */
const WORDS = 5;

describe('exercises in copying names', () => {
  /** @type {string[]} */
  let exercises;
  /** @type {Set<string>} */
  let names;
  before(() => {
    const run = spawnSync('python3', [SCRIPT, '--count', String(COUNT)], { encoding: 'utf8', maxBuffer: 1 << 24 });
    assert.equal(run.status, 0, run.stderr);
    exercises = run.stdout.trim().split('\n\n');
    names = new Set(exercises.flatMap((text) =>
      [...text.matchAll(/(?<=[a-z,] )([A-Z][a-z]+)/g)].map(([name]) => name)));
  });

  test('most names are different, and almost every exercise calls a person again within a sentence', () => {
    assert.equal(exercises.length, COUNT);
    assert.ok(names.size > COUNT, `${names.size} different names`);
    const again = exercises.filter((text) => [...text.matchAll(/(?<=[a-z,] )[A-Z][a-z]+/g)]
      .some(({ 0: name, index }) => text.slice(0, index).includes(name)));
    assert.ok(again.length > 0.99 * COUNT, `${again.length} of ${COUNT}`);
  });

  test('no exercise has a name of the prompts that do not occur in the data', () => {
    const unseen = PROMPTS.filter(({ kind }) => kind === 'unseen').flatMap((prompt) => prompt.names);
    for (const name of unseen) assert.ok(!exercises.some((text) => text.includes(name)), name);
  });

  test('no exercise has the words of a prompt before a name', () => {
    /** Words and marks, with * for a name. @param {string} text @param {(word: string) => boolean} isName */
    const masked = (text, isName) => (text.match(/[A-Za-z]+|[^\sA-Za-z]/g) ?? [])
      .map((word) => (isName(word) ? '*' : word));
    const before = new Set(exercises.flatMap((text) => {
      const words = masked(text, (word) => names.has(word));
      return words.flatMap((word, i) => (word === '*' ? [words.slice(Math.max(0, i - WORDS), i).join(' ')] : []));
    }));
    const ends = PROMPTS.map(({ text, names: pair }) =>
      masked(text, (word) => pair.includes(word)).slice(-WORDS).join(' '));
    assert.deepEqual(ends.filter((words) => before.has(words)), []);
  });
});
