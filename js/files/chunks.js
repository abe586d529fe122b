import { abortable } from '../errors.js';

/** Bytes of the buffer that a stream fills: large enough that calls do not cost, small beside any model. */
const BUFFER = 1 << 20;

const IN_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/**
 * One way to read a stream.
 * @typedef {object} Reading
 * @property {() => Promise<Uint8Array | null>} next  a chunk, valid until the next is asked for; null at the end
 * @property {() => Promise<void>} cancel
 */

/**
 * The chunks of a web stream.  Written out because not every browser iterates streams yet.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {AbortSignal | null | undefined} signal
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* chunksOf(stream, signal) {
  const reading = IN_NODE ? freeing(stream) : (refilling(stream) ?? collected(stream));
  try {
    for (let chunk; (chunk = await abortable(reading.next(), signal)) !== null;) yield chunk;
  } finally {
    reading.cancel().catch(() => {}); // no-op after the end; otherwise stops the download
  }
}

/**
 * Into one buffer of ours, again and again.  Chunks that Chromium makes stay until its collector runs, and longer if
 * their memory was given back (`transfer`): what is behind them is then not freed, only no longer counted, and a load
 * takes twice the memory of its model.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {Reading | null} null where the stream takes no buffers, as that of a service worker may
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
 * Chunks as they come, each freed when the next is asked for: left to the collector, they come to tens of megabytes
 * before it runs.  Node 20, which has no `transfer`, leaves them to it.  Node's fetch makes them even where it is given
 * a buffer to fill, and then copies them, too.
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

/** Chunks as they come, left to the collector.
 *  @param {ReadableStream<Uint8Array>} stream @returns {Reading} */
function collected(stream) {
  const reader = stream.getReader();
  return { next: async () => (await reader.read()).value ?? null, cancel: () => reader.cancel() };
}
