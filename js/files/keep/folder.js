/**
 * A store of Node: a folder with one folder per file, which holds the data and its notes.
 *
 *     ~/.cache/heed/models/<key>/model.gguf, part.json, whole.json
 */

/** @typedef {import('./store.js').StoredFile} StoredFile */
/** @typedef {import('./store.js').FileStore} FileStore */
/** @typedef {import('./store.js').Kind} Kind */
/** @typedef {typeof import('node:fs/promises')} Files */

/** Names that a file keeps on disk; every other name becomes ‘file’.  The key makes the path unique. */
const PLAIN = /^[a-z0-9][\w.-]{0,99}$/i;
/** Devices of Windows, and the notes of this store. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d|part\.json|whole\.json)(\.|$)/i;

const KEY = /^[0-9a-f]{64}$/;
/** Intervals in milliseconds: polling a lock, renewing it, and expiry. */
const LOOK_MS = 50, LIFE_MS = 5_000, LEFT_MS = 30_000;

/** Ends of the work in this thread on each key. @type {Map<string, Promise<unknown>>} */
const queues = new Map();

/** @implements {FileStore} */
export class FolderStore {
  #folder;
  #files;
  #process;

  /** The process is a parameter, because bundlers for browsers replace the global by a package.
   *  @param {string} folder @param {Files} files @param {Pick<NodeJS.Process, 'pid' | 'kill'>} process */
  constructor(folder, files, process) {
    this.#folder = folder;
    this.#files = files;
    this.#process = process;
    this.where = `in ${folder}`;
  }

  /** @param {string} key @param {string} file */
  #path(key, file) {
    return `${this.#folder}/${key}/${file}`;
  }

  /** The path of the data. @param {StoredFile} entry */
  #data({ key, name }) {
    return this.#path(key, PLAIN.test(name) && !RESERVED.test(name) && !name.endsWith('.') ? name : 'file');
  }

  async keys() {
    return (await orNull(this.#files.readdir(this.#folder)) ?? []).filter((name) => KEY.test(name));
  }

  /** @param {string} key @param {Kind} kind */
  async note(key, kind) {
    try {
      return JSON.parse(await this.#files.readFile(this.#path(key, `${kind}.json`), 'utf8'));
    } catch {
      return null;
    }
  }

  /** @param {StoredFile} entry @param {Kind} kind @param {object | null} value */
  async setNote({ key }, kind, value) {
    const path = this.#path(key, `${kind}.json`);
    if (!value) return this.#files.rm(path, { force: true });
    const aside = `${path}.${this.#process.pid}`;
    await this.#files.mkdir(this.#path(key, ''), { recursive: true });
    await this.#files.writeFile(aside, JSON.stringify(value), { flush: true });
    await this.#files.rename(aside, path);
  }

  /** @param {StoredFile} entry */
  async length(entry) {
    return (await orNull(this.#files.stat(this.#data(entry))))?.size ?? 0;
  }

  /** @param {StoredFile} entry */
  async append(entry) {
    const file = await this.#files.open(this.#data(entry), 'a');
    return {
      /** @param {Uint8Array} chunk */
      write: (chunk) => file.appendFile(chunk),
      async close() {
        try {
          await file.sync(); // before the note says that the file is whole
        } finally {
          await file.close();
        }
      },
    };
  }

  /** @param {StoredFile} entry */
  async open(entry) {
    return this.#data(entry);
  }

  /** @param {string} key */
  async remove(key) {
    await this.#files.rm(this.#path(key, 'whole.json'), { force: true });
    await this.#files.rm(this.#path(key, ''), { recursive: true, force: true });
  }

  async free() {
    await this.#files.mkdir(this.#folder, { recursive: true });
    const { bavail, bsize } = await this.#files.statfs(this.#folder);
    return bavail * bsize;
  }

  /** @template T @param {string} key @param {AbortSignal | null | undefined} signal @param {() => Promise<T>} work
   *  @returns {Promise<T>} */
  async alone(key, signal, work) {
    const id = `${this.#folder}/${key}`;
    const earlier = queues.get(id) ?? Promise.resolve();
    const mine = earlier.then(() => this.#locked(key, signal, work));
    queues.set(id, mine.catch(() => {}));
    return mine;
  }

  /** Runs work while a file beside the key's folder names this process.
   *  @template T @param {string} key @param {AbortSignal | null | undefined} signal @param {() => Promise<T>} work
   *  @returns {Promise<T>} */
  async #locked(key, signal, work) {
    const files = this.#files;
    const path = `${this.#folder}/${key}.lock`;
    await files.mkdir(this.#folder, { recursive: true });
    for (;;) {
      signal?.throwIfAborted();
      try {
        await files.writeFile(path, String(this.#process.pid), { flag: 'wx' });
        break;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      if (await this.#isLeft(path)) await files.rm(path, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    const life = setInterval(() => void files.utimes(path, new Date(), new Date()).catch(() => {}), LIFE_MS);
    life.unref();
    try {
      return await work();
    } finally {
      clearInterval(life);
      await files.rm(path, { force: true });
    }
  }

  /** Whether the owner of a lock ended without removing it. @param {string} path */
  async #isLeft(path) {
    const status = await orNull(this.#files.stat(path));
    if (!status) return false;
    if (Date.now() - status.mtimeMs > LEFT_MS) return true;
    const owner = Number(await orNull(this.#files.readFile(path, 'utf8')));
    if (!Number.isInteger(owner) || owner <= 0) return false; // its owner has not written it yet
    try {
      this.#process.kill(owner, 0); // only asks whether the process exists
      return false;
    } catch (error) {
      return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
    }
  }
}

/** @template T @param {Promise<T>} work @returns {Promise<T | null>} null if it fails */
const orNull = (work) => work.catch(() => null);
