/** The engine with 64-bit memory, because large models do not fit into 4 GB. */
import { HeedError } from '../errors.js';
import { BINARIES } from './binaries.js';
import { MEMORY64_LIMIT, whyNotMemory64 } from '../memory64.js';
import { Engine, FIRST_PAGES, PAGE_BYTES } from './wasm.js';

Object.assign(BINARIES, {
  'heed-64': new URL('../../dist/heed-64.wasm', import.meta.url),
  'heed-mt-64': new URL('../../dist/heed-mt-64.wasm', import.meta.url),
  'heed-relaxed-64': new URL('../../dist/heed-relaxed-64.wasm', import.meta.url),
  'heed-relaxed-mt-64': new URL('../../dist/heed-relaxed-mt-64.wasm', import.meta.url),
});

/** Fields of structs that are four bytes: numbers, and the numbers of a call of heed/lab. */
const WORDS = /^(int|float|heed_call_integers|heed_call_floats)$/;

/** Fields of a struct in memory: pointers have eight bytes at multiples of eight.
 *  @typedef {import('./wasm.js').Abi} Abi
 *  @param {NonNullable<ReturnType<Abi['structs']['get']>>} fields */
function withPointers(fields) {
  /** @type {typeof fields} */
  const placed = [];
  let words = 0;
  const add = (/** @type {typeof fields[number]} */ field) => {
    placed.push(field);
    words += field.count;
  };
  const align = () => words % 2 && add({ name: '', type: 'int', count: 1, names: [] });
  const isPointer = (/** @type {typeof fields[number]} */ { type }) => !WORDS.test(type);
  for (const field of fields) {
    if (isPointer(field)) align();
    add(isPointer(field) ? { ...field, count: 2 * field.count } : field);
  }
  if (fields.some(isPointer)) align();
  return placed;
}

/** An instance of a module with 64-bit memory.  Its functions take and return addresses as Numbers
 *  (tools/build/numbers-64.js). */
export class Engine64 extends Engine {
  memoryLimit = MEMORY64_LIMIT;

  /** @param {WebAssembly.Instance} instance @param {WebAssembly.Memory} [memory] */
  constructor(instance, memory) {
    super(instance, memory);
    for (const [struct, fields] of this.abi.structs) this.abi.structs.set(struct, withPointers(fields));
  }

  /** @type {typeof Engine.create} */
  static async create(kernels, threads) {
    const obstacle = whyNotMemory64();
    if (obstacle) throw new HeedError('unsupported', `memory64: true is not available: ${obstacle}. Omit it.`);
    return super.create(kernels, threads);
  }

  /** @type {typeof Engine.binaryOf} */
  static binaryOf = (kernels, threads) => /** @type {any} */ (`${Engine.binaryOf(kernels, threads)}-64`);

  static shared = /** @type {any} */ ({ initial: BigInt(FIRST_PAGES), maximum: BigInt(MEMORY64_LIMIT / PAGE_BYTES),
    shared: true, address: 'i64' });

  /** @param {number} at @returns {bigint} */
  address(at) {
    return BigInt(at);
  }
}
