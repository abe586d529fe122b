/** A test file with tests/support/exit.js ends after its last test, not before it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The queue of tests is empty while the file awaits.  The second test is longer than the grace of exit.js. */
const FILE = `
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
test('first', () => {});
await wait(300);
test('second', () => wait(11_000));
test('leaves a server open and fails', async () => {
  await once(createServer().listen(0), 'listening');
  assert.fail();
});
`;

test('tests after an await of the file run, and an open server does not keep the process alive', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'heed-exit-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'fixture.mjs');
  await writeFile(file, FILE);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const exit = fileURLToPath(new URL('./exit.js', import.meta.url));
  const args = ['--import', exit, '--test', '--test-reporter=spec', file];
  const runner = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  runner.stdout.on('data', (text) => (out += text));
  await new Promise((done) => runner.on('close', done));
  for (const line of [/tests 3$/m, /pass 2$/m, /fail 1$/m]) assert.match(out, line);
});
