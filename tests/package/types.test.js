// The shipped type declarations, in both module resolutions of TypeScript.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installPackage, ROOT } from '../support/installed.js';

let installed;
before(() => {
  installed = installPackage();
  copyFileSync(join(ROOT, 'tests/types/consumer.ts'), join(installed.folder, 'consumer.ts'));
});
after(() => installed?.remove());

for (const [name, flags] of [
  ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['Node', ['--module', 'nodenext']],
]) {
  test(`a strict program compiles as for ${name}`, () => {
    // Without Node's types, because programs for browsers do not have them.
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2022',
        '--lib', 'esnext,dom', '--types', '', ...flags, 'consumer.ts'],
      { cwd: installed.folder, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout);
  });
}
