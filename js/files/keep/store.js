/**
 * The place of kept files: a folder in Node, the origin's private file system (OPFS) in browsers.  Where a page cannot
 * write there, it is the Cache API.  A file has a key of hexadecimal digits, because names come from strangers.
 *
 * A file has data and at most two notes, small JSON texts.  The note `part` is written before the first byte of the
 * data.  The note `whole` is written after the last byte was checked; only then is the file kept.
 */
import { HeedError } from '../../errors.js';
import { nodeModule } from '../../node.js';
import { CacheBlobs, MemoryBlobs, OpfsBlobs } from './blob-stores.js';
import { FolderStore } from './folder.js';
import { PieceStore } from './pieces.js';

/**
 * A file in a store.
 * @typedef {{ key: string, name: string }} StoredFile  key: hexadecimal digits; name: of the file, for its reader
 * @typedef {'part' | 'whole'} Kind
 * @typedef {{ write: (chunk: Uint8Array) => Promise<void>, close: () => Promise<void> }} Writer
 */
/**
 * @typedef {object} FileStore
 * @property {string} where   for messages: ‘in the folder …’
 * @property {() => Promise<string[]>} keys
 * @property {(key: string, kind: Kind) => Promise<any>} note  null if it is missing or damaged
 * @property {(entry: StoredFile, kind: Kind, value: object | null) => Promise<void>} setNote  null removes it;
 *   otherwise all of the note is written, or nothing
 * @property {(entry: StoredFile) => Promise<number>} length  bytes of the data
 * @property {(entry: StoredFile) => Promise<Writer>} append
 * @property {(entry: StoredFile) => Promise<import('../source.js').Source>} open  the data, for `load`
 * @property {(key: string) => Promise<void>} remove
 * @property {() => Promise<number | null>} free  bytes that may still be stored; null: unknown
 * @property {<T>(key: string, signal: AbortSignal | null | undefined, work: () => Promise<T>) => Promise<T>} alone
 *   runs work while no other tab or process does with the same key
 */

const IS_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/** A failure to store; the load continues without keeping.  Its message is a sentence for the user. */
export class StorageFull extends Error {}

/** The store of this machine or browser.
 *  @returns {Promise<FileStore>} @throws {StorageFull} if nothing can be stored */
export async function openStore() {
  if (IS_NODE) return folderStore();
  if (!globalThis.isSecureContext) {
    throw new StorageFull('Browsers keep files only for pages with https or on this machine (a secure context).');
  }
  for (const open of [OpfsBlobs.open, CacheBlobs.open]) {
    try {
      const blobs = await open();
      if (blobs) return new PieceStore(blobs);
    } catch {
      // Private windows forbid one or both.
    }
  }
  throw new StorageFull('This browser does not let the page keep files, as in some private windows.');
}

/** A store in the cache folder of Node. */
async function folderStore() {
  const [process, files] = await Promise.all([nodeModule('node:process'), nodeModule('node:fs/promises')]);
  return new FolderStore(await cacheFolder(process), files, process);
}

/** A store in memory.  The page downloads to it files that are not kept but need a token. */
export const memoryStore = () => new PieceStore(new MemoryBlobs());

/** Asks the browser not to delete kept files when its disk is full.  Firefox asks the user, so nothing waits for the
 *  answer. */
export function askToPersist() {
  if (!IS_NODE) globalThis.navigator?.storage?.persist?.().catch(() => {});
}

/** $HEED_CACHE, or heed in the cache folder of the user (XDG Base Directory Specification).
 *  @param {NodeJS.Process} process */
async function cacheFolder({ env }) {
  const [{ homedir }, { isAbsolute, join }] = await Promise.all([nodeModule('node:os'), nodeModule('node:path')]);
  const folder = env.HEED_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'heed');
  if (isAbsolute(folder)) return join(folder, 'models');
  throw new HeedError('bad-argument', `HEED_CACHE and XDG_CACHE_HOME name a folder from the root on, not ${folder}.`);
}
