// docs/train.md: its samples run, its table names every recipe, its links are valid.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recipeNames } from '../../js/train/recipes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = readFileSync(`${ROOT}docs/train.md`, 'utf8');
const [TRAINER, REMOTE, TUNING, RECIPE] = [...DOCS.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

/** Runs a sample as a module of this package. @param {string} code @returns {string} its output */
function outputOf(code) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code],
    { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the sample of a Trainer trains, resumes and opens its model', () => {
  const lines = outputOf(TRAINER).trim().split('\n');
  assert.match(lines[0], /^step 10 of 40, loss \d/);
  assert.match(lines.at(-1), /^\d+ 1$/);
});

test('the sample of a training in a Worker shows frames and ends with the weights', () => {
  const lines = outputOf(REMOTE).trim().split('\n');
  assert.match(lines[1], /^20 \d\.\d+( [a-p]){8}$/, lines.join('\n'));
  assert.match(lines.at(-1), /^\d{5,} \{ exact: \d\S* \} (true|false)$/);
});

test('the sample of a loaded model trains adapters, applies and merges them', () => {
  const lines = outputOf(TUNING).trim().split('\n');
  assert.match(lines.find((line) => line.startsWith('step 10')) ?? '', /^step 10 of 10, loss \d/);
  assert.match(lines.at(-1), /^\[ 'model\.gguf' \] \d{7}$/);
});

test('the sample of a recipe meets its goal', () => {
  assert.match(outputOf(RECIPE), /slope: (1\.9|2\.0)\d* \} true/);
});

test('every recipe is in the table', () => {
  for (const name of recipeNames) assert.ok(DOCS.includes(`\`${name}\``), name);
});

test('links point to existing files', () => {
  for (const [, link] of DOCS.matchAll(/\]\((?!https?:)([^)#]+)/g)) assert.ok(existsSync(`${ROOT}docs/${link}`), link);
});
