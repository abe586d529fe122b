#!/usr/bin/env node
/**
 * Writes tests/goldens/families.json: logits of the last id of each family of tests/support/families.js, by llama.cpp.
 *
 *     npm install --prefix FOLDER --ignore-scripts @node-llama-cpp/linux-x64@3.22.1
 *     node tools/goldens/families.js FOLDER/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAMILIES, IDS, ggufOf } from '../../tests/support/families.js';

const SCRIPT = fileURLToPath(new URL('llama-logits.py', import.meta.url));
const OUT = new URL('../../tests/goldens/families.json', import.meta.url);

const folder = await mkdtemp(join(tmpdir(), 'heed-families-'));
const [ids, logits] = [join(folder, 'ids.json'), join(folder, 'logits')];
await writeFile(ids, JSON.stringify([IDS]));
/** @type {Record<string, number[]>} */
const goldens = {};
for (const row of FAMILIES) {
  if (row.gguf === false) continue;
  const model = join(folder, `${row.name}.gguf`);
  await writeFile(model, await ggufOf(row));
  const parameters = [SCRIPT, process.argv[2], model, ids, logits, '--f32'];
  const { status, stderr } = spawnSync('python3', parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${row.name}: ${stderr}`);
  const all = new Float32Array((await readFile(logits)).buffer.slice(0));
  goldens[row.name] = Array.from(all.subarray(-all.length / IDS.length), (x) => Number(x.toPrecision(7)));
  console.log(row.name, goldens[row.name].slice(0, 4).join(' '));
}
const lines = Object.entries(goldens).map(([name, row]) => `  "${name}": [${row.join(', ')}]`);
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
await rm(folder, { recursive: true });
