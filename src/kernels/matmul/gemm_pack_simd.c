#ifdef __wasm_simd128__
#include "kernels/matmul/gemm_pack.h"
#include "kernels/lanes.h"

/* Four rows at a time; 4 × 4 numbers are transposed if rows are contiguous. */
void heed_gemm_pack(float *to, const float *from, size_t row, size_t column, int count, int K, int width, float scale) {
    for (int i = 0; i < width; i += 4, from += 4 * row, to += 4) {
        int here = count - i, k = 0;
        if (here >= 4 && row == 1) {
            for (; k < K; k++)
                wasm_v128_store(to + k * width,
                                wasm_f32x4_mul(wasm_v128_load(from + (size_t)k * column), splat(scale)));
        } else if (here >= 4 && column == 1) {
            for (; k + 4 <= K; k += 4) {
                v128_t v[4];
                for (int j = 0; j < 4; j++)
                    v[j] = wasm_f32x4_mul(wasm_v128_load(from + (size_t)j * row + k), splat(scale));
                transpose_i32x4(v);
                for (int j = 0; j < 4; j++) wasm_v128_store(to + (k + j) * width, v[j]);
            }
        }
        for (; k < K; k++)
            for (int j = 0; j < 4; j++)
                to[k * width + j] = j < here ? scale * from[(size_t)j * row + (size_t)k * column] : 0;
    }
}

#endif
