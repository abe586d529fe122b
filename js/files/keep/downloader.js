/** Downloads files to a store, continues downloads that were cut, and opens kept files. */
import { HeedError, abortable, quoted, throwIfAborted } from '../../errors.js';
import { CHANGED, Download, identityOf, STALL_MS } from '../download.js';
import { sha256In } from '../hub.js';
import { fileName, openSource } from '../source.js';
import { listKept, sizeText } from './list.js';
import { needFits, precisionOf } from './pick.js';
import { Sha256, sha256 } from './sha256.js';
import { StorageFull } from './store.js';

/** @typedef {import('../source.js').Source} Source */
/** @typedef {import('./store.js').FileStore} FileStore */
/** @typedef {import('./store.js').StoredFile} StoredFile */
/**
 * A file to keep.
 * @typedef {object} Wanted
 * @property {string} address
 * @property {string} model        name of the model that it belongs to, as `kept` lists it
 * @property {number} files        number of files of this model; 0 for the list of a repository
 * @property {number} [bytes]      size, where the hub gives it
 * @property {string | null} [sha256]  checksum, where the hub gives it
 */
/**
 * The note of a file.
 * @typedef {object} Note
 * @property {string} address
 * @property {Record<string, number>} models  models that the file belongs to, and the number of files of each
 * @property {number | null} bytes   size of the whole file; null while it is unknown
 * @property {number} least          length of the answer as announced; a compressed answer has more bytes
 * @property {string | null} sha256  checksum that the whole file must have
 * @property {string | null} etag
 * @property {string | null} modified
 * @property {string} date           time of the last byte, or of the first in a note of a part
 */
/**
 * @typedef {object} DownloaderOptions
 * @property {boolean} [offline]
 * @property {string} [quantize]
 * @property {boolean} [memory64]
 * @property {AbortSignal | null} [signal]
 * @property {number} [stallMs]
 * @property {(address: string) => Promise<Record<string, string>>} headersOf  headers of requests
 * @property {(progress: { phase: string, loadedBytes: number, totalBytes: number | null }) => void} [onProgress]
 */

export class Downloader {
  /** Number of files that were downloaded. */
  downloaded = 0;
  #store;
  #options;
  /** Bytes of each file of this load that are here. @type {Map<string, number>} */ #loaded = new Map();

  /** @param {FileStore} store @param {DownloaderOptions} options */
  constructor(store, options) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Opens files; a file that is not kept is downloaded.
   * @param {Wanted[]} files
   * @returns {Promise<Source[]>} in the same order
   * @throws {HeedError} 'unavailable', 'too-large', 'aborted'
   * @throws {StorageFull} if a file cannot be stored
   */
  async getAll(files) {
    const sizes = new Map(files.map(({ address, bytes }) => [address, bytes ?? null]));
    const sources = [];
    for (const file of files) sources.push(await this.#get(file, sizes));
    return sources;
  }

  /** @param {Wanted} file @param {Map<string, number | null>} sizes @returns {Promise<Source>} */
  async #get(file, sizes) {
    const { signal, offline } = this.#options;
    throwIfAborted(signal);
    const entry = { key: sha256(file.address), name: fileName(file.address) };
    const early = await this.#open(entry, file);
    if (early !== null) return early;
    if (offline) throw await this.#missing(entry, file);
    await this.#needRoom(entry, 0);
    const work = this.#store.alone(entry.key, signal, async () =>
      (await this.#open(entry, file)) ?? this.#download(entry, file, sizes));
    return abortable(work, signal);
  }

  /** The kept file, or null.  @param {StoredFile} entry @param {Wanted} file @returns {Promise<Source | null>} */
  async #open(entry, { model, files }) {
    /** @type {Note | null} */
    const note = await this.#store.note(entry.key, 'whole');
    if (!note || await this.#store.length(entry) !== note.bytes) return null;
    if (!(note.models?.[model] >= files)) {
      const models = { ...note.models, [model]: files };
      await this.#store.setNote(entry, 'whole', { ...note, models }).catch(() => {}); // the file is kept in any case
    }
    this.#loaded.set(entry.key, note.bytes);
    return this.#store.open(entry);
  }

  /** @param {StoredFile} entry @param {Wanted} file @param {Map<string, number | null>} sizes
   *  @returns {Promise<Source>} */
  async #download(entry, file, sizes) {
    const store = this.#store;
    /** @type {Note | null} */
    const part = await store.note(entry.key, 'part');
    const stored = part && (part.etag ?? part.modified) !== null ? await store.length(entry) : 0;
    try {
      if (stored === 0) await this.#change(entry, () => store.remove(entry.key));
      return await this.#fetch(entry, file, stored > 0 ? part : null, stored, sizes);
    } catch (error) {
      if (error instanceof StorageFull || /** @type {any} */ (error)?.cause === CHANGED) await store.remove(entry.key);
      if (stored === 0 || /** @type {any} */ (error)?.cause !== CHANGED) throw error;
      return this.#fetch(entry, file, null, 0, sizes); // the server has another file now
    }
  }

