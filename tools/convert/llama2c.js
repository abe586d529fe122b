#!/usr/bin/env node
/** llama2.c checkpoint (version 0: float32; version 2: int8 groups) and its tokenizer → GGUF of architecture llama. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { runTool } from '../cli.js';
import { TOKEN_TYPE, modelMetadata, tokenizerMetadata, weight } from '../../js/files/gguf/describe.js';
import { string } from '../../js/files/gguf/writer.js';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';
import { TYPES, decode } from '../../js/files/gguf/quantize.js';

const MAGIC = 0x616b3432; // 'ak42'
const V2_HEADER = 256;
const BOS = 1;
const EOS = 2;

/**
 * Formats: llama2.c's export.py (legacy_export, version2_export) and run.c. RoPE turns adjacent pairs, as GGUF's llama
 * does. Values of version 2 become floats; q8_0 restores their integers if each of its blocks is in one group.
 * @param {string} path @param {string} tokenizer @param {import('../../js/files/gguf/quantize.js').TypeName} type
 * @returns {Promise<import('../../js/files/gguf/writer.js').GgufContent>}
 */
export async function convertLlama2c(path, tokenizer, type) {
  const file = await readFile(path);
  const { model, tied, stacks } = file.readUInt32LE(0) === MAGIC ? readVersion2(file, path) : readVersion0(file, path);
  const tensors = [];
  for (const { name, shape, layers } of stacks) {
    if (name === 'output' && tied) continue;
    for (const [layer, load] of layers.entries()) {
      tensors.push(weight(`${name.replace('#', String(layer))}.weight`, shape, load, type));
    }
  }
  return {
    metadata: {
      ...modelMetadata(model, type),
      'general.name': string(basename(path)),
      ...await readTokenizer(tokenizer, model.vocabulary),
    },
    tensors,
  };
}

/**
 * The storage of `size` numbers.
 * @typedef {{ bytes: (size: number) => number, read: (part: Buffer) => Float32Array }} Storage
 */
/** @type {Storage} */
const FLOATS = { bytes: (size) => 4 * size, read: (part) => decode(part, 'f32') };

/** @typedef {{ name: string, shape: number[], layers: (() => Float32Array)[] }} Stack a weight of every layer
 *  @typedef {{ model: ReturnType<typeof readConfig>, tied: boolean, stacks: Stack[] }} Checkpoint */

/** Seven integers: dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, max_seq_len.
 *  @param {Buffer} file @param {number} at */
function readConfig(file, at) {
  const [dModel, dFf, layers, heads, kvHeads, vocabulary, contextLength] =
    Array.from({ length: 7 }, (_, i) => file.readInt32LE(at + 4 * i));
  return {
    architecture: 'llama', norm: /** @type {const} */ ('rmsnorm'), layers, heads, kvHeads, dModel,
    dHead: dModel / heads, dFf, vocabulary: Math.abs(vocabulary), contextLength, normEps: 1e-5,
    rope: { base: 10000 },
  };
}

/** Matrices and vectors of a Llama: name with `#` for the layer, shape. @param {ReturnType<typeof readConfig>} model */
function parts({ dModel: D, dFf: F, dHead, kvHeads, vocabulary: V, layers: L }) {
  const KV = kvHeads * dHead;
  return {
    embedding: { name: 'token_embd', shape: [V, D], count: 1 },
    norms: [
      { name: 'blk.#.attn_norm', shape: [D], count: L }, { name: 'blk.#.ffn_norm', shape: [D], count: L },
      { name: 'output_norm', shape: [D], count: 1 },
    ],
    attention: [
      { name: 'blk.#.attn_q', shape: [D, D], count: L }, { name: 'blk.#.attn_k', shape: [KV, D], count: L },
      { name: 'blk.#.attn_v', shape: [KV, D], count: L }, { name: 'blk.#.attn_output', shape: [D, D], count: L },
    ],
    feedForward: [
      { name: 'blk.#.ffn_gate', shape: [F, D], count: L }, { name: 'blk.#.ffn_down', shape: [D, F], count: L },
      { name: 'blk.#.ffn_up', shape: [F, D], count: L },
    ],
    output: { name: 'output', shape: [V, D], count: 1 },
  };
}

