/** The engine: a WebAssembly instance of the C core, with its memory, ABI and threads. */
import { HeedError, revived } from '../errors.js';
import { readBinary, whereIs } from './binaries.js';
import { startWorker } from './port.js';
import { WASM_FORBIDDEN, isForbidden } from './relaxed.js';
import { chooseStreams } from './streams.js';

/** Bytes of one page of WebAssembly memory. */
export const PAGE_BYTES = 65536;
/** Bytes that 32-bit WebAssembly can address: 4 GB. */
export const MEMORY_LIMIT = 65536 * PAGE_BYTES;
/** Initial pages of a shared memory: the data and stack of the module. */
export const FIRST_PAGES = 64;
/** Alignment in bytes of memory for the core: one cache line. */
const ALIGN = 64;

const startThread = () => new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
/** Bytes of a thread's stack; the largest kernel needs about 280 KB. */
const STACK_BYTES = 320 * 1024;

/** Kernels of the engine: portable C, fixed-width SIMD, relaxed SIMD, or relaxed SIMD with products of whole bytes,
 *  unsigned or signed (src/heed.h, HEED_KERNEL_SETS).
 *  @typedef {'scalar' | 'simd128' | 'relaxed' | 'relaxed-u8' | 'relaxed-s8'} KernelSet */

/** Compiled modules of this thread. @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** @param {import('./binaries.js').BinaryName} name @returns {Promise<WebAssembly.Module>} */
function compile(name) {
  let module = compiled.get(name);
  if (!module) {
    module = compileBinary(name);
    compiled.set(name, module);
    module.catch(() => compiled.delete(name)); // the network may work again at the next load
  }
  return module;
}

/** @param {import('./binaries.js').BinaryName} name */
async function compileBinary(name) {
  try {
    return await WebAssembly.compile(await readBinary(name));
  } catch (cause) {
    throw notLoaded(name, cause);
  }
}

/** @param {import('./binaries.js').BinaryName} name @param {WebAssembly.Imports} imports */
async function instantiate(name, imports) {
  const module = await compile(name);
  try {
    return await WebAssembly.instantiate(module, imports);
  } catch (cause) {
    throw isForbidden(cause) ? notLoaded(name, cause) : cause; // WebKit's policy forbids instances, not compilation
  }
}

/** @param {import('./binaries.js').BinaryName} name @param {unknown} cause */
function notLoaded(name, cause) {
  const what = `The engine ${whereIs(name)} could not be loaded.`;
  return new HeedError('unavailable', `${what} ${adviceOn(cause)}`, { cause });
}

/** Advice about a binary that failed to load. @param {unknown} cause */
function adviceOn(cause) {
  if (isForbidden(cause)) return WASM_FORBIDDEN;
  if (cause instanceof WebAssembly.CompileError) {
    return 'This browser may lack WebAssembly SIMD; every browser since 2023 has it.';
  }
  return 'Build it with `make wasm`, or serve it at this address.';
}

/**
 * Names and numbers of src/heed.h, as heed_abi() of the module lists them.
 * @typedef {object} Abi
 * @property {Map<string, { name: string, type: string, count: number, names: string[] }[]>} structs
 *   fields in order; count: words of four bytes that a field takes
 * @property {Map<string, number>} dtypes   GGML's number of each weight type, by name
 * @property {string[]} slots               names of weights outside of blocks
 * @property {string[]} blocks              names of weights of one block
 * @property {{ name: string, perLayer: boolean, axes: string[] }[]} hooks  activations
 * @property {string[]} operations          operations of heed/lab
 * @property {string[]} errors              error codes
 * @property {Map<string, string[]>} enums  names of the values 0, 1, … of an enumeration
 * @property {Map<string, number>} limits   numeric limits, by name
 * @property {string[]} kernels             names of kernels, in the order of the kernel table
 */

