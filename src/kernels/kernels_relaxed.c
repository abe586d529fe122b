/* The set of binaries with relaxed SIMD: that of simd128, but for the kernels that gain by it. */
#include "kernels/set.h"

void heed_matmul_f32_relaxed(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, int T, int O,
                             int K);
void heed_matmul_f16_relaxed(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,
                             int O, int K);
void heed_matmul_bf16_relaxed(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,
                              int O, int K);
void heed_matmul_q4_0_relaxed(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K);
#define X(NAME, name, ...) HEED_MATMUL_DECLARE(relaxed, name)
HEED_STEP_FORMATS(X)
#undef X
void heed_gemm_f32_relaxed(float *y, size_t y_stride, const float *a, size_t a_row, size_t a_step, const float *b,
                           size_t b_row, size_t b_step, int M, int N, int K, int add, float scale);

#pragma clang diagnostic ignored "-Winitializer-overrides"
const heed_kernels heed_kernels_relaxed = {
    HEED_KERNEL_FIELDS(simd128),
    .matmul_f32 = heed_matmul_f32_relaxed,
    .matmul_f16 = heed_matmul_f16_relaxed,
    .matmul_bf16 = heed_matmul_bf16_relaxed,
    .matmul_q4_0 = heed_matmul_q4_0_relaxed,
    .matmul_q4_1 = heed_matmul_q4_1_relaxed,
    .matmul_q5_0 = heed_matmul_q5_0_relaxed,
    .matmul_q5_1 = heed_matmul_q5_1_relaxed,
    .matmul_q2_k = heed_matmul_q2_k_relaxed,
    .matmul_q3_k = heed_matmul_q3_k_relaxed,
    .matmul_q4_k = heed_matmul_q4_k_relaxed,
    .matmul_q5_k = heed_matmul_q5_k_relaxed,
    .matmul_q6_k = heed_matmul_q6_k_relaxed,
    .gemm_f32 = heed_gemm_f32_relaxed,
};
