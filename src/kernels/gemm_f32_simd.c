#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

ALWAYS_INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) { return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b)); }
#include "kernels/gemm_simd.h"

void heed_gemm_f32_simd128(float *y, size_t y_stride, const float *a, size_t a_row, size_t a_step, const float *b,
                           size_t b_row, size_t b_step, int M, int N, int K, int add, float scale) {
    gemm(y, y_stride, a, a_row, a_step, b, b_row, b_step, M, N, K, add, scale);
}

#endif
