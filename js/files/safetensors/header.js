/** Checks each tensor of a safetensors header: type, shape, byte count, and position without gap or overlap. */
import { HeedError, quoted } from '../../errors.js';
import { notAModel } from '../sniff.js';
import { headerLength, isSafetensors } from './prefix.js';

/**
 * The header of a safetensors file (https://huggingface.co/docs/safetensors, ‘Format’).  A file consists of eight bytes
 * with the length of the header, the header as JSON, and the tensors without gaps.
 */

/** Largest number of tensors of a file. */
export const MAX_TENSORS = 1 << 16;
/** Largest number of axes of a tensor. */
const MAX_DIMS = 8;

/** Bytes per number, by type. @type {Readonly<Record<string, number>>} */
const TYPE_BYTES = Object.freeze({
  BOOL: 1, U8: 1, I8: 1, F8_E4M3: 1, F8_E5M2: 1, U16: 2, I16: 2, F16: 2, BF16: 2, U32: 4, I32: 4, F32: 4, U64: 8,
  I64: 8, F64: 8,
});

/**
 * @typedef {object} StoredTensor
 * @property {string} name
 * @property {string} type
 * @property {number[]} shape  slowest first
 * @property {number} start    position of the first byte in the file
 * @property {number} bytes
 *
 * @typedef {object} Header
 * @property {StoredTensor[]} tensors  in the order of the file
 * @property {Record<string, string>} metadata
 * @property {string} text
 */

/**
 * Reads the header and consumes it.
 * @param {import('../stream.js').StreamReader} reader  at the first byte of the file
 * @param {string} name
 * @param {number | null} size  size of the file, if it is known
 * @returns {Promise<Header>}
 * @throws {HeedError} 'bad-file', 'truncated', 'too-large'
 */
export async function readHeader(reader, name, size) {
  const prefix = await reader.peek(9);
  if (prefix.byteLength > 0 && prefix.byteLength < 9) {
    throw new HeedError('truncated', `${quoted(name)} ends after ${prefix.byteLength} bytes, before its header.`);
  }
  if (!isSafetensors(prefix)) throw notAModel(prefix, name);
  const length = Number(headerLength(prefix));
  await reader.skip(8);
  const bytes = new Uint8Array(length);
  await reader.readInto(bytes, 'the safetensors header');
  const text = new TextDecoder().decode(bytes);
  const { __metadata__: metadata = {}, ...entries } = parse(text, name);
  if (typeof metadata !== 'object' || metadata === null) {
    throw new HeedError('bad-file', `The metadata of ${quoted(name)} are not a JSON object.`);
  }
  const tensors = Object.entries(entries).map(([key, value]) => storedTensor(key, value, 8 + length, name));
  if (tensors.length > MAX_TENSORS) {
    throw new HeedError('too-large', `${quoted(name)} has ${tensors.length} tensors; the limit is ${MAX_TENSORS}.`);
  }
  tensors.sort((a, b) => a.start - b.start || a.bytes - b.bytes);
  let end = 8 + length;
  for (const tensor of tensors) {
    if (tensor.start !== end) {
      const problem = tensor.start < end ? 'overlaps the one before it' : 'leaves a gap before it';
      throw new HeedError('bad-file', `In ${quoted(name)}, tensor ${quoted(tensor.name)} ${problem}.`);
    }
    end += tensor.bytes;
  }
  if (size !== null && size < end) {
    throw new HeedError('truncated', `${quoted(name)} has ${size} bytes; its tensors need ${end}. Download or copy ` +
      'it again.');
  }
  if (size !== null && size > end) {
    throw new HeedError('bad-file', `${quoted(name)} has ${size - end} bytes after its last tensor, which belong ` +
      'to none.');
  }
  return { tensors, metadata: /** @type {Record<string, string>} */ (metadata), text };
}

/**
 * @param {string} text
 * @param {string} name
 * @returns {Record<string, unknown>}
 */
function parse(text, name) {
  try {
    const header = JSON.parse(text);
    if (typeof header === 'object' && header !== null && !Array.isArray(header)) return header;
  } catch (error) {
    throw new HeedError('bad-file', `The header of ${quoted(name)} is not JSON.`, { cause: error });
  }
  throw new HeedError('bad-file', `The header of ${quoted(name)} is not a JSON object.`);
}

/**
 * @param {string} key
 * @param {any} value
 * @param {number} dataStart
 * @param {string} name
 * @returns {StoredTensor}
 */
function storedTensor(key, value, dataStart, name) {
  const { dtype: type, shape, data_offsets: offsets } = value ?? {};
  const bad = (/** @type {string} */ problem) =>
    new HeedError('bad-file', `In ${quoted(name)}, tensor ${quoted(key)} ${problem}.`);
  if (typeof type !== 'string' || !Object.hasOwn(TYPE_BYTES, type)) throw bad(`has the unknown type ${quoted(type)}`);
  if (!Array.isArray(shape) || shape.length > MAX_DIMS || !shape.every(isSize)) throw bad('has no sensible shape');
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize)) throw bad('has no place in the file');
  const [from, to] = offsets;
  const bytes = shape.reduce((product, n) => product * n, TYPE_BYTES[type]);
  if (to - from !== bytes) throw bad(`has ${to - from} bytes for ${type} of shape [${shape}], which takes ${bytes}`);
  return { name: key, type, shape, start: dataStart + from, bytes };
}

/** @param {unknown} n */
const isSize = (n) => Number.isSafeInteger(n) && /** @type {number} */ (n) >= 0;
