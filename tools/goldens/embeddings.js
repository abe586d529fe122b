#!/usr/bin/env node
/**
 * Writes tests/goldens/embeddings.json: the vector of a text by llama.cpp, for each model of
 * tests/support/embeddings.js.  It is pooled as the file says, and not normalized.
 *
 *     npm install --prefix FOLDER --ignore-scripts @node-llama-cpp/linux-x64@3.22.1
 *     node tools/goldens/embeddings.js FOLDER/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTokenizer } from '../../js/index.js';
import { EMBEDDERS, TEXT, embedderOf } from '../../tests/support/embeddings.js';
import { WORD_PIECE } from '../../tests/support/word-piece.js';

const SCRIPT = fileURLToPath(new URL('llama-embeddings.py', import.meta.url));
const OUT = new URL('../../tests/goldens/embeddings.json', import.meta.url);

const folder = await mkdtemp(join(tmpdir(), 'heed-embeddings-'));
const at = (/** @type {string} */ name) => join(folder, name);
const ids = [...(await loadTokenizer({ tokenizer: WORD_PIECE })).encode(TEXT)];
const lines = [];
for (const of of EMBEDDERS) {
  await writeFile(at('model.gguf'), await embedderOf(of));
  await writeFile(at('texts.json'), JSON.stringify([ids]));
  const parameters = [SCRIPT, process.argv[2], at('model.gguf'), at('texts.json'), at('vector')];
  const { status, stderr } = spawnSync('python3', [...parameters, ...(of.name === 'qwen3' ? ['--decoder'] : [])],
    { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const vector = Array.from(new Float32Array((await readFile(at('vector'))).buffer.slice(0)), (x) =>
    Number(x.toPrecision(8)));
  lines.push(`  "${of.name} ${of.pooling[1]}": ${JSON.stringify(vector)}`);
}
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
await rm(folder, { recursive: true });
