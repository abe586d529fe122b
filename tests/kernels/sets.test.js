/** The sets of kernels: all kernels exist, each has separate code, and all keep to their memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMATS } from '../../tools/convert/formats.js';
import { ENGINES, Kernels, inOut, input, output } from '../support/kernels.js';
import { AFFINE_FORMATS, PANELS, affinePanelBytes, floats, layoutOf, randomFrom } from '../support/numbers.js';

/** @typedef {import('../support/engines.js').Engine} Engine */

const kernels = await Kernels.open();
const FORMAT_NAMES = /** @type {import('../../tools/convert/formats.js').FormatName[]} */ (Object.keys(FORMATS));
const random = randomFrom(1);
const ints = (/** @type {number} */ n) => Uint8Array.from({ length: n }, () => 256 * random());
const halves = (/** @type {number} */ n) => Uint16Array.from({ length: n }, () => 0x3800 + 0x7ff * random());
const codes = (/** @type {number} */ n) => Int16Array.from({ length: n }, () => 16382 * random() - 8191);
/** n blocks of the compact cache of 9 to 16 columns: 32 scales, then codes. @param {number} n */
function blocks(n) {
  const words = new Float32Array(n * (32 + 32 * 16 / 2));
  for (let at = 0; at < words.length; at += 32 * 9) {
    words.set(floats(random, 32), at);
    new Int16Array(words.buffer, 4 * (at + 32)).set(codes(32 * 16));
  }
  return words;
}

/** Arguments of every kernel, with sizes that are not multiples of a vector.
 * @type {Record<string, () => import('../support/kernels.js').Argument[]>} */
const CALLS = {
  ...Object.fromEntries(
    [['f32', floats.bind(null, random)], ['f16', halves], ['bf16', halves]].map(([type, weights]) => [
      `matmul_${type}`,
      // 5 rows of 7 outputs and 11 inputs; y and x have gaps between their rows, but end with the last row
      () => [output(4 * 9 + 7), 9, input(floats(random, 4 * 13 + 11)), 13,
        input(/** @type {any} */ (weights)(7 * 11)), 5, 7, 11],
    ]),
  ),
  matmul_q8_0: () => [output(4 * 9 + 7), 9, input(ints(5 * 3 * 36)), input(ints(3 * PANELS.q8_0.bytes)), 5, 7, 96],
  matmul_q4_0: () => [output(4 * 9 + 7), 9, input(ints(5 * 3 * 36)), input(ints(3 * PANELS.q4_0.bytes)), 5, 7, 96],
  ...Object.fromEntries(AFFINE_FORMATS.map((type) => {
    const { elements } = FORMATS[type];
    const [K, panels] = elements === 32 ? [96, 3] : [512, 2];
    return [`matmul_${type}`, () =>
      [output(4 * 9 + 7), 9, input(ints(5 * (K / 32) * 36)), input(ints(panels * affinePanelBytes(type))), 5, 7, K]];
  })),
  quantize_q8: () => [inOut(new Uint8Array(3 * 36)), input(floats(random, 96)), 96],
  weighted_sum_f32: () =>
    [output(4 * 12 + 11), 12, input(floats(random, 4 * 8 + 7)), 8, input(floats(random, 7 * 11)), 5, 7, 11],
  quantize_i16: () => [inOut(new Int16Array(13)), input(floats(random, 13)), 13],
  // 5 queries of 11 columns in rows of 12 with a gap of 2, 13 keys
  scores_i16: () => [output(4 * 15 + 13), 15, input(codes(4 * 14 + 12)), 14, input(floats(random, 4 * 2 + 1)), 2,
    input(blocks(1)), 1, 1, 5, 13, 11],
  weighted_sum_i16: () => [output(4 * 12 + 11), 12, input(floats(random, 4 * 39 + 37)), 39,
    input(blocks(2)), 1, 1, 5, 37, 11],
  softmax_f32: () => [inOut(floats(random, 7)), 7],
  layernorm_f32: () =>
    [output(7), input(floats(random, 7)), input(floats(random, 7)), input(floats(random, 7)), 1e-5, 7],
  rmsnorm_f32: () => [output(7), input(floats(random, 7)), input(floats(random, 7)), 1e-5, 7],
  add_f32: () => [output(7), input(floats(random, 7)), input(floats(random, 7)), 7],
  mul_f32: () => [output(7), input(floats(random, 7)), input(floats(random, 7)), 7],
  ...Object.fromEntries(['gelu_tanh', 'gelu_erf', 'silu', 'relu'].map((name) =>
    [`${name}_f32`, () => [output(7), input(floats(random, 7)), 7]])),
  rope_adjacent_f32: () => [inOut(floats(random, 14)), input(floats(random, 14)), 14],
  rope_halves_f32: () => [inOut(floats(random, 14)), input(floats(random, 14)), 14],
  max_f32: () => [input(floats(random, 7)), 7],
  sumexp_f32: () => [input(floats(random, 7)), 0.5, 7],
  widen_f16: () => [output(7), input(Uint16Array.from(ints(7))), 7],
  widen_bf16: () => [output(7), input(Uint16Array.from(ints(7))), 7],
  quantize_q8_0: () => [inOut(new Uint8Array(3 * 34)), input(floats(random, 96)), 96],
  quantize_q4_0: () => [inOut(new Uint8Array(3 * 18)), input(floats(random, 96)), 96],
  pack_q8_0: () => [inOut(new Uint8Array(3 * PANELS.q8_0.bytes)), input(ints(8 * 3 * 34)), 3],
  pack_q4_0: () => [inOut(new Uint8Array(3 * PANELS.q4_0.bytes)), input(ints(8 * 3 * 18)), 3],
  ...Object.fromEntries(FORMAT_NAMES.map((name) => {
    const steps = 3 * FORMATS[name].elements / 32;
    const size = AFFINE_FORMATS.includes(/** @type {any} */ (name))
      ? 3 * affinePanelBytes(/** @type {any} */ (name)) : steps * PANELS.q8_0.bytes;
    return [`pack_${name}`, () => [inOut(new Uint8Array(size)), input(ints(8 * 3 * FORMATS[name].bytes)), 3]];
  })),
  // two rows of three panels, of which one column of panels is read
  read_q8_0: () => [inOut(new Uint8Array(4 * 32 + 2 * 32 * 16)), input(ints(4 * PANELS.q8_0.bytes)), 3, 16],
  read_q4_0: () => [inOut(new Uint8Array(4 * 32 + 2 * 32 * 16)), input(ints(4 * PANELS.q4_0.bytes)), 3, 16],
  read_affine: () => [inOut(new Uint8Array(4 * 32 + 2 * 32 * 16)), input(ints(4 * affinePanelBytes('q3_k'))),
    3 * affinePanelBytes('q3_k'), 16, 5, input(layoutOf('q3_k'))],
  // 5 × 7 sums over 11, both factors with gaps, the second transposed
  gemm_f32: () => [output(4 * 9 + 7), 9, input(floats(random, 4 * 13 + 11)), 13, 1,
    input(floats(random, 6 * 12 + 11)), 1, 12, 5, 7, 11, 0, 0.5],
  add_scaled_f32: () => [inOut(floats(random, 7)), input(floats(random, 7)), 0.5, 7],
  add_product_f32: () => [inOut(floats(random, 7)), input(floats(random, 7)), input(floats(random, 7)), 7],
  adamw_f32: () => [inOut(floats(random, 7)), inOut(floats(random, 7)), inOut(floats(random, 7).map(Math.abs)),
    input(floats(random, 7)), input(Float32Array.of(0.9, 0.99, 0.999, 0.01, 0.3, 1e-6)), 7],
  ...Object.fromEntries(['tanh', 'sigmoid'].map((name) =>
    [`${name}_f32`, () => [output(7), input(floats(random, 7)), 7]])),
  ...Object.fromEntries(['gelu_tanh', 'gelu_erf', 'silu'].map((name) => [`${name}_backward_f32`, () =>
    [inOut(floats(random, 7)), input(floats(random, 7)), input(floats(random, 7)), input(floats(random, 7)), 7]])),
  softmax_backward_f32: () => [inOut(floats(random, 7)), input(floats(random, 7)), input(floats(random, 7)), 7],
  norm_backward_f32: () => [inOut(floats(random, 7)), output(2), input(floats(random, 7)), input(floats(random, 7)),
    input(floats(random, 7)), 1, 1e-5, 7],
};

