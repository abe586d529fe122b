#!/usr/bin/env node
/**
 * Writes tests/goldens/encoder-tokenizers.json: ids of the tokenizers of tests/support/encoder-tokenizers.js by
 * llama.cpp and by Hugging Face's tokenizers, the library in Rust.
 *
 *     npm install --prefix FOLDER --ignore-scripts @node-llama-cpp/linux-x64@3.22.1 tokenizers@0.23.2
 *     node tools/goldens/encoder-tokenizers.js FOLDER/node_modules
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { string, writeGguf } from '../../js/files/gguf/writer.js';
import { GGUF_CASES, JSON_CASES, ORIGINAL_TEXTS, TEXTS } from '../../tests/support/encoder-tokenizers.js';

const SCRIPT = fileURLToPath(new URL('llama-tokens.py', import.meta.url));
const OUT = new URL('../../tests/goldens/encoder-tokenizers.json', import.meta.url);
const packages = resolve(process.argv[2]);
const { Tokenizer } = createRequire(import.meta.url)(join(packages, 'tokenizers'));

const folder = await mkdtemp(join(tmpdir(), 'heed-tokenizers-'));
const [model, texts] = ['model.gguf', 'texts.json'].map((name) => join(folder, name));
await writeFile(texts, JSON.stringify(TEXTS));
/** @type {Record<string, unknown[]>} */
const goldens = {};
for (const [name, metadata] of Object.entries(GGUF_CASES)) {
  const architecture = { 'general.architecture': string('bert') };
  await writeFile(model, await writeGguf({ metadata: { ...architecture, ...metadata }, tensors: [] }));
  const library = join(packages, '@node-llama-cpp/linux-x64/bins/linux-x64');
  const { status, stdout, stderr } = spawnSync('python3', [SCRIPT, library, model, texts], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  goldens[`${name}, llama.cpp`] = JSON.parse(stdout);
}
for (const [name, json] of Object.entries(JSON_CASES)) {
  const tokenizer = Tokenizer.fromString(JSON.stringify(json));
  goldens[`${name}, tokenizers`] = await Promise.all([...TEXTS, ...ORIGINAL_TEXTS].map(async (text) => {
    const [ids, plain] = await Promise.all([true, false].map(async (addSpecialTokens) =>
      (await tokenizer.encode(text, null, { addSpecialTokens })).getIds()));
    return { ids, text: plain.length > 0 ? await tokenizer.decode(plain, true) : '' };
  }));
}
const lines = Object.entries(goldens).map(([name, rows]) =>
  `  ${JSON.stringify(name)}: [\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`);
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
await rm(folder, { recursive: true });
