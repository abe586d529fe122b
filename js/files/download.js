/**
 * Downloads over HTTP that survive broken connections.  A download that breaks or stalls resumes where it stopped, with
 * a range request (RFC 9110, section 14).  The earlier bytes are already in use, so the rest must belong to the same
 * file. The ETag or Last-Modified of the server proves that; without either, a broken connection is an error.
 */
import { HeedError, abortable, quoted, throwIfAborted, unavailable } from '../errors.js';
import { chunksOf } from './chunks.js';

/** Time without data after which a connection counts as broken, in milliseconds. */
export const STALL_MS = 30_000;
/** Largest number of failed connections in a row. */
const ATTEMPTS = 5;
/** Number of bytes after which the count of failures restarts. */
const PROGRESS = 1 << 20;
/** Wait before the second connection, in milliseconds; it doubles up to the longest wait. */
const WAIT_MS = 500, LONGEST_WAIT_MS = 8_000;
/** Longest time that timers support. */
const LONGEST_MS = 2 ** 31 - 1;
/** Status codes of a server that may send the file later. */
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * @typedef {object} DownloadOptions
 * @property {number} [stallMs]  time without data after which a connection counts as broken; default STALL_MS
 * @property {number} [waitMs]   wait before the second connection; default WAIT_MS
 * @property {Record<string, string>} [headers]  headers of every request
 * @property {{ received: number, identity: Identity }} [begun]  an earlier download, which this one continues
 */
/** Headers that identify a file.
 *  @typedef {{ etag: string | null, modified: string | null, size: number | null }} Identity */

/** The cause of an error after which the whole file can be downloaded again. */
export const CHANGED = 'changed';

/** A failure after which another connection may succeed. */
class Broken extends Error {}

/** One download over one or more connections. */
export class Download {
  #address;
  #name;
  #signal;
  #stallMs;
  #waitMs;
  #headers;
  #onSize;
  #received = 0;
  #failures = 0;
  /** The identity of the file whose bytes the reader has.
   *  @type {Identity} */
  #identity = { etag: null, modified: null, size: null };

