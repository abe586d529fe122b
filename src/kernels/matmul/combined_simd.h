/* Two or four codes of a row as one number of 16 bits, for one row of activations.
 *
 * For a number n = a + 256·b, with signed b: a·x + b·x' = n·x + (n >> 8)·(x' - 256·x).  For an unsigned number
 * n = a + 16·b + 256·c + 4096·d, each next code meets its activation minus 16 times the one before.  So no code is
 * extracted, and no byte is widened: two codes take two products and a shift.  |x| <= 127, so combined activations fit
 * in 16 bits.
 *
 * Products read n as signed.  A number whose highest code is above 7 is then 2^16 too low.  So a sum over codes of four
 * bits is exact modulo 2^16 only.  The sum of all (code - 8)·x of a block fits in 16 bits, because
 * 32·8·127 < 2^15.  sum_of_low_bits() restores this sum.  Codes of two or three bits are below 8, so their sums are
 * exact. */
#ifndef HEED_KERNELS_COMBINED_SIMD_H
#define HEED_KERNELS_COMBINED_SIMD_H

#include "kernels/kernels.h"
#include "kernels/lanes.h"

/* The even and the odd columns of a block of activations, as 16 bits. */
typedef struct split_columns {
    v128_t even_i16x8[2], odd_i16x8[2];
} split_columns;

ALWAYS_INLINE split_columns split(const int8_t *q) {
    split_columns s;
    for (int i = 0; i < 2; i++) {
        v128_t v = wasm_v128_load(q + 16 * i);
        s.even_i16x8[i] = wasm_i16x8_shr(wasm_i16x8_shl(v, 8), 8);
        s.odd_i16x8[i] = wasm_i16x8_shr(v, 8);
    }
    return s;
}

/* Combined activations for numbers of two codes. */
ALWAYS_INLINE void combine_2(int16_t x[HEED_BLOCK], split_columns s) {
    for (int i = 0; i < 2; i++) {
        wasm_v128_store(x + 8 * i, s.even_i16x8[i]);
        wasm_v128_store(x + 16 + 8 * i, wasm_i16x8_sub(s.odd_i16x8[i], wasm_i16x8_shl(s.even_i16x8[i], 8)));
    }
}

/* Combined activations for numbers of four codes; by_code[i]: the activations of code i of eight numbers. */
ALWAYS_INLINE void combine_4(int16_t x[HEED_BLOCK], const v128_t by_code[4]) {
    wasm_v128_store(x, by_code[0]);
    for (int i = 1; i < 4; i++)
        wasm_v128_store(x + 8 * i, wasm_i16x8_sub(by_code[i], wasm_i16x8_shl(by_code[i - 1], 4)));
}

/* n shifted so that code i is lowest. */
ALWAYS_INLINE v128_t from_code(v128_t n, const int i, const int codes) {
    return codes == 2 ? wasm_i16x8_shr(n, (uint32_t)(8 * i)) : wasm_u16x8_shr(n, (uint32_t)(4 * i));
}

/* Adds two numbers of each of eight rows, of `panels` panels that are `apart` bytes apart.  x: the activations of the
 * first code; the activations of code i are i·32 / codes later. */
ALWAYS_INLINE void add_numbers(v128_t sums_i32x4[][2], const char *w, size_t apart, const int16_t *x, const int codes,
                               const int panels) {
    v128_t pairs_i16x8[4];
    for (int i = 0; i < codes; i++) pairs_i16x8[i] = wasm_v128_load32_splat(x + i * HEED_BLOCK / codes);
    for (int p = 0; p < panels; p++, w += apart) {
        for (int r = 0; r < 2; r++) {
            v128_t n_i16x8 = wasm_v128_load(w + 16 * r);
            for (int i = 0; i < codes; i++) {
                v128_t products_i32x4 = wasm_i32x4_dot_i16x8(from_code(n_i16x8, i, codes), pairs_i16x8[i]);
                sums_i32x4[p][r] = wasm_i32x4_add(sums_i32x4[p][r], products_i32x4);
            }
        }
    }
}

/* Adds `groups` groups of numbers, four bytes of each row.  Not unrolled: a longer body would spill registers. */
ALWAYS_INLINE void add_groups_of_numbers(v128_t sums_i32x4[][2], const void *w, size_t apart, const int16_t *x,
                                         const int codes, const int groups, const int panels) {
    const char *group = w, *end = group + groups * 4 * HEED_PANEL;
#pragma clang loop unroll(disable)
    for (; group != end; group += 4 * HEED_PANEL, x += 2) {
        HIDE(group);
        HIDE(x);
        add_numbers(sums_i32x4, group, apart, x, codes, panels);
    }
}

/* Restores sums whose low 16 bits are exact.  A sum must fit in 16 bits with its sign. */
ALWAYS_INLINE v128_t sum_of_low_bits(v128_t sum_i32x4) { return wasm_i32x4_dot_i16x8(sum_i32x4, wasm_i32x4_splat(1)); }

#endif
