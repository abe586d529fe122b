/** A folder of a model, dropped on the page or picked. */
import { NESTED, pickFiles, setOf } from '../../js/files/keep/pick.js';
import { ADAPTER, refuseAdapter } from './model-source.js';

/**
 * The source for a folder: the same files that `load` chooses for the path of a folder in Node.js.
 * @param {string} name of the folder, for messages
 * @param {Map<string, File>} files by their paths below the folder
 * @returns {import('./model-source.js').Source}
 * @throws {HeedError | RangeError} if the folder has no model, or several
 */
export function sourceFromFolder(name, files) {
  if (files.has(ADAPTER)) throw refuseAdapter();
  const found = setOf(pickFiles([...files].map(([path, file]) => ({ path, bytes: file.size, file })), { name }),
    ({ file }) => file);
  return Array.isArray(found) && found.length === 1 ? found[0] : found;
}

/** The files of a dropped folder, and files of its subfolders that belong to a model.
 *  @param {FileSystemDirectoryEntry} folder @returns {Promise<Map<string, File>>} by their paths */
export async function readFolder(folder) {
  const files = new Map();
  const reader = folder.createReader();
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) break; // a browser returns at most 100 entries at once
    for (const entry of entries) if (entry.isFile) files.set(entry.name, await fileOf(entry));
  }
  for (const path of NESTED) {
    const entry = await new Promise((resolve) => folder.getFile(path, {}, resolve, () => resolve(null)));
    if (entry) files.set(path, await fileOf(entry));
  }
  return files;
}

/** The same files of a picked folder, of which a browser lists all subfolders.
 *  @param {File[]} files @returns {Map<string, File>} by their paths */
export const pickedFolder = (files) => new Map(files
  .map((file) => /** @type {const} */ ([file.webkitRelativePath.replace(/^[^/]*\//, ''), file]))
  .filter(([path]) => !path.includes('/') || NESTED.some((nested) => nested === path)));

/** @param {FileSystemEntry} entry @returns {Promise<File>} */
const fileOf = (entry) => new Promise((resolve, reject) =>
  /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
