/** Recognizes a safetensors file by its first bytes, for an error without config.json. */
import { HeedError } from '../../errors.js';

/** Largest header in bytes; 100,000 tensors need 10 MB, and the format allows 100 MB. */
const MAX_HEADER_BYTES = 16 << 20;

/**
 * Whether a file can be safetensors: its first eight bytes are a length that a header may have.
 * @param {Uint8Array} prefix at least 9 bytes of the file
 */
export function isSafetensors(prefix) {
  return prefix.byteLength > 8 && headerLength(prefix) <= BigInt(MAX_HEADER_BYTES) && prefix[8] === 0x7b;
}

/** @param {Uint8Array} prefix */
export function headerLength(prefix) {
  return new DataView(prefix.buffer, prefix.byteOffset, 8).getBigUint64(0, true);
}

/** @returns {HeedError} for safetensors on their own */
export function missingConfig() {
  return new HeedError('bad-source', 'A .safetensors file holds weights only. Give its config.json too, and ' +
    'tokenizer.json for text: load({ weights, config, tokenizer }). The translators and classifiers that heed train ' +
    'makes are opened by heed/train.');
}
