// The JavaScript of encoders.md, encoder-decoders.md and pictures.md runs as one program each, with a hub on this
// machine whose models are tiny and random.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { CLIP_PROCESSOR, clipTokenizer, tinyClip } from '../support/clip.js';
import { tinyEncoderDecoder } from '../support/encoder-decoders.js';
import { ENCODERS } from '../support/encoders.js';
import { huggingFaceOf } from '../support/families.js';
import { startHub } from '../support/hub.js';
import { PREPROCESSOR, tinyVit } from '../support/vit.js';
import { LETTERS } from '../support/letters.js';
import { WORD_PIECE } from '../support/word-piece.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The output of the samples of a guide.
 * @param {import('node:test').TestContext} t
 * @param {string} guide
 * @param {Record<string, Record<string, string | Uint8Array>>} repositories  files by name
 */
async function run(t, guide, repositories) {
  const text = await readFile(join(ROOT, guide), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'heed-encoder-docs-'));
  const hub = await startHub({});
  t.after(() => Promise.all([hub.close(), rm(folder, { recursive: true })]));
  for (const [repository, files] of Object.entries(repositories)) {
    for (const [name, data] of Object.entries(files)) hub.put(`${repository}/${name}`, data);
  }
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/heed'));
  const code = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
  await writeFile(join(folder, 'samples.mjs'), code);
  const child = spawn(process.execPath, ['--preserve-symlinks', join(folder, 'samples.mjs')],
    { env: { ...process.env, HF_ENDPOINT: hub.url } });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (out += part));
  assert.equal(await new Promise((resolve) => child.on('exit', resolve)), 0, out);
  return out;
}

/** Files of an encoder. @param {string} name */
function encoder(name) {
  const row = ENCODERS.find((one) => one.name === name) ?? assert.fail(name);
  const { weights, config } = huggingFaceOf(row);
  return { 'model.safetensors': weights, 'config.json': JSON.stringify(config),
    'tokenizer.json': JSON.stringify(WORD_PIECE) };
}

test('the samples of encoders.md run', async (t) => {
  const repositories = (/** @type {object} */ pooling) => ({
    'sentence-transformers/all-MiniLM-L6-v2': { ...encoder('bert'), '1_Pooling/config.json': JSON.stringify(pooling) },
    'google-bert/bert-base-uncased': encoder('bert-words'),
    'distilbert/distilbert-base-uncased-finetuned-sst-2-english': encoder('distilbert-labels'),
  });
  const out = await run(t, 'docs/encoders.md', repositories({ pooling_mode_mean_tokens: true }));
  assert.match(out, /^\[ '-?[01]\.\d\d', '-?[01]\.\d\d' \]\n(\d+ +\S+ 0\.\d{3}\n){3}\[/);
  assert.match(out, /\[ 'label 0', 'label 1', 'label 2' \]\nlabel \d \d+\n\[ 4, \d+, \d+ \] \d+ 3 3\n-?\d/);
  await assert.rejects(run(t, 'docs/encoders.md', repositories({ pooling_mode_max_tokens: true })),
    /by ‘pooling_mode_max_tokens’/);
});

test('the samples of encoder-decoders.md run', async (t) => {
  const { weights, config } = tinyEncoderDecoder('t5 v1.1');
  const out = await run(t, 'docs/encoder-decoders.md', { 'google/flan-t5-small': {
    'model.safetensors': weights,
    'config.json': JSON.stringify(config),
    'tokenizer.json': JSON.stringify(LETTERS),
  } });
  assert.match(out,
    /^[^\n]+\n[^\n]+ true true\n41 queries, 50 keys, 2050 weights\n50 41\n[^\n]+\n\[ 50, 32 \] \[ 4, 2, 50 \]\n40\n/);
  const [shares, heads, shape, patch, ...rest] = out.split('\n').slice(-6);
  assert.match(shares, /^(.{1,5} -?\d\.\d\d(?: \||$)){50}$/);
  assert.deepEqual([heads, shape], ['12 heads of cross-attention', '[ 50, 32 ]']);
  assert.match(patch, /^.{1,5} \d\.\d\d$/);
  assert.deepEqual(rest, ['12 estimates', '']);
});

test('the samples of pictures.md run, and the preprocessor of the repository is used', async (t) => {
  const vit = tinyVit();
  const clip = tinyClip();
  const files = (/** @type {object} */ preprocessor) => ({
    'google/vit-base-patch16-224': {
      'model.safetensors': vit.weights,
      'config.json': JSON.stringify(vit.config),
      'preprocessor_config.json': JSON.stringify(preprocessor),
    },
    'openai/clip-vit-base-patch32': {
      'model.safetensors': clip.weights,
      'config.json': JSON.stringify(clip.config),
      'preprocessor_config.json': JSON.stringify(CLIP_PROCESSOR),
      'tokenizer.json': JSON.stringify(clipTokenizer()),
    },
  });
  const out = await run(t, 'docs/pictures.md', files(PREPROCESSOR));
  assert.match(out, /^label \d+ label \d+\ntrue 16 1,0\n\[ 4, 17, 17 \] 20 -?[\d.e-]+ \[ 17, 32 \]\n/);
  assert.match(out, /\n\[ -?0\.\d+, -?0\.\d+ \]\n$/, 'two cosines');
  await assert.rejects(run(t, 'docs/pictures.md', files({ size: 31 })), /31 × 31 pixels/);
});
