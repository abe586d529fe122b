/**
 * A file over HTTP that survives broken connections: a download that is cut or stalls goes on where it stopped, by a
 * range request (RFC 9110, section 14).  Bytes that were handed on cannot be taken back, so the rest must belong to the
 * same file.  The server's ETag or Last-Modified proves that; without either, a cut is an error.
 */
import { HeedError, abortable, quoted, throwIfAborted, unavailable } from '../errors.js';
import { chunksOf } from './chunks.js';

/** How long a server may send nothing before the connection counts as broken. */
export const STALL_MS = 30_000;
/** Connections that may fail in a row. */
const ATTEMPTS = 5;
/** Bytes that a connection must bring before the count of failures starts again. */
const PROGRESS = 1 << 20;
/** Wait before the second connection; it doubles each time, up to the longest. */
const WAIT_MS = 500, LONGEST_WAIT_MS = 8_000;
/** The longest time that timers can take. */
const LONGEST_MS = 2 ** 31 - 1;
/** Answers of a server that may give the file later. */
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * @typedef {object} DownloadOptions
 * @property {number} [stallMs]  default STALL_MS
 * @property {number} [waitMs]   before the second connection; default WAIT_MS
 */
/** What a server says about a file, by which it is recognised.
 *  @typedef {{ etag: string | null, modified: string | null, size: number | null }} Identity */

/** A failure that another connection may avoid. */
class Broken extends Error {}

/** One download, over as many connections as it takes. */
export class Download {
  #address;
  #name;
  #signal;
  #stallMs;
  #waitMs;
  #onSize;
  #received = 0;
  #failures = 0;
  /** Of the file whose bytes were handed on.
   *  @type {Identity} */
  #identity = { etag: null, modified: null, size: null };

  /**
   * @param {string} address
   * @param {string} name  of the file, for sentences
   * @param {AbortSignal | null | undefined} signal
   * @param {DownloadOptions} options
   * @param {(size: number | null) => void} onSize  is called with the size of the file in bytes; null: not known
   */
  constructor(address, name, signal, { stallMs = STALL_MS, waitMs = WAIT_MS }, onSize) {
    this.#address = address;
    this.#name = name;
    this.#signal = signal;
    this.#stallMs = stallMs;
    this.#waitMs = waitMs;
    this.#onSize = onSize;
  }

  /**
   * @returns {AsyncGenerator<Uint8Array, void, void>} chunks, each valid until the next is asked for
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
        failure = connection.stalled ? new Broken(`nothing came for ${this.#stallMs} ms`) : error;
        if (failure instanceof HeedError) throw failure;
      } finally {
        connection.close();
      }
      if (this.#received - before >= PROGRESS) this.#failures = 0;
      if (++this.#failures >= ATTEMPTS || !this.#canGoOn(failure)) throw this.#brokenBy(failure);
      await sleep(Math.min(LONGEST_WAIT_MS, this.#waitMs * 2 ** (this.#failures - 1)), this.#signal);
    }
  }

  /** @param {unknown} failure */
  #canGoOn(failure) {
    if (this.#received === 0) return failure instanceof Broken; // an address that does not answer may be wrong
    return this.#identity.etag !== null || this.#identity.modified !== null;
  }

