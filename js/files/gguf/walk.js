/** Checks the sizes in the header of a GGUF file, before the parser takes memory for them. */
import { HeedError, quoted } from '../../errors.js';
import { LENGTH_BYTES, Strings, stringEnds } from '../../text/tokenizer/strings.js';
import { notAModel } from '../sniff.js';

/** Largest header in bytes.  256,000 tokens with merges need 20 MB; the parser itself stops at 50 MB. */
export const MAX_HEADER_BYTES = 40 << 20;
/** Largest number of metadata entries; models have fewer than 100. */
const MAX_KEYS = 4096;
/** Largest number of tensors; a dense model of 200 layers has 2,400. */
export const MAX_TENSORS = 1 << 16;
/** Largest number of elements of an array; the longest are merges, about two per token. */
export const MAX_ARRAY_LENGTH = 1 << 20;
/** Largest number of elements of all arrays, because each element costs memory beyond its bytes. */
export const MAX_ELEMENTS = 1 << 22;
/** Largest length of a key in bytes, the limit of the format. */
const MAX_KEY_BYTES = 65535;
/** Largest length of a tensor's name in bytes; GGML's limit is 64. */
const MAX_NAME_BYTES = 256;
/** Largest number of axes of a tensor, the limit of GGML. */
const MAX_DIMS = 4;
/** Bytes of the magic number and the version. */
const START_BYTES = 8;
/** Size above which values are decoded here, not by the parser, which buffers 500 kB. */
const LONG_VALUE_BYTES = 65536;

const UINT8 = 0, INT8 = 1, UINT16 = 2, INT16 = 3, UINT32 = 4, INT32 = 5, FLOAT32 = 6, BOOL = 7, STRING = 8, ARRAY = 9,
  UINT64 = 10, INT64 = 11, FLOAT64 = 12;
/** @type {Readonly<Record<number, number>>} */
const SCALAR_BYTES = {
  [UINT8]: 1, [INT8]: 1, [UINT16]: 2, [INT16]: 2, [UINT32]: 4, [INT32]: 4, [FLOAT32]: 4, [BOOL]: 1, [UINT64]: 8,
  [INT64]: 8, [FLOAT64]: 8,
};

/** The typed array of each type; the byte order is little-endian, as in the engine's memory.
 *  @type {Readonly<Record<number, new (buffer: ArrayBuffer) => import('./header.js').Numbers>>} */
const ARRAYS = {
  [UINT8]: Uint8Array, [INT8]: Int8Array, [UINT16]: Uint16Array, [INT16]: Int16Array, [UINT32]: Uint32Array,
  [INT32]: Int32Array, [FLOAT32]: Float32Array, [UINT64]: BigUint64Array, [INT64]: BigInt64Array,
  [FLOAT64]: Float64Array,
};

/** @typedef {import('./header.js').Value} Value */

/**
 * A value that is decoded here, not by the parser.
 * @typedef {object} LongValue
 * @property {string} key
 * @property {number} type     type of the elements
 * @property {number | null} count  number of elements; null: a single string
 * @property {number} start    first byte of the elements in the file
 * @property {number} end      byte after the elements in the file
 * @property {Uint32Array} [ends]  end of each string, relative to `start`
 */

/** Thrown when the walk needs bytes that the reader does not hold yet. */
class NeedsMore {
  /** @param {number} end  position in the file that is needed @param {string} what  name of the data there */
  constructor(end, what) {
    this.end = end;
    this.what = what;
  }
}

/**
 * Walks over the structure of a header and checks every count and length against a limit.  So a malicious header cannot
 * exhaust memory or time.  It decodes only keys; long values are decoded on request.
 *
 * The walk is synchronous over the held bytes, because a vocabulary has a hundred thousand steps.  If it needs more
 * bytes, it restarts with twice as many.
 */
