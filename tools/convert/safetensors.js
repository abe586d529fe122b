/** Reads complete safetensors files into memory, for tools and tests. */
import { readFile } from 'node:fs/promises';
import { decode } from '../../js/files/gguf/quantize.js';

/** @typedef {{ shape: number[], load: () => Float32Array }} StoredTensor shape slowest axis first */

/** @type {Record<string, import('../../js/files/gguf/quantize.js').TypeName>} */
const TYPE_NAMES = { F32: 'f32', F16: 'f16', BF16: 'bf16' };

/**
 * Format: https://huggingface.co/docs/safetensors: a 64-bit length, a JSON header, the data.
 * @param {string} path
 * @returns {Promise<Record<string, StoredTensor>>} each as f32 when it is asked for
 */
export async function readSafetensors(path) {
  const file = await readFile(path);
  const length = file.length < 8 ? Infinity : Number(file.readBigUInt64LE(0));
  if (8 + length > file.length) throw new Error(`${path} is not a safetensors file: the header ends after the file`);
  const header = JSON.parse(file.toString('utf8', 8, 8 + length));
  delete header.__metadata__;
  /** @type {Record<string, StoredTensor>} */
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(header)) {
    const type = TYPE_NAMES[dtype];
    if (!type) throw new Error(`${path}: ${name} is ${dtype}; only ${Object.keys(TYPE_NAMES).join(', ')} can be read`);
    tensors[name] = { shape, load: () => decode(file.subarray(8 + length + from, 8 + length + to), type) };
  }
  return tensors;
}
