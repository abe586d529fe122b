// Branch coverage of the scalar core by the native tests and the stored inputs of the fuzzer.
//   node tools/coverage.js          lists branches that are never taken, and the percentage taken
//   node tools/coverage.js --json   prints { branches: { count, covered, percent } }
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const FOLDER = 'build/cover';
const PROGRAMS = ['heed-test', 'heed-fuzz'].map((name) => `${FOLDER}/${name}`);
const CORPUS = 'tests/fuzz/corpus';

const run = (program, args, env = {}) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });

run('make', ['--no-print-directory', ...PROGRAMS]);
const corpus = readdirSync(CORPUS).map((name) => `${CORPUS}/${name}`);
const raw = PROGRAMS.map((program) => `${program}.profraw`);
run(PROGRAMS[0], [], { LLVM_PROFILE_FILE: raw[0] });
run(PROGRAMS[1], corpus, { LLVM_PROFILE_FILE: raw[1] });
const profile = `${FOLDER}/core.profdata`;
run('llvm-profdata', ['merge', '-sparse', ...raw, '-o', profile]);
const { data: [{ files, totals }] } = JSON.parse(run('llvm-cov', ['export', `-instr-profile=${profile}`, PROGRAMS[0],
  '-object', PROGRAMS[1], '-ignore-filename-regex=tests/']));

const { branches } = totals;
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ branches }));
} else {
  for (const { filename, branches: list } of files) {
    const name = filename.slice(filename.lastIndexOf('/src/') + 1);
    const text = readFileSync(filename, 'utf8').split('\n');
    for (const [line, column, , end, taken, missed] of list) {
      if (taken && missed) continue;
      const never = taken ? 'never false' : missed ? 'never true' : 'never reached';
      console.log(`${name}:${line}:${column}: ${never}: ${text[line - 1].slice(column - 1, end - 1)}`);
    }
  }
  console.log(`${branches.covered} of ${branches.count} branches taken, ${branches.percent.toFixed(2)} %`);
}