export class HeaderWalk {
  version = 0;
  offset = 0;
  /** @type {Set<string>} */ keys = new Set();
  #elements = 0;
  /** @type {LongValue[]} */ longValues = [];
  /** Type of each value by key, or of the elements of an array. @type {Map<string, number>} */ types = new Map();
  /** @type {Uint8Array} */ #bytes = new Uint8Array(0);
  /** @type {DataView} */ #view = new DataView(new ArrayBuffer(0));
  #reader;
  #name;
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /**
   * @param {import('../stream.js').StreamReader} reader
   * @param {string} name
   */
  constructor(reader, name) {
    this.#reader = reader;
    this.#name = name;
  }

  async run() {
    for (let wanted = START_BYTES; ;) {
      this.#bytes = await this.#reader.peek(wanted);
      this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
      const held = this.#bytes.byteLength;
      try {
        return this.#walk();
      } catch (reason) {
        if (!(reason instanceof NeedsMore)) throw reason;
        if (held < wanted) throw this.#truncated(reason.what);
        wanted = Math.max(reason.end, Math.min(2 * held, MAX_HEADER_BYTES));
      }
    }
  }

  #walk() {
    this.offset = 0;
    this.keys = new Set();
    this.longValues = [];
    this.#elements = 0;
    this.#magic();
    const tensorCount = this.#count('the number of tensors', MAX_TENSORS);
    const keyCount = this.#count('the number of metadata entries', MAX_KEYS);
    for (let i = 0; i < keyCount; i++) this.#entry();
    /** @type {Set<string>} */
    const names = new Set();
    for (let i = 0; i < tensorCount; i++) {
      const name = this.#string(`the name of tensor ${i}`, MAX_NAME_BYTES);
      if (names.has(name)) throw this.#bad(`tensor ${quoted(name)} occurs twice`);
      names.add(name);
      const dims = this.#u32(`the dimensions of tensor ${quoted(name)}`);
      if (dims > MAX_DIMS) throw this.#bad(`tensor ${quoted(name)} has ${dims} dimensions; the limit is ${MAX_DIMS}`);
      this.#skip(8 * dims + 4 + 8, `the description of tensor ${quoted(name)}`);
    }
  }

  #magic() {
    const prefix = this.#bytes;
    if (prefix[0] !== 0x47 || prefix[1] !== 0x47 || prefix[2] !== 0x55 || prefix[3] !== 0x46) {
      throw notAModel(prefix, this.#name);
    }
    this.#skip(4, 'the magic number');
    this.version = this.#u32('the version');
    if ((this.version & 0xffff) === 0) {
      throw new HeedError('unsupported', `${quoted(this.#name)} is a big-endian GGUF file. Convert it to ` +
        'little-endian.');
    }
    if (this.version !== 2 && this.version !== 3) {
      throw new HeedError('unsupported', `${quoted(this.#name)} is GGUF version ${this.version}; heed reads ` +
        'versions 2 and 3. Convert the model again with a current converter.');
    }
  }

  #entry() {
    const key = this.#string('a metadata key', MAX_KEY_BYTES);
    if (this.keys.has(key)) throw this.#bad(`the metadata key ${quoted(key)} occurs twice`);
    this.keys.add(key);
    const what = `the value of ${quoted(key)}`;
    const type = this.#u32(what);
    this.types.set(key, type);
    if (type === STRING) {
      const length = this.#count(what, MAX_HEADER_BYTES);
      this.#value(key, STRING, null, length, what);
    } else if (type === ARRAY) {
      this.#array(key, what);
    } else {
      this.#skip(this.#scalarBytes(type, what), what);
    }
  }

  /**
   * @param {string} key
   * @param {string} what
   */
  #array(key, what) {
    const type = this.#u32(what);
    const count = this.#count(`the length of ${quoted(key)}`, MAX_ARRAY_LENGTH);
    if (type === ARRAY) throw this.#bad(`${what} is an array of arrays`);
    this.types.set(key, type);
    this.#elements += count;
    if (this.#elements > MAX_ELEMENTS) {
      throw new HeedError('too-large', `The arrays in the header of ${quoted(this.#name)} have more than ` +
        `${MAX_ELEMENTS} elements in total.`);
    }
    if (type !== STRING) return this.#value(key, type, count, count * this.#scalarBytes(type, what), what);
    const start = this.offset;
    const ends = stringEnds(this.#bytes, start, count);
    this.offset += ends.at(-1) ?? 0;
    if (ends.length < count) {
      this.#skip(LENGTH_BYTES, what);
      const length = this.#view.getUint32(this.offset - LENGTH_BYTES, true);
      if (this.#view.getUint32(this.offset - 4, true) !== 0) {
        throw this.#bad(`element ${ends.length} of ${what} is over 4 GB`);
      }
      this.#need(length, what);
    }
    this.longValues.push({ key, type, count, start, end: this.offset, ends });
  }

  /**
   * @param {string} key
   * @param {number} type
   * @param {number | null} count
   * @param {number} bytes
   * @param {string} what
   */
  #value(key, type, count, bytes, what) {
    const start = this.offset;
    this.#skip(bytes, what);
    if (bytes > LONG_VALUE_BYTES) this.longValues.push({ key, type, count, start, end: this.offset });
  }

  /**
   * @param {number} type
   * @param {string} what
   */
  #scalarBytes(type, what) {
    const bytes = SCALAR_BYTES[type];
    if (bytes === undefined) throw this.#bad(`${what} has type ${type}, which GGUF does not define`);
    return bytes;
  }

  /**
   * Checks that n more bytes are held.
   * @param {number} n
   * @param {string} what
   */
  #need(n, what) {
    const end = this.offset + n;
    if (end <= this.#bytes.byteLength) return;
    if (end <= MAX_HEADER_BYTES) throw new NeedsMore(end, what);
    throw new HeedError('too-large', `The GGUF header of ${quoted(this.#name)} is longer than ` +
      `${MAX_HEADER_BYTES >> 20} MB (at ${what}), far more than in any known model.`);
  }

  /**
   * @param {number} n
   * @param {string} what
   */
  #skip(n, what) {
    this.#need(n, what);
    this.offset += n;
  }

  /** @param {string} what */
  #u32(what) {
    this.#skip(4, what);
    return this.#view.getUint32(this.offset - 4, true);
  }

  /**
   * @param {string} what
   * @param {number} limit
   */
  #count(what, limit) {
    this.#skip(8, what);
    const n = this.#view.getBigUint64(this.offset - 8, true);
    if (n <= BigInt(limit)) return Number(n);
    throw new HeedError('too-large', `In ${quoted(this.#name)}, ${what} is ${n}; the limit is ${limit}. The file is ` +
      'damaged or malicious.');
  }

  /**
   * @param {string} what
   * @param {number} limit
   */
  #string(what, limit) {
    const length = this.#count(`the length of ${what}`, limit);
    this.#skip(length, what);
    return this.#decoder.decode(this.#bytes.subarray(this.offset - length, this.offset));
  }

  /** @param {string} what */
  #truncated(what) {
    return new HeedError('truncated', `${quoted(this.#name)} ends after ${this.#bytes.byteLength} bytes, in the ` +
      `middle of ${what}. Download or copy the file again.`);
  }

  /** @param {string} problem */
  #bad(problem) {
    return new HeedError('bad-file', `${quoted(this.#name)} is damaged: ${problem}.`);
  }

  /** The header with empty long values, for the parser. */
  remainder() {
    const lifted = this.longValues.reduce((sum, { start, end }) => sum + end - start, 0);
    const header = new Uint8Array(this.offset - lifted);
    let from = 0;
    let to = 0;
    for (const { start, end } of this.longValues) {
      header.set(this.#bytes.subarray(from, start), to);
      to += start - from;
      header.fill(0, to - 8, to); // the length or count
      from = end;
    }
    header.set(this.#bytes.subarray(from, this.offset), to);
    return header;
  }

  /**
   * @param {LongValue} value
   * @returns {Value}
   */
  decode({ type, count, start, end, ends }) {
    if (count === null) return this.#decoder.decode(this.#bytes.subarray(start, end));
    const bytes = this.#bytes.slice(start, end); // the reader reuses its memory
    if (ends) return new Strings(bytes, ends);
    if (type === BOOL) return Array.from(bytes, (byte) => byte !== 0);
    return new ARRAYS[type](bytes.buffer);
  }
}
