#ifdef __wasm_simd128__
#include "kernels/matmul/gemm_pack.h"
#include "kernels/lanes.h"

/* Eight rows of a strip; 4 × 4 numbers are transposed if rows are contiguous. */
static void pack_strip(float *to, const float *from, size_t row, size_t column, int count, int K, float scale) {
    int k = 0;
    if (count >= GEMM_STRIP && column == 1) {
        const float *low = from, *high = from + 4 * row;
        for (; k + 4 <= K; k += 4, low += 4, high += 4, to += 4 * GEMM_STRIP) {
            v128_t v[4], w[4];
#pragma clang loop unroll(full)
            for (int j = 0; j < 4; j++) {
                v[j] = wasm_f32x4_mul(wasm_v128_load(low + (size_t)j * row), splat(scale));
                w[j] = wasm_f32x4_mul(wasm_v128_load(high + (size_t)j * row), splat(scale));
            }
            transpose_i32x4(v);
            transpose_i32x4(w);
#pragma clang loop unroll(full)
            for (int j = 0; j < 4; j++) {
                wasm_v128_store(to + j * GEMM_STRIP, v[j]);
                wasm_v128_store(to + j * GEMM_STRIP + 4, w[j]);
            }
        }
    }
    for (; k < K; k++, to += GEMM_STRIP)
        for (int j = 0; j < GEMM_STRIP; j++) to[j] = j < count ? scale * from[(size_t)j * row + (size_t)k * column] : 0;
}

/* Columns of a matrix in memory are packed by LINE together, so that each cache line is read once. */
enum { LINE = 16 };

void heed_gemm_pack(float *to, const float *from, size_t row, size_t column, int count, int K, float scale) {
    int i = 0;
    if (row == 1) {
        for (; i + LINE <= count; i += LINE)
            for (int k = 0; k < K; k++) {
                const float *x = from + i + (size_t)k * column;
                float *y = to + i * K + k * GEMM_STRIP;
#pragma clang loop unroll(full)
                for (int j = 0; j < LINE; j += 4)
                    wasm_v128_store(y + j / GEMM_STRIP * GEMM_STRIP * K + j % GEMM_STRIP,
                                    wasm_f32x4_mul(wasm_v128_load(x + j), splat(scale)));
            }
    }
    for (; i < count; i += GEMM_STRIP) pack_strip(to + i * K, from + (size_t)i * row, row, column, count - i, K, scale);
}

#endif
