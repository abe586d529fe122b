/* The set of binaries with relaxed SIMD: that of simd128, but for the kernels that gain by it. */
#include "kernels/set.h"

void heed_matmul_q4_0_relaxed(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K);
#define X(NAME, name, ...) HEED_MATMUL_DECLARE(relaxed, name)
HEED_STEP_FORMATS(X)
#undef X

#pragma clang diagnostic ignored "-Winitializer-overrides"
const heed_kernels heed_kernels_relaxed = {HEED_KERNEL_FIELDS(simd128), .matmul_q4_0 = heed_matmul_q4_0_relaxed,
#define X(NAME, name, ...) .matmul_##name = heed_matmul_##name##_relaxed,
                                           HEED_STEP_FORMATS(X)
#undef X
};
