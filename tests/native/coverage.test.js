// Branch coverage of the scalar core does not fall. `make coverage` lists the untested branches.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('tests and stored inputs reach the known share of branches of the scalar core', (t) => {
  const { percent: least } = JSON.parse(readFileSync(new URL('../fuzz/coverage.json', import.meta.url), 'utf8'));
  const { branches } = JSON.parse(
    execFileSync('node', ['tools/coverage.js', '--json'], { cwd: ROOT, encoding: 'utf8' }));
  const taken = `${branches.percent.toFixed(2)} % of ${branches.count} branches of the scalar core are taken`;
  t.diagnostic(`${taken}; at least ${least} %`);
  assert.ok(branches.percent >= least, `${taken}, and ${least} % were before (tests/fuzz/coverage.json). ` +
    'Add tests: make coverage lists the untested branches.');
});
