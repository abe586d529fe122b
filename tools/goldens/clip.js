#!/usr/bin/env node
/**
 * Writes tests/goldens/clip.json: the tiny CLIP of tests/support/clip.js by PyTorch (Debian's python3-torch).
 *
 *     node tools/goldens/clip.js
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizedWaves, TEXT, tinyClip } from '../../tests/support/clip.js';

const OUT = new URL('../../tests/goldens/clip.json', import.meta.url);
const SCRIPT = fileURLToPath(new URL('clip.py', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'heed-clip-'));
const write = (/** @type {string} */ name, /** @type {string | Uint8Array} */ data) =>
  writeFile(join(folder, name), data);
const { weights, config } = tinyClip();
await write('model.safetensors', weights);
await write('config.json', JSON.stringify(config));
await write('input.json', JSON.stringify({ ids: TEXT, pixels: normalizedWaves() }));
const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [SCRIPT, folder], { encoding: 'utf8' });
if (status !== 0) throw new Error(stderr);
const lines = Object.entries(JSON.parse(stdout)).map(([name, rows]) => `  ${JSON.stringify(name)}: [\n${
  rows.map((/** @type {number[]} */ row) => `    ${JSON.stringify(row.map((x) => Number(x.toPrecision(8))))}`)
    .join(',\n')}\n  ]`);
await writeFile(OUT, `{\n${lines.join(',\n')}\n}\n`);
await rm(folder, { recursive: true });