  /**
   * @param {string} address
   * @param {string} name  name of the file, for messages
   * @param {AbortSignal | null | undefined} signal
   * @param {DownloadOptions} options
   * @param {(size: number | null, response: Response) => void} onSize  receives the size of the file in bytes, null:
   *   unknown, and the first answer
   */
  constructor(address, name, signal, { stallMs = STALL_MS, waitMs = WAIT_MS, headers, begun }, onSize) {
    this.#address = address;
    this.#name = name;
    this.#signal = signal;
    this.#stallMs = stallMs;
    this.#waitMs = waitMs;
    this.#headers = headers;
    if (begun) ({ received: this.#received, identity: this.#identity } = begun);
    this.#onSize = onSize;
  }

  /**
   * @returns {AsyncGenerator<Uint8Array, void, void>} chunks, each valid until the next is requested
   * @throws {HeedError} 'unavailable', 'aborted'
   */
  async *chunks() {
    for (;;) {
      throwIfAborted(this.#signal);
      const before = this.#received;
      const connection = new Connection(this.#signal, this.#stallMs);
      /** @type {unknown} */
      let failure;
      try {
        const response = await this.#open(connection);
        if (response) yield* this.#bodyOf(response, connection);
        return;
      } catch (error) {
        throwIfAborted(this.#signal);
        failure = connection.stalled ? new Broken(`no data for ${this.#stallMs} ms`) : error;
        if (failure instanceof HeedError) throw failure;
      } finally {
        connection.close();
      }
      if (this.#received - before >= PROGRESS) this.#failures = 0;
      if (++this.#failures >= ATTEMPTS || !this.#canResume(failure)) throw this.#brokenBy(failure);
      await sleep(Math.min(LONGEST_WAIT_MS, this.#waitMs * 2 ** (this.#failures - 1)), this.#signal);
    }
  }

  /** @param {unknown} failure */
  #canResume(failure) {
    if (this.#received === 0) return failure instanceof Broken; // without an answer, the address may be wrong
    return this.#identity.etag !== null || this.#identity.modified !== null;
  }

  /**
   * @param {Connection} connection
   * @returns {Promise<Response | null>} the rest of the file; null if the download is complete
   */
  async #open(connection) {
    const begins = this.#received === 0;
    const headers = { ...this.#headers, ...(!begins && this.#rangeHeaders()) };
    const fetched = fetch(this.#address, { signal: connection.signal, headers });
    const response = await abortable(fetched, connection.signal);
    if (LATER.has(response.status)) throw new Broken(answerOf(response, this.#address));
    if (!begins && response.status === 416) {
      if (totalOf(response) === this.#received) return null; // the connection broke after the last byte
      throw this.#changed();
    }
    await this.#accept(response);
    if (begins) {
      this.#identity = identityOf(response);
      this.#onSize(this.#identity.size, response);
    } else {
      this.#sameFile(response, 'if-range' in headers);
    }
    return response;
  }

  /** Headers that request the rest.  Other origins may forbid If-Range; there only the response is compared. */
  #rangeHeaders() {
    const range = { range: `bytes=${this.#received}-` };
    const { etag, modified } = this.#identity;
    const isElsewhere = typeof location === 'object' && new URL(this.#address).origin !== location.origin;
    return isElsewhere ? range : { ...range, 'if-range': /** @type {string} */ (etag ?? modified) };
  }

  /** @param {Response} response @throws {HeedError} 'unavailable' for an answer that is not the file */
  async #accept(response) {
    const problem = !response.ok
      ? answerOf(response, this.#address)
      : /^text\/html\b/i.test(response.headers.get('content-type') ?? '')
        ? `${hostOf(this.#address)} answered with a web page`
        : null;
    if (problem === null) return;
    await response.body?.cancel().catch(() => {});
    if (response.status === 401 || response.status === 403) {
      throw new HeedError('unavailable', `${quoted(this.#name)} is private, gated or missing: ${problem}. Check the ` +
        'names, give load() a token, or download the file yourself and load it.');
    }
    throw new HeedError('unavailable', `${quoted(this.#name)} could not be downloaded: ${problem}. Check the ` +
      'address; on a model hub use the download link, not the page about the file.');
  }

  /**
   * @param {Response} response
   * @param {boolean} conditional  whether the request had If-Range
   * @throws {HeedError} 'unavailable' for another file or another range
   */
  #sameFile(response, conditional) {
    const isPart = response.status === 206;
    const first = this.#identity;
    const { etag, modified, size: whole } = identityOf(response);
    const size = isPart ? totalOf(response) : whole;
    const differ = (/** @type {any} */ a, /** @type {any} */ b) => a !== null && b !== null && a !== b;
    const proven = (etag !== null && etag === first.etag) || (modified !== null && modified === first.modified);
    if (differ(etag, first.etag) || differ(modified, first.modified) || differ(size, first.size) ||
      (!proven && !(conditional && isPart))) throw this.#changed();
    const range = response.headers.get('content-range');
    if (!isPart || (range === null && response.type === 'cors')) return; // the range is hidden from other origins
    const [, from] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/i.exec(range ?? '') ?? [];
    if (Number(from) === this.#received) return;
    throw new HeedError('unavailable', `Expected ${quoted(this.#name)} from byte ${this.#received} on, but ` +
      `${hostOf(this.#address)} sent the range ${quoted(range)}. Download the whole file and load it from there.`);
  }

  /**
   * @param {Response} response
   * @param {Connection} connection
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   */
  async *#bodyOf(response, connection) {
    const { size } = this.#identity;
    // A server without range requests sends the whole file again.
    let known = response.status === 206 ? 0 : this.#received;
    connection.listen();
    if (response.body) {
      for await (const chunk of chunksOf(response.body, connection.signal)) {
        connection.pause(); // do not count the reader's time
        const fresh = chunk.subarray(Math.min(known, chunk.byteLength));
        known -= chunk.byteLength - fresh.byteLength;
        this.#received += fresh.byteLength;
        if (size !== null && this.#received > size) throw this.#tooLong(size);
        if (fresh.byteLength > 0) yield fresh;
        connection.listen();
      }
    }
    if (known > 0 || (size !== null && this.#received < size)) throw new Broken('the response ended too early');
  }

  #changed() {
    return new HeedError('unavailable', `${quoted(this.#name)} cannot be completed: the connection broke after ` +
      `${this.#received} bytes, and ${hostOf(this.#address)} now has another file there. Load it again.`,
    { cause: CHANGED });
  }

  /** @param {number} size */
  #tooLong(size) {
    return new HeedError('unavailable', `${hostOf(this.#address)} sends more than the announced ${size} bytes of ` +
      `${quoted(this.#name)}. Load it again.`);
  }

  /** @param {unknown} failure */
  #brokenBy(failure) {
    const host = hostOf(this.#address);
    const name = quoted(this.#name);
    if (this.#received > 0) {
      return unavailable(failure, null, `The connection to ${host} broke after ${this.#received} bytes of ${name}`,
        'Try again.');
    }
    if (failure instanceof Broken) return unavailable(failure, null, `${host} does not send ${name}`, 'Try later.');
    const { cause } = /** @type {any} */ (failure); // in Node, why ‘fetch failed’
    return unavailable(cause?.message ? cause : failure, null, `${name} could not be fetched from ${host}`,
      'Check the address, the network and, in a page, the server’s headers for CORS.');
  }
}

/** The abort signal of one request: it fires with the caller's signal, or after a time without data. */
class Connection {
  /** Whether the connection sent no data for too long. */
  stalled = false;
  #controller = new AbortController();
  #outer;
  #stallMs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #stop = () => this.#controller.abort();

  /** @param {AbortSignal | null | undefined} outer @param {number} stallMs */
  constructor(outer, stallMs) {
    this.#outer = outer;
    this.#stallMs = Math.min(stallMs, LONGEST_MS);
    outer?.addEventListener('abort', this.#stop, { once: true });
    this.listen();
  }

  get signal() {
    return this.#controller.signal;
  }

  /** Restarts the time limit. */
  listen() {
    this.pause();
    this.#timer = setTimeout(() => {
      this.stalled = true;
      this.#stop();
    }, this.#stallMs);
  }

  /** Suspends the time limit. */
  pause() {
    clearTimeout(this.#timer);
  }

  close() {
    this.pause();
    this.#outer?.removeEventListener('abort', this.#stop);
    this.#stop();
  }
}

/** @param {number} ms @param {AbortSignal | null | undefined} signal  ends the wait early */
async function sleep(ms, signal) {
  /** @type {() => void} */
  let wake = () => {};
  const woken = new Promise((resolve) => (wake = () => resolve(undefined)));
  const timer = setTimeout(wake, ms);
  signal?.addEventListener('abort', wake, { once: true });
  await woken;
  clearTimeout(timer);
  signal?.removeEventListener('abort', wake);
}

/**
 * The identity of a file.  Content-Length does not count the bytes of a compressed body, and other origins do not say
 * whether a body is compressed.  Weak ETags are ignored, because they allow different bytes.
 * @param {Response} response
 * @returns {Identity}
 */
export function identityOf({ headers, type }) {
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  const length = Number(headers.get('content-length') ?? NaN);
  const etag = headers.get('etag');
  return {
    etag: isPlain && etag !== null && !etag.startsWith('W/') ? etag : null,
    modified: headers.get('last-modified'),
    size: isPlain && type !== 'cors' && Number.isSafeInteger(length) && length >= 0 ? length : null,
  };
}

/** The size of the file, from Content-Range. @param {Response} response */
function totalOf({ headers }) {
  const [, total] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  return total === undefined ? null : Number(total);
}

/** @param {Response} response @param {string} address */
const answerOf = ({ status, statusText }, address) => `${hostOf(address)} answered ${status} ${statusText}`.trim();

/** @param {string} address */
function hostOf(address) {
  return URL.canParse?.(address) ? new URL(address).host || 'this address' : 'this address';
}
