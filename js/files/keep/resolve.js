/**
 * The sources of `load` that are more than one file: names of a hub, folders and split files.  Files that are kept or
 * that need a token become files of this machine.  The result is a source that the readers of files open.
 */
import { HeedError, quoted } from '../../errors.js';
import { nodeModule } from '../../node.js';
import { Download } from '../download.js';
import { HUB, addressOf, checkHub, filesIn, isHubId, isRepository, listAddress, parseHubId, repositoryOfPage }
  from '../hub.js';
import { parseJson } from '../json.js';
import { fileName, openSource } from '../source.js';
import { readAll } from '../stream.js';
import { Downloader } from './downloader.js';
import { NESTED, pickFiles, setOf } from './pick.js';
import { StorageFull, askToPersist, memoryStore, openStore } from './store.js';

/** @typedef {import('../source.js').Source} Source */
/** @typedef {import('../../model/load.js').ModelSource} ModelSource */
/** @typedef {Omit<import('./downloader.js').Wanted, 'files'>} Wanted */
/**
 * @typedef {object} ResolveOptions
 * @property {boolean} [keep]
 * @property {boolean} [offline]
 * @property {() => string | undefined | Promise<string | undefined>} [token]
 * @property {string | URL} [hub]
 * @property {string} [quantize]
 * @property {boolean} [memory64]
 * @property {AbortSignal} [signal]
 * @property {number} [stallMs]
 * @property {import('./downloader.js').DownloaderOptions['onProgress']} [onProgress]
 */
/** Whether a model is kept, and a sentence about it. @typedef {{ kept: boolean, why: string }} Kept */

/** Largest lists of a hub and of shards, and largest number of parts of a split file. */
const MAX_LIST_BYTES = 16 << 20;
const MAX_PARTS = 512;

const IS_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';
const PART = /-\d{5}-of-(\d{5})(?=\.gguf$)/i;

/**
 * @param {any} source
 * @param {ResolveOptions} options
 * @returns {Promise<{ source: ModelSource, kept: Kept | null }>} kept: null if it was not wanted
 * @throws {HeedError} 'bad-source', 'bad-argument', 'unavailable', 'too-large', 'aborted'
 */
export function resolve(source, options) {
  return new Resolver(options).resolve(source);
}

class Resolver {
  #options;
  #hub;
  /** @type {Promise<string | undefined> | null} */ #token = null;

