// Code in docs/ runs as it stands: JavaScript in Node.js, HTML in Chromium, C with a compiler, shell commands of heed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES } from '../../js/errors.js';
import { BROWSERS, plainServer } from '../support/browsers.js';
import { until, withComplaints } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Pages whose samples other tests run: lab.md in a page (console.test.js), and pages with a hub. */
const ELSEWHERE = ['lab.md', 'train.md', 'elements.md', 'encoders.md', 'encoder-decoders.md',
  'pictures.md', 'models-from-the-hub.md'];
const PAGES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && !ELSEWHERE.includes(name));

/** Fenced blocks of a page with exactly this info string.
 *  @param {string} page @param {string} language */
const blocks = (page, language) =>
  [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === language).map(([, , code]) => code);

/** A folder with heed in node_modules, as after `npm install heed`. */
const folder = mkdtempSync(join(tmpdir(), 'heed-docs-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(ROOT, join(folder, 'node_modules/heed'));
symlinkSync(join(ROOT, 'models'), join(folder, 'models'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}${error ?? ''}`);
  return stdout;
}

describe('samples of the documentation', { timeout: 600_000 }, () => {
  for (const page of PAGES.filter((name) => blocks(name, 'js').length > 0)) {
    test(`the JavaScript of ${page} runs as one program`, () => {
      const path = join(folder, `${page}.mjs`);
      writeFileSync(path, blocks(page, 'js').join('\n'));
      assert.notEqual(run(process.execPath, ['--preserve-symlinks', path]).trim(), '');
    });
  }

  test('samples for bundlers are few, and tests/bundlers builds similar code', () => {
    const marked = PAGES.flatMap((page) => blocks(page, 'js bundler'));
    assert.ok(marked.length <= 1, marked.join('\n'));
  });

  test('the pages of getting-started.md run in Chromium', async () => {
    const pages = blocks('getting-started.md', 'html');
    assert.equal(pages.length, 2);
    /** @param {string} html @returns {import('node:http').RequestListener} */
    const answer = (html) => (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    const extra = Object.fromEntries(pages.map((html, i) => [`/${i}.html`, answer(html)]));
    const server = await plainServer({ root: folder, below: '/', extra });
    const browser = await BROWSERS.chromium({ width: 800, height: 600 });
    try {
      const shown = [
        () => (document.getElementById('story')?.textContent ?? '').length > 80,
        () => /** @type {any} */ (document.querySelector('heed-attention-map'))?.length > 5,
      ];
      for (const [i, condition] of shown.entries()) {
        await browser.page.goto(`${server.url}${i}.html`);
        await until(browser.page, condition).catch(withComplaints(browser));
      }
      assert.deepEqual(browser.complaints.filter((line) => !line.includes('favicon')), []);
    } finally {
      await browser.close();
      await server.close();
    }
  });

  test('the program of c-api.md compiles by its command, and each row of its maps sums to 1', async () => {
    const [program] = blocks('c-api.md', 'c');
    const [command] = blocks('c-api.md', 'sh');
    const below = join(folder, 'c');
    mkdirSync(below);
    symlinkSync(join(ROOT, 'src'), join(below, 'src'));
    writeFileSync(join(below, 'example.c'), program);
    run('sh', ['-c', command.replace('find src', 'find src/')], below);
    const rows = run(join(below, 'example'), [], below).split('\n').filter((line) => /^ \d/.test(line));
    assert.equal(rows.length, 8);
    for (const row of rows) {
      const sum = row.trim().split(' ').reduce((total, weight) => total + Number(weight), 0);
      assert.ok(Math.abs(sum - 1) < 0.003, row);
    }
  });

  const noTorch = spawnSync('/usr/bin/python3', ['-c', 'import torch']).status !== 0;
  test('PyTorch computes the output of other-tools.md', { skip: noTorch && 'PyTorch is not installed' }, () => {
    writeFileSync(join(folder, 'block.py'), blocks('other-tools.md', 'python').join('\n'));
    const [, difference] = /largest difference: (\S+)/.exec(run('/usr/bin/python3', ['block.py'])) ?? [];
    assert.ok(Number(difference) < 1e-5, difference);
  });

  test('model.md names every error code', async () => {
    const text = await readFile(join(ROOT, 'docs/model.md'), 'utf8');
    assert.deepEqual(Object.keys(ERROR_CODES).filter((code) => !text.includes(`\`${code}\``)), []);
  });
});
