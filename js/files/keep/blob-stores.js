/** Storage of small named pieces in a browser: the private file system, the Cache API, or memory. */

/**
 * @typedef {object} BlobStore
 * @property {string} where  for messages
 * @property {(name: string) => Promise<Blob | null>} get
 * @property {(name: string) => Promise<number>} size  bytes of a piece; 0 if it is missing
 * @property {(name: string, piece: Blob) => Promise<void>} put  writes all of a piece, or nothing
 * @property {(name: string) => Promise<void>} remove
 * @property {() => Promise<string[]>} names
 */

const FOLDER = 'heed';
const IN_BROWSER = 'in this browser';

/** Files of the origin's private file system.  A file changes when its writer is closed, and then completely.
 *  @implements {BlobStore} */
export class OpfsBlobs {
  where = IN_BROWSER;
  #folder;

  /** @param {FileSystemDirectoryHandle} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @returns {Promise<OpfsBlobs | null>} null where this thread cannot write files */
  static async open() {
    const canWrite = typeof FileSystemFileHandle === 'function' && 'createWritable' in FileSystemFileHandle.prototype;
    if (!canWrite) return null;
    const root = await navigator.storage.getDirectory();
    return new OpfsBlobs(await root.getDirectoryHandle(FOLDER, { create: true }));
  }

  /** @param {string} name */
  async get(name) {
    try {
      return await (await this.#folder.getFileHandle(name)).getFile();
    } catch (error) {
      if (/** @type {Error} */ (error).name === 'NotFoundError') return null;
      throw error;
    }
  }

  /** @param {string} name */
  async size(name) {
    return (await this.get(name))?.size ?? 0;
  }

  /** @param {string} name @param {Blob} piece */
  async put(name, piece) {
    const writer = await (await this.#folder.getFileHandle(name, { create: true })).createWritable();
    await writer.write(piece);
    await writer.close();
  }

  /** @param {string} name */
  async remove(name) {
    await this.#folder.removeEntry(name).catch(() => {}); // it was removed before
  }

  async names() {
    const names = [];
    for await (const name of /** @type {any} */ (this.#folder).keys()) names.push(name);
    return names;
  }
}

/** Answers in the Cache API, under addresses that are never fetched.
 *  @implements {BlobStore} */
export class CacheBlobs {
  where = IN_BROWSER;
  #cache;

  /** @param {Cache} cache */
  constructor(cache) {
    this.#cache = cache;
  }

  static async open() {
    return typeof caches === 'object' ? new CacheBlobs(await caches.open(FOLDER)) : null;
  }

  /** @param {string} name */
  async get(name) {
    return (await (await this.#cache.match(address(name)))?.blob()) ?? null;
  }

  /** @param {string} name */
  async size(name) {
    return Number((await this.#cache.match(address(name)))?.headers.get('x-size') ?? 0);
  }

  /** @param {string} name @param {Blob} piece */
  async put(name, piece) {
    await this.#cache.put(address(name), new Response(piece, { headers: { 'x-size': String(piece.size) } }));
  }

  /** @param {string} name */
  async remove(name) {
    await this.#cache.delete(address(name));
  }

  async names() {
    return (await this.#cache.keys()).map(({ url }) => new URL(url).pathname.slice(1));
  }
}

/** @param {string} name */
const address = (name) => `https://heed.invalid/${name}`;

/** Pieces in memory. @implements {BlobStore} */
export class MemoryBlobs {
  where = 'in memory';
  /** @type {Map<string, Blob>} */ #pieces = new Map();

  /** @param {string} name */
  async get(name) {
    return this.#pieces.get(name) ?? null;
  }

  /** @param {string} name */
  async size(name) {
    return this.#pieces.get(name)?.size ?? 0;
  }

  /** @param {string} name @param {Blob} piece */
  async put(name, piece) {
    this.#pieces.set(name, piece);
  }

  /** @param {string} name */
  async remove(name) {
    this.#pieces.delete(name);
  }

  async names() {
    return [...this.#pieces.keys()];
  }
}
