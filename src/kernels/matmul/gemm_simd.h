/* The general product, for the sets simd128 and relaxed.
 *
 * Both operands are packed in the order in which a tile reads them (Goto and van de Geijn 2008), so any layout costs
 * one pass.  The unit is a block of GEMM_ROWS rows of a and GEMM_COLUMNS columns of b, both in strips of 8.  A tile is
 * 4 × 8 sums, which fill the registers.  A tile at an edge is computed beside y. */
#ifndef HEED_KERNELS_GEMM_SIMD_H
#define HEED_KERNELS_GEMM_SIMD_H

#include "kernels/kernels.h"
#include "kernels/matmul/gemm_pack.h"
#include "kernels/matmul/multiply_add_simd.h"

/* A block of a is 128 KB and stays in the second-level cache; 16 columns of b are 8 KB and stay in the first. */
enum { GEMM_ROWS = 256, GEMM_COLUMNS = 16, GEMM_DEPTH = 128, TILE_ROWS = 4, TILE_COLUMNS = GEMM_STRIP };

static int at_most(int n, int limit) { return n < limit ? n : limit; }

/* 4 × 8 sums over K, starting from y or from 0.  HIDE makes the loop compare b with its end.  A counter would cost one
 * more instruction in each step. */
ALWAYS_INLINE void gemm_tile(float *y, size_t y_stride, const float *a, const float *b, int K, int from_y) {
    v128_t sums[TILE_ROWS][2];
    for (int i = 0; i < TILE_ROWS; i++)
        for (int j = 0; j < 2; j++) sums[i][j] = from_y ? wasm_v128_load(y + (size_t)i * y_stride + 4 * j) : splat(0);
    const float *end = b + GEMM_STRIP * K;
    for (; b != end; a += GEMM_STRIP, b += GEMM_STRIP) {
        HIDE(b);
        v128_t left = wasm_v128_load(b), right = wasm_v128_load(b + 4);
        for (int i = 0; i < TILE_ROWS; i++) {
            v128_t factor = wasm_v128_load32_splat(a + i);
            sums[i][0] = multiply_add(sums[i][0], factor, left);
            sums[i][1] = multiply_add(sums[i][1], factor, right);
        }
    }
    for (int i = 0; i < TILE_ROWS; i++)
        for (int j = 0; j < 2; j++) wasm_v128_store(y + (size_t)i * y_stride + 4 * j, sums[i][j]);
}

/* Copies `rows` rows of `columns` numbers of a tile at an edge. */
NOINLINE static void copy_edge(float *to, size_t to_stride, const float *from, size_t stride, int rows, int columns) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) to[(size_t)i * to_stride + j] = from[(size_t)i * stride + j];
}

ALWAYS_INLINE void gemm(float *y, size_t y_stride, const float *a, size_t a_row, size_t a_column, const float *b,
                        size_t b_row, size_t b_column, int M, int N, int K, int add, float scale) {
    float left[GEMM_ROWS * GEMM_DEPTH], right[GEMM_COLUMNS * GEMM_DEPTH];
    float beside[TILE_ROWS * TILE_COLUMNS] = {0}; /* filled once: engines call a function to fill memory */
    for (int k = 0; k < K; k += GEMM_DEPTH) {
        int depth = at_most(K - k, GEMM_DEPTH), from_y = add || k > 0;
        for (int m = 0; m < M; m += GEMM_ROWS) {
            int rows = at_most(M - m, GEMM_ROWS);
            heed_gemm_pack(left, a + (size_t)m * a_row + (size_t)k * a_column, a_row, a_column, rows, depth, scale);
            for (int n = 0; n < N; n += GEMM_COLUMNS) {
                int columns = at_most(N - n, GEMM_COLUMNS);
                heed_gemm_pack(right, b + (size_t)k * b_row + (size_t)n * b_column, b_column, b_row, columns, depth, 1);
                for (int j = 0; j < columns; j += TILE_COLUMNS) {
                    float *at = y + (size_t)m * y_stride + n + j;
                    const float *strip = left;
                    int wide = at_most(columns - j, TILE_COLUMNS), whole_rows = wide == TILE_COLUMNS ? rows : 0;
                    for (int i = 0; i < rows; i += TILE_ROWS, at += TILE_ROWS * y_stride) {
                        int tall = at_most(rows - i, TILE_ROWS), whole = i + TILE_ROWS <= whole_rows;
                        if (!whole && from_y) copy_edge(beside, TILE_COLUMNS, at, y_stride, tall, wide);
                        gemm_tile(whole ? at : beside, whole ? y_stride : TILE_COLUMNS, strip, right + j * depth, depth,
                                  from_y);
                        if (!whole) copy_edge(at, y_stride, beside, TILE_COLUMNS, tall, wide);
                        strip += i % GEMM_STRIP ? GEMM_STRIP * depth - TILE_ROWS : TILE_ROWS;
                    }
                }
            }
        }
    }
}

#endif
