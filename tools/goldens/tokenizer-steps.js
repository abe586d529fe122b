#!/usr/bin/env node
/**
 * Writes tests/goldens/tokenizer-steps.json: ids of the tokenizers of tests/support/tokenizer-steps.js by Hugging
 * Face's tokenizers, the library in Rust.
 *
 *     npm install --prefix FOLDER --ignore-scripts tokenizers@0.23.2
 *     node tools/goldens/tokenizer-steps.js FOLDER/node_modules
 */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { STEPS, TEXTS, jsonOf } from '../../tests/support/tokenizer-steps.js';

const OUT = new URL('../../tests/goldens/tokenizer-steps.json', import.meta.url);
const { Tokenizer } = createRequire(import.meta.url)(join(resolve(process.argv[2]), 'tokenizers'));

const lines = [];
for (const [name, steps] of Object.entries(STEPS)) {
  const tokenizer = Tokenizer.fromString(JSON.stringify(jsonOf(steps)));
  const rows = await Promise.all(TEXTS.map(async (text) => (await tokenizer.encode(text)).getIds()));
  lines.push(`  ${JSON.stringify(name)}: [\n${rows.map((ids) => `    ${JSON.stringify(ids)}`).join(',\n')}\n  ]`);
}
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
