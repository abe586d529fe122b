/** One interface for the bytes of URLs, paths, Blobs and buffers: a name, a size and a stream of chunks. */
import { HeedError, quoted, throwIfAborted, unavailable } from '../errors.js';
import { chunksOf } from './chunks.js';
import { Download } from './download.js';
import { FileBytes } from './file.js';

/** @typedef {import('./download.js').DownloadOptions} DownloadOptions */

/**
 * A file: a URL, a path in Node, a File or Blob, or its bytes.
 * @typedef {string | URL | File | Blob | ArrayBuffer | ArrayBufferView} Source
 */
/**
 * A source of bytes, read in order from the first byte to the last, so that any static host can serve it.
 * @typedef {object} ByteSource
 * @property {string} name      file name or description, for messages and `inspect`
 * @property {'bytes' | 'blob' | 'url' | 'path'} kind
 * @property {string | null} address  URL or path, the base of neighboring files
 * @property {number | null} size     size in bytes; null while it is unknown, as for compressed downloads
 * @property {DownloadOptions} [download]  options of a URL, also for its neighbors
 * @property {(signal?: AbortSignal | null) => AsyncIterable<Uint8Array>} stream  chunks; each is valid until the next
 *   is requested
 */

const IS_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/**
 * Turns every kind of Source into a ByteSource.  Nothing is opened before `stream` is iterated.
 * @param {Source | ByteSource} source  a string is a URL in browsers.  In Node, http, https, blob, data and file
 *   URLs are URLs, and other strings are paths
 * @param {DownloadOptions} [download]  options of a download
 * @returns {ByteSource}
 * @throws {HeedError} 'bad-source'
 */
export function openSource(source, download = {}) {
  if (source instanceof ArrayBuffer) return bytesSource(new Uint8Array(source));
  if (ArrayBuffer.isView(source)) {
    return bytesSource(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  }
  if (typeof Blob === 'function' && source instanceof Blob) return blobSource(source);
  if (source instanceof URL) return addressSource(source.href, download);
  if (typeof source === 'string') return addressSource(source, download);
  if (isByteSource(source)) return source;
  throw new HeedError('bad-source', `Expected a URL, a File, a Blob, an ArrayBuffer, a Uint8Array or, in Node, a ` +
    `path; got ${describe(source)}.`);
}

/**
 * Whether a value is a source, and not the parsed content of a file.
 * @param {unknown} value
 * @returns {value is Source | ByteSource}
 */
export function isSource(value) {
  if (typeof value === 'string' || value instanceof URL) return true;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true;
  return (typeof Blob === 'function' && value instanceof Blob) || isByteSource(value);
}

/** @param {unknown} source @returns {source is ByteSource} */
function isByteSource(source) {
  return typeof source === 'object' && source !== null && 'stream' in source && 'kind' in source;
}

/** @param {unknown} value */
function describe(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? `an object of class ${value.constructor?.name ?? 'Object'}` : `a ${typeof value}`;
}

/**
 * @param {string} text
 * @param {DownloadOptions} download
 */
function addressSource(text, download) {
  if (text === '') throw new HeedError('bad-source', 'The address of the model is empty. Give a URL or a path.');
  if (!IS_NODE) {
    return urlSource(new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href).href, download);
  }
  if (/^(https?|blob|data):/i.test(text)) return urlSource(text, download);
  return pathSource(/^file:/i.test(text) ? new URL(text) : text);
}

/** @param {Uint8Array} bytes @returns {ByteSource} */
function bytesSource(bytes) {
  return {
    name: `${bytes.byteLength} bytes in memory`,
    kind: 'bytes',
    address: null,
    size: bytes.byteLength,
    async *stream(signal) {
      throwIfAborted(signal);
      yield bytes;
    },
  };
}

/** @param {Blob} blob  a Blob, or a File with a name
 *  @returns {ByteSource} */
function blobSource(blob) {
  const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : `a Blob of ${blob.size} bytes`;
  return {
    name,
    kind: 'blob',
    address: null,
    size: blob.size,
    async *stream(signal) {
      try {
        yield* chunksOf(blob.stream(), signal);
      } catch (error) {
        throw unavailable(error, signal, `${quoted(name)} could not be read`, 'Choose the file again.');
      }
    },
  };
}

/**
 * @param {string} address
 * @param {DownloadOptions} download
 */
function urlSource(address, download) {
  const name = fileName(address);
  /** @type {ByteSource} */
  const source = {
    name,
    kind: 'url',
    address,
    size: null,
    download,
    stream: (signal) => new Download(address, name, signal, download, (size) => (source.size = size)).chunks(),
  };
  return source;
}

/** @param {string | URL} path */
function pathSource(path) {
  const text = String(path);
  /** @type {ByteSource} */
  const source = {
    name: fileName(text),
    kind: 'path',
    address: text,
    size: null,
    stream: (signal) => new FileBytes(path, signal, (size) => (source.size = size)),
  };
  return source;
}

/** The last part of a path or an address. @param {string} address */
export function fileName(address) {
  if (/^data:/i.test(address)) return 'a data: URL';
  const isUrl = /^(https?|blob|file):/i.test(address);
  const path = isUrl ? address.replace(/[?#].*$/, '') : address;
  const last = path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
  return isUrl ? decodeURIComponentSafe(last) : last;
}

/** @param {string} text */
function decodeURIComponentSafe(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A file in the same folder, such as a shard that an index names.
 * @param {ByteSource} source
 * @param {string} name  a bare file name, because a file from the network must not name other folders
 * @returns {ByteSource | null} null if the source has no address
 */
export function neighbor(source, name) {
  if (source.address === null || !/^[\w][\w.-]*$/.test(name)) return null;
  if (source.kind === 'url' && !/^https?:/i.test(source.address)) return null;
  if (source.kind === 'url') return urlSource(new URL(name, source.address).href, source.download ?? {});
  return addressSource(source.address.replace(/[^/\\]*$/, name), {});
}
