// tools/setup.sh on machines without some tools, simulated by a short PATH and by an apt-get that only prints.
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

/** A machine with basic commands, Node.js and `commands`: a script by name, or null for a missing command. */
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

test('nothing is installed if every tool exists', () => {
  const { status, output } = machine({ ...COMPILER, 'apt-get': 'exit 1', npm: 'exit 1' }).setup('build');
  assert.equal(output, 'setup: all tools of the group build are installed\n');
  assert.equal(status, 0);
});

test('build installs only the compiler, test also the other tools', () => {
  const page = machine();
  page.setup('build');
  assert.match(page.called(), /install --no-install-recommends emscripten clang-22 lld-22\n/);
  const tests = machine();
  const { output } = tests.setup('test');
  assert.match(tests.called(), /update\n.* install --no-install-recommends emscripten clang-22 lld-22 gcc libc6-dev/);
  assert.match(output, /installing Debian packages: emscripten clang-22 lld-22 gcc/);
  assert.match(tests.called(), /install .* chromium firefox-esr webkit2gtk-driver xvfb/);
  if (process.arch !== 'arm64') assert.match(tests.called(), / qemu-user-static libc6-arm64-cross /);
});

test('a dry run installs nothing', () => {
  const { output } = machine({ 'apt-get': 'exit 1' }).setup('build', { SETUP_DRY_RUN: '1' });
  assert.match(output, /would run: .*install .*emscripten/);
});

test('a failed installation shows the end of its output', () => {
  const { status, output } = machine({ 'apt-get': 'echo E: no room on the disk; exit 100' }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /E: no room on the disk[\s\S]*failed: .*install/);
});

test('without LLVM 22 in the package lists, the message names the Debian suite and no host', () => {
  const lists = 'echo E: Unable to locate package clang-22; exit 100';
  const { status, output } = machine({ 'apt-get': lists }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /failed: .*install[\s\S]*add the suite\n *bookworm-security, component main/);
  assert.doesNotMatch(output, /https?:/);
});

test('without root and sudo the message names the command to run', () => {
  const { status, output } = machine({ id: 'echo 1000' }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /Run as root:\n.*apt-get install --no-install-recommends emscripten/);
});

test('sudo is used if it exists', () => {
  const { output } = machine({ id: 'echo 1000', sudo: 'exit 0' }).setup('build', { SETUP_DRY_RUN: '1' });
  assert.match(output, /would run: sudo env .*apt-get/);
});

test('outside of Debian the message names the tools', () => {
  const { status, output } = machine({ 'apt-get': null }).setup('build');
  assert.equal(status, 1);
  assert.match(output, /not a Debian machine.*emscripten/);
});

test('an old or missing Node.js is an error', () => {
  const old = machine({ node: 'case "$1" in --version) echo v18.19.0;; *) echo 18;; esac' }).setup('build');
  assert.equal(old.status, 1);
  assert.match(old.output, /v18\.19\.0 is too old; heed needs version 20[\s\S]*nodejs\.org/);
  const none = machine({ node: null }).setup('build');
  assert.equal(none.status, 1);
  assert.match(none.output, /Node\.js is missing/);
});
