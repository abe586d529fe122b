/** The tensors of a GGUF file: their types, shapes and positions. */
import { HeedError, quoted } from '../../errors.js';
import { DTYPES, DTYPE_NAMES } from '../dtypes.js';
import { WEIGHTS_LIMIT, inOrder } from '../weights.js';

/** @typedef {import('./header.js').Metadata} Metadata */
/** @typedef {import('./header.js').TensorInfo} TensorInfo */
/** @typedef {import('../weights.js').TensorEntry} TensorEntry */
/** @typedef {import('../weights.js').PlacedTensor} PlacedTensor */

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
 * @param {{ metadata: Metadata, tensors: TensorInfo[], bytes: number }} header
 * @param {{ size: number | null, name: string }} file
 * @returns {PlacedTensor[]}
 * @throws {HeedError} 'bad-file', 'bad-tensor', 'unsupported', 'too-large'
 */
export function placeTensors({ metadata, tensors, bytes }, { size, name }) {
  const alignment = alignmentOf(metadata, name);
  const dataStart = Math.ceil(bytes / alignment) * alignment;
  const placed = tensors
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
  const axes = info.name.endsWith('_exps.weight') ? 3 : 2; // a matrix for each expert
  if (shape.length > axes || info.dims.length === 0 || elements === 0) {
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
