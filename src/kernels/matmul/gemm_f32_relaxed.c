#include "kernels/matmul/gemm_simd.h"

void heed_gemm_f32_relaxed(float *y, size_t y_stride, const float *a, size_t a_row, size_t a_column, const float *b,
                           size_t b_row, size_t b_column, int M, int N, int K, int add, float scale) {
    gemm(y, y_stride, a, a_row, a_column, b, b_row, b_column, M, N, K, add, scale);
}
