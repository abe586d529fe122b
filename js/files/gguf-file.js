/** Opens one GGUF file of any family; single-file.js knows only the usual one. */
import { quoted } from '../errors.js';
import { tokenizerFromGguf as tokenizerOf } from '../text/tokenizer.js';
import { describe } from './families/gguf.js';
import { ggufFromReader } from './gguf.js';
import { openSource } from './source.js';
import { StreamReader } from './stream.js';

/**
 * Opens a GGUF file (versions 2 and 3, little-endian) of any family and reads its header, but not its weights.
 * @param {import('./source.js').Source | import('./source.js').ByteSource} source
 * @param {import('./model-file.js').OpenOptions} [options]
 * @returns {Promise<import('./model-file.js').ModelFile>}
 * @throws {import('../errors.js').HeedError}
 */
export async function openGguf(source, options = {}) {
  const bytes = openSource(source);
  const { signal } = options;
  const reader = new StreamReader(bytes.stream(signal), { name: quoted(bytes.name), signal });
  return ggufFromReader(reader, bytes, { describe, tokenizerOf, ...options });
}
