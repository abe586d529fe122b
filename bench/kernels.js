/**
 * Measures every kernel of the sets that run here in turns, in the shapes of SmolLM2-135M: D 576, F 1536,
 * V 49152, Dh 64.
 *
 *     node bench/kernels.js [name…] [--rounds N] [--json]
 *
 * A round runs one set after the other, each for a few milliseconds, so disturbances of the machine hit every set.
 * The printed figures are medians of the rounds. For products, `rate` counts each multiplication and each addition;
 * for other kernels it counts the bytes read and written. LLVM vectorizes integer sums and loops without sums of the
 * scalar set, so a ratio compares with the compiler's best code.
 */
import { parseArgs } from 'node:util';
import { FORMATS } from '../tools/convert/formats.js';
import { TAKEN } from '../tests/support/engines.js';
import { Kernels } from '../tests/support/kernels.js';
import { AFFINE_FORMATS, affinePanelBytes, randomFrom } from '../tests/support/numbers.js';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, json: { type: 'boolean', default: false } },
});
const MILLISECONDS = 8;
const D = 576;
const F = 1536;
const V = 49152;
const DH = 64;
const KEYS = 512;
/** Widths of GPT-2: multiples of 256, the block size of the K-quants. */
const DK = 768;
const FK = 3072;
/** Bytes of one weight in the kernels' layout; quantized weights are in panels of eight rows.
 *  @type {Record<string, number>} */
const BYTES = { f32: 4, f16: 2, bf16: 2, q8_0: 36 / 32, q4_0: 18 / 32 };
const formats = AFFINE_FORMATS;
for (const name of formats) BYTES[name] = affinePanelBytes(name) / (8 * FORMATS[name].elements);

const kernels = await Kernels.open(TAKEN);
const binaries = new Set(Object.values(kernels.binaries));
for (const { memory } of binaries) memory.grow(4096);
const random = randomFrom(1);
let { memory, base: next } = kernels.binaries.scalar;

/** Memory of n bytes that are small normal numbers as f16, bf16 and f32. @param {number} bytes */
function place(bytes) {
  const at = next;
  const words = new Uint32Array(memory.buffer, at, Math.ceil(bytes / 4));
  // 0x2cxx and 0x3cxx: about 0.07 and 1 as f16, below 0.02 as bf16 and f32
  for (let i = 0; i < words.length; i++) words[i] = 0x3c002c00 | ((random() * 0x100) << 16) | (random() * 0x100);
  next = (at + bytes + 15) & ~15;
  if (next > memory.buffer.byteLength) throw new RangeError('the bench needs more memory');
  return at;
}

/** @param {string} type @param {number} T @param {number} O @param {number} K */
const matmul = (type, T, O, K) => ({
  kernel: `matmul_${type}`, shape: `${T} x ${K} -> ${O}`, unit: 'Gop/s', work: 2 * T * O * K,
  args: /^i?q/.test(type)
    ? () => [place(4 * T * O), O, place((T * K * 36) / 32), place(O * K * BYTES[type]), T, O, K]
    : () => [place(4 * T * O), O, place(4 * T * K), K, place(O * K * BYTES[type]), T, O, K],
});
/** Products of a training step. @param {number} M @param {number} N @param {number} K */
const gemm = (M, N, K) => ({
  kernel: 'gemm_f32', shape: `${M} x ${K} -> ${N}`, unit: 'Gop/s', work: 2 * M * N * K,
  args: () => [place(4 * M * N), N, place(4 * M * K), K, 1, place(4 * K * N), N, 1, M, N, K, 0, 1],
});
/** @param {string} kernel @param {number} n @param {number} bytes @param {() => number[]} args */
const stream = (kernel, n, bytes, args) => ({ kernel, shape: String(n), unit: 'GB/s', work: bytes, args });

/** Eight rows of a file to panels, bytes of both. @param {string} type */
const pack = (type) => {
  const plain = { q8_0: { bytes: 34, elements: 32 }, q4_0: { bytes: 18, elements: 32 } };
  const { bytes, elements } = { ...plain, ...FORMATS }[type];
  const blocks = DK / elements;
  const panels = 8 * DK * (BYTES[type] ?? BYTES.q8_0);
  const rows = 8 * blocks * bytes;
  return stream(`pack_${type}`, 8 * DK, rows + panels, () => [place(panels), place(rows), blocks]);
};

