/* The set of binaries with relaxed SIMD: that of simd128, but for the kernels that gain by it. */
#include "kernels/set.h"

void heed_matmul_q4_0_relaxed(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K);
#define X(NAME, name, ...) HEED_MATMUL_DECLARE(relaxed, name)
HEED_STEP_FORMATS(X)
#undef X

#pragma clang diagnostic ignored "-Winitializer-overrides"
const heed_kernels heed_kernels_relaxed = {
    HEED_KERNEL_FIELDS(simd128),
    .matmul_q4_0 = heed_matmul_q4_0_relaxed,
    .matmul_q4_1 = heed_matmul_q4_1_relaxed,
    .matmul_q5_0 = heed_matmul_q5_0_relaxed,
    .matmul_q5_1 = heed_matmul_q5_1_relaxed,
    .matmul_q2_k = heed_matmul_q2_k_relaxed,
    .matmul_q3_k = heed_matmul_q3_k_relaxed,
    .matmul_q4_k = heed_matmul_q4_k_relaxed,
    .matmul_q5_k = heed_matmul_q5_k_relaxed,
    .matmul_q6_k = heed_matmul_q6_k_relaxed,
};
