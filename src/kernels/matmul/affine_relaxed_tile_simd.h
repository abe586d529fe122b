/* Tiles of the affine formats by relaxed products of bytes.  Part of affine_relaxed.c and bytes_relaxed.c.  Parameter:
 *
 *     int affine_fit(affine_layout)
 *         products of G columns that a sum of add_products() holds before it must be widened; HEED_BLOCK: no limit */
#ifndef HEED_KERNELS_AFFINE_RELAXED_TILE_SIMD_H
#define HEED_KERNELS_AFFINE_RELAXED_TILE_SIMD_H

#include "kernels/matmul/affine_operands_simd.h"

ALWAYS_INLINE void affine_store_scales(affine_tile_w *to, affine_layout l, const v128_t scales_i16x8[2][2]) {
    if (affine_parts(l) == 1) return;
    v128_t zero_i16x8 = wasm_i16x8_splat((int16_t)-l.zero);
    for (int r = 0; r < 2; r++) {
        v128_t of_halves_i16x8 = wasm_v128_bitselect(scales_i16x8[0][r], scales_i16x8[1][r], wasm_i32x4_splat(0xffff));
        for (int half = 0; half < 2; half++) wasm_v128_store(to->scales[half][4 * r], scales_i16x8[half][r]);
        wasm_v128_store(to->zeros[4 * r], wasm_i16x8_mul(of_halves_i16x8, zero_i16x8));
    }
}

ALWAYS_INLINE void affine_store_codes(operand *to, affine_layout l, v128_t quads_i8x16, v128_t scales_i16x8) {
    (void)l, (void)scales_i16x8;
    wasm_v128_store(to, quads_i8x16);
}

/* The initial sums: -zero·Σx, with the integer scales of halves.  Formats with minima have zero = 0. */
ALWAYS_INLINE void affine_initial(v128_t sums_i32x4[TILE_ROWS][2], affine_layout l, const affine_tile_x *x,
                                  const affine_tile_w *w) {
    for (int t = 0; t < TILE_ROWS; t++)
        for (int i = 0; i < 2; i++)
            sums_i32x4[t][i] = l.minima               ? splat(0)
                               : affine_parts(l) == 1 ? wasm_v128_load32_splat(&x->initial[t])
                                                      : wasm_i32x4_dot_i16x8(wasm_v128_load(w->zeros[4 * i]),
                                                                             wasm_v128_load32_splat(x->halves[t]));
}

ALWAYS_INLINE void affine_multiply(v128_t sums_i32x4[TILE_ROWS][2], affine_layout l, const affine_tile_x *x,
                                   const affine_tile_w *w) {
    const int of_part = TILE_COLUMNS / affine_parts(l), fit = affine_fit(l) < of_part ? affine_fit(l) : of_part;
    affine_initial(sums_i32x4, l, x, w);
    if (affine_fit(l) == HEED_BLOCK && affine_parts(l) == 1) { /* nothing to widen or scale */
        tile_add(sums_i32x4, x->x[0][0], w->q[0][0], TILE_COLUMNS);
        return;
    }
#pragma clang loop unroll(disable)
    for (int k = 0; k < TILE_COLUMNS; k += fit) {
        v128_t sums[TILE_ROWS][2];
        tile_zero(sums);
        tile_add(sums, x->x[k][0], w->q[k][0], fit);
        const int16_t(*scales)[2] = w->scales[2 * k / TILE_COLUMNS];
        for (int t = 0; t < TILE_ROWS; t++)
            for (int i = 0; i < 2; i++) {
                v128_t wide_i32x4 = affine_parts(l) == 2 ? scale_sums(sums[t][i], wasm_v128_load(scales[4 * i]))
                                                         : widen_sums(sums[t][i]);
                sums_i32x4[t][i] = wasm_i32x4_add(sums_i32x4[t][i], wide_i32x4);
            }
    }
}

#endif
