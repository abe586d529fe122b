/** The reader between byte sources and file formats: it peeks at headers, and copies weights to their places. */
import { HeedError, quoted, throwIfAborted } from '../errors.js';

/** Bytes to read ahead when fewer are wanted from a source that can fill buffers. */
const AHEAD = 1 << 14;

const NOTHING = new Uint8Array(0);

/** Writes the next bytes to `into` and returns their number, 0 at the end.
 *  @typedef {(into: Uint8Array) => number | Promise<number>} Fill */

/** Applies f to a number, now or when its promise resolves.
 *  @param {number | Promise<number>} number @param {(number: number) => number} f */
const onceKnown = (number, f) => (typeof number === 'number' ? f(number) : number.then(f));

/**
 * Reads a sequence of chunks as a file, forwards only.
 *
 * A format first uses `peek` to parse its header, and then `readInto` to copy the weights to their places.  Each chunk
 * is copied once; a source with `fill` writes to the place itself.  A chunk is valid until the next one is requested,
 * so sources may reuse their buffers.
 */
export class StreamReader {
  /** Number of bytes consumed so far. */
  position = 0;
  /** Number of bytes received so far, consumed or held. */
  received = 0;
  /** Listener of progress, called with `received`. @type {((received: number) => void) | undefined} */
  onBytes;
  /** @type {AsyncIterator<Uint8Array> & { fill?: Fill }} */ #chunks;
  /** @type {Uint8Array} */ #held = NOTHING; // bytes that arrived and were not consumed
  /** @type {Uint8Array | null} */ #ahead = null;
  #owned = false; // whether #held is a buffer of this class, not a chunk of the source
  #ended = false;
  #name;
  #signal;

