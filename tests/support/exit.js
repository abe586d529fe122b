/**
 * Ends the process of a test file after its last test, if a failed test left a server or browser open. The runner's own
 * `--test-force-exit` ends it before its results are written, and loses some of them on a busy machine.
 *
 *     node --import ./tests/support/exit.js --test FILE…
 *
 * The hook is registered after the file is evaluated. A file can await between two tests, while the queue of tests is
 * empty. The runner then calls its hooks of `after` too early.
 */
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const GRACE_MS = 10_000;
if (process.env.NODE_TEST_CONTEXT) {
  setImmediate(async () => {
    await import(pathToFileURL(process.argv[1]).href).catch(() => {}); // the runner reports its errors
    after(() => void setTimeout(() => process.exit(), GRACE_MS).unref());
  });
}
