/* Codes of five bits, three in a number of 16 bits (formats/affine.h), for one row of activations and for tiles.
 *
 * For a number n = a + 32·b + 1024·c: a·x + b·x' + c·x'' = n·x + (n >> 5)·(x' - 32·x) + (n >> 10)·(x'' - 32·x').  No
 * code is extracted, so five bits take the instructions of bytes.  All of it is exact.  Combined activations fit in 16
 * bits, and sums in 32. */
#ifndef HEED_KERNELS_TRIPLES_SIMD_H
#define HEED_KERNELS_TRIPLES_SIMD_H

#include "kernels/formats/affine.h"
#include "kernels/lanes.h"

/* The combined activations of a sub-block, pair by pair. */
ALWAYS_INLINE void load_triples(int16_t x[HEED_BLOCK], const int8_t *q) {
    v128_t pairs[4], before = splat(0);
    for (int i = 0; i < 2; i++) {
        v128_t v = wasm_v128_load(q + 16 * i), even = wasm_i16x8_shr(wasm_i16x8_shl(v, 8), 8),
               odd = wasm_i16x8_shr(v, 8);
        pairs[2 * i] = wasm_i32x4_shuffle(even, odd, 0, 4, 1, 5);
        pairs[2 * i + 1] = wasm_i32x4_shuffle(even, odd, 2, 6, 3, 7);
    }
    for (int i = 0; i < 4; i++) {
        v128_t lower = wasm_i32x4_shuffle(before, pairs[i], 3, 4, 5, 6);
        v128_t follows = wasm_i32x4_make(-(i % 3 != 0), -(i % 3 != 2), -(i % 3 != 1), -(i % 3 != 0));
        wasm_v128_store(x + 8 * i, wasm_i16x8_sub(pairs[i], wasm_i16x8_shl(wasm_v128_and(lower, follows), 5)));
        before = pairs[i];
    }
}

/* Adds the codes of a sub-block of eight rows times these activations, of `panels` panels that are `apart` bytes apart.
 * Unrolled, engines load everything before they multiply, and spill registers. */
ALWAYS_INLINE void add_triples(v128_t sums_i32x4[][2], const uint8_t *codes, size_t apart, const int16_t *x,
                               const int panels) {
    const uint8_t *end = codes + 5 * AFFINE_GROUP;
#pragma clang loop unroll(disable)
    for (; codes != end; codes += AFFINE_GROUP, x += 6) {
        HIDE(codes);
        HIDE(x);
        v128_t pairs_i16x8[3];
        for (int i = 0; i < 3; i++) pairs_i16x8[i] = wasm_v128_load32_splat(x + 2 * i);
        for (int p = 0; p < panels; p++)
            for (int r = 0; r < 2; r++) {
                v128_t n_i16x8 = wasm_v128_load(codes + (size_t)p * apart + 16 * r);
                for (int i = 0; i < 3; i++) {
                    v128_t products_i32x4 =
                        wasm_i32x4_dot_i16x8(i ? wasm_u16x8_shr(n_i16x8, (uint32_t)(5 * i)) : n_i16x8, pairs_i16x8[i]);
                    sums_i32x4[p][r] = wasm_i32x4_add(sums_i32x4[p][r], products_i32x4);
                }
            }
    }
    v128_t pair_i16x8 = wasm_v128_load32_splat(x);
    for (int p = 0; p < panels; p++)
        for (int r = 0; r < 2; r++) {
            v128_t n_i16x8 = wasm_u16x8_load8x8(codes + (size_t)p * apart + 8 * r);
            sums_i32x4[p][r] = wasm_i32x4_add(sums_i32x4[p][r], wasm_i32x4_dot_i16x8(n_i16x8, pair_i16x8));
        }
}

/* One pair of columns of rows 4r to 4r + 3, as numbers of 16 bits. */
ALWAYS_INLINE v128_t triples_pair(const uint8_t *codes, int pair, int r) {
    if (pair == LAST_PAIR) return wasm_u16x8_load8x8(codes + 5 * AFFINE_GROUP + 8 * r);
    v128_t n = wasm_v128_load(codes + pair / 3 * AFFINE_GROUP + 16 * r);
    return wasm_v128_and(wasm_u16x8_shr(n, (uint32_t)(5 * (pair % 3))), wasm_i16x8_splat(31));
}

/* A sub-block as groups of four columns, a byte for each code.  (affine_simd.c, once for all sets) */
void heed_unpack_triples(uint8_t *to, const uint8_t *codes);

#endif