  /**
   * Fetches the rest of a file, checks the whole, and keeps it.
   * @param {StoredFile} entry @param {Wanted} file @param {Note | null} part  null from the first byte on
   * @param {number} stored  bytes of the part @param {Map<string, number | null>} sizes @returns {Promise<Source>}
   */
  async #fetch(entry, file, part, stored, sizes) {
    const store = this.#store;
    const { signal, stallMs = STALL_MS, headersOf, quantize, memory64 } = this.#options;
    /** @type {Note} */
    let note = part ?? {
      address: file.address, models: { [file.model]: file.files }, bytes: file.bytes ?? null, least: 0,
      sha256: file.sha256 ?? null, etag: null, modified: null, date: new Date().toISOString(),
    };
    const download = new Download(file.address, file.files ? entry.name : file.model, signal, {
      stallMs,
      headers: await headersOf(file.address),
      ...(part && { begun: { received: stored, identity: { ...part, size: part.bytes } } }),
    }, (size, response) => {
      const { etag, modified } = identityOf(response);
      const least = Number(response.headers.get('content-length') ?? 0);
      const checksum = note.sha256 ?? sha256In(response.headers.get('x-linked-etag'));
      note = { ...note, etag, modified, least, bytes: file.bytes ?? size, sha256: checksum };
      if (file.bytes === undefined) sizes.set(file.address, size);
      const precision = precisionOf(entry.name);
      needFits({ bytes: note.bytes ?? least, precision, quantize, memory64, name: entry.name });
    });
    /** @type {Sha256 | null} */ let hash = null;
    /** @type {import('./store.js').Writer | null} */ let writer = null;
    let received = stored;
    const begin = async () => {
      await this.#needRoom(entry, (note.bytes ?? note.least) - stored);
      if (note.sha256 !== null) hash = await this.#hashOf(stored > 0 ? await store.open(entry) : null);
      if (!part) await this.#change(entry, () => store.setNote(entry, 'part', note));
      return this.#change(entry, () => store.append(entry));
    };
    try {
      for await (const chunk of download.chunks()) {
        const to = (writer ??= await begin());
        /** @type {Sha256 | null} */ (hash)?.update(chunk);
        await this.#change(entry, () => to.write(chunk));
        received += chunk.byteLength;
        this.#report(entry.key, received, sizes);
        throwIfAborted(signal);
      }
      writer ??= await begin();
    } finally {
      const to = writer;
      if (to) await this.#change(entry, () => to.close());
    }
    const digest = /** @type {Sha256 | null} */ (hash)?.digest() ?? null;
    const problem = (note.bytes !== null && received !== note.bytes) || received < note.least
      ? `${received} bytes arrived instead of ${note.bytes ?? note.least}`
      : digest !== note.sha256 ? `its SHA-256 is ${digest}, and the hub announces ${note.sha256}` : null;
    if (problem !== null) {
      throw new HeedError('unavailable', `${quoted(entry.name)} was not kept, because ${problem}. Load it again.`,
        { cause: CHANGED });
    }
    note = { ...note, bytes: received, date: new Date().toISOString() };
    await this.#change(entry, () => store.setNote(entry, 'whole', note));
    await this.#change(entry, () => store.setNote(entry, 'part', null));
    this.downloaded++;
    return store.open(entry);
  }

  /** A checksum that begins with stored bytes. @param {Source | null} stored */
  async #hashOf(stored) {
    const hash = new Sha256();
    if (stored !== null) {
      for await (const chunk of openSource(stored).stream(this.#options.signal)) hash.update(chunk);
    }
    return hash;
  }

  /** Runs a change of the store; its failure is StorageFull.
   *  @template T @param {StoredFile} entry @param {() => Promise<T>} work @returns {Promise<T>} */
  async #change(entry, work) {
    try {
      return await work();
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      throw new StorageFull(name === 'QuotaExceededError'
        ? `${quoted(entry.name)} is not kept, because the space of this page ${this.#store.where} is used up. Delete ` +
          'kept models first.'
        : `${quoted(entry.name)} is not kept, because nothing can be stored ${this.#store.where} (${message}).`,
      { cause: error });
    }
  }

  /** @param {StoredFile} entry @param {number} bytes */
  async #needRoom(entry, bytes) {
    const free = await this.#change(entry, () => this.#store.free());
    if (free === null || free >= bytes) return;
    throw new StorageFull(`${quoted(entry.name)} is not kept, because it needs ${sizeText(bytes)} more, and ` +
      `${sizeText(Math.max(0, free))} are free ${this.#store.where}. Delete kept models first.`);
  }

  /** @param {string} key @param {number} received @param {Map<string, number | null>} sizes */
  #report(key, received, sizes) {
    this.#loaded.set(key, received);
    const all = [...sizes.values()];
    this.#options.onProgress?.({
      phase: 'download',
      loadedBytes: [...this.#loaded.values()].reduce((sum, bytes) => sum + bytes, 0),
      totalBytes: all.includes(null) ? null : all.reduce((sum, bytes) => Number(sum) + Number(bytes), 0),
    });
  }

  /** @param {StoredFile} entry @param {Wanted} file */
  async #missing(entry, { model, files }) {
    const models = await listKept(this.#store);
    const whole = models.filter(({ complete }) => complete);
    const isPart = models.some(({ name, complete }) => name === model && !complete);
    const said = isPart ? 'is only kept in part' : 'is not kept';
    const kept = whole.length === 0 ? 'No model is kept.'
      : `Kept are ${whole.map(({ name, bytes }) => `${quoted(name, 100)} (${sizeText(bytes)})`).join(', ')}.`;
    const file = files === 0 || model.endsWith(entry.name) ? '' : `${quoted(entry.name)} of `;
    return new HeedError('unavailable', `${file}${quoted(model, 200)} ${said} ` +
      `${this.#store.where}, and offline: true forbids a download. ${kept} Load it once with keep: true.`);
  }
}
