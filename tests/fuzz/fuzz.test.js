// The C API under libFuzzer: every stored input, then new ones from a fixed seed.  `make fuzz` runs longer.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORPUS = 'tests/fuzz/corpus';
const FUZZER = 'build/fuzz/heed-fuzz';
const RUNS = 12_000;

/** @param {string[]} args */
const fuzz = (...args) => spawnSync(FUZZER, ['-timeout=300', ...args], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0', UBSAN_OPTIONS: 'print_stacktrace=1' },
});

test('random programs of the C API cause no fault', async (t) => {
  const built = spawnSync('make', ['--no-print-directory', FUZZER], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(built.status, 0, `make ${FUZZER}: ${built.stderr}`);

  await t.test('every stored input', () => {
    const files = readdirSync(join(ROOT, CORPUS));
    assert.ok(files.length > 0, 'the corpus has files');
    const { status, stderr } = fuzz(...files.map((name) => join(CORPUS, name)));
    assert.equal(status, 0, stderr.slice(-8000));
  });

  await t.test(`${RUNS} new inputs`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'heed-fuzz-'));
    try {
      const args = [`-runs=${RUNS}`, '-seed=1', '-max_len=512', '-len_control=0', `-artifact_prefix=${folder}/`];
      const { status, stderr } = fuzz(...args, folder, CORPUS);
      assert.equal(status, 0, stderr.slice(-8000));
      assert.match(stderr, /Done \d+ runs/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
