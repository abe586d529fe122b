import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { float32, string, uint32, writeGgufFile } from '../tools/gguf-writer.js';

/** A Llama of about 120 MB in Q8_0: blocks whose scale and numbers are all 0x11, written without holding them. */
const [V, D, F, L] = [256, 1024, 2816, 9];

/** @param {string} path */
async function writeModel(path) {
  const matrix = (/** @type {string} */ name, /** @type {number} */ rows, /** @type {number} */ columns) => ({
    name, type: /** @type {const} */ ('q8_0'), shape: [rows, columns],
    data: () => new Uint8Array((rows * columns * 34) / 32).fill(0x11),
  });
  const vector = (/** @type {string} */ name) => ({
    name, type: /** @type {const} */ ('f32'), shape: [D], data: () => new Float32Array(D).fill(1),
  });
  const blocks = Array.from({ length: L }, (_, l) => [
    vector(`blk.${l}.attn_norm.weight`),
    ...['q', 'k', 'v', 'output'].map((name) => matrix(`blk.${l}.attn_${name}.weight`, D, D)),
    vector(`blk.${l}.ffn_norm.weight`),
    ...['gate', 'up'].map((name) => matrix(`blk.${l}.ffn_${name}.weight`, F, D)),
    matrix(`blk.${l}.ffn_down.weight`, D, F),
  ]);
  await writeGgufFile(path, {
    metadata: {
      'general.architecture': string('llama'),
      'llama.block_count': uint32(L),
      'llama.context_length': uint32(64),
      'llama.embedding_length': uint32(D),
      'llama.feed_forward_length': uint32(F),
      'llama.attention.head_count': uint32(16),
      'llama.attention.layer_norm_rms_epsilon': float32(1e-5),
    },
    tensors: [matrix('token_embd.weight', V, D), ...blocks.flat(), vector('output_norm.weight')],
  });
}

/** Loads in a process of its own, whose memory nothing else has stretched; on one thread, for each further one has a
 *  heap of its own in Node, some megabytes whatever the model. */
const CHILD = `
  import { load } from ${JSON.stringify(new URL('../js/index.js', import.meta.url).href)};
  const before = process.resourceUsage().maxRSS;
  const { info } = await load(process.argv[1], { threads: 1 });
  const peak = (process.resourceUsage().maxRSS - before) * 1024;
  console.log(JSON.stringify({ peak, weights: info.weightsBytes }));
`;

test('loading takes at most a quarter more memory than the weights', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'heed-memory-'));
  try {
    const path = join(folder, 'model.gguf');
    await writeModel(path);
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', CHILD, path]);
    const { peak, weights } = JSON.parse(stdout);
    t.diagnostic(`${(peak / weights).toFixed(2)} of ${(weights / 2 ** 20).toFixed(0)} MB`);
    assert.ok(weights > 100 * 2 ** 20, `${weights} bytes`);
    assert.ok(peak <= 1.25 * weights, `${peak} of ${weights} bytes`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
