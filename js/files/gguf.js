import { HeedError, quoted } from '../errors.js';
import { tokenizerFromGguf } from '../text/tokenizer/gguf.js';
import { DTYPES, DTYPE_NAMES } from './dtypes.js';
import { checkWeights } from './families.js';
import { architectureOf, configFromGguf } from './gguf/config.js';
import { readHeader } from './gguf/header.js';
import { openSource } from './source.js';
import { StreamReader } from './stream.js';
import { WEIGHTS_LIMIT, endOf, inOrder, streamWeights } from './weights.js';

/** @typedef {import('./model-file.js').ModelFile} ModelFile */
/** @typedef {import('./model-file.js').OpenOptions} OpenOptions */
/** @typedef {import('./weights.js').TensorEntry} TensorEntry */
/** @typedef {import('./weights.js').PlacedTensor} PlacedTensor */
/** @typedef {import('./gguf/header.js').TensorInfo} TensorInfo */
/** @typedef {import('./gguf/header.js').Metadata} Metadata */

/** Alignment of tensors in bytes, a power of two: the default of the format, and the largest that is accepted. */
const DEFAULT_ALIGNMENT = 32;
const MAX_ALIGNMENT = 4096;

/** Tensors of some converters that the forward pass does not need. */
const IGNORED = /\.(attn_rot_embd|rope_freqs)(\.weight)?$|\.attn\.(masked_)?bias$/;

/** Names of GGML's other types, for messages (ggml.h, enum ggml_type). @type {Readonly<Record<number, string>>} */
const OTHER_TYPES = Object.freeze({
  9: 'Q8_1', 15: 'Q8_K', 16: 'IQ2_XXS', 17: 'IQ2_XS', 18: 'IQ3_XXS', 19: 'IQ1_S', 21: 'IQ3_S', 22: 'IQ2_S', 24: 'I8',
  25: 'I16', 26: 'I32', 27: 'I64', 28: 'F64', 29: 'IQ1_M', 34: 'TQ1_0', 35: 'TQ2_0', 39: 'MXFP4',
});

/**
 * Opens a GGUF file (versions 2 and 3, little-endian) and reads its header, but not its weights.
 * @param {import('./source.js').Source | import('./source.js').ByteSource} source
 * @param {OpenOptions} [options]
 * @returns {Promise<ModelFile>}
 * @throws {HeedError}
 */
export async function openGguf(source, { signal, onProgress } = {}) {
  const bytes = openSource(source);
  const reader = new StreamReader(bytes.stream(signal), { name: quoted(bytes.name), signal });
  return ggufFromReader(reader, bytes, { signal, onProgress });
}

/**
 * Opens a GGUF file from a stream whose first bytes were only peeked at.
 * @param {StreamReader} reader  at the first byte of the file
 * @param {import('./source.js').ByteSource} source
 * @param {OpenOptions} options
 * @returns {Promise<ModelFile>}
 */
