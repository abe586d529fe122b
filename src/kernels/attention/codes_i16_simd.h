/* Quantization to 16-bit codes and products of codes, for the kernels of the compact cache. */
#ifndef HEED_KERNELS_CODES_I16_SIMD_H
#define HEED_KERNELS_CODES_I16_SIMD_H

#include <float.h>

#include "kernels/kernels.h"
#include "kernels/lanes.h"

/* A tile is up to ROWS rows of one head.  TILES of them share the reads of a block of keys or values from memory. */
enum { ROWS = 4, TILES = 16 };

/* Tile i of H heads with T rows each. */
typedef struct tile {
    size_t row;
    int head, rows;
} tile;

/* Tiles of at most `most` rows. */
ALWAYS_INLINE int tiles_of(int H, int T, int most) { return H * ((T + most - 1) / most); }

ALWAYS_INLINE tile tile_at(int i, int T, int most) {
    int of_head = tiles_of(1, T, most), t = i % of_head * most;
    return (tile){(size_t)(i / of_head * T + t), i / of_head, T - t < most ? T - t : most};
}

/* The bits of magnitudes, read as integers, have the order of their values; infinity and then NaN are above all. */
ALWAYS_INLINE v128_t larger_magnitude(v128_t largest, v128_t x) {
    return wasm_i32x4_max(largest, wasm_v128_and(x, wasm_i32x4_splat(0x7fffffff)));
}

ALWAYS_INLINE float scale_of(v128_t largest) {
    largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
    largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(largest, 0) / HEED_CODE;
}

/* The factor from numbers to codes; 0 if d is not a normal number. */
ALWAYS_INLINE v128_t inverse_of(float d) { return splat(d >= FLT_MIN && d <= FLT_MAX ? 1 / d : 0); }

/* x·inverse rounded to nearest, ties to even: adding 1.5·2^23 drops the fraction, and the integer is in the low bits.
 */
ALWAYS_INLINE v128_t nearest(v128_t x_f32x4, v128_t inverse_f32x4) {
    const v128_t round = splat(0x1.8p23f);
    return wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_mul(x_f32x4, inverse_f32x4), round), round);
}

/* Eight codes; 0 if the inverse is 0, even if x is infinite. */
ALWAYS_INLINE v128_t codes(v128_t low_f32x4, v128_t high_f32x4, v128_t inverse_f32x4) {
    v128_t eight_i16x8 = wasm_i16x8_narrow_i32x4(nearest(low_f32x4, inverse_f32x4), nearest(high_f32x4, inverse_f32x4));
    return wasm_v128_and(eight_i16x8, wasm_f32x4_ne(inverse_f32x4, splat(0)));
}

/* sum + w·x, pair by pair; the first product of a sum needs no addition. */
ALWAYS_INLINE v128_t add_dot(v128_t sum_i32x4, v128_t w_i16x8, v128_t x_i16x8, const int first) {
    v128_t dot_i32x4 = wasm_i32x4_dot_i16x8(w_i16x8, x_i16x8);
    return first ? dot_i32x4 : wasm_i32x4_add(sum_i32x4, dot_i32x4);
}

/* Adds one pair of codes of each row by a panel of eight outputs. */
ALWAYS_INLINE void add_pair(v128_t sums_i32x4[4][2], const int16_t *w, const int16_t *x, const int rows,
                            const int first) {
    v128_t low_i16x8 = wasm_v128_load(w), high_i16x8 = wasm_v128_load(w + 8);
    for (int t = 0; t < rows; t++) {
        v128_t pair_i16x8 = wasm_v128_load32_splat(x + 2 * t);
        sums_i32x4[t][0] = add_dot(sums_i32x4[t][0], low_i16x8, pair_i16x8, first);
        sums_i32x4[t][1] = add_dot(sums_i32x4[t][1], high_i16x8, pair_i16x8, first);
    }
}

/* sums[t] = Σ over `pairs` > 0 pairs of the codes of row t by eight outputs : x [pairs][between][2], whose first `rows`
 * of `between` rows are summed.  Both are constants at every call.  The loop is as tile_add() in matmul/tile_simd.h. */
ALWAYS_INLINE void sum_pairs(v128_t sums_i32x4[4][2], const int16_t *w, const int16_t *x, int pairs, const int rows,
                             const int between) {
    const int16_t *end = w + 2 * HEED_PANEL * pairs;
    add_pair(sums_i32x4, w, x, rows, 1);
#pragma clang loop unroll(disable)
    for (w += 2 * HEED_PANEL, x += 2 * between; w != end; w += 2 * HEED_PANEL, x += 2 * between) {
        HIDE(w);
        HIDE(x);
        add_pair(sums_i32x4, w, x, rows, 0);
    }
}

#endif
