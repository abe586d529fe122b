/** Reads one file of a ZIP archive (PKWARE APPNOTE 6.3: stored or deflated, one disk). */
import { HeedError, quoted } from '../errors.js';

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
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
