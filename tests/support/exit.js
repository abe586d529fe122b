/**
 * Ends the process of a test file after its last test, if a failed test left a server or browser open. The runner's own
 * `--test-force-exit` ends it before its results are written, and loses some of them on a busy machine.
 *
 *     node --import ./tests/support/exit.js --test FILE…
 */
import { after } from 'node:test';

const GRACE_MS = 10_000;
if (process.env.NODE_TEST_CONTEXT) after(() => void setTimeout(() => process.exit(), GRACE_MS).unref());
