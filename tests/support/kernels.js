/**
 * Calls any kernel of any set inside its WebAssembly binary, and checks its memory accesses. Every buffer lies
 * between two fences of known bytes. Its address has only the alignment that the contract guarantees.
 */
import { readFile } from 'node:fs/promises';
import { parseAbi } from '../../js/engine/wasm.js';
import { ENGINES as SETS, TAKEN } from './engines.js';

/** Sets of whole bytes that this machine cannot execute run in a binary that emulates them (tests/emulated). */
const EMULATED = /** @type {const} */ (['relaxed-u8', 'relaxed-s8']).filter((engine) => !TAKEN.includes(engine));
/** Kernel sets that run here, the scalar reference first. */
export const ENGINES = [...TAKEN, ...EMULATED];
/** Binaries for one thread, or with HEED_BINARIES=mt for several. */
const SUFFIX = process.env.HEED_BINARIES === 'mt' ? '-mt' : '';
/** The engine that an emulated binary imitates; numbers of tests/emulated/dot.c. */
export const EMULATES = { 'relaxed-u8': 0, 'relaxed-s8': 1, 'saturating': 2 };
/** The path of a set's binary. @param {Engine} engine */
const fileOf = (engine) => {
  const name = (engine.startsWith('relaxed') ? 'heed-relaxed' : 'heed') + SUFFIX;
  return (EMULATED.includes(/** @type {any} */ (engine)) ? 'build/emulated/' : 'dist/') + name;
};
const PAGE = 65536;
const FENCE_BYTES = 64;
const FENCE = 0xa5;

/**
 * @typedef {import('./engines.js').Engine} Engine
 * @typedef {Float32Array | Int16Array | Uint16Array | Uint8Array} Data
 * @typedef {{ data: Data, writes: boolean }} Region the target of a pointer
 * @typedef {Region | number | null} Argument null is NULL
 */

/** A buffer that the kernel may only read. @param {Data} data @returns {Region} */
export const input = (data) => ({ data, writes: false });
/** A buffer that the kernel may read and write. @param {Data} data @returns {Region} */
export const inOut = (data) => ({ data, writes: true });
/** Value of unwritten elements of an output: a NaN with a marked payload. */
export const UNTOUCHED = new Float32Array(new Uint32Array([0x7fedbeef]).buffer);
/** A buffer of n floats to be written. @param {number} n @returns {Region} */
export const output = (n) => inOut(new Float32Array(new Uint32Array(n).fill(0x7fedbeef).buffer));

/** One binary and the sets in it. */
export class Binary {
  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Memory} [imported] */
  constructor(instance, imported) {
    const { memory, heed_abi, heed_kernels_get, heed_set_streams, heed_emulate, __indirect_function_table: table } =
      /** @type {Record<string, any>} */ (instance.exports);
    this.memory = imported ?? /** @type {WebAssembly.Memory} */ (memory);
    /** Start of the buffers of a call, behind the module's memory. */
    this.base = this.memory.grow(64) * PAGE;
    this.names = parseAbi(this.#text(heed_abi())).kernels;
    /** Indices into the function table; empty for a set that the binary lacks. @type {Record<Engine, number[]>} */
    this.sets = /** @type {any} */ (Object.fromEntries(SETS.map((engine, i) => {
      const at = heed_kernels_get(i);
      return [engine, [...new Uint32Array(this.memory.buffer, at, at ? this.names.length : 0)]];
    })));
    this.table = /** @type {WebAssembly.Table} */ (table);
    /** Sets how products of one row read weights (src/heed.h). @type {(many: number) => void} */
    this.setStreams = heed_set_streams;
    /** In an emulated binary: sets the engine of the next `calls` dot products, and the engine after them.
     *  @type {(engine: number, calls: number, after: number) => void} */
    this.emulate = heed_emulate ?? (() => {});
  }

  /** @param {string} name of a file without its ending */
  static async open(name) {
    const file = await readFile(new URL(`../../${name}.wasm`, import.meta.url));
    if (!name.endsWith('-mt')) return new Binary((await WebAssembly.instantiate(file, {})).instance);
    const memory = new WebAssembly.Memory({ initial: 64, maximum: 65536, shared: true });
    return new Binary((await WebAssembly.instantiate(file, { env: { memory } })).instance, memory);
  }

  /** @param {Engine} engine @param {string} name @returns {(...parameters: number[]) => number} */
  kernel(engine, name) {
    return this.table.get(this.sets[engine][this.names.indexOf(name)]);
  }

  /** @param {number} at */
  #text(at) {
    const bytes = new Uint8Array(this.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }
}

