// Peak memory of loading a model, from a path, a Blob and an address.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '../../js/cli/server.js';
import { float32, string, uint32 } from '../../js/files/gguf/writer.js';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';

/** A Llama of about 120 MB in Q8_0: all bytes of its blocks are 0x11. It is streamed to disk. */
const V = 256;
const D = 1024;
const F = 2816;
const L = 9;

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

/** Memory beyond the weights: a piece and a chunk of the file, at most a megabyte each. Node.js takes some megabytes
 *  for the module, newly compiled code and its heap. */
const FIXED_BYTES = 12 * 2 ** 20;
/** Unreferenced buffers that V8 allows before it collects them (kExternalAllocationSoftLimit): chunks that the loader
 *  cannot free, and buffers of fetch in Node.js. */
const UNCOLLECTED_BYTES = 64 * 2 ** 20;

/** Loads in a new process, on one thread, because each further thread has a heap in Node.js. The HTTP client, Blobs and
 *  the modules that load() imports are loaded before memory is counted. */
const CHILD = `
  import { openAsBlob } from 'node:fs';
  import { load } from ${JSON.stringify(new URL('../../js/index.js', import.meta.url).href)};
  const [kind, source, quantize] = process.argv.slice(1);
  await import(${JSON.stringify(new URL('../../js/model/model.js', import.meta.url).href)});
  await import(${JSON.stringify(new URL('../../js/files/model-file.js', import.meta.url).href)});
  if (kind === 'address') await (await fetch(source, { method: 'HEAD' })).arrayBuffer();
  const opened = kind === 'Blob' ? await openAsBlob(source) : source;
  const before = process.resourceUsage().maxRSS;
  const { info } = await load(opened, { threads: 1, quantize });
  const peak = (process.resourceUsage().maxRSS - before) * 1024;
  console.log(JSON.stringify({ peak, weights: info.weightsBytes }));
`;

describe('loading takes the memory of the weights and little more, for every type of quantization', () => {
  /** @type {string} */ let folder;
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heed-memory-'));
    await writeModel(join(folder, 'model.gguf'));
    server = await startServer({ root: folder });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const freesChunks = 'transfer' in ArrayBuffer.prototype;
  for (const [kind, uncollected] of Object.entries({
    path: 0,
    Blob: freesChunks ? 0 : UNCOLLECTED_BYTES,
    address: UNCOLLECTED_BYTES,
  })) {
    test(`from ${kind === 'address' ? 'an' : 'a'} ${kind}`, async (t) => {
      const source = kind === 'address' ? new URL('model.gguf', server.url).href : join(folder, 'model.gguf');
      for (const quantize of ['keep', 'q4_0']) {
        const run = ['--input-type=module', '--eval', CHILD, kind, source, quantize];
        const { peak, weights } = JSON.parse((await promisify(execFile)(process.execPath, run)).stdout);
        const beyond = ((peak - weights) / 2 ** 20).toFixed(1);
        t.diagnostic(`${quantize}: ${beyond} MB beyond ${(weights / 2 ** 20).toFixed(0)} MB of weights`);
        assert.ok(weights > (quantize === 'keep' ? 120 : 60) * 2 ** 20, `${weights} bytes`);
        assert.ok(peak <= weights + FIXED_BYTES + uncollected, `${quantize}: ${peak} for ${weights} bytes`);
      }
    });
  }
});
