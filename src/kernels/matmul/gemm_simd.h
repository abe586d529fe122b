/* The general product, for the sets simd128 and relaxed.
 *
 * Both operands are packed in the order in which a tile reads them (Goto and van de Geijn 2008), so any layout costs
 * one pass.  The unit is a block of GEMM_ROWS rows of a, in strips of 4, and 8 columns of b.  A tile is 4 × 8 sums,
 * which fill the registers.  Edges are padded with zeros that are not stored. */
#ifndef HEED_KERNELS_GEMM_SIMD_H
#define HEED_KERNELS_GEMM_SIMD_H

#include "kernels/kernels.h"
#include "kernels/matmul/gemm_pack.h"
#include "kernels/matmul/multiply_add_simd.h"

/* A block of a is 128 KB and stays in the second-level cache; 8 columns of b are 4 KB and stay in the first. */
enum { GEMM_ROWS = 256, GEMM_DEPTH = 128, TILE_ROWS = 4, TILE_COLUMNS = 8 };

static int at_most(int n, int limit) { return n < limit ? n : limit; }

/* 4 × 8 sums over K, starting from y or from 0. */
ALWAYS_INLINE void gemm_tile(float *y, size_t y_stride, const float *a, const float *b, int K, int from_y) {
    v128_t sums[TILE_ROWS][2];
    for (int i = 0; i < TILE_ROWS; i++)
        for (int j = 0; j < 2; j++) sums[i][j] = from_y ? wasm_v128_load(y + (size_t)i * y_stride + 4 * j) : splat(0);
    for (int k = 0; k < K; k++, a += TILE_ROWS, b += TILE_COLUMNS) {
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
    float left[GEMM_ROWS * GEMM_DEPTH], right[TILE_COLUMNS * GEMM_DEPTH];
    for (int k = 0; k < K; k += GEMM_DEPTH) {
        int depth = at_most(K - k, GEMM_DEPTH), from_y = add || k > 0;
        for (int m = 0; m < M; m += GEMM_ROWS) {
            int rows = at_most(M - m, GEMM_ROWS);
            const float *a_block = a + (size_t)m * a_row + (size_t)k * a_column;
            for (int i = 0; i < rows; i += TILE_ROWS)
                heed_gemm_pack(left + i * depth, a_block + (size_t)i * a_row, a_row, a_column,
                               at_most(rows - i, TILE_ROWS), depth, TILE_ROWS, scale);
            for (int n = 0; n < N; n += TILE_COLUMNS) {
                int columns = at_most(N - n, TILE_COLUMNS);
                heed_gemm_pack(right, b + (size_t)k * b_row + (size_t)n * b_column, b_column, b_row, columns, depth,
                               TILE_COLUMNS, 1);
                float *y_block = y + (size_t)m * y_stride + n;
                for (int i = 0; i < rows; i += TILE_ROWS) {
                    float *at = y_block + (size_t)i * y_stride, padded[TILE_ROWS * TILE_COLUMNS] = {0};
                    int tall = at_most(rows - i, TILE_ROWS), whole = tall == TILE_ROWS && columns == TILE_COLUMNS;
                    if (!whole && from_y) copy_edge(padded, TILE_COLUMNS, at, y_stride, tall, columns);
                    gemm_tile(whole ? at : padded, whole ? y_stride : TILE_COLUMNS, left + i * depth, right, depth,
                              from_y);
                    if (!whole) copy_edge(at, y_stride, padded, TILE_COLUMNS, tall, columns);
                }
            }
        }
    }
}

#endif