export class Kernels {
  /** @param {Record<Engine, Binary>} binaries  the binary of each set */
  constructor(binaries) {
    this.binaries = binaries;
    this.names = binaries.scalar.names;
  }

  /** @param {Engine[]} [engines]  default: all of ENGINES */
  static async open(engines = ENGINES) {
    /** @type {Map<string, Binary>} */
    const opened = new Map();
    for (const file of new Set(engines.map(fileOf))) opened.set(file, await Binary.open(file));
    const binaries = Object.fromEntries(engines.map((engine) => [engine, opened.get(fileOf(engine))]));
    return new Kernels(/** @type {Record<Engine, Binary>} */ (binaries));
  }

  /** Runs a check with each way to read the weights of one row, the default last.
   *  @param {() => void} check */
  eachStreams(check) {
    for (const many of [0, 1]) {
      for (const binary of Object.values(this.binaries)) binary.setStreams(many);
      check();
    }
  }

  /**
   * Runs one kernel and checks that it writes only into its output buffers.
   * @param {Engine} engine @param {string} name as in src/kernels/list.h
   * @param {Argument[]} args the same Region twice is the same memory
   * @param {{ edge?: number }} [options] edge: the argument at the end of the memory, where reads past its end trap
   * @returns {{ value: number, written: Float32Array[], bytes: Uint8Array[] }} the result of the kernel,
   *   and its output buffers in order
   */
  run(engine, name, args, { edge } = {}) {
    const binary = this.binaries[engine];
    if (engine === 'relaxed-u8' || engine === 'relaxed-s8') binary.emulate(EMULATES[engine], 0, EMULATES[engine]);
    const kernel = binary.kernel(engine, name);
    if (args.length !== kernel.length) {
      throw new TypeError(`${name} takes ${kernel.length} arguments, not ${args.length}`);
    }
    const memory = new Uint8Array(binary.memory.buffer);
    /** @type {Map<Region, number>} */
    const places = new Map();
    let next = binary.base;
    for (const [i, argument] of args.entries()) {
      if (argument === null || typeof argument === 'number' || places.has(argument)) continue;
      const { data } = argument;
      const bytes = bytesOf(data);
      // Floats at 16n + 4, halves and blocks at 16n + 2: the least alignment of their types.
      const least = data instanceof Float32Array ? 4 : 2;
      const at = i === edge ? memory.length - bytes.length : next + FENCE_BYTES + least;
      if (i !== edge) next = (at + bytes.length + FENCE_BYTES + 15) & ~15;
      if (next > memory.length) throw new RangeError('the buffers of this test need more memory');
      memory.fill(FENCE, at - FENCE_BYTES, at + bytes.length + FENCE_BYTES);
      memory.set(bytes, at);
      places.set(argument, at);
    }
    const value = kernel(...args.map((a) => (a === null ? 0 : typeof a === 'number' ? a : places.get(a))));
    const bytes = [];
    for (const [{ data, writes }, at] of places) {
      const end = at + data.byteLength;
      const fences = [memory.subarray(at - FENCE_BYTES, at), memory.subarray(end, end + FENCE_BYTES)];
      if (fences.some((fence) => fence.some((byte) => byte !== FENCE))) {
        throw new Error(`${name} of ${engine} wrote outside its buffer`);
      }
      const now = memory.slice(at, end);
      if (writes) bytes.push(now);
      else if (Buffer.compare(now, bytesOf(data))) throw new Error(`${name} of ${engine} changed an argument`);
    }
    return { value, bytes, written: bytes.map((b) => new Float32Array(b.buffer, 0, b.length >> 2)) };
  }
}

/** @param {Data} data */
const bytesOf = (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
