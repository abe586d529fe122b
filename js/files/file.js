/** The reader of paths in Node for source.js; it can write directly into WebAssembly memory. */
import { HeedError, quoted, throwIfAborted, unavailable } from '../errors.js';
import { nodeModule } from '../node.js';
import { Pacer } from '../pause.js';

/** Bytes of a chunk: calls cost little, and it is small relative to any model. */
const CHUNK = 1 << 20;

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */

/**
 * The bytes of a file in Node, in order: as chunks in one reused buffer, or written to a given place.  Files are read
 * synchronously, because a read in another thread takes longer than the read itself.  Pipes are read asynchronously,
 * because they may stay empty.
 * @implements {AsyncIterableIterator<Uint8Array>}
 */
export class FileBytes {
  #path;
  #signal;
  #onSize;
  #pacer = new Pacer(); // lets aborts take effect
  /** @type {Uint8Array | null} */ #buffer = null;
  /** @type {FileHandle | null} */ #file = null;
  /** @type {typeof import('node:fs').readSync | null} */ #readSync = null; // null for pipes
  #closed = false;

  /**
   * Opens the file when the first byte is requested.
   * @param {string | URL} path
   * @param {AbortSignal | null | undefined} signal
   * @param {(size: number) => void} onSize  receives the size of the open file; not called for a pipe
   */
  constructor(path, signal, onSize) {
    this.#path = path;
    this.#signal = signal;
    this.#onSize = onSize;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** A chunk, valid until the next call.
   *  @returns {Promise<IteratorResult<Uint8Array, undefined>>} */
  async next() {
    this.#buffer ??= new Uint8Array(CHUNK);
    const n = await this.fill(this.#buffer);
    return n === 0 ? { done: true, value: undefined } : { done: false, value: this.#buffer.subarray(0, n) };
  }

  /**
   * Writes the next bytes to `into`.
   * @param {Uint8Array} into
   * @returns {number | Promise<number>} how many; 0 at the end
   * @throws {HeedError} 'unavailable', 'bad-source', 'aborted'
   */
  fill(into) {
    if (!this.#file || !this.#readSync || this.#pacer.isDue) return this.#fillLater(into);
    try {
      throwIfAborted(this.#signal);
      return this.#readSync(this.#file.fd, into, 0, into.byteLength, null) || this.#end();
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** @param {Uint8Array} into */
  async #fillLater(into) {
    if (this.#closed) return 0;
    try {
      await this.#pacer.pause();
      throwIfAborted(this.#signal);
      const file = (this.#file ??= await this.#open());
      const bytesRead = this.#readSync
        ? this.#readSync(file.fd, into, 0, into.byteLength, null)
        : (await file.read(into, 0, into.byteLength, null)).bytesRead;
      return bytesRead || this.#end();
    } catch (error) {
      return this.#fail(error);
    }
  }

  async #open() {
    /** @type {typeof import('node:fs')} */
    const { promises, readSync } = await nodeModule('node:fs');
    const file = await promises.open(this.#path);
    this.#file = file; // so that it is closed in any case
    const status = await file.stat();
    if (status.isDirectory()) {
      throw new HeedError('bad-source', `${quoted(this.#path)} is a directory. Give a file: a .gguf, or the ` +
        '.safetensors together with config.json and tokenizer.json.');
    }
    if (status.isFile()) {
      this.#onSize(status.size);
      this.#readSync = readSync;
    }
    return file;
  }

  async #end() {
    await this.return();
    return 0;
  }

  /** @param {unknown} error @returns {Promise<never>} */
  async #fail(error) {
    await this.return();
    throw unavailable(error, this.#signal, `${quoted(this.#path, 200)} could not be read`, 'Check the path.');
  }

  /** Closes the file.
   *  @returns {Promise<{ done: true, value: undefined }>} */
  async return() {
    const file = this.#file;
    this.#closed = true;
    this.#file = null;
    await file?.close();
    return { done: true, value: undefined };
  }
}
