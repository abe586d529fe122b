/**
 * Whole models in the block formats of src/kernels/formats.h: every stage by the float64 reference, which reads the
 * file apart from the C code, fed with the engine's own stages before it (tests/models.test.js says why).
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { load } from '../js/index.js';
import { FORMATS, decodeFormat } from '../tools/formats.js';
import { float32, string, uint32, writeGguf } from '../tools/gguf-writer.js';
import { halfFromFloat } from '../tools/quantize.js';
import { assertClose, assertSame, scaleOf } from './support/compare.js';
import { ENGINES, on } from './support/engines.js';
import { temporaryFolder } from './support/goldens.js';
import { floats, formatBlocks, randomFrom } from './support/numbers.js';
import { forward, readModel } from './support/reference.js';
import { SENTENCE_PIECE, PIECES } from './support/tiny-gguf.js';

/** @typedef {import('../tools/formats.js').FormatName} FormatName */

/** Of a stage's largest magnitude, for one operation: at most 512 terms in single precision. */
const TOLERANCE = 512 * 2 ** -24;
const NAMES = /** @type {FormatName[]} */ (Object.keys(FORMATS));
const IDS = [1, 5, 9, 4, 11, 6, 10, 7, 3, 8];
const [L, D, F, H, HK, DH] = [2, 256, 512, 4, 2, 64];

const folder = await temporaryFolder(after);

/** Any codes, with d and m such that the mean is near 0 and the deviation that of trained weights.
 *  @param {() => number} random @param {FormatName} name @param {number} n weights */
function randomWeights(random, name, n) {
  const { elements, bytes, halves } = FORMATS[name];
  const blocks = formatBlocks(random, name, n / elements);
  const set = (/** @type {number[]} */ values) => {
    const view = new DataView(blocks.buffer);
    for (let at = 0; at < blocks.length; at += bytes) {
      halves.forEach((half, i) => view.setUint16(at + half, halfFromFloat(values[i]), true));
    }
    const w = decodeFormat(name, blocks);
    return { mean: w.reduce((a, b) => a + b) / n, size: Math.sqrt(w.reduce((a, b) => a + b * b) / n) };
  };
  const m = halves.length > 1 ? -set([1, 0]).mean / set([0, 1]).mean : 0;
  const d = 1 / Math.sqrt(D) / set([1, m]).size;
  set([d, d * m]);
  return blocks;
}

/** A Llama whose matrices have the types that `typeOf` says.
 *  @param {string} name @param {(matrix: string) => FormatName} typeOf */
async function writeModel(name, typeOf) {
  const random = randomFrom(name.length);
  /** @type {Record<string, number[]>} */
  const shapes = { 'token_embd.weight': [PIECES.length, D], 'output.weight': [PIECES.length, D] };
  for (let l = 0; l < L; l++) {
    Object.assign(shapes, {
      [`blk.${l}.attn_q.weight`]: [H * DH, D],
      [`blk.${l}.attn_k.weight`]: [HK * DH, D],
      [`blk.${l}.attn_v.weight`]: [HK * DH, D],
      [`blk.${l}.attn_output.weight`]: [D, H * DH],
      [`blk.${l}.ffn_gate.weight`]: [F, D],
      [`blk.${l}.ffn_up.weight`]: [F, D],
      [`blk.${l}.ffn_down.weight`]: [D, F],
    });
  }
  const norms = ['output_norm.weight', ...[...Array(L).keys()].flatMap((l) =>
    [`blk.${l}.attn_norm.weight`, `blk.${l}.ffn_norm.weight`])];
  const file = await writeGguf({
    metadata: {
      'general.architecture': string('llama'),
      'llama.block_count': uint32(L),
      'llama.context_length': uint32(24),
      'llama.embedding_length': uint32(D),
      'llama.feed_forward_length': uint32(F),
      'llama.attention.head_count': uint32(H),
      'llama.attention.head_count_kv': uint32(HK),
      'llama.attention.layer_norm_rms_epsilon': float32(1e-5),
      'llama.rope.dimension_count': uint32(DH),
      ...SENTENCE_PIECE,
    },
    tensors: [
      ...norms.map((norm) => ({
        name: norm, type: /** @type {const} */ ('f32'), shape: [D], data: floats(random, D, 0.2).map((v) => 1 + v),
      })),
      ...Object.entries(shapes).map(([matrix, shape]) => ({
        name: matrix, shape, type: FORMATS[typeOf(matrix)].number,
        data: randomWeights(random, typeOf(matrix), shape[0] * shape[1]),
      })),
    ],
  });
  const path = join(folder, `${name}.gguf`);
  await writeFile(path, file);
  return path;
}

/** What llama.cpp gives the matrices of a file called Q4_K_M. @param {string} matrix */
const q4KM = (matrix) => (/^output|attn_v|ffn_down/.test(matrix) ? 'q6_k' : 'q4_k');

for (const [name, typeOf] of /** @type {[string, (matrix: string) => FormatName][]} */ ([
  ...NAMES.map((type) => [type, () => type]),
  ['Q4_K_M', q4KM],
])) {
  describe(`a model in ${name}`, async () => {
    const path = await writeModel(name, typeOf);
    const reference = await readModel(path);
    for (const engine of ENGINES) {
      test(`${engine}: every stage, in one batch, in pieces and token by token`, on(engine), async (t) => {
        const model = await load(path, { engine });
        t.after(() => model.dispose());
        /** @type {string[]} */
        const hooks = [];
        forward(reference, IDS, { tap: (hook, stage) => (hooks.push(hook), stage) });
        const taps = hooks.filter((hook) => hook !== 'logits');
        const { logits, cache } = await model.runWithCache(IDS, taps, { all: true });
        forward(reference, IDS, {
          integers: true,
          cache: model.info.cache,
          tap(hook, { shape, data }) {
            const given = hook === 'logits' ? { shape, data: logits } : cache[hook];
            const tolerance = hook === 'hook_embed' ? 0 : TOLERANCE * scaleOf(data);
            assertClose(given.data, data, tolerance, `${hook} by the reference`);
            return given;
          },
        });
        assert.ok(scaleOf(logits) > 0.5, 'logits of ordinary size');
        for (const size of [1, 3, 4, 7]) {
          model.rewind(0);
          for (let from = 0; from < IDS.length; from += size) {
            const part = await model.forward(IDS.slice(from, from + size), { all: true });
            const at = from * PIECES.length;
            assertSame(part, logits.subarray(at, at + part.length), `logits in pieces of ${size}, from ${from}`);
          }
        }
      });
    }
  });
}