  /**
   * @param {Connection} connection
   * @returns {Promise<Response | null>} what goes on where the download stopped; null where nothing is left
   */
  async #open(connection) {
    const begins = this.#received === 0;
    const headers = begins ? undefined : this.#rangeHeaders();
    const fetched = fetch(this.#address, { signal: connection.signal, ...(headers && { headers }) });
    const response = await abortable(fetched, connection.signal);
    if (LATER.has(response.status)) throw new Broken(answerOf(response, this.#address));
    if (!begins && response.status === 416) {
      if (totalOf(response) === this.#received) return null; // the connection broke after the last byte
      throw this.#changed();
    }
    await this.#accept(response);
    if (begins) {
      this.#identity = identityOf(response);
      this.#onSize(this.#identity.size);
    } else {
      this.#sameFile(response, headers !== undefined && 'if-range' in headers);
    }
    return response;
  }

  /** Asks for the rest.  Another origin need not allow If-Range, so there the answer alone is compared. */
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
      throw new HeedError('unavailable', `${quoted(this.#name)} is not for everybody, or not there: ${problem}. ` +
        'heed logs in nowhere: check the names; where a model is private or gated, download it yourself and load the ' +
        'file.');
    }
    throw new HeedError('unavailable', `${quoted(this.#name)} is not there: ${problem} instead of the file. ` +
      'Check the address; on a model hub take the download link, not the page that shows the file.');
  }

  /**
   * @param {Response} response
   * @param {boolean} conditional  whether the server was told to send a part only if the file is the same
   * @throws {HeedError} 'unavailable' for another file, or another part
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
    if (!isPart || (range === null && response.type === 'cors')) return; // another origin hides the range
    const [, from] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/i.exec(range ?? '') ?? [];
    if (Number(from) === this.#received) return;
    throw new HeedError('unavailable', `${hostOf(this.#address)} was asked for ${quoted(this.#name)} from byte ` +
      `${this.#received} on, and answered with the part ${quoted(range)}. Download the file whole and load it from ` +
      'there.');
  }

  /**
   * @param {Response} response
   * @param {Connection} connection
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   */
  async *#bodyOf(response, connection) {
    const { size } = this.#identity;
    // A server without ranges sends the whole file again.
    let known = response.status === 206 ? 0 : this.#received;
    connection.listen();
    if (response.body) {
      for await (const chunk of chunksOf(response.body, connection.signal)) {
        connection.pause(); // the time that the reader takes is not the server's
        const fresh = chunk.subarray(Math.min(known, chunk.byteLength));
        known -= chunk.byteLength - fresh.byteLength;
        this.#received += fresh.byteLength;
        if (size !== null && this.#received > size) throw this.#tooLong(size);
        if (fresh.byteLength > 0) yield fresh;
        connection.listen();
      }
    }
    if (known > 0 || (size !== null && this.#received < size)) throw new Broken('the answer ended too early');
  }

  #changed() {
    return new HeedError('unavailable', `${quoted(this.#name)} cannot be completed: the connection broke after ` +
      `${this.#received} bytes, and ${hostOf(this.#address)} now has another file there. Load it again.`);
  }

  /** @param {number} size */
  #tooLong(size) {
    return new HeedError('unavailable', `${hostOf(this.#address)} sends more of ${quoted(this.#name)} than the ` +
      `${size} bytes that it announced. Load it again.`);
  }

  /** @param {unknown} failure */
  #brokenBy(failure) {
    const [host, name] = [hostOf(this.#address), quoted(this.#name)];
    if (this.#received > 0) {
      return unavailable(failure, null, `The connection to ${host} broke after ${this.#received} bytes of ${name}`,
        'Try again.');
    }
    if (failure instanceof Broken) return unavailable(failure, null, `${host} does not send ${name}`, 'Try later.');
    return unavailable(failure, null, `${name} could not be fetched from ${host}`,
      'Is the address right, the server up, and does it allow this page to read the file (CORS)?');
  }
}

/** What ends one request: the caller's signal, or a time in which nothing comes. */
class Connection {
  /** Whether nothing came for too long. */
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

  /** The server has the whole time again. */
  listen() {
    this.pause();
    this.#timer = setTimeout(() => {
      this.stalled = true;
      this.#stop();
    }, this.#stallMs);
  }

  pause() {
    clearTimeout(this.#timer);
  }

  close() {
    this.pause();
    this.#outer?.removeEventListener('abort', this.#stop);
    this.#stop();
  }
}

/** @param {number} ms @param {AbortSignal | null | undefined} signal  ends it early */
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
 * Content-Length counts the bytes on the wire.  It says nothing about a compressed body, and another origin hides
 * whether the body is compressed.  A weak ETag allows other bytes.
 * @param {Response} response
 * @returns {Identity}
 */
function identityOf({ headers, type }) {
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  const length = Number(headers.get('content-length') ?? NaN);
  const etag = headers.get('etag');
  return {
    etag: isPlain && etag !== null && !etag.startsWith('W/') ? etag : null,
    modified: headers.get('last-modified'),
    size: isPlain && type !== 'cors' && Number.isSafeInteger(length) && length >= 0 ? length : null,
  };
}

/** The size of the whole file by Content-Range. @param {Response} response */
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
