/* Eight outputs side by side, and sums of codes that no lane shares: for the products of the compact cache. */
#ifndef HEED_KERNELS_CODES_I16_SIMD_H
#define HEED_KERNELS_CODES_I16_SIMD_H

#include <float.h>

#include "kernels/kernels.h"
#include "kernels/lanes.h"

/* As integers, bits of magnitudes are in the order of their values, with infinity and then NaN above all. */
ALWAYS_INLINE v128_t larger_magnitude(v128_t largest, v128_t x) {
    return wasm_i32x4_max(largest, wasm_v128_and(x, wasm_i32x4_splat(0x7fffffff)));
}

ALWAYS_INLINE float scale_of(v128_t largest) {
    largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
    largest = wasm_i32x4_max(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(largest, 0) / HEED_CODE;
}

/* What numbers are multiplied by to become codes; 0 where there are none. */
ALWAYS_INLINE v128_t inverse_of(float d) { return splat(d >= FLT_MIN && d <= FLT_MAX ? 1 / d : 0); }

/* Eight codes, to the nearest integer, ties to even: added to 1.5·2^23, a float has no room for a fraction, and its low
 * bits are the integer.  0 where the inverse is 0, were x infinite. */
ALWAYS_INLINE v128_t codes(v128_t low, v128_t high, v128_t inverse) {
    const v128_t whole = splat(0x1.8p23f);
    low = wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_mul(low, inverse), whole), whole);
    high = wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_mul(high, inverse), whole), whole);
    return wasm_v128_and(wasm_i16x8_narrow_i32x4(low, high), wasm_f32x4_ne(inverse, splat(0)));
}

/* One pair of x's codes by a panel of eight outputs. */
ALWAYS_INLINE void add_pair(v128_t sums[4][2], const int16_t *w, const int16_t *x, size_t x_stride, const int rows) {
    v128_t low = wasm_v128_load(w), high = wasm_v128_load(w + 8);
    for (int t = 0; t < rows; t++) {
        v128_t pair = wasm_v128_load32_splat(x + (size_t)t * x_stride);
        sums[t][0] = wasm_i32x4_add(sums[t][0], wasm_i32x4_dot_i16x8(low, pair));
        sums[t][1] = wasm_i32x4_add(sums[t][1], wasm_i32x4_dot_i16x8(high, pair));
    }
}

/* sums[t] = Σ over `steps` > 0 pairs of x[t]'s codes by panels of eight outputs; `rows` <= 4 is a constant at every
 * call.  The first pair stands alone: no product is added to 0. */
ALWAYS_INLINE void sum_steps(v128_t sums[4][2], const int16_t *w, const int16_t *x, size_t x_stride, int steps,
                             const int rows) {
    for (int t = 0; t < rows; t++) sums[t][0] = sums[t][1] = wasm_i32x4_splat(0);
    add_pair(sums, w, x, x_stride, rows);
#pragma clang loop unroll(disable)
    for (int i = 1; i < steps; i++) {
        w += 16;
        HIDE(w);
        add_pair(sums, w, x + 2 * i, x_stride, rows);
    }
}

/* The first n <= 8 of eight outputs. */
ALWAYS_INLINE void store_outputs(float *y, const v128_t from[2], int n) {
    if (n >= 4)
        wasm_v128_store(y, from[0]);
    else
        store_part(y, (size_t)n, from[0]);
    if (n >= 8)
        wasm_v128_store(y + 4, from[1]);
    else if (n > 4)
        store_part(y + 4, (size_t)n - 4, from[1]);
}

#endif
