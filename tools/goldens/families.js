#!/usr/bin/env node
/**
 * Writes tests/goldens/families.json: logits of the last id of each family of tests/support/families.js, and of T5, by
 * llama.cpp.
 *
 *     npm install --prefix FOLDER --ignore-scripts @node-llama-cpp/linux-x64@3.22.1
 *     node tools/goldens/families.js FOLDER/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCE, TEXT, t5OfEqualParts } from '../../tests/support/encoder-decoders.js';
import { FAMILIES, IDS, ggufOf } from '../../tests/support/families.js';

const SCRIPT = fileURLToPath(new URL('llama-logits.py', import.meta.url));
const OUT = new URL('../../tests/goldens/families.json', import.meta.url);

const folder = await mkdtemp(join(tmpdir(), 'heed-families-'));
const ids = join(folder, 'ids.json');
const logits = join(folder, 'logits');
/** @type {Record<string, number[]>} */
const goldens = {};

/** @param {string} name @param {Uint8Array} file @param {number[]} text @param {string[]} more  of the script */
async function add(name, file, text, ...more) {
  const model = join(folder, 'model.gguf');
  await writeFile(model, file);
  await writeFile(ids, JSON.stringify([text]));
  const parameters = [SCRIPT, process.argv[2], model, ids, logits, '--f32', ...more];
  const { status, stderr } = spawnSync('python3', parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  const all = new Float32Array((await readFile(logits)).buffer.slice(0));
  goldens[name] = Array.from(all.subarray(-all.length / text.length), (x) => Number(x.toPrecision(7)));
  console.log(name, goldens[name].slice(0, 4).join(' '));
}

for (const row of FAMILIES) {
  if (row.gguf !== false) await add(row.name, await ggufOf(row), IDS);
}
for (const name of ['t5', 't5 v1.1']) {
  await add(name, await t5OfEqualParts(name), TEXT, `--source=${JSON.stringify(SOURCE)}`);
}
const lines = Object.entries(goldens).map(([name, row]) => `  "${name}": [${row.join(', ')}]`);
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
await rm(folder, { recursive: true });
