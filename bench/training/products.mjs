/**
 * The matrix products of a step alone: node products.mjs ENGINE
 *
 * Prints { products, limit }: milliseconds of a step in the kernel gemm_f32, and by the loop of bench/limits.c, whose
 * operands are in the first-level cache. Here, operands are in the second-level cache, so a real step takes longer.
 */
import { readFileSync } from 'node:fs';
import { timeLoops } from '../../js/cli/limit-loops.js';
import { Kernels } from '../../tests/support/kernels.js';
import { BATCH, MODEL } from './model.mjs';

const { layers, heads, width, hidden, context, vocabulary } = MODEL;
const rows = BATCH * context;
/** Causal attention multiplies bands of 32 queries by the keys that they see. */
const BAND = 32;
/** @typedef {[M: number, N: number, K: number, count: number]} Shape  products of [M, K] by [K, N] */
/** Forward, gradient of x and gradient of W of a layer. @param {number} K @param {number} O @param {number} count */
const linear = (K, O, count) => /** @type {Shape[]} */ ([[rows, O, K, count], [rows, K, O, count], [O, K, rows, count]]);
/** @type {Shape[]} */
const attention = [];
for (let keys = BAND; keys <= context; keys += BAND) {
  const count = layers * heads * BATCH, Dh = width / heads;
  attention.push([BAND, keys, Dh, 2 * count], [BAND, Dh, keys, 2 * count], [keys, Dh, BAND, 2 * count]);
}
const shapes = [...linear(width, width, 4 * layers), ...linear(width, hidden, layers), ...linear(hidden, width, layers),
  ...linear(width, vocabulary, 1), ...attention];

const TIMES = 30;
const engine = /** @type {'simd128' | 'relaxed'} */ (process.argv[2]);
const { binaries } = await Kernels.open(['scalar', engine]);
const { memory, base } = binaries[engine];
memory.grow(256);
new Float32Array(memory.buffer, base).fill(0.01);
const kernel = binaries[engine].kernel(engine, 'gemm_f32');
const y = base;
const a = base + 2 ** 22;
const b = base + 2 ** 23;

/** The best time of one product. @param {Shape} shape */
function milliseconds([M, N, K]) {
  let best = Infinity;
  for (let i = 0; i < TIMES; i++) {
    const start = performance.now();
    kernel(y, N, a, K, 1, b, N, 1, M, N, K, 0, 1);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
const operations = shapes.reduce((sum, [M, N, K, count]) => sum + 2 * M * N * K * count, 0);
const binary = readFileSync(new URL(`../../dist/limits${engine === 'relaxed' ? '-relaxed' : ''}.wasm`, import.meta.url));
const { f32FlopsPerSecond } = await timeLoops(binary, engine, { times: TIMES, readBytes: 2 ** 20 });
const products = shapes.reduce((sum, shape) => sum + shape[3] * milliseconds(shape), 0);
console.log(JSON.stringify({ products, limit: (1000 * operations) / f32FlopsPerSecond, gigaOperations: operations / 1e9 }));
