#!/usr/bin/env node
/**
 * Writes tests/goldens/pictures.json: the tiny Vision Transformer of tests/support/vit.js by PyTorch, and resized
 * pictures by PIL (Debian's python3-torch and python3-pil).
 *
 *     node tools/goldens/pictures.js
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREPROCESSOR, RESIZES, tinyVit, waves } from '../../tests/support/vit.js';

const OUT = new URL('../../tests/goldens/pictures.json', import.meta.url);
const SCRIPT = fileURLToPath(new URL('pictures.py', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'heed-pictures-'));
const write = (/** @type {string} */ name, /** @type {string | Uint8Array} */ data) =>
  writeFile(join(folder, name), data);
const stored = (/** @type {number} */ width, /** @type {number} */ height) =>
  ({ width, height, data: Buffer.from(waves(width, height).data).toString('base64') });
const { weights, config } = tinyVit();
await write('model.safetensors', weights);
await write('config.json', JSON.stringify(config));
await write('preprocessor_config.json', JSON.stringify(PREPROCESSOR));
await write('pictures.json', JSON.stringify({
  picture: stored(45, 61),
  resizes: RESIZES.map(([fromWidth, fromHeight, ...to]) => [stored(fromWidth, fromHeight), ...to]),
}));
const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [SCRIPT, folder], { encoding: 'utf8' });
if (status !== 0) throw new Error(stderr);
const { resized, logits } = JSON.parse(stdout);
const rounded = logits.map((/** @type {number[]} */ row) => row.map((x) => Number(x.toPrecision(8))));
const lines = (/** @type {unknown[]} */ list) => list.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
await writeFile(OUT, `{\n  "resized": [\n${lines(resized)}\n  ],\n  "logits": [\n${lines(rounded)}\n  ]\n}\n`);
await rm(folder, { recursive: true });
