/** Reads the GGUF headers of models, of parts of split models, and of adapters. */
import { gguf as parseGguf } from '@huggingface/gguf';
import { HeedError, quoted } from '../../errors.js';
import { HeaderWalk } from './walk.js';

/**
 * The header of a GGUF file: metadata and the list of tensors
 * (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
 *
 * The parser is `@huggingface/gguf`.  Before it runs, a walk over the structure checks every count and length.  The
 * walk also takes out arrays of strings and long values, and the parser gets the header with these values empty.  The
 * parser would create every string of a vocabulary.  It also restarts an array with each 2 MB that it fetches, and cuts
 * a string at such a boundary.  It removes a byte order mark from a token.
 */

/**
 * @typedef {import('../../text/tokenizer/strings.js').Strings} Strings
 * @typedef {Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array |
 *   Float64Array | BigUint64Array | BigInt64Array} Numbers
 * @typedef {string | number | bigint | boolean | unknown[] | Numbers | Strings} Value  arrays of strings are Strings,
 *   long arrays of numbers are typed arrays
 * @typedef {Record<string, Value>} Metadata
 * @typedef {{ name: string, dims: number[], type: number, offset: number }} TensorInfo  dims fastest first, as stored
 * @typedef {object} Header
 * @property {number} version
 * @property {Metadata} metadata
 * @property {Map<string, number>} types  type of each value by key, or of the elements of an array
 * @property {TensorInfo[]} tensors
 * @property {number} bytes  length of the header
 */
/**
 * Reads the header without consuming it.
 * @param {import('../stream.js').StreamReader} reader  at the first byte of the file
 * @param {string} name  name of the file, for messages
 * @returns {Promise<Header>}
 * @throws {HeedError} 'bad-file', 'truncated', 'too-large', 'unsupported'
 */
export async function readHeader(reader, name) {
  const walk = new HeaderWalk(reader, name);
  await walk.run();
  const parsed = await parse(walk.remainder(), name);
  /** @type {Metadata} */
  const metadata = Object.create(null);
  const values = /** @type {Record<string, Value>} */ (parsed.metadata);
  for (const key of walk.keys) metadata[key] = values[key];
  for (const value of walk.longValues) metadata[value.key] = walk.decode(value);
  const tensors = parsed.tensorInfos.map((info) => ({
    name: info.name,
    dims: info.shape.map((n) => safeInteger(n, `a dimension of tensor ${quoted(info.name)}`, name)),
    type: info.dtype,
    offset: safeInteger(info.offset, `the offset of tensor ${quoted(info.name)}`, name),
  }));
  return { version: walk.version, metadata, types: walk.types, tensors, bytes: walk.offset };
}

/**
 * @param {Uint8Array} header
 * @param {string} name
 */
async function parse(header, name) {
  // The two members of a Response that the parser uses; a real Response would load the HTTP client of Node.
  const fetchRange = async (/** @type {unknown} */ _, /** @type {{ headers: { Range: string } }} */ { headers }) => {
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers.Range) ?? [];
    const bytes = header.slice(Number(first), Number(last) + 1);
    return { headers: new Map(), arrayBuffer: async () => bytes.buffer };
  };
  try {
    return await parseGguf('https://heed.invalid/model.gguf', { fetch: /** @type {any} */ (fetchRange) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HeedError('bad-file', `The GGUF header of ${quoted(name)} cannot be read: ${reason}.`, { cause: error });
  }
}

/**
 * @param {bigint} n
 * @param {string} what
 * @param {string} name
 */
function safeInteger(n, what, name) {
  if (n <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(n);
  throw new HeedError('bad-file', `In ${quoted(name)}, ${what} is ${n}, which is larger than any file.`);
}