/** Parses the text of heed_abi(). @param {string} text @returns {Abi} */
export function parseAbi(text) {
  /** @type {Abi} */
  const abi = {
    structs: new Map(),
    dtypes: new Map(),
    slots: [],
    blocks: [],
    hooks: [],
    operations: [],
    errors: [],
    enums: new Map(),
    limits: new Map(),
    kernels: [],
  };
  for (const line of text.trim().split('\n')) {
    const [kind, ...words] = line.trim().split(' ');
    if (kind === 'field') {
      const [struct, name, type, count, ...names] = words;
      const field = { name, type, count: Number(count), names };
      abi.structs.set(struct, [...(abi.structs.get(struct) ?? []), field]);
    } else if (kind === 'dtype') abi.dtypes.set(words[0], Number(words[1]));
    else if (kind === 'slot') abi.slots.push(words[0]);
    else if (kind === 'block') abi.blocks.push(words[0]);
    else if (kind === 'hook') {
      const [name, perLayer, ...axes] = words;
      abi.hooks.push({ name, perLayer: perLayer === '1', axes });
    } else if (kind === 'operation') abi.operations.push(words[0]);
    else if (kind === 'error') abi.errors.push(words[0]);
    else if (kind === 'enum') abi.enums.set(words[0], words.slice(1));
    else if (kind === 'limit') abi.limits.set(words[0], Number(words[1]));
    else if (kind === 'kernels') abi.kernels.push(...words);
    else throw new Error(`heed_abi: a line of kind ${kind}`);
  }
  return abi;
}

/** @param {KernelSet} kernels @param {number} threads
 *  @returns {'heed' | 'heed-mt' | 'heed-relaxed' | 'heed-relaxed-mt'} */
const binaryOf = (kernels, threads) =>
  `${kernels.startsWith('relaxed') ? 'heed-relaxed' : 'heed'}${threads > 1 ? '-mt' : ''}`;

/**
 * One instance of the module.  Its memory is reserved from the bottom up, and calls throw the errors of the core.  Take
 * a new view of the memory for each use, because a view becomes invalid when the memory grows.  Addresses are 32-bit;
 * Engine64 (wasm64.js) is the same with 64-bit memory.
 */
