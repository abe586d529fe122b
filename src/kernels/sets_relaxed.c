/* The table of the set relaxed: simd128, except for the kernels that relaxed SIMD makes faster. */
#include "kernels/kernels.h"

#pragma clang diagnostic ignored "-Winitializer-overrides"
#define KERNEL(result, name, ...) .name = heed_##name##_simd128,
const heed_kernels heed_kernels_relaxed = {
#include "kernels/list.h"
    .matmul_f32 = heed_matmul_f32_relaxed,
    .matmul_f16 = heed_matmul_f16_relaxed,
    .matmul_bf16 = heed_matmul_bf16_relaxed,
    .matmul_q4_0 = heed_matmul_q4_0_relaxed,
#define X(NAME, name, ...) .matmul_##name = heed_matmul_##name##_relaxed,
    HEED_AFFINE_FORMATS(X)
#undef X
        .gemm_f32 = heed_gemm_f32_relaxed,
};
#undef KERNEL