test('the tests call exactly the kernels that the binary names', () => {
  assert.deepEqual(Object.keys(CALLS).sort(), [...kernels.names].sort());
});

test('every binary has exactly its sets, with separate code for every kernel', () => {
  for (const binary of new Set(Object.values(kernels.binaries))) {
    const isBase = binary === kernels.binaries.scalar;
    const expected = isBase ? ['scalar', 'simd128'] : ['relaxed', 'relaxed-u8', 'relaxed-s8'];
    const sets = Object.entries(binary.sets).filter(([, set]) => set.length > 0);
    assert.deepEqual(sets.map(([engine]) => engine), expected);
    const all = sets.flatMap(([, set]) => set);
    assert.ok(!all.includes(0), 'a kernel is missing');
    assert.equal(all.length, expected.length * kernels.names.length);
    const own = (isBase ? sets : sets.slice(0, 1)).flatMap(([, set]) => set); // sets of whole bytes share kernels
    assert.equal(new Set(own).size, own.length, 'a kernel is in the tables twice');
  }
});

test('the sets of whole bytes differ from relaxed in quantized products only', () => {
  const { sets } = kernels.binaries['relaxed-u8'];
  const differing = (/** @type {Engine} */ a, /** @type {Engine} */ b) =>
    kernels.names.filter((_, i) => sets[a][i] !== sets[b][i]);
  const own = differing('relaxed', 'relaxed-u8');
  assert.ok(own.includes('matmul_q8_0') && own.includes('matmul_q4_0'), String(own));
  assert.ok(own.every((name) => /^matmul_q/.test(name)), String(own));
  assert.deepEqual(differing('relaxed', 'relaxed-s8'), own);
  assert.deepEqual(differing('relaxed-u8', 'relaxed-s8'), ['matmul_q8_0'], 'codes of other formats have seven bits');
});

for (const [name, makeArguments] of Object.entries(CALLS)) {
  test(`${name} writes only its output and reads nothing past the end of any argument`, () => {
    for (const engine of ENGINES) {
      const args = makeArguments();
      args.forEach((argument, edge) => {
        if (argument !== null && typeof argument !== 'number') kernels.run(engine, name, args, { edge });
      });
    }
  });
}
