/** Recognizes files that are not models by their first bytes, and says how to get the right file. */
import { HeedError, quoted } from '../errors.js';

/** Files that are often chosen by mistake: [first bytes, description, advice]. */
const LOOKALIKES = /** @type {const} */ ([
  [/^\s*<(!doctype|html|\?xml)/i, 'a web page', 'On a model hub use the download link, not the page about the file'],
  [/^version https:\/\/git-lfs/, 'a Git LFS pointer', 'Fetch the file itself with ‘git lfs pull’, or download it'],
  [/^(lmgg|fmgg|tjgg)/, 'a GGML file from before GGUF', 'Convert the model again'],
  [/^PK\x03\x04/, 'a ZIP archive or a PyTorch checkpoint', 'Unpack or convert it to GGUF or safetensors'],
  [/^\x1f\x8b/, 'compressed with gzip', 'Unpack it first'],
  [/^\x80[\x02-\x05]/, 'a Python pickle', 'Convert it to safetensors; pickles can run code and are never read'],
  [/^\x89PNG|^\xff\xd8\xff|^GIF8/, 'a picture', 'Choose a .gguf or .safetensors file'],
]);

/**
 * The error for a file that is neither GGUF nor safetensors; it names the format if it is known.
 * @param {Uint8Array} prefix  the first bytes of the file
 * @param {string} name
 * @returns {HeedError} 'bad-file', or 'truncated' for an empty file
 */
export function notAModel(prefix, name) {
  if (prefix.byteLength === 0) return new HeedError('truncated', `${quoted(name)} is empty.`);
  const text = String.fromCharCode(...prefix.subarray(0, 64));
  if ('GGUF'.startsWith(text)) {
    return new HeedError('truncated', `${quoted(name)} ends after ${prefix.byteLength} bytes, in the middle of the ` +
      'magic number.');
  }
  const [, what, advice] = LOOKALIKES.find(([start]) => start.test(text)) ?? [];
  if (what) return new HeedError('bad-file', `${quoted(name)} is ${what}, not a model. ${advice}.`);
  return new HeedError('bad-file', `${quoted(name)} is neither GGUF nor safetensors. Choose a .gguf file, or ` +
    '.safetensors with its config.json and tokenizer.json.');
}
