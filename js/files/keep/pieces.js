/** A store of a browser: the data of a file are pieces, each of which is stored completely or not at all. */

/** @typedef {import('./store.js').StoredFile} StoredFile */
/** @typedef {import('./store.js').FileStore} FileStore */
/** @typedef {import('./store.js').Kind} Kind */

/** Bytes of a piece.  A crash loses at most one; a model of 1 GB has 64. */
const PIECE = 16 << 20;

/** @param {string} key @param {number} i */
const pieceName = (key, i) => `${key}.${i}`;

/** @implements {FileStore} */
export class PieceStore {
  #blobs;

  /** @param {import('./blob-stores.js').BlobStore} blobs */
  constructor(blobs) {
    this.#blobs = blobs;
    this.where = blobs.where;
  }

  async keys() {
    return [...new Set((await this.#blobs.names()).map((name) => name.split('.')[0]))];
  }

  /** @param {string} key @param {Kind} kind */
  async note(key, kind) {
    try {
      return JSON.parse(await (await this.#blobs.get(`${key}.${kind}`))?.text() ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {StoredFile} entry @param {Kind} kind @param {object | null} value */
  async setNote({ key }, kind, value) {
    if (value) await this.#blobs.put(`${key}.${kind}`, new Blob([JSON.stringify(value)]));
    else await this.#blobs.remove(`${key}.${kind}`);
  }

  /** @param {StoredFile} entry */
  async length({ key }) {
    return (await this.#sizes(key)).reduce((sum, size) => sum + size, 0);
  }

  /** Bytes of each piece.  An empty piece is the first that was not stored. @param {string} key */
  async #sizes(key) {
    const sizes = [];
    for (let size; (size = await this.#blobs.size(pieceName(key, sizes.length))) > 0;) sizes.push(size);
    return sizes;
  }

  /** @param {StoredFile} entry */
  async append({ key }) {
    const blobs = this.#blobs;
    let next = (await this.#sizes(key)).length;
    /** @type {Uint8Array<ArrayBuffer>[]} */
    let held = [];
    let bytes = 0;
    const store = async () => {
      if (bytes > 0) await blobs.put(pieceName(key, next++), new Blob(held));
      held = [];
      bytes = 0;
    };
    return {
      /** @param {Uint8Array} chunk */
      async write(chunk) {
        held.push(chunk.slice()); // the download reuses its buffer
        bytes += chunk.byteLength;
        if (bytes >= PIECE) await store();
      },
      close: store,
    };
  }

  /** @param {StoredFile} entry */
  async open({ key, name }) {
    const { length } = await this.#sizes(key);
    const pieces = await Promise.all(Array.from({ length }, (_, i) => this.#blobs.get(pieceName(key, i))));
    return new File(/** @type {Blob[]} */ (pieces), name);
  }

  /** @param {string} key */
  async remove(key) {
    const names = (await this.#blobs.names()).filter((name) => name.split('.')[0] === key);
    // The notes first: a file without its note is not kept.
    names.sort((a, b) => Number(/\d$/.test(a)) - Number(/\d$/.test(b)));
    for (const name of names) await this.#blobs.remove(name);
  }

  async free() {
    const { quota, usage } = (await globalThis.navigator?.storage?.estimate?.()) ?? {};
    return quota === undefined || usage === undefined ? null : quota - usage;
  }

  /** @template T @param {string} key @param {AbortSignal | null | undefined} signal @param {() => Promise<T>} work
   *  @returns {Promise<T>} */
  async alone(key, signal, work) {
    const locks = globalThis.navigator?.locks;
    if (!locks) return work();
    return /** @type {any} */ (locks.request(`heed ${key}`, signal ? { signal } : {}, work));
  }
}
