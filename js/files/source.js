import { HeedError, quoted, throwIfAborted, unavailable } from '../errors.js';
import { chunksOf } from './chunks.js';
import { Download } from './download.js';
import { FileBytes } from './file.js';
import { hubAddress, isHubId } from './hub.js';
import { StreamReader } from './stream.js';

/** @typedef {import('./download.js').DownloadOptions} DownloadOptions */

/**
 * Where bytes come from.  A source is read from its first byte to its last, in order, so that any static host will do.
 *
 * @typedef {string | URL | File | Blob | ArrayBuffer | ArrayBufferView} Source
 * @typedef {object} ByteSource
 * @property {string} name      for sentences and `inspect`: a file name, or what kind of thing it is
 * @property {'bytes' | 'blob' | 'url' | 'path'} kind
 * @property {string | null} address  URL or path, to resolve a neighbour against
 * @property {number | null} size     bytes; null where it is not known before the end, e.g. of compressed downloads
 * @property {DownloadOptions} [download]  of a URL, for its neighbours
 * @property {(signal?: AbortSignal | null) => AsyncIterable<Uint8Array>} stream  a chunk is valid until the next is
 *   asked for
 * @property {(limit: number, what: string, signal?: AbortSignal | null) => Promise<Uint8Array>} readAll
 */

const IS_NODE = typeof process === 'object' && typeof process?.versions?.node === 'string';

/**
 * Makes one thing out of everything that API.md calls a Source.  Nothing is opened before `stream` is iterated.
 * @param {Source | ByteSource} source  a string that begins with hf: is a file of a hub (hub.js); in Node one that is
 *   no http, https, blob, data or file URL is a path
 * @param {DownloadOptions} [download]  of what is fetched
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
  throw new HeedError('bad-source', `A model cannot be read from ${describe(source)}. Give a URL, a File, a Blob, an ` +
    'ArrayBuffer, a Uint8Array or, in Node, a path.');
}

/**
 * Whether something is to be read, rather than the parsed content of a file.
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
  return typeof source === 'object' && source !== null && 'stream' in source && 'readAll' in source && 'kind' in source;
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
  if (isHubId(text)) return urlSource(hubAddress(text), download);
  if (!IS_NODE) {
    return urlSource(new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href).href, download);
  }
  if (/^(https?|blob|data):/i.test(text)) return urlSource(text, download);
  return pathSource(/^file:/i.test(text) ? new URL(text) : text);
}

/**
 * @param {Omit<ByteSource, 'readAll'>} source
 * @returns {ByteSource}
 */
function withReadAll(source) {
  const complete = /** @type {ByteSource} */ (source);
  complete.readAll = (limit, what, signal) => readAll(complete, limit, what, signal);
  return complete;
}

/** @param {Uint8Array} bytes */
function bytesSource(bytes) {
  return withReadAll({
    name: `${bytes.byteLength} bytes in memory`,
    kind: 'bytes',
    address: null,
    size: bytes.byteLength,
    async *stream(signal) {
      throwIfAborted(signal);
      yield bytes;
    },
  });
}

/** @param {Blob} blob a File has a name, too */
function blobSource(blob) {
  const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : `a Blob of ${blob.size} bytes`;
  return withReadAll({
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
  });
}

/**
 * @param {string} address
 * @param {DownloadOptions} download
 */
function urlSource(address, download) {
  const name = fileName(address);
  const source = withReadAll({
    name,
    kind: 'url',
    address,
    size: null,
    download,
    stream: (signal) => new Download(address, name, signal, download, (size) => (source.size = size)).chunks(),
  });
  return source;
}

/** @param {string | URL} path */
function pathSource(path) {
  const text = String(path);
  const source = withReadAll({
    name: fileName(text),
    kind: 'path',
    address: text,
    size: null,
    stream: (signal) => new FileBytes(path, signal, (size) => (source.size = size)),
  });
  return source;
}

/**
 * @param {ByteSource} source
 * @param {number} limit bytes that the whole may have
 * @param {string} what what the bytes are, for the error's sentence
 * @param {AbortSignal | null | undefined} signal
 */
async function readAll(source, limit, what, signal) {
  const reader = new StreamReader(source.stream(signal), { name: source.name, signal });
  try {
    const bytes = await reader.peek(limit + 1);
    if (bytes.byteLength > limit) {
      throw new HeedError('too-large', `${quoted(source.name)} has more than the ${limit} bytes that ${what} may ` +
        'have.');
    }
    return bytes.slice();
  } finally {
    await reader.close();
  }
}

/** @param {string} address */
function fileName(address) {
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
 * A file beside another: the shards that an index names.
 * @param {ByteSource} source
 * @param {string} name a bare file name; a stranger's file may not point elsewhere
 * @returns {ByteSource | null} null where the source has no neighbours
 */
export function neighbour(source, name) {
  if (source.address === null || !/^[\w][\w.-]*$/.test(name)) return null;
  if (source.kind === 'url' && !/^https?:/i.test(source.address)) return null;
  if (source.kind === 'url') return urlSource(new URL(name, source.address).href, source.download ?? {});
  return addressSource(source.address.replace(/[^/\\]*$/, name), {});
}
