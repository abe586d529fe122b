#!/usr/bin/env node
/**
 * Writes tests/goldens/encoder-decoders.json: the tiny models of tests/support/encoder-decoders.js by PyTorch (Debian's
 * python3-torch).
 *
 *     node tools/goldens/encoder-decoders.js
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NAMES, SOURCE, TEXT, tinyEncoderDecoder } from '../../tests/support/encoder-decoders.js';

const OUT = new URL('../../tests/goldens/encoder-decoders.json', import.meta.url);
const SCRIPT = fileURLToPath(new URL('encoder-decoders.py', import.meta.url));

const models = [];
let shared;
for (const name of NAMES) {
  const folder = await mkdtemp(join(tmpdir(), 'heed-encoder-decoders-'));
  const write = (/** @type {string} */ file, /** @type {string | Uint8Array} */ data) =>
    writeFile(join(folder, file), data);
  const { weights, config } = tinyEncoderDecoder(name);
  await write('model.safetensors', weights);
  await write('config.json', JSON.stringify(config));
  await write('ids.json', JSON.stringify({ source: SOURCE, text: TEXT }));
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [SCRIPT, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { buckets, ...numbers } = JSON.parse(stdout);
  shared = buckets;
  const rows = Object.entries(numbers).map(([key, list]) => `    ${JSON.stringify(key)}: [\n` +
    list.map((/** @type {number[]} */ row) => `      ${JSON.stringify(row.map((x) => Number(x.toPrecision(7))))}`)
      .join(',\n') + '\n    ]');
  models.push(`  ${JSON.stringify(name)}: {\n${rows.join(',\n')}\n  }`);
  await rm(folder, { recursive: true });
}
await writeFile(OUT, `{\n${models.join(',\n')},\n  "buckets": ${JSON.stringify(shared)}\n}\n`);
