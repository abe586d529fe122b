// The C core, compiled natively with address and undefined-behavior sanitizers: one test per line of its output.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a native binary that prints a line per test. @param {import('node:test').TestContext} t */
function passes(t, program, args) {
  const built = spawnSync('make', ['--no-print-directory', program], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(built.status, 0, `make ${program}: ${built.stderr}`);

  const { status, signal, stdout, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    // The leak detector needs ptrace, and the core does not allocate.
    env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0', UBSAN_OPTIONS: 'print_stacktrace=1' },
  });
  const results = [...stdout.matchAll(/^(ok|not ok) \d+ - (.*)$/gm)];
  const notes = stdout.match(/^#.*$/gm)?.join('\n') ?? '';
  const failures = results.filter(([, verdict]) => verdict !== 'ok').map(([, , what]) => what);
  assert.deepEqual(failures, [], notes);
  assert.equal(status, 0, `ended with ${signal ?? status} after ${results.length} tests\n${stderr}`);
  const plan = Number(/^1\.\.(\d+)$/m.exec(stdout)?.[1]);
  assert.ok(plan > 0 && plan === results.length, `${results.length} results of ${plan} planned`);
  t.diagnostic(`${plan} native tests`);
}

test('the core under address and undefined-behavior sanitizers', (t) => passes(t, 'build/native/heed-test', []));

test('code for several threads, under the thread sanitizer', (t) =>
  passes(t, 'build/native/heed-threads', ['threads']));
