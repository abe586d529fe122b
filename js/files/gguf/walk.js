import { HeedError, quoted } from '../../errors.js';
import { LENGTH_BYTES, Strings, stringEnds } from '../../text/tokenizer/strings.js';
import { notAModel } from '../sniff.js';

/** Bytes of a whole header.  256,000 tokens with their merges take 20 MB; the parser itself stops at 50 MB. */
export const MAX_HEADER_BYTES = 40 << 20;
/** Metadata entries: models have under 100. */
export const MAX_KEYS = 4096;
/** Tensors: a dense model of 200 layers has 2,400. */
export const MAX_TENSORS = 1 << 16;
/** Elements of one array: the longest are merges, about two for each token of the largest vocabularies. */
export const MAX_ARRAY_LENGTH = 1 << 20;
/** Elements of all arrays together: each costs memory beyond its bytes. */
export const MAX_ELEMENTS = 1 << 22;
/** Bytes of a key: the format's own limit. */
export const MAX_KEY_BYTES = 65535;
/** Bytes of a tensor's name: GGML's own limit is 64. */
export const MAX_NAME_BYTES = 256;
/** Axes of a tensor: GGML's own limit. */
export const MAX_DIMS = 4;
/** Of the magic number and the version. */
const START_BYTES = 8;
/** Numbers and texts longer than this are decoded here: well under the 500 kB that the parser holds in advance. */
const LONG_VALUE_BYTES = 65536;

const UINT8 = 0, INT8 = 1, UINT16 = 2, INT16 = 3, UINT32 = 4, INT32 = 5, FLOAT32 = 6, BOOL = 7, STRING = 8, ARRAY = 9,
  UINT64 = 10, INT64 = 11, FLOAT64 = 12;
/** @type {Readonly<Record<number, number>>} */
const SCALAR_BYTES = {
  [UINT8]: 1, [INT8]: 1, [UINT16]: 2, [INT16]: 2, [UINT32]: 4, [INT32]: 4, [FLOAT32]: 4, [BOOL]: 1, [UINT64]: 8,
  [INT64]: 8, [FLOAT64]: 8,
};

/** What holds numbers of each type, in the order of bytes that the engine's memory has, too.
 *  @type {Readonly<Record<number, new (buffer: ArrayBuffer) => import('./header.js').Numbers>>} */
const ARRAYS = {
  [UINT8]: Uint8Array, [INT8]: Int8Array, [UINT16]: Uint16Array, [INT16]: Int16Array, [UINT32]: Uint32Array,
  [INT32]: Int32Array, [FLOAT32]: Float32Array, [UINT64]: BigUint64Array, [INT64]: BigInt64Array,
  [FLOAT64]: Float64Array,
};

/** @typedef {import('./header.js').Value} Value */

/**
 * @typedef {object} LongValue
 * @property {string} key
 * @property {number} type     of the elements; STRING with count null is one string
 * @property {number | null} count
 * @property {number} start    of the elements, in the file
 * @property {number} end
 * @property {Uint32Array} [ends]  of each string of a list, counted from `start`
 */

/** Thrown where the walk comes to the end of what is held. */
class Unheld {
  /** @param {number} end  as far as it has to go on, in bytes of the file @param {string} what  is there */
  constructor(end, what) {
    this.end = end;
    this.what = what;
  }
}

/**
 * Walks over the structure of a header and checks every count and length against a limit, so that a hostile one costs
 * neither memory nor time.  Decodes nothing but keys, until it is asked for the values that it lifted out.
 *
 * It walks over what is held, without waiting: a vocabulary is a hundred thousand steps.  Where more is needed, twice
 * as much is asked for, and the walk begins again.
 */
