/* A tile is four rows of activations by eight outputs, as many sums as fit in registers. */
#ifndef HEED_KERNELS_TILE_SIMD_H
#define HEED_KERNELS_TILE_SIMD_H

#include "kernels/matmul/operands_simd.h"

/* G columns, 32 bits of operands, are multiplied at once; a block of 32 columns takes TILE_COLUMNS such products. */
enum { TILE_ROWS = 4, G = 4 / sizeof(operand), TILE_COLUMNS = HEED_BLOCK / G };

/* The activations of a block of four rows, side by side. */
typedef operand tile_x[TILE_COLUMNS][TILE_ROWS][G];
/* The codes of a block of eight rows of weights. */
typedef operand tile_w[TILE_COLUMNS][HEED_PANEL][G];

/* Lays four rows of a block side by side. */
ALWAYS_INLINE void tile_interleave(tile_x to, const heed_block_q8 *const rows[TILE_ROWS]) {
    for (int k = 0; k < TILE_COLUMNS; k += 4) {
        v128_t v[TILE_ROWS];
        for (int t = 0; t < TILE_ROWS; t++) v[t] = load_operands(rows[t]->q + k * G);
        transpose_i32x4(v);
        for (int i = 0; i < 4; i++) wasm_v128_store(to[k + i], v[i]);
    }
}

/* Adds the products of G columns. */
ALWAYS_INLINE void tile_add_column(v128_t sums[TILE_ROWS][2], const operand *x, const operand *w) {
    v128_t codes[2] = {wasm_v128_load(w), wasm_v128_load(w + 4 * G)};
    for (int t = 0; t < TILE_ROWS; t++) {
        v128_t activations = wasm_v128_load32_splat(x + t * G);
        for (int i = 0; i < 2; i++) sums[t][i] = add_products(sums[t][i], codes[i], activations);
    }
}

/* Adds the products of `columns` > 0 times G columns.  The first is outside of the loop: its addition to 0 is dropped,
 * and engines unroll the other fifteen as five times three.  A longer body would spill registers. */
ALWAYS_INLINE void tile_add(v128_t sums[TILE_ROWS][2], const operand *x, const operand *w, int columns) {
    const operand *end = w + columns * HEED_PANEL * G;
    tile_add_column(sums, x, w);
#pragma clang loop unroll(disable)
    for (w += HEED_PANEL * G, x += TILE_ROWS * G; w != end; w += HEED_PANEL * G, x += TILE_ROWS * G) {
        HIDE(w);
        HIDE(x);
        tile_add_column(sums, x, w);
    }
}

ALWAYS_INLINE void tile_zero(v128_t sums[TILE_ROWS][2]) {
    for (int t = 0; t < TILE_ROWS; t++) sums[t][0] = sums[t][1] = splat(0);
}

ALWAYS_INLINE void tile_load(v128_t totals_f32x4[TILE_ROWS][2], const float *y, size_t y_stride, int add) {
    for (int t = 0; t < TILE_ROWS; t++)
        for (int i = 0; i < 2; i++)
            totals_f32x4[t][i] = add ? wasm_v128_load(y + (size_t)t * y_stride + 4 * i) : splat(0);
}

ALWAYS_INLINE void tile_store(float *y, size_t y_stride, const v128_t totals_f32x4[TILE_ROWS][2]) {
    for (int t = 0; t < TILE_ROWS; t++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)t * y_stride + 4 * i, totals_f32x4[t][i]);
}

#endif
