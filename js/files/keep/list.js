/** Lists, measures and deletes kept models. */
import { HeedError, quoted } from '../../errors.js';
import { guarded } from '../../guard.js';
import { fileName } from '../source.js';
import { StorageFull, openStore } from './store.js';

/** @typedef {import('./downloader.js').Note} Note */
/** @typedef {import('./store.js').FileStore} FileStore */
/**
 * A kept model.
 * @typedef {object} KeptModel
 * @property {string} name      its source in `load`: an address, or a name such as hf:owner/name:Q4_K_M
 * @property {number} bytes     bytes that are stored
 * @property {number | null} totalBytes  bytes of its files; null while one is unknown
 * @property {Date} date        time of its last file
 * @property {string | null} etag  ETag of its largest file
 * @property {boolean} complete whether all files are kept, so that it opens offline
 */

/** A size such as 1.2 MB. @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** @param {FileStore} store
 *  @returns {Promise<{ key: string, note: Note, isWhole: boolean, bytes: number }[]>} files with a note */
async function files(store) {
  const all = await Promise.all((await store.keys()).map(async (key) => {
    const whole = await store.note(key, 'whole');
    /** @type {Note | null} */
    const note = whole ?? await store.note(key, 'part');
    if (typeof note?.address !== 'string' || typeof note.models !== 'object') return [];
    const bytes = await store.length({ key, name: fileName(note.address) });
    return [{ key, note, isWhole: Boolean(whole) && bytes === note.bytes, bytes }];
  }));
  return all.flat();
}

/** The models of a store, the latest first. @param {FileStore} store @returns {Promise<KeptModel[]>} */
export async function listKept(store) {
  /** @type {Map<string, Awaited<ReturnType<typeof files>>>} */
  const byModel = new Map();
  for (const file of await files(store)) {
    for (const name of Object.keys(file.note.models)) byModel.set(name, [...(byModel.get(name) ?? []), file]);
  }
  return [...byModel].map(([name, of]) => {
    const largest = of.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const sizes = of.map(({ note }) => note.bytes);
    const count = Math.max(...of.map(({ note }) => note.models[name]));
    const allKnown = count > 0 && of.filter(({ note }) => note.models[name] === count).length >= count;
    return {
      name,
      bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
      totalBytes: allKnown && !sizes.includes(null) ? sizes.reduce((a, b) => Number(a) + Number(b), 0) : null,
      date: new Date(Math.max(...of.map(({ note }) => Date.parse(note.date) || 0))),
      etag: largest.note.etag,
      complete: allKnown && of.every(({ isWhole }) => isWhole),
    };
  }).sort((a, b) => Number(b.date) - Number(a.date));
}

/** The store, or null if nothing can be stored here. */
const storeOrNull = () => openStore().catch((error) => {
  if (error instanceof StorageFull) return null;
  throw error;
});

/** @type {() => Promise<KeptModel[]>} */
export const list = guarded('kept', async () => {
  const store = await storeOrNull();
  return store ? listKept(store) : [];
});

/** @type {() => Promise<number>} */
export const bytes = guarded('kept.bytes', async () => {
  const store = await storeOrNull();
  return store ? (await files(store)).reduce((sum, file) => sum + file.bytes, 0) : 0;
});

/** @type {(name: string) => Promise<boolean>} */
export const remove = guarded('kept.delete', async (name) => {
  if (typeof name !== 'string') {
    throw new HeedError('bad-argument', `Expected the name of a kept model, as kept() lists it; got ${quoted(name)}.`);
  }
  const store = await storeOrNull();
  const of = store ? (await files(store)).filter(({ note }) => Object.hasOwn(note.models, name)) : [];
  for (const { key } of of) {
    await store?.alone(key, null, async () => {
      for (const kind of /** @type {const} */ (['whole', 'part'])) {
        const note = await store.note(key, kind);
        if (!note) continue;
        const { [name]: _, ...models } = note.models;
        if (Object.keys(models).length === 0) return store.remove(key);
        await store.setNote({ key, name: fileName(note.address) }, kind, { ...note, models });
      }
    });
  }
  return of.length > 0;
});
