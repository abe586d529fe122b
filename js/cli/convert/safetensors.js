/** Reads the tensors of safetensors files one at a time, for the converter, tools and tests. */
import { closeSync, openSync, readSync } from 'node:fs';
import { HeedError, quoted } from '../../errors.js';
import { decode } from '../../files/gguf/quantize.js';

/** shape: slowest axis first.  load: the numbers, or part `at` of them if they are divided into `of` equal parts.
 *  @typedef {{ shape: number[], type: import('../../files/gguf/quantize.js').TypeName,
 *    load: (at?: number, of?: number) => Float32Array }} StoredTensor */

/** Largest header in bytes. */
const MAX_HEADER_BYTES = 16 << 20;

/** @type {Record<string, import('../../files/gguf/quantize.js').TypeName>} */
const TYPE_NAMES = { F32: 'f32', F16: 'f16', BF16: 'bf16' };

/**
 * Format: https://huggingface.co/docs/safetensors: a 64-bit length, a JSON header, the data.
 * @param {string} path
 * @returns {Promise<Record<string, StoredTensor>>} tensors that load as f32 on demand
 */
export async function readSafetensors(path) {
  const length = Number(new DataView(part(path, 0, 8).buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(part(path, 8, Math.min(length, MAX_HEADER_BYTES))));
  delete header.__metadata__;
  /** @type {Record<string, StoredTensor>} */
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(header)) {
    const type = TYPE_NAMES[dtype];
    if (!type) {
      throw new HeedError('unsupported', `Tensor ${quoted(name)} of ${quoted(path)} has the type ${dtype}; ` +
        `${Object.keys(TYPE_NAMES).join(', ')} can be read.`);
    }
    tensors[name] = { shape, type, load: (at = 0, of = 1) => {
      const bytes = (to - from) / of;
      return decode(part(path, 8 + length + from + at * bytes, bytes), type);
    } };
  }
  return tensors;
}

/** Bytes of a file. @param {string} path @param {number} start @param {number} length */
function part(path, start, length) {
  const bytes = new Uint8Array(length);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < length;) {
      const read = readSync(file, bytes, at, length - at, start + at);
      if (read === 0) {
        throw new HeedError('truncated', `${quoted(path, 200)} is not a safetensors file, or it is cut: it ends ` +
          `after byte ${start + at}.`);
      }
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
