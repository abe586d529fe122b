/** Times the loops of bench/limits.c, in Node.js or in a Worker of a page. */

/** Bytes to read in eight streams, about `bytes`. With streams a multiple of pages apart, the lines of all would share
 *  one set of the cache.  @param {number} bytes */
const inStreams = (bytes) => 8 * (Math.floor(bytes / 8 / PAGE_BYTES) * PAGE_BYTES - 17 * 64);
const VECTOR_BYTES = 16;
/** Rounds of a loop in registers: about ten milliseconds. */
const ROUNDS = 50_000;
const PAGE_BYTES = 65536;
/** Bytes to read: more than the cache of common processors. */
const READ_BYTES = inStreams(2 ** 28);

/**
 * Rates of one thread. A multiplication and its addition count as two operations.
 * @typedef {object} Limits
 * @property {number} readBytesPerSecond  eight far streams of memory
 * @property {number} int16OpsPerSecond   products of 16-bit codes: of attention
 * @property {number} int8OpsPerSecond    products of 8-bit weights; above int16OpsPerSecond only in kernel sets with
 *   products of whole bytes
 * @property {number} int7OpsPerSecond    products of weights with fewer bits; above int16OpsPerSecond only in relaxed
 *   kernel sets
 * @property {number} f32FlopsPerSecond
 */

/**
 * The loops of a binary, and memory of this size that they read.
 * @param {BufferSource} binary @param {number} bytes
 * @returns {Promise<{ loops: Record<string, any>, at: number, read: () => void }>} read: reads all of it
 */
async function openLoops(binary, bytes) {
  const { instance } = await WebAssembly.instantiate(binary);
  const { memory, ...loops } = /** @type {Record<string, any>} */ (instance.exports);
  const at = memory.grow(Math.ceil(bytes / PAGE_BYTES)) * PAGE_BYTES;
  // Unwritten pages would all map to one physical page.  As floats, these bytes are 0.01.
  new Uint8Array(memory.buffer, at).fill(0x3c);
  return { loops, at, read: () => loops.read_words(at, bytes / VECTOR_BYTES) };
}

/**
 * The share of one of several threads in reading READ_BYTES.
 * @param {BufferSource} binary @param {number} threads
 * @returns {Promise<{ bytes: number, read: () => void }>}
 */
export async function openShare(binary, threads) {
  const bytes = inStreams(READ_BYTES / threads);
  const { read } = await openLoops(binary, bytes);
  return { bytes, read };
}

/**
 * The best of several runs of each loop.
 * @param {BufferSource} binary  dist/limits.wasm, or dist/limits-relaxed.wasm for a relaxed kernel set
 * @param {import('../engine/wasm.js').KernelSet} kernels
 * @param {object} options
 * @param {number} options.times  number of runs
 * @param {number} [options.readBytes]  bytes that a run reads, in eight streams of whole cache lines
 * @returns {Promise<Limits>}
 */
export async function timeLoops(binary, kernels, { times, readBytes = READ_BYTES }) {
  const relaxed = kernels.startsWith('relaxed');
  const { loops, at, read } = await openLoops(binary, readBytes);

  /** @param {number} work @param {() => void} run @returns work per second */
  function best(work, run) {
    let seconds = Infinity;
    for (let i = 0; i < times; i++) {
      const start = performance.now();
      run();
      seconds = Math.min(seconds, (performance.now() - start) / 1000);
    }
    return work / seconds;
  }
  /** @param {'wide' | 'byte' | 'f32'} kind */
  const products = (kind) => best(ROUNDS * loops[`${kind}_operations`](), () => loops[`${kind}_products`](at, ROUNDS));
  const wide = products('wide');
  const byte = relaxed ? Math.max(wide, products('byte')) : wide;
  return {
    readBytesPerSecond: best(readBytes, read),
    int16OpsPerSecond: wide,
    int8OpsPerSecond: /^relaxed-/.test(kernels) ? byte : wide,
    int7OpsPerSecond: byte,
    f32FlopsPerSecond: products('f32'),
  };
}
