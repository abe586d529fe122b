/**
 * Compares 64-bit with 32-bit memory on a model that fits into both, and runs a model of more than 4 GB. Both are
 * random Q8_0 weights that this script writes, in the shape of a Llama with 4096 columns.
 *
 *     NODE bench/memory64.js [--blocks N] [--rounds N] [--engine E] [--folder DIR]
 *
 * NODE has 64-bit memory: Node.js 24 or newer. The models of 4 blocks take turns in one process on one thread. Printed
 * are medians by processor time, and medians of the turns' ratios. The large model needs N blocks, 220 MB each, of
 * memory and of the disk.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeGgufFile } from '../js/cli/convert/gguf-file.js';
import { float32, string, uint32 } from '../js/files/gguf/writer.js';
import { load } from '../js/index.js';
import { thisRun } from './this-run.js';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '7' },
    engine: { type: 'string', default: 'auto' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const D = 4096;
const F = 12288;
const HEADS = 32;
const KV_HEADS = 8;
const V = 512;
const FEW_BLOCKS = 4;
const PROMPT = 64;
const TOKENS = 8;
const BLOCK_BYTES = 34; // of Q8_0: a scale and 32 codes

const median = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** Random blocks of Q8_0 with a small scale. @param {number} rows @param {number} columns @param {number} seed */
function q8(rows, columns, seed) {
  const data = new Uint8Array(rows * columns / 32 * BLOCK_BYTES);
  const words = new Uint32Array(data.buffer, 0, data.length >> 2);
  let state = seed;
  for (let i = 0; i < words.length; i++) words[i] = state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + i;
  const view = new DataView(data.buffer);
  for (let at = 0; at < data.length; at += BLOCK_BYTES) view.setUint16(at, 0x0c00, true); // 2^-12
  return data;
}

/** Writes a model. @param {string} path @param {number} blocks @returns {Promise<number>} bytes */
function write(path, blocks) {
  const kv = D / HEADS * KV_HEADS;
  let seed = 1;
  const matrix = (/** @type {string} */ name, /** @type {number} */ rows, /** @type {number} */ columns) => {
    const own = seed++;
    return { name, type: /** @type {const} */ ('q8_0'), shape: [rows, columns], data: () => q8(rows, columns, own) };
  };
  const norm = (/** @type {string} */ name) => ({ name, type: /** @type {const} */ ('f32'), shape: [D],
    data: () => new Uint8Array(new Float32Array(D).fill(1).buffer) });
  const tensors = Array.from({ length: blocks }, (_, i) => [
    norm(`blk.${i}.attn_norm.weight`), matrix(`blk.${i}.attn_q.weight`, D, D), matrix(`blk.${i}.attn_k.weight`, kv, D),
    matrix(`blk.${i}.attn_v.weight`, kv, D), matrix(`blk.${i}.attn_output.weight`, D, D),
    norm(`blk.${i}.ffn_norm.weight`), matrix(`blk.${i}.ffn_gate.weight`, F, D), matrix(`blk.${i}.ffn_up.weight`, F, D),
    matrix(`blk.${i}.ffn_down.weight`, D, F),
  ]).flat();
  return writeGgufFile(path, {
    metadata: {
      'general.architecture': string('llama'), 'general.name': string(`random, ${blocks} blocks`),
      'llama.block_count': uint32(blocks), 'llama.context_length': uint32(4096), 'llama.embedding_length': uint32(D),
      'llama.feed_forward_length': uint32(F), 'llama.attention.head_count': uint32(HEADS),
      'llama.attention.head_count_kv': uint32(KV_HEADS), 'llama.vocab_size': uint32(V),
      'llama.attention.layer_norm_rms_epsilon': float32(1e-5),
    },
    tensors: [matrix('token_embd.weight', V, D), ...tensors, norm('output_norm.weight')],
  });
}

/** Processor time of this thread for a call, in milliseconds. @param {Model} model @param {number[]} ids */
async function msOf(model, ids) {
  const { user, system } = process.threadCpuUsage();
  await model.forward(ids);
  const now = process.threadCpuUsage();
  return (now.user - user + now.system - system) / 1e3;
}

/** Times models in turns: a prompt of each, then each token of each.
 *  @param {Model[]} models @param {number} rounds @returns {Promise<Record<'prefill' | 'decode', number[][]>>} */
async function inTurns(models, rounds) {
  const times = { prefill: models.map(() => /** @type {number[]} */ ([])), decode: models.map(() => []) };
  const prompt = Array.from({ length: PROMPT }, (_, i) => i);
  for (let round = -1; round < rounds; round++) { // the first one is not counted: compilers, pages
    const order = models.map((_, i) => (round % 2 ? models.length - 1 - i : i));
    const count = (/** @type {number[][]} */ list, /** @type {number} */ i, /** @type {number} */ ms) =>
      round >= 0 && list[i].push(ms);
    for (const i of order) {
      models[i].rewind(0);
      count(times.prefill, i, await msOf(models[i], prompt));
    }
    for (let t = 0; t < TOKENS; t++) for (const i of order) count(times.decode, i, await msOf(models[i], [t]));
  }
  return times;
}

/** Prints tokens in a second, and the ratio of the second model to the first.
 *  @param {Record<'prefill' | 'decode', number[][]>} times */
function print(times) {
  for (const [kind, tokens] of /** @type {const} */ ([['prefill', PROMPT], ['decode', 1]])) {
    const speeds = times[kind].map((list) => (1e3 * tokens / median(list)).toFixed(2));
    const [first, second] = times[kind];
    const ratio = second ? `; ratio ${median(second.map((ms, i) => first[i] / ms)).toFixed(3)}` : '';
    console.log(`${kind}: ${speeds.join(' and ')} tokens/s${ratio}`);
  }
}

/** @typedef {import('../js/index.js').Model} Model */

/** Loads a model, and says what it takes. @param {string} path @param {{ memory64?: boolean }} [options] */
async function open(path, options) {
  const begin = performance.now();
  const model = await load(path, { contextLength: 512, threads: 1, engine: values.engine, ...options });
  const { engine, weightsBytes, sessionBytes } = model.info;
  const gigabytes = ((weightsBytes + sessionBytes) / 2 ** 30).toFixed(2);
  console.log(`${model.info.name}: ${gigabytes} GB, ${engine.kernels}, ${
    engine.memory64 ? 64 : 32}-bit memory, loaded in ${((performance.now() - begin) / 1e3).toFixed(1)} s`);
  return model;
}

console.log(thisRun().text);
const folder = await mkdtemp(join(values.folder, 'heed-memory64-'));
try {
  const few = join(folder, 'few.gguf');
  await write(few, FEW_BLOCKS);
  const models = [await open(few), await open(few, { memory64: true })];
  print(await inTurns(models, Number(values.rounds)));
  models.forEach((model) => model.dispose());
  const large = join(folder, 'large.gguf');
  await write(large, Number(values.blocks));
  const model = await open(large);
  print(await inTurns([model], 1));
  model.dispose();
} finally {
  await rm(folder, { recursive: true });
}
