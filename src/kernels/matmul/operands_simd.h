/* How tiles multiply codes and activations: by pairs of 16 bits, or by fours of bytes with relaxed SIMD.  WHOLE_BYTES,
 * defined before the include, selects the relaxed product that sums fours in 32 bits. */
#ifndef HEED_KERNELS_OPERANDS_SIMD_H
#define HEED_KERNELS_OPERANDS_SIMD_H

#include "kernels/kernels.h"
#include "kernels/lanes.h"

#ifdef __wasm_relaxed_simd__

typedef int8_t operand;

/* The next activations of a row, one vector of operands. */
ALWAYS_INLINE v128_t load_operands(const int8_t *q) { return wasm_v128_load(q); }

#ifdef WHOLE_BYTES

/* One instruction where the engine has vpdpbusd (AVX-VNNI) or sdot (ARM), which sum in 32 bits.  Codes of seven bits
 * are exact in every engine.  Codes of eight are exact only where whole_bytes.h says so. */
ALWAYS_INLINE v128_t add_products(v128_t sum_i32x4, v128_t codes_i8x16, v128_t x_i8x16) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(x_i8x16, codes_i8x16, sum_i32x4);
}

ALWAYS_INLINE v128_t widen_sums(v128_t sum_i32x4) { return sum_i32x4; }

/* Sums of add_products() as four int32, times the integer scales of their rows.  `scales`: four, each twice. */
ALWAYS_INLINE v128_t scale_sums(v128_t sum_i32x4, v128_t scales_i16x8) {
    return wasm_i32x4_mul(sum_i32x4, wasm_i32x4_shr(scales_i16x8, 16));
}

#else

/* Codes have at most seven bits and are the second operand of the relaxed product of bytes.  Every engine then gives
 * the exact product, although engines differ in the sign of bytes above 127.  Pairs of products are summed in 16 bits.
 */
/* sum + codes·x, G columns of four rows. */
ALWAYS_INLINE v128_t add_products(v128_t sum_i16x8, v128_t codes_i8x16, v128_t x_i8x16) {
    return wasm_i16x8_add(sum_i16x8, wasm_i16x8_relaxed_dot_i8x16_i7x16(x_i8x16, codes_i8x16));
}

/* A sum of add_products as four int32. */
ALWAYS_INLINE v128_t widen_sums(v128_t sum_i16x8) { return wasm_i32x4_dot_i16x8(sum_i16x8, wasm_i16x8_splat(1)); }

/* The same sum times the integer scales of its rows, by the same instruction.  `scales`: four, each twice. */
ALWAYS_INLINE v128_t scale_sums(v128_t sum_i16x8, v128_t scales_i16x8) {
    return wasm_i32x4_dot_i16x8(sum_i16x8, scales_i16x8);
}

#endif

#else

/* Products and sums of 16-bit pairs are exact in int32. */
typedef int16_t operand;

ALWAYS_INLINE v128_t load_operands(const int8_t *q) { return wasm_i16x8_load8x8(q); }

ALWAYS_INLINE v128_t add_products(v128_t sum_i32x4, v128_t codes_i16x8, v128_t x_i16x8) {
    return wasm_i32x4_add(sum_i32x4, wasm_i32x4_dot_i16x8(codes_i16x8, x_i16x8));
}

ALWAYS_INLINE v128_t widen_sums(v128_t sum_i32x4) { return sum_i32x4; }

/* Four columns of rows 0-3 or 4-7, signed bytes, as the first and the second pair of each of these rows. */
ALWAYS_INLINE void store_pairs(int16_t *first, int16_t *second, v128_t quads_i8x16) {
    v128_t pairs_i8x16 = wasm_i16x8_shuffle(quads_i8x16, quads_i8x16, 0, 2, 4, 6, 1, 3, 5, 7);
    wasm_v128_store(first, wasm_i16x8_extend_low_i8x16(pairs_i8x16));
    wasm_v128_store(second, wasm_i16x8_extend_high_i8x16(pairs_i8x16));
}

/* Adds the sums of first and second pairs, of rows 0, 1 and of rows 2, 3: the sums of the four rows. */
ALWAYS_INLINE v128_t sum_of_pairs(v128_t rows_01, v128_t rows_23) {
    return wasm_i32x4_add(wasm_i32x4_shuffle(rows_01, rows_23, 0, 2, 4, 6),
                          wasm_i32x4_shuffle(rows_01, rows_23, 1, 3, 5, 7));
}

#endif

#endif
