// tools/setup.sh on machines that lack things: a PATH of few commands stands for them, and apt-get only tells its tale.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASICS = ['bash', 'env', 'dirname', 'mkdir', 'tail', 'tr', 'cat', 'grep', 'npm', 'make'];
const COMPILER = { emcc: 'exit 0', 'clang-22': 'exit 0', 'wasm-ld-22': 'exit 0' };
const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** A machine with the basics, Node and what is given: name to a script, or to nothing for one that is not there. */
function machine(commands = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-setup-'));
  folders.push(folder);
  for (const name of BASICS) {
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(folder, name));
  }
  symlinkSync(process.execPath, join(folder, 'node'));
  const called = join(folder, 'called');
  const all = { id: 'echo 0', 'apt-get': `echo "$@" >>${called}`, ...commands };
  for (const [name, script] of Object.entries(all)) {
    rmSync(join(folder, name), { force: true });
    if (script === null) continue;
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    setup(group, env = {}) {
      const { status, stdout, stderr } = spawnSync('/bin/bash', ['tools/setup.sh', group], {
        cwd: ROOT,
        encoding: 'utf8',
        input: '',
        env: { PATH: folder, HOME: folder, ...env },
      });
      return { status, output: stdout + stderr };
    },
    called: () => readFileSync(called, 'utf8'),
  };
}

test('where all is there, nothing is done', () => {
  const { status, output } = machine({ ...COMPILER, 'apt-get': 'exit 1', npm: 'exit 1' }).setup('build');
  assert.equal(output, 'setup: everything needed to build is here\n');
  assert.equal(status, 0);
});

test('the page needs the compiler only, the tests more', () => {
  const page = machine();
  page.setup('build');
  assert.match(page.called(), /install --no-install-recommends emscripten clang-22 lld-22\n/);
  const tests = machine();
  const { output } = tests.setup('test');
  assert.match(tests.called(), /update\n.* install --no-install-recommends emscripten clang-22 lld-22 gcc libc6-dev/);
  assert.match(output, /installing Debian packages: emscripten clang-22 lld-22 gcc/);
  assert.match(tests.called(), /install .* chromium firefox-esr webkit2gtk-driver xvfb/);
});

test('a dry run installs nothing', () => {
  const { output } = machine({ 'apt-get': 'exit 1' }).setup('build', { SETUP_DRY_RUN: '1' });
  assert.match(output, /would run: .*install .*emscripten/);
});

test('an installation that fails shows its end and says so', () => {
  const { status, output } = machine({ 'apt-get': 'echo E: no room on the disk; exit 100' }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /E: no room on the disk[\s\S]*failed: .*install/);
});

test('where the lists have no LLVM 22, it names the suite that has it, and no host', () => {
  const lists = 'echo E: Unable to locate package clang-22; exit 100';
  const { status, output } = machine({ 'apt-get': lists }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /failed: .*install[\s\S]*add the suite\n *bookworm-security, component main/);
  assert.doesNotMatch(output, /https?:/);
});

test('without root and without sudo it says what to run', () => {
  const { status, output } = machine({ id: 'echo 1000' }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /Run as root:\n.*apt-get install --no-install-recommends emscripten/);
});

test('with sudo it asks sudo', () => {
  const { output } = machine({ id: 'echo 1000', sudo: 'exit 0' }).setup('build', { SETUP_DRY_RUN: '1' });
  assert.match(output, /would run: sudo env .*apt-get/);
});

test('elsewhere than on Debian it names what is wanted', () => {
  const { status, output } = machine({ 'apt-get': null }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /not a Debian machine.*emscripten/);
});

test('an old or missing Node.js is said plainly', () => {
  const old = machine({ node: 'case "$1" in --version) echo v18.19.0;; *) echo 18;; esac' }).setup('build');
  assert.equal(old.status, 1);
  assert.match(old.output, /v18\.19\.0 is too old; heed needs version 20[\s\S]*nodejs\.org/);
  const none = machine({ node: null }).setup('build');
  assert.equal(none.status, 1);
  assert.match(none.output, /Node\.js is missing/);
});
