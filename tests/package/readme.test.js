// The README's code runs, its commands work, and its links have targets.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const run = (args) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

/** The block of JavaScript that contains these words. @param {string} words */
const sample = (words) =>
  [...README.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code).find((code) => code.includes(words)) ?? '';

test('the example has eight lines and runs', () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(README);
  assert.equal(code.split('\n').filter((line) => line.trim() !== '').length, 8);
  const { status, stdout, stderr } = run(['--input-type=module', '-e', code]);
  assert.equal(status, 0, stderr);
  const [, queries, keys] = /^(\d+) × (\d+) \[/m.exec(stdout);
  assert.equal(queries, keys);
  assert.ok(stdout.indexOf(`${queries} × ${keys}`) > 40, 'a story before the map');
});

test('activations are read and edited as shown', () => {
  const code = sample('runWithHooks');
  const { status, stdout, stderr } = run(['--input-type=module', '-e', code]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^\[ \d+, \d+, \d+ \]\n\d+\n$/);
});

test('the example of heed/lab lowers its loss', () => {
  const code = sample('heed/lab');
  const { status, stdout, stderr } = run(['--input-type=module', '-e', code]);
  assert.equal(status, 0, stderr);
  const [, first] = /^10 (.*)$/m.exec(stdout);
  const [, last] = /^50 (.*)$/m.exec(stdout);
  assert.ok(Number(last) < 0.5 * Number(first), stdout);
});

test('countWeights gives the numbers shown for GPT-3', () => {
  const [call] = /countWeights\(\{.*?\}\)/.exec(README);
  const { status, stdout, stderr } = run(['--input-type=module', '-e',
    `import { countWeights } from 'heed'; console.log(${call}.attention);`]);
  assert.equal(status, 0, stderr);
  assert.match(README, new RegExp(`attention ${Math.round(Number(stdout) / 1e9)} billion`));
});

test('the commands run', () => {
  const commands = [...README.matchAll(/^ {4}heed (.+)$/gm)].map(([, line]) => line);
  assert.ok(commands.length >= 6);
  for (const line of commands.filter((command) => command !== 'serve')) {
    const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)];
    const args = words.map(([, text, json, word]) => text ?? json ?? word);
    const { status, stdout, stderr } = run(['js/cli.js', ...args]);
    assert.equal(status, 0, `heed ${line}: ${stderr}`);
    assert.notEqual(stdout.trim(), '', line);
  }
});

test('links and pictures have existing targets', () => {
  const pattern = /\]\((?!https?:)([^)#]+)\)|\bsrc(?:set)?="(docs[^"]+)"/g;
  const targets = [...README.matchAll(pattern)].map(([, link, picture]) => link ?? picture);
  assert.ok(targets.length > 10);
  assert.deepEqual(targets.filter((target) => !existsSync(join(ROOT, target))), []);
});

test('every make target of the README exists', () => {
  const { stdout } = spawnSync('make', ['help'], { cwd: ROOT, encoding: 'utf8' });
  for (const [, target] of README.matchAll(/\bmake ([a-z]+)\b/g)) {
    assert.match(stdout, new RegExp(`^${target} `, 'm'), target);
  }
});
