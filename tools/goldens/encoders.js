#!/usr/bin/env node
/**
 * Writes tests/goldens/encoders.json: numbers of each encoder of tests/support/encoders.js after the first and the last
 * id. PyTorch computes logits, or vectors without a head, from Hugging Face's files (Debian's python3-torch). llama.cpp
 * computes vectors from GGUF.
 *
 *     npm install --prefix FOLDER --ignore-scripts @node-llama-cpp/linux-x64@3.22.1
 *     node tools/goldens/encoders.js FOLDER/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENCODERS } from '../../tests/support/encoders.js';
import { D, IDS, ggufOf, huggingFaceOf } from '../../tests/support/families.js';

const OUT = new URL('../../tests/goldens/encoders.json', import.meta.url);

/** @param {string} script @param {...string} parameters @returns {string} what it prints */
function python(script, ...parameters) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [path, ...parameters], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const folder = await mkdtemp(join(tmpdir(), 'heed-encoders-'));
const at = (/** @type {string} */ name) => join(folder, name);
const rounded = (/** @type {ArrayLike<number>} */ row) => Array.from(row, (x) => Number(x.toPrecision(8)));
/** @type {Record<string, number[][]>} */
const goldens = {};
for (const row of ENCODERS) {
  if (row.config.model_type) {
    const { weights, config } = huggingFaceOf(row);
    await writeFile(at('model.safetensors'), weights);
    await writeFile(at('config.json'), JSON.stringify(config));
    await writeFile(at('ids.json'), JSON.stringify(IDS));
    const all = JSON.parse(python('encoders.py', folder));
    goldens[`${row.name}, PyTorch`] = [all[0], all[all.length - 1]].map(rounded);
  }
  if (row.gguf !== false && row.head === 'none') {
    await writeFile(at('model.gguf'), await ggufOf(row));
    await writeFile(at('texts.json'), JSON.stringify([IDS]));
    python('llama-embeddings.py', process.argv[2], at('model.gguf'), at('texts.json'), at('vectors'));
    const all = new Float32Array((await readFile(at('vectors'))).buffer.slice(0));
    goldens[`${row.name}, llama.cpp`] = [all.subarray(0, D), all.subarray(-D)].map(rounded);
  }
}
const lines = Object.entries(goldens).map(([name, rows]) => `  "${name}": ${JSON.stringify(rows)}`);
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
await rm(folder, { recursive: true });