/** @param {Buffer} file @param {string} path @returns {Checkpoint} */
function readVersion0(file, path) {
  const model = readConfig(file, 0);
  const tied = file.readInt32LE(20) > 0; // a negative vocabulary means an untied output matrix
  const { embedding, norms: [attentionNorm, ffnNorm, outputNorm], attention, feedForward, output } = parts(model);
  const ropeTables = { name: 'cos and sin', shape: [model.contextLength * model.dHead], count: 1 }; // not read
  const order = [embedding, attentionNorm, ...attention, ffnNorm, ...feedForward, outputNorm, ropeTables];
  if (!tied) order.push(output);
  const { stacks, end } = cut(file, 28, order, FLOATS);
  checkEnd(end, file, path);
  return { model, tied, stacks: stacks.filter(({ name }) => name !== ropeTables.name) };
}

/** @param {Buffer} file @param {string} path @returns {Checkpoint} */
function readVersion2(file, path) {
  const version = file.readInt32LE(4);
  if (version !== 2) throw new Error(`${path} has llama2.c's version ${version}; only 0 and 2 can be converted`);
  const model = readConfig(file, 8);
  const tied = file.readUInt8(36) === 1;
  const group = file.readInt32LE(37);
  if (group < 1) throw new Error(`${path} has groups of ${group}`);
  const { embedding, norms, attention, feedForward, output } = parts(model);
  /** @type {Storage} */
  const groups = {
    bytes: (size) => size + 4 * size / group,
    read(part) {
      const size = part.length / (1 + 4 / group);
      const scales = decode(part.subarray(size), 'f32');
      return Float32Array.from({ length: size }, (_, i) => part.readInt8(i) * scales[Math.floor(i / group)]);
    },
  };
  const vectors = cut(file, V2_HEADER, norms, FLOATS);
  const matrices = cut(file, vectors.end, [embedding, ...attention, ...feedForward, ...(tied ? [] : [output])], groups);
  checkEnd(matrices.end, file, path);
  return { model, tied, stacks: [...vectors.stacks, ...matrices.stacks] };
}

/**
 * Splits the file into consecutive weights, each with all its layers.
 * @param {Buffer} file @param {number} at @param {{ name: string, shape: number[], count: number }[]} order
 * @param {Storage} storage
 * @returns {{ stacks: Stack[], end: number }}
 */
function cut(file, at, order, { bytes, read }) {
  let end = at;
  const stacks = order.map(({ name, shape, count }) => {
    const length = bytes(shape.reduce((a, b) => a * b, 1));
    const starts = Array.from({ length: count }, (_, layer) => end + layer * length);
    end += count * length;
    return { name, shape, layers: starts.map((start) => () => read(file.subarray(start, start + length))) };
  });
  return { stacks, end };
}

/** @param {number} end @param {Buffer} file @param {string} path */
function checkEnd(end, file, path) {
  if (end !== file.length) throw new Error(`${path} has ${file.length} bytes; its header requires ${end}`);
}

/** tokenizer.bin: the longest token's bytes, then score, length and bytes of each. Its blanks were SentencePiece's `▁`.
 *  @param {string} path @param {number} vocabulary */
async function readTokenizer(path, vocabulary) {
  const file = await readFile(path);
  const tokens = [];
  const scores = [];
  let at = 4;
  for (let id = 0; id < vocabulary; id++) {
    const length = file.readInt32LE(at + 4);
    scores.push(file.readFloatLE(at));
    tokens.push(file.toString('utf8', at + 8, at + 8 + length).replaceAll(' ', '▁'));
    at += 8 + length;
  }
  checkEnd(at, file, path);
  tokens[BOS] = '<s>';
  tokens[EOS] = '</s>'; // the file has line feeds around them
  const types = tokens.map((token, id) => {
    if (id === 0) return TOKEN_TYPE.unknown;
    if (id === BOS || id === EOS) return TOKEN_TYPE.control;
    return /^<0x[0-9A-F]{2}>$/.test(token) ? TOKEN_TYPE.byte : TOKEN_TYPE.normal;
  });
  return tokenizerMetadata({ model: 'llama', tokens, types, scores, bos: BOS, eos: EOS, unknown: 0, addBos: true });
}

await runTool(import.meta.url, {
  usage: `node tools/convert/llama2c.js MODEL.bin TOKENIZER.bin OUT.gguf [--type f32|f16|bf16|q8_0|q4_0]

Converts a llama2.c checkpoint (version 0 or 2) and its tokenizer to GGUF.

  --type   of the matrices; default f32`,
  positionals: 3,
  options: { type: { type: 'string', default: 'f32' } },
  async run([path, tokenizer, out], { type }) {
    if (!(type in TYPES)) throw new Error(`--type is one of ${Object.keys(TYPES).join(', ')}, not '${type}'`);
    console.log(`${out}: ${await writeGgufFile(out, await convertLlama2c(path, tokenizer, type))} bytes`);
  },
});
