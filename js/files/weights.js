/** The weights of one or several files, as a stream in the order of their bytes. */
import { HeedError, quoted } from '../errors.js';

/** @typedef {import('./stream.js').StreamReader} StreamReader */

/**
 * @typedef {object} TensorEntry
 * @property {string} name       slot by GGUF's name: 'blk.0.attn_q.weight'
 * @property {number} dtype      GGML's number
 * @property {number[]} shape    [outputs, inputs] or [n], slowest axis first
 * @property {number} bytes
 * @property {number} [learned]  number of learned weights, if it is not the number of elements
 * @property {true} [transpose]  stored [inputs][outputs]; `shape` is already [outputs, inputs]
 */

/**
 * @typedef {object} PlacedTensor
 * @property {number} start      bytes from the beginning of the file
 * @property {TensorEntry} entry
 * @property {number} [part]     number of the file, if there are several
 * @property {boolean} [longer]  whether only sessions longer than the model's first context use it, or only shorter
 *   ones
 */

/** One file: its tensors in order, and a function that opens its stream at or before the first of them.
 *  @typedef {{ placed: PlacedTensor[], open: () => Promise<StreamReader> }} Part */

/**
 * Largest size of a file's weights in bytes: 1 TB, so that sizes are exact integers.  The size in memory may differ,
 * and js/model/place.js checks it.
 */
export const WEIGHTS_LIMIT = 2 ** 40;

/**
 * Sorts tensors by position in the file, and checks that none overlap and all lie within the file.
 * @param {PlacedTensor[]} placed
 * @param {{ size: number | null, name: string }} file  size: null if unknown
 * @returns {PlacedTensor[]}
 * @throws {HeedError} 'bad-file', 'truncated', 'too-large'
 */
export function inOrder(placed, { size, name }) {
  const sorted = [...placed].sort((a, b) => a.start - b.start);
  let end = 0;
  let total = 0;
  let previous = '';
  for (const { start, entry } of sorted) {
    if (start < end) {
      throw new HeedError('bad-file', `In ${quoted(name)}, the tensors ${quoted(previous)} and ` +
        `${quoted(entry.name)} overlap.`);
    }
    end = start + entry.bytes;
    total += entry.bytes;
    previous = entry.name;
    if (size !== null && end > size) {
      throw new HeedError('truncated', `Tensor ${quoted(entry.name)} of ${quoted(name)} ends at byte ${end}, but ` +
        `the file has ${size}. Download or copy the file again.`);
    }
  }
  if (total > WEIGHTS_LIMIT) {
    throw new HeedError('too-large', `${quoted(name)} has ${(total / 2 ** 30).toFixed(1)} GB of weights; the ` +
      `limit is ${WEIGHTS_LIMIT / 2 ** 30} GB.`);
  }
  return sorted;
}

/**
 * Iterates over tensors in order, with the stream at the first byte of each.  The consumer reads exactly `entry.bytes`
 * before it requests the next tensor.  So only the current chunk is in memory.
 * @param {Part[]} parts
 * @param {{ onProgress?: import('./model-file.js').OnProgress, longer?: boolean }} options
 * @returns {AsyncGenerator<[TensorEntry, StreamReader], void, void>}
 */
export async function* streamWeights(parts, { onProgress, longer: isLonger = false }) {
  const totalBytes = parts.reduce((sum, { placed }) => sum + endOf(placed), 0);
  let earlierBytes = 0;
  for (const { placed, open } of parts) {
    const reader = await open();
    const partBytes = endOf(placed);
    reader.onBytes = (received) =>
      onProgress?.({ phase: 'weights', loadedBytes: earlierBytes + Math.min(received, partBytes), totalBytes });
    reader.onBytes(reader.received); // bytes that came with the header
    try {
      for (const { start, entry, longer = isLonger } of placed) {
        if (longer !== isLonger) continue;
        const gap = start - reader.position;
        if (gap > 0) await reader.skip(gap, `the gap before tensor ${quoted(entry.name)}`);
        yield [entry, reader];
        if (reader.position !== start + entry.bytes) {
          throw new Error(`${entry.name}: ${reader.position - start} of ${entry.bytes} bytes were read`);
        }
      }
    } finally {
      await reader.close();
    }
    earlierBytes += partBytes;
  }
}

/** The tensors of a model in order.  @param {Part[]} parts */
export const tensorsOf = (parts) =>
  parts.flatMap(({ placed }) => placed.flatMap(({ entry, longer }) => (longer ? [] : entry)));

/**
 * Bytes of a file up to the end of its last tensor.
 * @param {PlacedTensor[]} placed in order
 */
export function endOf(placed) {
  const last = placed.at(-1);
  return last ? last.start + last.entry.bytes : 0;
}
