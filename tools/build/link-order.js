#!/usr/bin/env node
/**
 * Searches an order of object files in which the binaries compress well, because similar code lies within gzip's
 * window of 32 KB. Writes src/link-order.txt, which the Makefile reads. Any order gives correct binaries, and files
 * that the list lacks are linked last.
 *
 *     node tools/build/link-order.js [seconds]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const LIST = 'src/link-order.txt';
const OUT = join(tmpdir(), `heed-link-order-${process.pid}.wasm`);
const BINARIES = ['dist/heed.wasm', 'dist/heed-relaxed.wasm'];

/** The link commands of make, as lists of arguments, with their objects. */
const commands = BINARIES.map((binary) => {
  const printed = execFileSync('make', ['-nB', '--no-print-directory', binary], { encoding: 'utf8' });
  const link = printed.split('\n').find((line) => /^wasm-ld/.test(line) && line.includes(`-o ${binary}`)) ?? '';
  const words = execFileSync('bash', ['-c', `printf '%s\\n' ${link}`], { encoding: 'utf8' }).trim().split('\n');
  const isObject = (/** @type {string} */ word) => word.endsWith('.o');
  return { options: words.filter((word) => !isObject(word) && word !== '-o' && word !== binary),
    objects: words.filter(isObject) };
});
const nameOf = (/** @type {string} */ path) => path.slice('build/heed/'.length, -'.o'.length);
const all = [...new Set(commands.flatMap(({ objects }) => objects.map(nameOf)))];

/** Compressed bytes of the binaries. @param {string[]} order */
function bytesOf(order) {
  return commands.reduce((sum, { options: [program, ...options], objects }) => {
    const sorted = order.map((name) => `build/heed/${name}.o`).filter((path) => objects.includes(path));
    execFileSync(program, [...options, ...sorted, '-o', OUT]);
    return sum + gzipSync(readFileSync(OUT), { level: 9 }).length;
  }, 0);
}

const stored = existsSync(LIST) ? readFileSync(LIST, 'utf8').split('\n').filter((name) => all.includes(name)) : [];
let best = [...stored, ...all.filter((name) => !stored.includes(name))];
let least = bytesOf(best);
console.log(`${least} bytes before`);
const end = Date.now() + 1000 * Number(process.argv[2] ?? 300);
while (Date.now() < end) {
  const order = [...best];
  const part = order.splice(Math.floor(Math.random() * order.length), 1 + Math.floor(Math.random() * 3));
  order.splice(Math.floor(Math.random() * (order.length + 1)), 0, ...part);
  const bytes = bytesOf(order);
  if (bytes >= least) continue;
  best = order;
  least = bytes;
  writeFileSync(LIST, `${best.join('\n')}\n`);
}
console.log(`${least} bytes now`);