  /** @param {ResolveOptions} options */
  constructor(options) {
    this.#options = options;
    this.#hub = options.hub === undefined ? defaultHub() : options.hub;
    checkHub(this.#hub);
  }

  /** @param {any} source @returns {Promise<{ source: ModelSource, kept: Kept | null }>} */
  async resolve(source) {
    const parts = await this.#parts(source);
    const wanted = [...new Set(parts.all.filter(isWanted))];
    const { keep, offline, token } = this.#options;
    if (!keep && !offline && !(token && wanted.some((file) => this.#isOnHub(file.address)))) {
      return { source: parts.join((file) => (isWanted(file) ? file.address : file)), kept: null };
    }
    const { sources, kept } = await this.#get(wanted);
    const found = new Map(wanted.map((file, i) => [file, sources[i]]));
    return { source: parts.join((file) => (isWanted(file) ? /** @type {Source} */ (found.get(file)) : file)), kept };
  }

  /**
   * The files of a source, and a function that puts others in their places.
   * @param {any} source
   * @returns {Promise<{ all: (Wanted | Source)[], join: (place: (file: any) => any) => any }>}
   */
  async #parts(source) {
    if (isOne(source)) {
      const found = await this.#model(source);
      if (found.length === undefined) return this.#parts(found);
      const all = found;
      return { all, join: (place) => (all.length === 1 ? place(all[0]) : { weights: all.map(place) }) };
    }
    const set = Array.isArray(source) ? { weights: source } : source;
    if (typeof set !== 'object' || set === null || !('weights' in set)) {
      return { all: [set], join: (place) => place(set) };
    }
    const weights = (await Promise.all([set.weights].flat().map((file) => this.#weights(file)))).flat();
    const others = Object.fromEntries(await Promise.all(Object.keys(set).flatMap((key) =>
      (key === 'weights' || set[key] === undefined ? [] : [this.#weights(set[key]).then(([file]) => [key, file])]))));
    const isList = weights.length > 1 || Array.isArray(set.weights);
    return {
      all: [...weights, ...Object.values(others)],
      join: (place) => ({
        ...set,
        weights: isList ? weights.map(place) : place(weights[0]),
        ...Object.fromEntries(Object.entries(others).map(([key, file]) => [key, place(file)])),
      }),
    };
  }

  /** The files of one source: an array of weights, or a set of files.
   *  @param {string | URL} source @returns {Promise<any>} */
  async #model(source) {
    const text = String(source);
    if (isHubId(text)) {
      const name = parseHubId(text);
      return name.file === undefined ? this.#repository(text, name) : this.#weights(text);
    }
    const page = repositoryOfPage(text);
    if (page) {
      throw new HeedError('bad-source', `${quoted(text, 200)} is a page about a repository. Write ` +
        `${quoted(`hf:${page}`, 200)}.`);
    }
    const folder = await this.#folder(source);
    return folder ?? this.#weights(source);
  }

  /** @param {string} id @param {import('../hub.js').HubName} name */
  async #repository(id, name) {
    const address = listAddress(name, this.#hub);
    const bytes = await this.#read({ address, model: id }, 'the list of a repository');
    const files = filesIn(parseJson(bytes, id, 'the list of a repository'));
    if (!files) {
      throw new HeedError('unavailable', `${quoted(new URL(address).host)} answered without a list of the files of ` +
        `${quoted(id)}. Give the file: hf:owner/name/file.gguf.`);
    }
    const { quantize, memory64 } = this.#options;
    const { precision } = name;
    const choice = pickFiles(files, { name: id, precision, quantize, memory64 });
    /** @param {import('../hub.js').HubFile} file @returns {Wanted} */
    const wanted = ({ path, bytes: size, sha256 }) =>
      ({ address: addressOf(name, path, this.#hub), model: id, bytes: size, sha256 });
    return setOf(choice, wanted);
  }

  /** The files of a folder of Node, or null for another source. @param {string | URL} source */
  async #folder(source) {
    if (!IS_NODE || /^(https?|blob|data):/i.test(String(source))) return null;
    const path = /^file:/i.test(String(source)) ? new URL(source) : source;
    /** @type {typeof import('node:fs/promises')} */
    const { readdir, stat } = await nodeModule('node:fs/promises');
    const { fileURLToPath } = await nodeModule('node:url');
    const status = await stat(path).catch(async ({ code }) => {
      if (code === 'ENOENT') await this.#needKnown(path);
      return null; // the reader of files reports other errors
    });
    if (!status?.isDirectory()) return null;
    const base = path instanceof URL ? fileURLToPath(path) : String(path);
    const isThere = (/** @type {string} */ name) => stat(`${base}/${name}`).then(() => true, () => false);
    const names = await readdir(base);
    for (const name of NESTED) if (await isThere(name)) names.push(name);
    const files = await Promise.all(names.map(async (name) =>
      ({ path: name, bytes: (await stat(`${base}/${name}`)).size })));
    const { quantize, memory64 } = this.#options;
    const choice = pickFiles(files, { name: base, quantize, memory64 });
    return setOf(choice, ({ path: file }) => `${base}/${file}`);
  }

  /** Says what a path without a file may mean.
   *  @param {string | URL} path @throws {HeedError} 'unavailable' for a packaged model, or a repository of a hub */
  async #needKnown(path) {
    const text = String(path);
    /** @type {typeof import('node:fs/promises')} */
    const { access } = await nodeModule('node:fs/promises');
    const [, packaged] = /(?:^|[\\/])models[\\/]([\w-]+\.gguf)$/.exec(text) ?? [];
    const there = `node_modules/heed/models/${packaged}`;
    if (packaged && await access(there).then(() => true, () => false)) {
      throw missing(text, `The package has this model: write ${quoted(there)}`);
    }
    if (isRepository(text)) throw missing(text, `For a repository of the hub, write ${quoted(`hf:${text}`, 200)}`);
  }

  /**
   * The files of one part: all parts of a split file, and the shards of an index that is kept.
   * @param {any} part
   * @returns {Promise<any[]>}
   */
  async #weights(part) {
    if (!isOne(part)) return [part];
    const text = String(part);
    const name = isHubId(text) ? parseHubId(text) : null;
    if (name && name.file === undefined) {
      throw new HeedError('bad-source', `${quoted(text)} names a repository; here one of its files is expected: ` +
        'hf:owner/name/file.gguf.');
    }
    const base = name ? addressOf(name, String(name.file), this.#hub) : absolute(text);
    const addresses = partsOf(base);
    if (!/^https?:/i.test(base)) return addresses.length === 1 ? [part] : addresses;
    const files = addresses.map((address) => ({ address, model: name ? text : base }));
    const { keep, offline } = this.#options;
    if (!(keep || offline) || !/\.index\.json$/i.test(new URL(base).pathname)) return files;
    const { weight_map: map } = parseJson(await this.#read(files[0], 'an index of shards'), text, 'an index of shards');
    const shards = [...new Set(Object.values(map ?? {}))].map((shard) => new URL(shardName(shard, text), base).href);
    if (shards.length > MAX_PARTS) throw tooMany(text, shards.length);
    return [files[0], ...shards.map((address) => ({ address, model: files[0].model }))];
  }

  /** The bytes of a small file, which is kept with its model. @param {Wanted} file @param {string} what */
  async #read(file, what) {
    const { keep, offline, signal, stallMs } = this.#options;
    if (keep || offline) {
      const [source] = (await this.#get([{ ...file, files: 0 }])).sources;
      return readAll(openSource(source), MAX_LIST_BYTES, what, signal);
    }
    const { address, model: name } = file; // errors name the repository, not the last part of the address
    const download = { ...(stallMs !== undefined && { stallMs }), headers: await this.#headersOf(address) };
    return readAll({ name, kind: 'url', address, size: null,
      stream: (stop) => new Download(address, name, stop, download, () => {}).chunks() }, MAX_LIST_BYTES, what, signal);
  }

  /** Opens files from the store. If the store is full, they are loaded without it.
   *  @param {(Wanted & { files?: number })[]} wanted @returns {Promise<{ sources: Source[], kept: Kept | null }>} */
  async #get(wanted) {
    const { keep, offline } = this.#options;
    const count = (/** @type {string} */ model) => wanted.filter((file) => file.model === model).length;
    const files = wanted.map((file) => ({ files: count(file.model), ...file }));
    if (!keep && !offline) return { sources: await this.#past(files), kept: null };
    try {
      const store = await openStore();
      if (keep) askToPersist();
      const downloader = this.#downloader(store);
      const sources = await downloader.getAll(files);
      const how = downloader.downloaded > 0 ? 'was downloaded and is kept'
        : 'was opened without a request, because it is kept';
      return { sources, kept: { kept: true, why: `The model ${how} ${store.where}.` } };
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error;
      if (offline) {
        throw new HeedError('unavailable', `${error.message} offline: true needs kept files.`, { cause: error });
      }
      return { sources: await this.#past(files), kept: { kept: false, why: error.message } };
    }
  }

  /** Files that are not kept: their addresses; files that need the token are downloaded to memory.
   *  @param {import('./downloader.js').Wanted[]} files @returns {Promise<Source[]>} */
  async #past(files) {
    const downloader = this.#downloader(memoryStore());
    const sources = [];
    for (const file of files) {
      const needsToken = this.#options.token && this.#isOnHub(file.address);
      sources.push(needsToken ? (await downloader.getAll([file]))[0] : file.address);
    }
    return sources;
  }

  /** @param {import('./store.js').FileStore} store */
  #downloader(store) {
    return new Downloader(store, { ...this.#options, headersOf: (address) => this.#headersOf(address) });
  }

  /** @param {string} address */
  #isOnHub(address) {
    return new URL(address).origin === new URL(this.#hub).origin;
  }

  /** The token goes to the hub only.  Fetch removes it from a redirect to another origin (Fetch standard, HTTP-redirect
   *  fetch, step 13). @param {string} address @returns {Promise<Record<string, string>>} */
  async #headersOf(address) {
    const { token } = this.#options;
    if (!token || !this.#isOnHub(address)) return {};
    this.#token ??= Promise.resolve(token());
    const text = await this.#token;
    if (text === undefined) return {}; // such as a variable of the environment that is not set
    if (typeof text === 'string' && /^[\x21-\x7e]+$/.test(text)) return { authorization: `Bearer ${text}` };
    throw new HeedError('bad-argument', 'Expected token to return a text of visible ASCII characters.');
  }
}

/** The hub of $HF_ENDPOINT, as in other programs, or Hugging Face's. */
const defaultHub = () => (IS_NODE && process.env.HF_ENDPOINT) || HUB;

/** @param {any} source @returns {source is string | URL} */
const isOne = (source) => typeof source === 'string' || source instanceof URL;

/** @param {any} file @returns {file is Wanted} */
const isWanted = (file) => typeof file?.address === 'string' && typeof file.model === 'string';

/** @param {string} path @param {string} advice */
const missing = (path, advice) =>
  new HeedError('unavailable', `There is no file or folder ${quoted(path, 200)}. ${advice}.`);

/** The address or path of a text; relative addresses of a page become absolute. @param {string} text */
const absolute = (text) =>
  (IS_NODE ? text : new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href).href);

/** All parts of a split file, or the file. @param {string} address a URL or a path */
function partsOf(address) {
  const [, digits] = PART.exec(address) ?? [];
  const count = Number(digits ?? 1);
  if (count > MAX_PARTS) throw tooMany(fileName(address), count);
  const part = (/** @type {number} */ i) => `-${String(i + 1).padStart(5, '0')}-of-${digits}`;
  return count <= 1 ? [address] : Array.from({ length: count }, (_, i) => address.replace(PART, part(i)));
}

/** @param {string} name @param {number} count */
const tooMany = (name, count) =>
  new HeedError('too-large', `${quoted(name)} has ${count} parts; at most ${MAX_PARTS} are read.`);

/** @param {unknown} shard @param {string} index */
function shardName(shard, index) {
  if (typeof shard === 'string' && /^\w[\w.-]*$/.test(shard)) return shard;
  throw new HeedError('bad-source', `${quoted(index)} names the shard ${quoted(shard)}, which is not a file beside ` +
    'it.');
}
