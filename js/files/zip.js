/** Reads one file of a ZIP archive, and writes archives (PKWARE APPNOTE 6.3: stored or deflated, one disk). */
import { HeedError, quoted } from '../errors.js';
import { crc32 } from './checksum.js';

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Longest comment of an archive, which follows the end of its directory, in bytes. */
const MAX_COMMENT = 0xffff;

/** @param {string} what */
const broken = (what) => new HeedError('bad-file', `The ZIP archive cannot be read: ${what}.`);

/**
 * @param {Uint8Array} archive @param {string} name path of the file in the archive
 * @returns {Promise<Uint8Array>}
 * @throws {HeedError} 'bad-file'
 */
export async function unzip(archive, name) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const { at, method, bytes } = find(archive, view, name);
  if (at + LOCAL_BYTES > archive.byteLength) throw broken('it is truncated');
  const start = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + bytes > archive.byteLength) throw broken('it is truncated');
  const stored = new Uint8Array(archive.subarray(start, start + bytes));
  if (method === 0) return stored;
  if (method !== 8) throw broken(`${quoted(name)} is compressed by method ${method}, not by deflate`);
  const inflated = new Blob([stored]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  try {
    return new Uint8Array(await new Response(inflated).arrayBuffer());
  } catch (cause) {
    throw new HeedError('bad-file', `${quoted(name)} cannot be unpacked: the archive is damaged.`, { cause });
  }
}

/** Finds a file in the directory at the end of the archive. @param {Uint8Array} archive @param {DataView} view
 *  @param {string} name */
function find(archive, view, name) {
  let end = archive.byteLength - END_BYTES;
  const first = Math.max(0, end - MAX_COMMENT);
  while (end >= first && view.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < first) throw broken('it has no directory');
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const valid = at + ENTRY_BYTES <= end && view.getUint32(at, true) === ENTRY_SIGNATURE;
    if (!valid) throw broken('its directory is damaged');
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const text = new TextDecoder().decode(archive.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    if (text === name) {
      return { method: view.getUint16(at + 10, true), bytes: view.getUint32(at + 20, true),
        at: view.getUint32(at + 42, true) };
    }
    at += ENTRY_BYTES + nameBytes + extra + comment;
  }
  throw broken(`it has no file ${quoted(name)}`);
}

/** Version 2.0 of the format, which every program reads. */
const VERSION = 20;
/** Flag of names in UTF-8. */
const UTF8 = 0x800;
/** The first of January 1980, the smallest date: the same files give the same archive. */
const DATE = 0x21;

/**
 * Writes an archive of stored files, without compression.
 * @param {Record<string, Uint8Array[]>} files  parts of each file by its path
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {HeedError} 'too-large' for 65,535 files or 4 GB and more
 */
export function zip(files) {
  const entries = Object.entries(files).map(([path, parts]) => ({
    name: new TextEncoder().encode(path),
    parts,
    bytes: parts.reduce((sum, { length }) => sum + length, 0),
    crc: parts.reduce((checksum, part) => crc32(part, checksum), 0),
    at: 0,
  }));
  const start = entries.reduce((sum, { name, bytes }) => sum + LOCAL_BYTES + name.length + bytes, 0);
  const directory = entries.reduce((sum, { name }) => sum + ENTRY_BYTES + name.length, 0);
  const total = start + directory + END_BYTES;
  if (entries.length >= 0xffff || total >= 2 ** 32) {
    throw new HeedError('too-large', 'A ZIP archive has fewer than 65,535 files and 4 GB, not ' +
      `${entries.length} files and ${total} bytes. Write fewer files.`);
  }
  const archive = new Uint8Array(total);
  const view = new DataView(archive.buffer);
  let at = 0;
  const put = (/** @type {Uint8Array} */ bytes) => {
    archive.set(bytes, at);
    at += bytes.length;
  };
  const put16 = (/** @type {number[]} */ ...values) => {
    for (const value of values) {
      view.setUint16(at, value, true);
      at += 2;
    }
  };
  const put32 = (/** @type {number[]} */ ...values) =>
    values.forEach((value) => put16(value & 0xffff, value >>> 16));
  /** Fields that both headers of a file have. @param {typeof entries[number]} entry */
  const describe = ({ name, bytes, crc }) => {
    put16(VERSION, UTF8, 0, 0, DATE); // method 0: stored; time 0
    put32(crc, bytes, bytes);
    put16(name.length, 0); // no extra field
  };
  for (const entry of entries) {
    entry.at = at;
    put32(LOCAL_SIGNATURE);
    describe(entry);
    put(entry.name);
    entry.parts.forEach(put);
  }
  for (const entry of entries) {
    put32(ENTRY_SIGNATURE);
    put16(VERSION);
    describe(entry);
    put16(0, 0, 0); // no comment, disk 0, a binary file
    put32(0, entry.at);
    put(entry.name);
  }
  put32(END_SIGNATURE);
  put16(0, 0, entries.length, entries.length);
  put32(directory, start);
  put16(0); // no comment
  return archive;
}