  /**
   * @param {AsyncIterable<Uint8Array>} chunks
   * @param {{ name?: string, signal?: AbortSignal | null }} [options]
   */
  constructor(chunks, { name = 'the file', signal = null } = {}) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#name = name;
    this.#signal = signal;
  }

  /** The next chunk, or null at the end. */
  async #next() {
    throwIfAborted(this.#signal);
    while (!this.#ended) {
      const { done, value } = await this.#chunks.next();
      throwIfAborted(this.#signal);
      if (done) this.#ended = true;
      else if (value.byteLength > 0) return this.#arrived(value.byteLength), value;
    }
    return null;
  }

  /** Lets the source write the next bytes to `into`.
   *  @param {Uint8Array} into @returns {number | Promise<number>} their number; 0 at the end */
  #fill(into) {
    if (this.#ended || !this.#chunks.fill) return 0;
    return onceKnown(this.#chunks.fill(into), (n) => {
      if (n === 0) this.#ended = true;
      else this.#arrived(n);
      return n;
    });
  }

  /** Reads ahead into a small buffer, for small reads.
   *  @returns {number | Promise<number>} number of bytes; 0 at the end */
  #fillAhead() {
    const ahead = (this.#ahead ??= new Uint8Array(AHEAD));
    return onceKnown(this.#fill(ahead), (n) => {
      this.#held = ahead.subarray(0, n);
      this.#owned = false;
      return n;
    });
  }

  /** @param {number} bytes */
  #arrived(bytes) {
    this.received += bytes;
    this.onBytes?.(this.received);
  }

  /**
   * The next n bytes without consuming them; fewer only at the end of the stream.  The view is valid until the next
   * call of this reader.  The bytes are held in memory, so check n against a limit first.
   * @param {number} n
   * @returns {Promise<Uint8Array>} n bytes or more
   */
  async peek(n) {
    while (this.#held.byteLength < n) {
      if (this.#held.byteLength > 0 && !this.#owned) this.#own(n);
      const chunk = await this.#next();
      if (!chunk) break;
      this.#append(chunk, n);
    }
    return this.#held;
  }

  /** @param {number} capacity */
  #own(capacity) {
    const buffer = new Uint8Array(Math.max(capacity, this.#held.byteLength));
    buffer.set(this.#held);
    this.#held = buffer.subarray(0, this.#held.byteLength);
    this.#owned = true;
  }

  /**
   * @param {Uint8Array} chunk
   * @param {number} wanted
   */
  #append(chunk, wanted) {
    const used = this.#held.byteLength;
    if (used === 0) {
      this.#held = chunk;
      this.#owned = false;
      return;
    }
    const length = used + chunk.byteLength;
    const room = this.#held.buffer.byteLength - this.#held.byteOffset;
    if (length > room) this.#own(Math.max(length, wanted, 2 * used));
    this.#held = new Uint8Array(this.#held.buffer, this.#held.byteOffset, length);
    this.#held.set(chunk, used);
  }

  /** @param {number} n  number of bytes of #held */
  #consume(n) {
    this.#held = this.#held.subarray(n);
    this.position += n;
  }

  /**
   * Fills `target` with the next bytes.
   * @param {Uint8Array} target
   * @param {string} [what]  name of the data, for messages
   * @returns {Promise<void> | undefined} undefined if the bytes were read synchronously
   * @throws {HeedError} 'truncated' if the stream ends too early, as a rejection
   */
  readInto(target, what = 'data') {
    for (let rest = target; rest.byteLength > 0; ) {
      const n = this.#signal?.aborted ? 0 : this.#some(rest);
      if (typeof n !== 'number' || n === 0) return this.#readLater(rest, n, what);
      rest = rest.subarray(n);
    }
    return undefined;
  }

  /**
   * @param {Uint8Array} rest
   * @param {number | Promise<number>} first  number of bytes that are being filled
   * @param {string} what
   */
  async #readLater(rest, first, what) {
    for (let n = await first, left = rest; ; n = await this.#some(left)) {
      throwIfAborted(this.#signal);
      if (n === 0) throw this.#truncated(left.byteLength, what);
      left = left.subarray(n);
      if (left.byteLength === 0) return;
    }
  }

  /** Writes held bytes to `into`, or the next bytes of the source.
   *  @param {Uint8Array} into @returns {number | Promise<number>} their number; 0 at the end */
  #some(into) {
    if (this.#held.byteLength > 0) return this.#give(into);
    if (!this.#chunks.fill) return this.#hold(into.byteLength).then(() => this.#give(into));
    if (into.byteLength < AHEAD) return onceKnown(this.#fillAhead(), () => this.#give(into));
    return onceKnown(this.#fill(into), (n) => ((this.position += n), n));
  }

  /** Copies held bytes to `into`.
   *  @param {Uint8Array} into @returns {number} their number */
  #give(into) {
    const part = this.#held.byteLength > into.byteLength ? this.#held.subarray(0, into.byteLength) : this.#held;
    into.set(part);
    this.#consume(part.byteLength);
    return part.byteLength;
  }

  /**
   * Skips the next n bytes.
   * @param {number} n
   * @param {string} [what]
   * @throws {HeedError} 'truncated' if the stream ends too early
   */
  async skip(n, what = 'data') {
    for (let left = n; left > 0; ) {
      throwIfAborted(this.#signal);
      if (this.#held.byteLength === 0) await this.#hold(left);
      if (this.#held.byteLength === 0) throw this.#truncated(left, what);
      const part = Math.min(left, this.#held.byteLength);
      this.#consume(part);
      left -= part;
    }
  }

  /** Holds the next bytes; none at the end of the stream.
   *  @param {number} wanted */
  async #hold(wanted) {
    if (wanted < AHEAD && this.#chunks.fill) {
      await this.#fillAhead();
    } else {
      this.#held = (await this.#next()) ?? NOTHING;
      this.#owned = false;
    }
  }

  /**
   * @param {number} missing
   * @param {string} what
   */
  #truncated(missing, what) {
    return new HeedError('truncated', `${this.#name} ends after ${this.received} bytes, in the middle of ${what}: ` +
      `${missing} bytes are missing. Download or copy the file again.`);
  }

  /** Closes the source: its file, or its download. */
  async close() {
    this.#ended = true;
    this.#held = NOTHING;
    await this.#chunks.return?.();
  }
}

/**
 * All bytes of a source.
 * @param {import('./source.js').ByteSource} source
 * @param {number} limit  largest number of bytes
 * @param {string} what  name of the content, for the error message
 * @param {AbortSignal | null} [signal]
 * @returns {Promise<Uint8Array>}
 * @throws {HeedError} 'too-large', 'aborted', and the errors of the source
 */
export async function readAll(source, limit, what, signal) {
  const reader = new StreamReader(source.stream(signal), { name: source.name, signal });
  try {
    const bytes = await reader.peek(limit + 1);
    if (bytes.byteLength > limit) {
      throw new HeedError('too-large', `${quoted(source.name)} has more than ${limit} bytes, the limit of ${what}.`);
    }
    return bytes.slice();
  } finally {
    await reader.close();
  }
}