export class Engine {
  /** Bytes that the memory can have. */
  memoryLimit = MEMORY_LIMIT;
  /** @type {Abi} */ abi;
  /** @type {WebAssembly.Memory} */ memory;
  /** Address of the thread pool; 0 with one thread. */
  pool = 0;
  /** Whether weights of one row are read as many streams (streams.js). */
  manyStreams = true;
  /** Runs a step of one token, and times the first steps to choose how weights are read. */
  runStep = chooseStreams(this);
  #exports;
  #top;
  #error;
  #code;
  /** @type {import('./port.js').ClientPort[]} */ #helpers = [];

  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Memory} [memory]  of a module that imports it */
  constructor(instance, memory) {
    this.#exports = /** @type {Record<string, any>} */ (instance.exports);
    this.memory = memory ?? this.#exports.memory;
    this.#top = Number(this.#exports.__heap_base.value);
    this.abi = parseAbi(this.#text(this.#exports.heed_abi()));
    this.#error = this.reserve(this.limit('error_bytes'), 'errors');
    this.#code = this.i32(this.#error, 1);
  }

  /**
   * @param {KernelSet} [kernels]  scalar and simd128 are in one binary, the relaxed sets in another binary
   * @param {number} [threads]  more than one needs shared memory, so a page must be cross-origin isolated
   * @returns {Promise<Engine>}
   * @throws {HeedError} 'unavailable', 'out-of-memory', 'bad-argument' for more threads than the core supports
   */
  static async create(kernels = 'simd128', threads = 1) {
    const name = this.binaryOf(kernels, threads);
    if (threads === 1) return new this(await instantiate(name, {}));
    const module = await compile(name);
    const memory = withMemory(() => new WebAssembly.Memory(this.shared), 'several threads', MEMORY_LIMIT);
    const engine = new this(await instantiate(name, { env: { memory } }), memory);
    await engine.#startThreads(module, threads);
    return engine;
  }

  /** Starts to fetch and compile the binary of a later `create`, which reports errors.
   *  @param {KernelSet} kernels @param {number} threads */
  static prefetch(kernels, threads) {
    compile(this.binaryOf(kernels, threads)).catch(() => {});
  }

  /** @type {(kernels: KernelSet, threads: number) => import('./binaries.js').BinaryName} */
  static binaryOf = binaryOf;

  /** Memory of several threads. @type {WebAssembly.MemoryDescriptor} */
  static shared = { initial: FIRST_PAGES, maximum: MEMORY_LIMIT / PAGE_BYTES, shared: true };

  /** An address or a number of pages, as WebAssembly takes it. @param {number} at @returns {any} */
  address(at) {
    return at;
  }

  /** @param {WebAssembly.Module} module @param {number} threads */
  async #startThreads(module, threads) {
    const { __tls_size: tlsBytes } = this.#exports;
    const pool = this.call('heed_pool_create', this.reserve(this.ask('heed_pool_bytes'), 'threads'), threads);
    const started = Array.from({ length: threads - 1 }, async (_, i) => {
      const stackTop = this.address(this.reserve(STACK_BYTES, 'a stack') + STACK_BYTES);
      const tls = this.address(this.reserve(Number(tlsBytes.value), 'a thread'));
      const helper = await startWorker(startThread, './thread.js');
      this.#helpers.push(helper);
      await new Promise((resolve, reject) => {
        const fail = (/** @type {any} */ cause) => reject(new HeedError('unavailable', 'A thread of the engine could ' +
          `not start${cause?.message ? ` (${cause.message})` : ''}. Load with threads: 1.`, { cause }));
        helper.listen(({ error }) => (error ? fail(revived(error)) : resolve(undefined)), fail);
        helper.post({ module, memory: this.memory, stackTop, tls, pool, part: i + 1 });
      });
      helper.unref();
    });
    try {
      await Promise.all(started);
    } catch (error) {
      this.close();
      throw error;
    }
    this.pool = pool;
  }

  /** Ends the threads. */
  close() {
    if (this.pool) this.#exports.heed_pool_close(this.pool);
    for (const helper of this.#helpers) helper.terminate();
    this.#helpers = [];
    this.pool = 0;
  }

  /**
   * Calls a function of src/heed.h whose last parameter is a heed_error.
   * @param {string} name
   * @param {...number} parameters
   * @returns {number} result, as an unsigned number
   * @throws {HeedError} the error that the core reports
   */
  call(name, ...parameters) {
    const result = unsigned(this.#exports[name](...parameters, this.#error));
    if (this.#code.buffer !== this.memory.buffer) this.#code = this.i32(this.#error, 1); // memory has grown
    const [code] = this.#code;
    if (code === 0) return result;
    this.#code[0] = 0;
    throw new HeedError(this.abi.errors[code], sentence(this.#text(this.#error + 4)));
  }

  /** Calls a function that cannot fail.
   *  @param {string} name @param {...number} parameters @returns {number} */
  ask(name, ...parameters) {
    return unsigned(this.#exports[name](...parameters));
  }

  /** A limit of the engine (src/heed.h). @param {string} name @returns {number} */
  limit(name) {
    const number = this.abi.limits.get(name);
    if (number === undefined) throw new Error(`heed_abi: there is no limit ${name}`);
    return number;
  }

  /** The number of an enumeration's value (src/heed.h).
   *  @param {string} name of the enumeration @param {string} value @returns {number} */
  enumValue(name, value) {
    const number = this.abi.enums.get(name)?.indexOf(value) ?? -1;
    if (number < 0) throw new Error(`heed_abi: enumeration ${name} has no value ${value}`);
    return number;
  }

  /** @param {KernelSet} set @returns {number} address of its kernel table */
  kernels(set) {
    return this.ask('heed_kernels_get', this.enumValue('kernel_set', set));
  }

  /** The functions that pointers of the core call, for tools. @returns {WebAssembly.Table} */
  get table() {
    return this.#exports.__indirect_function_table;
  }

  /**
   * Reserves memory above all earlier reservations, and grows the memory if needed.
   * @param {number} bytes
   * @param {string} what  name of the reservation, for the error message
   * @returns {number} address, aligned for the core
   * @throws {HeedError} 'out-of-memory'
   */
  reserve(bytes, what) {
    const at = Math.ceil(this.#top / ALIGN) * ALIGN;
    withMemory(() => this.#grow(at + bytes), what, bytes);
    this.#top = at + bytes;
    return at;
  }

  /** Copies numbers into new memory, in their type.
   *  @param {Int32Array | Float32Array} numbers @param {string} what @returns {number} address */
  put(numbers, what) {
    const at = this.reserve(4 * numbers.length, what);
    this[numbers instanceof Int32Array ? 'i32' : 'f32'](at, numbers.length).set(numbers);
    return at;
  }

  /**
   * Grows the memory once for several reservations, because V8 runs its garbage collector whenever a large memory
   * grows.  If that fails, `reserve` reports the error.
   * @param {number} bytes
   */
  growBy(bytes) {
    try {
      this.#grow(this.#top + bytes);
    } catch {}
  }

  /** Grows the memory up to an address. @param {number} end @throws {RangeError} also above memoryLimit */
  #grow(end) {
    const missing = end - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.memory.grow(this.address(Math.ceil(missing / PAGE_BYTES)));
  }

  /** The end of the reserved memory: release(mark) frees later reservations. */
  get mark() {
    return this.#top;
  }

  /** @param {number} mark */
  release(mark) {
    this.#top = mark;
  }

  /** @param {number} at @param {number} length */
  u8(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** @param {number} at @param {number} length */
  i32(at, length) {
    return new Int32Array(this.memory.buffer, at, length);
  }

  /** @param {number} at @param {number} length */
  f32(at, length) {
    return new Float32Array(this.memory.buffer, at, length);
  }

  /** @param {string} struct @returns {number} its size in bytes */
  structBytes(struct) {
    return 4 * this.#fields(struct).reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * Writes a struct of src/heed.h; fields without a value become 0.
   * @param {string} struct
   * @param {number} at
   * @param {Record<string, number | string | undefined>} values  numbers, and enumeration values by name
   */
  writeStruct(struct, at, values) {
    const view = new DataView(this.memory.buffer);
    for (const { name, type, count, names } of this.#fields(struct)) {
      const given = values[name] ?? 0;
      const value = typeof given === 'string' ? names.indexOf(given) : given;
      if (type === 'float') view.setFloat32(at, value, true);
      else view.setUint32(at, value, true);
      if (count > 1) view.setUint32(at + 4, value / 2 ** 32, true); // of a pointer
      at += 4 * count;
    }
  }

  /** @param {string} struct */
  #fields(struct) {
    return this.abi.structs.get(struct) ?? [];
  }

  /** Reads a C string. @param {number} at */
  #text(at) {
    const bytes = new Uint8Array(this.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }
}

/**
 * @template T
 * @param {() => T} take  takes the memory
 * @param {string} what @param {number} bytes
 * @returns {T}
 * @throws {HeedError} 'out-of-memory'
 */
function withMemory(take, what, bytes) {
  try {
    return take();
  } catch (cause) {
    throw new HeedError('out-of-memory', `Not enough memory for ${what} (${megabytes(bytes)}). Close other pages, or ` +
      'load a smaller model, one with fewer bits per weight, or with a shorter contextLength, cache: int16, ' +
      'threads: 1 or maps: false.', { cause });
  }
}

/** A result of the module: addresses above 2 GB are negative. @param {number} result */
const unsigned = (result) => (result < 0 ? result + 2 ** 32 : result);

/** An error message of the core as a sentence. @param {string} text */
function sentence(text) {
  const name = /^\S*[._]/.test(text); // names of tensors and fields keep their case
  return `${name ? text : text.charAt(0).toUpperCase() + text.slice(1)}.`;
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
