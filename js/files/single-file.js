/** Reads one GGUF file. The small worker gguf-worker.js and model-file.js use it. */
import { quoted } from '../errors.js';
import { ggufFromReader } from './gguf.js';
import { isSafetensors, missingConfig } from './safetensors/prefix.js';
import { notAModel } from './sniff.js';
import { openSource } from './source.js';
import { StreamReader } from './stream.js';

/** @typedef {import('./model-file.js').OpenOptions} OpenOptions */

/**
 * Opens a model in one file and reads everything except its weights.  Only GGUF has a whole model in one file, so this
 * module contains no code for other formats.
 * @param {import('./source.js').Source | import('./source.js').ByteSource} source
 * @param {OpenOptions & import('./gguf.js').Kinds} options
 * @returns {Promise<import('./model-file.js').ModelFile>}
 * @throws {HeedError}
 */
export async function openSingleFile(source, options) {
  const bytes = openSource(source, downloadOf(options));
  const reader = new StreamReader(bytes.stream(options.signal), { name: quoted(bytes.name), signal: options.signal });
  try {
    const prefix = (await reader.peek(64)).slice(0, 64);
    if (bytes.size !== null) options.onSize?.(bytes.size);
    if (String.fromCharCode(...prefix.subarray(0, 4)) === 'GGUF') return await ggufFromReader(reader, bytes, options);
    throw isSafetensors(prefix) ? missingConfig() : notAModel(prefix, bytes.name);
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** @param {OpenOptions} options @returns {import('./download.js').DownloadOptions} */
export const downloadOf = ({ stallMs }) => (stallMs === undefined ? {} : { stallMs });
