/** Weights whose numbers in a file are in another order, or without a constant.  They are changed one at a time. */
import { bucketOf } from '../families/parts.js';
import { floatFromHalf } from '../half.js';
import { openSource } from '../source.js';
import { StreamReader } from '../stream.js';

/** @typedef {import('../weights.js').TensorEntry} TensorEntry */
/** @typedef {TensorEntry & { change?: (bytes: Uint8Array) => Uint8Array, becomes?: Partial<TensorEntry> }} Changed
 *  becomes: what the change makes of the entry */

/** For each head of the engine, the number of the same head in the file.  The engine stores all queries, then all keys,
 *  then all values.  The file stores the queries, the key and the value of a key/value head together.
 *  @param {import('../config.js').Config} config */
function groupsOfHeads({ heads, kv_heads }) {
  const group = heads / kv_heads;
  return [
    ...Array.from({ length: heads }, (_, head) => Math.floor(head / group) * (group + 2) + head % group),
    ...Array.from({ length: kv_heads }, (_, head) => head * (group + 2) + group),
    ...Array.from({ length: kv_heads }, (_, head) => head * (group + 2) + group + 1),
  ];
}

/**
 * Queries, keys and values that are stored by key/value head.
 * @param {TensorEntry} entry  a matrix, or the vector of biases
 * @param {import('../config.js').Config} config
 * @returns {Changed}
 */
export function ungrouped(entry, config) {
  const order = groupsOfHeads(config);
  const change = (/** @type {Uint8Array} */ bytes) => {
    const one = bytes.length / order.length; // bytes of a head
    const to = new Uint8Array(bytes.length);
    order.forEach((from, at) => to.set(bytes.subarray(from * one, (from + 1) * one), at * one));
    return to;
  };
  const fits = entry.shape[0] === order.length * config.d_head;
  return fits ? { ...entry, change } : entry; // the engine refuses another shape
}

/** The inverse of `ungrouped`.
 *  @param {Float32Array} numbers @param {import('../config.js').Config} config @returns {Float32Array} */
export function regrouped(numbers, config) {
  const order = groupsOfHeads(config);
  const one = numbers.length / order.length;
  const to = new Float32Array(numbers.length);
  order.forEach((at, from) => to.set(numbers.subarray(from * one, (from + 1) * one), at * one));
  return to;
}

/** The weight of a norm that is stored without the 1 that is added to it.  @param {TensorEntry} entry
 *  @returns {Changed} */
export function withOne(entry) {
  const { dtype, shape } = entry;
  const change = (/** @type {Uint8Array} */ stored) => {
    const numbers = asFloats(stored, dtype);
    return new Uint8Array(numbers.map((x) => 1 + x).buffer);
  };
  return { ...entry, change, becomes: { dtype: 0, bytes: 4 * shape.reduce((product, n) => product * n, 1) } };
}

/**
 * Relative biases of T5: the file has one of each bucket and head, the engine one of each head and distance.
 * @param {TensorEntry} entry  [buckets][heads]
 * @param {import('../config.js').Config} config
 * @param {number} buckets
 * @returns {Changed}
 */
export function spread(entry, { heads, relative_reach: reach = 0 }, buckets) {
  const { name, dtype, shape } = entry;
  const isFloat = [0, 1, 30].includes(dtype);
  if (!isFloat || shape[0] !== buckets || shape[1] !== heads) return entry; // the engine refuses it by its shape
  const each = 2 * reach + 1;
  const change = (/** @type {Uint8Array} */ stored) => {
    const biases = asFloats(stored, dtype);
    const bucket = bucketOf(buckets, reach, name.startsWith('enc.'));
    const found = Array.from({ length: each }, (_, i) => bucket(i - reach));
    const numbers = new Float32Array(heads * each);
    for (let i = 0; i < numbers.length; i++) numbers[i] = biases[found[i % each] * heads + Math.floor(i / each)];
    return new Uint8Array(numbers.buffer);
  };
  const size = heads * each;
  return { ...entry, change, becomes: { dtype: 0, shape: [size], bytes: 4 * size, learned: buckets * heads } };
}

/** A copy as numbers. @param {Uint8Array} bytes @param {number} dtype  GGML's number of F32, F16 or BF16 */
export function asFloats(bytes, dtype) {
  const aligned = bytes.slice().buffer;
  if (dtype === 0) return new Float32Array(aligned);
  const halves = new Uint16Array(aligned);
  if (dtype !== 1) return new Float32Array(new Uint32Array(halves).map((bits) => bits << 16).buffer);
  return new Float32Array(halves).map(floatFromHalf);
}

/** The entry after its change.  @param {Changed} entry @returns {TensorEntry} */
export const afterChange = ({ change: _, becomes, ...entry }) => ({ ...entry, ...becomes });

/**
 * Changes the tensors of a stream that need it.
 * @param {AsyncGenerator<[Changed, StreamReader], void, void>} tensors
 * @returns {AsyncGenerator<[TensorEntry, StreamReader], void, void>}
 */
export async function* changed(tensors) {
  for await (const [entry, reader] of tensors) {
    const { change } = entry;
    if (!change) {
      yield [entry, reader];
      continue;
    }
    const bytes = new Uint8Array(entry.bytes);
    await reader.readInto(bytes, `tensor ${entry.name}`);
    yield [afterChange(entry), new StreamReader(openSource(change(bytes)).stream(), { name: entry.name })];
  }
}
