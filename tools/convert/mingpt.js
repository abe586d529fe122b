#!/usr/bin/env node
/** minGPT checkpoint as JSON of base64 float32 (bbycroft/llm-viz) → GGUF of architecture gpt2, without a tokenizer. */
import { readFile } from 'node:fs/promises';
import { runTool } from '../cli.js';
import { modelMetadata, weight } from '../../js/files/gguf/describe.js';
import { string } from '../../js/files/gguf/writer.js';
import { writeGgufFile } from '../../js/cli/convert/gguf-file.js';
import { placeOf } from '../../js/files/safetensors/names.js';
import { decode } from '../../js/files/gguf/quantize.js';

/** @param {string} path @returns {Promise<import('../../js/files/gguf/writer.js').GgufContent>} */
export async function convertMinGpt(path) {
  const { config, ...stored } = JSON.parse(await readFile(path, 'utf8'));
  const tensors = [];
  for (const [source, { shape, dtype, data }] of Object.entries(stored)) {
    const place = placeOf(source, 'gpt2');
    if (!place) throw new Error(`the tensor ${source} has no place in a GPT-2`);
    if (place === 'ignored') continue;
    if (dtype !== 'torch.float32') throw new Error(`${path}: ${source} is ${dtype}, not torch.float32`);
    const load = () => decode(Buffer.from(data, 'base64'), 'f32');
    tensors.push(weight(place.slot, shape, load, 'f32')); // nn.Linear: rows are outputs, unlike Hugging Face's GPT-2
  }
  const model = {
    architecture: 'gpt2', norm: /** @type {const} */ ('layernorm'), layers: config.n_layer, heads: config.n_head,
    kvHeads: config.n_head, dModel: config.n_embd, dHead: config.n_embd / config.n_head, dFf: 4 * config.n_embd,
    vocabulary: config.vocab_size, contextLength: config.block_size, normEps: 1e-5,
  };
  return { metadata: { ...modelMetadata(model, 'f32'), 'general.name': string(config.model_type) }, tensors };
}

await runTool(import.meta.url, {
  usage: `node tools/convert/mingpt.js MODEL.json OUT.gguf

Converts a minGPT checkpoint, JSON of base64 float32 tensors, to a GGUF of architecture gpt2 without a tokenizer.`,
  positionals: 2,
  options: {},
  async run([path, out]) {
    console.log(`${out}: ${await writeGgufFile(out, await convertMinGpt(path))} bytes`);
  },
});
