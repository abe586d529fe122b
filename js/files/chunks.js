/** Reads web streams with little memory: a reused buffer where the stream allows it, freed chunks in Node. */
import { abortable } from '../errors.js';

/** Bytes of the buffer that a stream fills: calls cost little, and it is small relative to any model. */
const BUFFER = 1 << 20;

const IN_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/**
 * A way to read a stream.
 * @typedef {object} Reading
 * @property {() => Promise<Uint8Array | null>} next  a chunk, valid until the next is requested; null at the end
 * @property {() => Promise<void>} cancel
 */

/**
 * The chunks of a web stream.  Some browsers have streams that are not iterable.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {AbortSignal | null | undefined} signal
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* chunksOf(stream, signal) {
  const reading = IN_NODE ? freeing(stream) : (refilling(stream) ?? collected(stream));
  try {
    for (let chunk; (chunk = await abortable(reading.next(), signal)) !== null;) yield chunk;
  } finally {
    reading.cancel().catch(() => {}); // stops the download; no effect after the end
  }
}

/**
 * Reads into one buffer that is reused.  Chunks that Chromium allocates stay until its garbage collector runs.  If
 * `transfer` detaches them, their memory stays even longer, because it is no longer counted.  A load would then need
 * twice the memory of its model.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {Reading | null} null if the stream does not accept buffers, as in some service workers
 */
function refilling(stream) {
  /** @type {ReadableStreamBYOBReader} */
  let reader;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    return null;
  }
  let buffer = new ArrayBuffer(BUFFER);
  return {
    async next() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) return null;
      buffer = /** @type {ArrayBuffer} */ (value.buffer);
      return value;
    },
    cancel: () => reader.cancel(),
  };
}

/**
 * Reads chunks and frees each when the next is requested, because tens of megabytes accumulate before the garbage
 * collector runs.  Node 20 has no `transfer`, so there the collector frees them.  A reused buffer would not help in
 * Node, because its fetch allocates chunks anyway and copies them.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {Reading}
 */
function freeing(stream) {
  const reader = stream.getReader();
  /** @type {Uint8Array | undefined} */
  let last;
  return {
    async next() {
      if (last && last.byteLength === last.buffer.byteLength) /** @type {any} */ (last.buffer).transfer?.(0);
      last = (await reader.read()).value;
      return last ?? null;
    },
    cancel: () => reader.cancel(),
  };
}

/** Reads chunks and leaves them to the garbage collector.
 *  @param {ReadableStream<Uint8Array>} stream @returns {Reading} */
function collected(stream) {
  const reader = stream.getReader();
  return { next: async () => (await reader.read()).value ?? null, cancel: () => reader.cancel() };
}
