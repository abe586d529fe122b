// bench/peers.js with a peerbench that prints fixed speeds: the order of turns, the table, and messages for missing
// files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'heed-peers-'));
const [peerbench, models, out] = ['peerbench', 'models', 'out.jsonl'].map((name) => join(folder, name));
after(() => rmSync(folder, { recursive: true }));

/** @param {...string} words */
const peers = (...words) => spawnSync(process.execPath, ['bench/peers.js', '--peerbench', peerbench, '--models', models,
  '--model', 'smollm2-135m:q8_0', '--heed', 'node:auto', '--threads', '1', '--peers', 'native,ort-web', '--turns', '3',
  '--slow-turns', '1', '--out', out, ...words], { cwd: ROOT, encoding: 'utf8' });

/** A run.mjs that prints a fixed speed for each peer. */
const RUN = `
const peer = process.argv[process.argv.indexOf('--peer') + 1];
const med = { native: 100, 'ort-web': 50 }[peer] ?? 150;
const speeds = { prefill_tps: { med }, decode_tps: { med: 2 * med } };
console.log(JSON.stringify({ cases: { p128: speeds, 'p16:32': speeds, 'p512:32': speeds } }));
`;

test('a message names the missing file; with --if-there the exit status is 0', () => {
  for (const [what, make] of [
    [/^No peers were measured: peerbench with its npm packages is not in .*\$PEERBENCH\.$/,
      () => mkdirSync(join(peerbench, 'node_modules'), { recursive: true })],
    [/^No peers were measured: smollm2-135m-q8_0\.gguf is not in .*gen\/gguf\.py.*\$PEERBENCH_MODELS\.$/,
      () => mkdirSync(join(models, 'onnx/smollm2-135m-q8'), { recursive: true })],
  ]) {
    for (const [words, status] of /** @type {const} */ ([[[], 1], [['--if-there'], 0]])) {
      const said = peers(...words);
      assert.match(said.stdout.trim(), /** @type {RegExp} */ (what));
      assert.equal(said.status, status, said.stderr);
    }
    /** @type {Function} */ (make)();
  }
});

test('every program runs in each turn, slow peers in the first only, and the table shows speeds over native', () => {
  writeFileSync(join(peerbench, 'run.mjs'), RUN);
  writeFileSync(join(models, 'smollm2-135m-q8_0.gguf'), '');
  const { status, stdout, stderr } = peers('--if-there');
  assert.equal(status, 0, stderr);
  const ran = readFileSync(out, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(ran.map(({ turn, way }) => `${turn} ${way}`),
    ['0 native', '0 heed node auto', '0 ort-web q8', '1 native', '1 heed node auto', '2 native', '2 heed node auto']);
  assert.match(stdout, /smollm2-135m q8_0, 1 thread, tokens\/s \(× native\)/);
  const times = String.raw`\(1\.50\)`;
  assert.match(stdout, new RegExp(`^\\| heed node auto \\| 3 \\| 150 ${times} \\| 150 ${times} \\|`, 'm'));
  assert.match(stdout, /^\| ort-web q8 \| 1 \| 50\.0 \(0\.50\) /m);
});