const types = Object.keys(BYTES).filter((type) => !formats.includes(type));
const CASES = [
  ...types.flatMap((type) => [matmul(type, 1, D, D), matmul(type, 1, F, D), matmul(type, 1, D, F)]),
  ...types.map((type) => matmul(type, 64, F, D)),
  ...['q8_0', 'q4_0', ...formats].flatMap((type) => [matmul(type, 1, FK, DK), matmul(type, 64, FK, DK)]),
  matmul('q8_0', 1, V, D), matmul('q4_0', 1, V, D),
  gemm(768, 128, 128), gemm(768, 512, 128), gemm(512, 128, 768), gemm(32, 64, 32), gemm(4, 2048, 128),
  { ...matmul('f32', 1, KEYS, DH), shape: `scores, ${KEYS} keys` },
  ...[1, 64].map((T) => ({
    kernel: 'weighted_sum_f32', shape: `${T} x ${KEYS} -> ${DH}`, unit: 'Gop/s', work: 2 * T * KEYS * DH,
    args: () => [place(4 * T * DH), DH, place(4 * T * KEYS), KEYS, place(4 * KEYS * DH), T, KEYS, DH],
  })),
  ...[1, 3, 64].flatMap((T) => [
    { kernel: 'scores_i16', shape: `${T} x ${DH} -> ${KEYS}`, unit: 'Gop/s', work: 2 * T * KEYS * DH,
      args: () => [place(4 * T * KEYS), KEYS, place(2 * T * DH), DH, place(4 * T), 1, place(KEYS * (2 * DH + 4)), 1, 1,
        T, KEYS, DH] },
    { kernel: 'weighted_sum_i16', shape: `${T} x ${KEYS} -> ${DH}`, unit: 'Gop/s', work: 2 * T * KEYS * DH,
      args: () => [place(4 * T * DH), DH, place(4 * T * KEYS), KEYS, place(KEYS * (2 * DH + 4)), 1, 1, T, KEYS, DH] },
  ]),
  stream('quantize_i16', DH, 6 * DH, () => [place(2 * DH), place(4 * DH), DH]),
  stream('quantize_q8', D, D * (4 + 36 / 32), () => [place((D * 36) / 32), place(4 * D), D]),
  stream('softmax_f32', KEYS, 8 * KEYS, () => [place(4 * KEYS), KEYS]),
  stream('layernorm_f32', D, 16 * D, () => [place(4 * D), place(4 * D), place(4 * D), place(4 * D), 1e-5, D]),
  stream('rmsnorm_f32', D, 12 * D, () => [place(4 * D), place(4 * D), place(4 * D), 1e-5, D]),
  ...['add_f32', 'mul_f32'].map((name) =>
    stream(name, F, 12 * F, () => [place(4 * F), place(4 * F), place(4 * F), F])),
  ...['gelu_tanh_f32', 'gelu_erf_f32', 'silu_f32', 'relu_f32'].map((name) =>
    stream(name, F, 8 * F, () => [place(4 * F), place(4 * F), F])),
  ...['rope_adjacent_f32', 'rope_halves_f32'].map((name) =>
    stream(name, DH, 12 * DH, () => [place(4 * DH), place(4 * DH), DH])),
  ...['q8_0', 'q4_0', ...Object.keys(FORMATS)].map(pack),
  stream('max_f32', V, 4 * V, () => [place(4 * V), V]),
  stream('sumexp_f32', V, 4 * V, () => [place(4 * V), 1, V]),
].filter(({ kernel }) => wanted.length === 0 || wanted.some((part) => kernel.includes(part)));

/** @param {(...args: number[]) => unknown} run @param {number[]} args @param {number} calls @returns seconds a call */
function time(run, args, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) run(...args);
  return (performance.now() - start) / calls / 1000;
}
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1];

const results = CASES.map(({ kernel, shape, unit, work, args: makeArguments }) => {
  const placed = new Map();
  for (const binary of binaries) {
    ({ memory, base: next } = binary);
    placed.set(binary, makeArguments());
  }
  const sets = TAKEN.map((engine) => {
    const run = kernels.binaries[engine].kernel(engine, kernel);
    const args = placed.get(kernels.binaries[engine]);
    // Warm up until the engine has compiled the optimized code.
    for (const until = performance.now() + 4 * MILLISECONDS; performance.now() < until;) run(...args);
    const calls = Math.ceil(MILLISECONDS / 1000 / time(run, args, 3));
    return { engine, run, args, calls, seconds: /** @type {number[]} */ ([]) };
  });
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const set of sets) set.seconds.push(time(set.run, set.args, set.calls));
  }
  const speeds = sets.map(({ engine, seconds }) => /** @type {const} */ ([engine, work / median(seconds) / 1e9]));
  const [[, scalar], [, simd128]] = speeds;
  const line = { kernel, shape, unit, ...Object.fromEntries(speeds), ratio: simd128 / scalar };
  if (!options.json) {
    const columns = speeds.map(([, speed]) => speed.toFixed(2).padStart(8)).join(' ');
    console.log(`${kernel.padEnd(18)} ${shape.padEnd(18)} ${columns} ${unit} ${line.ratio.toFixed(1).padStart(6)} x`);
  }
  return line;
});
if (options.json) console.log(JSON.stringify(results));
