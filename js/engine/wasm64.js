/** The engine with 64-bit memory, for models that do not fit into 4 GB. */
import { HeedError } from '../errors.js';
import { addBinaries } from './binaries.js';
import { MEMORY64_LIMIT, whyNotMemory64 } from './memory64.js';
import { Engine } from './wasm.js';

addBinaries({
  'heed-64': new URL('../../dist/heed-64.wasm', import.meta.url),
  'heed-mt-64': new URL('../../dist/heed-mt-64.wasm', import.meta.url),
  'heed-relaxed-64': new URL('../../dist/heed-relaxed-64.wasm', import.meta.url),
  'heed-relaxed-mt-64': new URL('../../dist/heed-relaxed-mt-64.wasm', import.meta.url),
});

/** Bytes of one page of WebAssembly memory. */
const PAGE_BYTES = 65536;

/** Fields of structs that are four bytes: numbers, and the numbers of a call of heed/lab. */
const WORDS = /^(int|float|heed_call_integers|heed_call_floats)$/;

/** Fields of a struct in memory: pointers have eight bytes at multiples of eight.
 *  @typedef {import('./wasm.js').Abi} Abi
 *  @param {NonNullable<ReturnType<Abi['structs']['get']>>} fields */
function withPointers(fields) {
  /** @type {typeof fields} */
  const placed = [];
  let words = 0;
  const align = () => {
    if (words % 2) placed.push({ name: '', type: 'int', count: words++ % 2, names: [] });
  };
  for (const field of fields) {
    const isPointer = !WORDS.test(field.type);
    if (isPointer) align();
    const count = field.count * (isPointer ? 2 : 1);
    placed.push({ ...field, count });
    words += count;
  }
  if (placed.some(({ type }) => !WORDS.test(type))) align();
  return placed;
}

/** An instance of a module with 64-bit memory.  Its functions take and return addresses as Numbers
 *  (tools/build/numbers-64.js). */
export class Engine64 extends Engine {
  memoryLimit = MEMORY64_LIMIT;
  pointerBytes = 8;

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

  /** @param {number} initial  pages */
  static sharedMemory(initial) {
    return new WebAssembly.Memory(/** @type {any} */ ({ initial: BigInt(initial),
      maximum: BigInt(MEMORY64_LIMIT / PAGE_BYTES), shared: true, address: 'i64' }));
  }

  /** @param {number} at @returns {bigint} */
  address(at) {
    return BigInt(at);
  }

  /** @param {number} pages */
  growMemory(pages) {
    this.memory.grow(/** @type {any} */ (BigInt(pages)));
  }
}