export async function ggufFromReader(reader, source, { onProgress } = {}) {
  try {
    const { name } = source;
    const { metadata, types, tensors: infos, bytes, version } = await readHeader(reader, name);
    const architecture = architectureOf(metadata, name);
    refuseSplit(metadata, name);
    const alignment = alignmentOf(metadata, name);
    const dataStart = Math.ceil(bytes / alignment) * alignment;
    const placed = placeTensors(infos, { alignment, dataStart, size: source.size, name });
    const vocabulary = placed.find(({ entry }) => entry.name === 'token_embd.weight')?.entry.shape[0];
    if (vocabulary === undefined) {
      throw new HeedError('bad-tensor', `${quoted(name)} has no ‘token_embd.weight’, so it is not a language model.`);
    }
    const config = configFromGguf(metadata, vocabulary, name);
    checkWeights(placed.map(({ entry }) => entry.name), { family: architecture, layers: config.layers, name });
    const tokenizer = tokenizerFromGguf(metadata, name);
    if (tokenizer && tokenizer.size !== vocabulary) {
      throw new HeedError('bad-tokenizer', `${quoted(name)} has ${tokenizer.size} tokens, but ${vocabulary} ` +
        'embeddings.');
    }
    const parts = [{ placed, open: async () => reader }];
    return {
      format: 'gguf',
      version,
      name,
      architecture,
      config,
      tensors: placed.map(({ entry }) => entry),
      tokenizer,
      metadata,
      types,
      fileBytes: endOf(placed),
      weights: () => streamWeights(parts, { onProgress }),
      close: () => reader.close(),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/**
 * @param {Metadata} metadata
 * @param {string} name
 */
function refuseSplit(metadata, name) {
  const count = Number(metadata['split.count'] ?? 1);
  if (count <= 1 && !/-\d{5}-of-(?!00001)\d{5}\.gguf$/i.test(name)) return;
  throw new HeedError('unsupported', `${quoted(name)} is one part of a split model. Merge the parts into one file ` +
    'first (llama-gguf-split --merge).');
}

/**
 * @param {Metadata} metadata
 * @param {string} name
 */
function alignmentOf(metadata, name) {
  const alignment = metadata['general.alignment'] ?? DEFAULT_ALIGNMENT;
  const isPower = typeof alignment === 'number' && Number.isInteger(Math.log2(alignment));
  if (isPower && alignment >= 1 && alignment <= MAX_ALIGNMENT) return alignment;
  throw new HeedError('bad-file', `Expected the alignment of ${quoted(name)} to be a power of two up to ` +
    `${MAX_ALIGNMENT}, got ${quoted(alignment)}.`);
}

/**
 * Checks the tensors and computes their positions, in the order of the file.
 * @param {TensorInfo[]} infos
 * @param {{ alignment: number, dataStart: number, size: number | null, name: string }} file
 * @returns {PlacedTensor[]}
 */
function placeTensors(infos, { alignment, dataStart, size, name }) {
  const placed = infos
    .filter((info) => !IGNORED.test(info.name))
    .map((info) => {
      if (info.offset % alignment !== 0) {
        throw new HeedError('bad-file', `In ${quoted(name)}, tensor ${quoted(info.name)} starts at ${info.offset}, ` +
          `which is not a multiple of the alignment ${alignment}.`);
      }
      return { start: dataStart + info.offset, entry: entryOf(info, name) };
    });
  return inOrder(placed, { size, name });
}

/**
 * @param {TensorInfo} info
 * @param {string} name
 * @returns {TensorEntry}
 */
function entryOf(info, name) {
  const dtype = DTYPES[info.type];
  if (!dtype) {
    const type = OTHER_TYPES[info.type] ?? `number ${info.type}`;
    throw new HeedError('unsupported', `Tensor ${quoted(info.name)} of ${quoted(name)} has the type ${type}; heed ` +
      `reads ${DTYPE_NAMES}. Load the model as Q4_K_M, Q8_0 or F16.`);
  }
  const [columns = 1, ...rest] = info.dims;
  const shape = [...rest.reverse(), columns];
  while (shape.length > 2 && shape[0] === 1) shape.shift();
  const elements = shape.reduce((product, n) => product * n, 1);
  if (shape.length > 2 || info.dims.length === 0 || elements === 0) {
    throw new HeedError('bad-tensor', `Tensor ${quoted(info.name)} of ${quoted(name)} has the shape [${shape}]; ` +
      'expected a matrix or a vector.');
  }
  const bytes = (elements / dtype.elements) * dtype.bytes;
  if (bytes > WEIGHTS_LIMIT) {
    throw new HeedError('too-large', `Tensor ${quoted(info.name)} of ${quoted(name)} has the shape [${shape}], ` +
      `beyond the limit of ${WEIGHTS_LIMIT / 2 ** 30} GB for the weights of a file.`);
  }
  if (columns % dtype.elements !== 0) {
    throw new HeedError('bad-tensor', `Tensor ${quoted(info.name)} of ${quoted(name)} has rows of ${columns} ` +
      `numbers, which is not a multiple of the ${dtype.elements} numbers in a block of ${dtype.name}.`);
  }
  return { name: info.name, dtype: info.type, shape, bytes };
}