export class HeaderWalk {
  version = 0;
  offset = 0;
  /** @type {Set<string>} */ keys = new Set();
  #elements = 0;
  /** @type {LongValue[]} */ longValues = [];
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
        if (!(reason instanceof Unheld)) throw reason;
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
      if (names.has(name)) throw this.#bad(`tensor ${quoted(name)} is there twice`);
      names.add(name);
      const dims = this.#u32(`the dimensions of tensor ${quoted(name)}`);
      if (dims > MAX_DIMS) throw this.#bad(`tensor ${quoted(name)} has ${dims} dimensions; ${MAX_DIMS} are the most`);
      this.#pass(8 * dims + 4 + 8, `the description of tensor ${quoted(name)}`);
    }
  }

  #magic() {
    const prefix = this.#bytes;
    if (prefix[0] !== 0x47 || prefix[1] !== 0x47 || prefix[2] !== 0x55 || prefix[3] !== 0x46) {
      throw notAModel(prefix, this.#name);
    }
    this.#pass(4, 'the magic number');
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
    if (this.keys.has(key)) throw this.#bad(`the metadata key ${quoted(key)} is there twice`);
    this.keys.add(key);
    const what = `the value of ${quoted(key)}`;
    const type = this.#u32(what);
    if (type === STRING) {
      const length = this.#count(what, MAX_HEADER_BYTES);
      this.#value(key, STRING, null, length, what);
    } else if (type === ARRAY) {
      this.#array(key, what);
    } else {
      this.#pass(this.#scalarBytes(type, what), what);
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
    this.#elements += count;
    if (this.#elements > MAX_ELEMENTS) {
      throw new HeedError('too-large', `The lists in the header of ${quoted(this.#name)} have more than ` +
        `${MAX_ELEMENTS} entries together; no known model comes near that.`);
    }
    if (type !== STRING) return this.#value(key, type, count, count * this.#scalarBytes(type, what), what);
    const start = this.offset;
    const ends = stringEnds(this.#bytes, start, count);
    this.offset += ends.at(-1) ?? 0;
    if (ends.length < count) {
      this.#pass(LENGTH_BYTES, what);
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
    this.#pass(bytes, what);
    if (bytes > LONG_VALUE_BYTES) this.longValues.push({ key, type, count, start, end: this.offset });
  }

  /**
   * @param {number} type
   * @param {string} what
   */
  #scalarBytes(type, what) {
    const bytes = SCALAR_BYTES[type];
    if (bytes === undefined) throw this.#bad(`${what} has type ${type}, which GGUF does not know`);
    return bytes;
  }

  /**
   * Sees that n more bytes are held.
   * @param {number} n
   * @param {string} what
   */
  #need(n, what) {
    const end = this.offset + n;
    if (end <= this.#bytes.byteLength) return;
    if (end <= MAX_HEADER_BYTES) throw new Unheld(end, what);
    throw new HeedError('too-large', `The GGUF header of ${quoted(this.#name)} is over ${MAX_HEADER_BYTES >> 20} ` +
      `MB long (at ${what}); no known model comes near that.`);
  }

  /**
   * @param {number} n
   * @param {string} what
   */
  #pass(n, what) {
    this.#need(n, what);
    this.offset += n;
  }

  /** @param {string} what */
  #u32(what) {
    this.#pass(4, what);
    return this.#view.getUint32(this.offset - 4, true);
  }

  /**
   * @param {string} what
   * @param {number} limit
   */
  #count(what, limit) {
    this.#pass(8, what);
    const n = this.#view.getBigUint64(this.offset - 8, true);
    if (n <= BigInt(limit)) return Number(n);
    throw new HeedError('too-large', `In ${quoted(this.#name)}, ${what} is ${n}; at most ${limit} are read. The ` +
      'file is damaged, or was made to do harm.');
  }

  /**
   * @param {string} what
   * @param {number} limit
   */
  #string(what, limit) {
    const length = this.#count(`the length of ${what}`, limit);
    this.#pass(length, what);
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

  /** The header with its long values left empty. */
  remainder() {
    const lifted = this.longValues.reduce((sum, { start, end }) => sum + end - start, 0);
    const header = new Uint8Array(this.offset - lifted);
    let from = 0;
    let to = 0;
    for (const { start, end } of this.longValues) {
      header.set(this.#bytes.subarray(from, start), to);
      to += start - from;
      header.fill(0, to - 8, to); // its length or count
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
    const bytes = this.#bytes.slice(start, end); // the reader needs its memory again
    if (ends) return new Strings(bytes, ends);
    if (type === BOOL) return Array.from(bytes, (byte) => byte !== 0);
    return new ARRAYS[type](bytes.buffer);
  }
}
