#!/usr/bin/env node
/**
 * Writes tests/goldens/pictures.json: the tiny models of tests/support/vit.js by PyTorch, and resized
 * pictures by PIL (Debian's python3-torch and python3-pil).
 *
 *     node tools/goldens/pictures.js
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREPROCESSOR, RESIZES, tinyDeit, tinyVit, waves } from '../../tests/support/vit.js';

const OUT = new URL('../../tests/goldens/pictures.json', import.meta.url);
const SCRIPT = fileURLToPath(new URL('pictures.py', import.meta.url));

const stored = (/** @type {number} */ width, /** @type {number} */ height) =>
  ({ width, height, data: Buffer.from(waves(width, height).data).toString('base64') });

/** @param {ReturnType<typeof tinyVit>} model @param {readonly (readonly [number, number, ...any])[]} resizes */
async function computed({ weights, config }, resizes) {
  const folder = await mkdtemp(join(tmpdir(), 'heed-pictures-'));
  const write = (/** @type {string} */ name, /** @type {string | Uint8Array} */ data) =>
    writeFile(join(folder, name), data);
  await write('model.safetensors', weights);
  await write('config.json', JSON.stringify(config));
  await write('preprocessor_config.json', JSON.stringify(PREPROCESSOR));
  await write('pictures.json', JSON.stringify({
    picture: stored(45, 61),
    resizes: resizes.map(([fromWidth, fromHeight, ...to]) => [stored(fromWidth, fromHeight), ...to]),
  }));
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [SCRIPT, folder], { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const { resized, logits } = await computed(tinyVit(), RESIZES);
const deit = await computed(tinyDeit(), []);
const one = await computed(tinyDeit({ hasTeacher: false }), []);
const round = (/** @type {number[]} */ row) => row.map((x) => Number(x.toPrecision(8)));
const lines = (/** @type {unknown[]} */ list) => list.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
const arrays = { resized, logits: logits.map(round), deit: deit.logits.map(round),
  deitLabels: [round(deit.labels), round(one.labels)] };
await writeFile(OUT, `{\n${Object.entries(arrays).map(([name, list]) =>
  `  "${name}": [\n${lines(list)}\n  ]`).join(',\n')}\n}\n`);
