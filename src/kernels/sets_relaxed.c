/* The tables of the relaxed sets: simd128, except for the kernels that relaxed SIMD makes faster. */
#include "kernels/kernels.h"

/* Products of whole bytes: Q8_0 differs by the sign of second operands, other formats have codes below 128. */
#define DECLARE(format, variant, panel)                                                                                \
    void heed_matmul_##format##_##variant(float *y, size_t y_stride, const heed_block_q8 *x, const panel *w, int T,    \
                                          int O, int K);
DECLARE(q8_0, u8, heed_panel_q8_0)
DECLARE(q8_0, s8, heed_panel_q8_0)
DECLARE(q4_0, bytes, heed_panel_q4_0)
#define X(NAME, name, ...) DECLARE(name, bytes, uint8_t)
HEED_AFFINE_FORMATS(X)
#undef X

#pragma clang diagnostic ignored "-Winitializer-overrides"
#define KERNEL(result, name, ...) .name = heed_##name##_simd128,
#define RELAXED(name) .name = heed_##name##_relaxed
#define AFFINE(NAME, name, ...) RELAXED(matmul_##name),
#define AFFINE_BYTES(NAME, name, ...) .matmul_##name = heed_matmul_##name##_bytes,
#define COMMON RELAXED(matmul_f32), RELAXED(matmul_f16), RELAXED(matmul_bf16), RELAXED(gemm_f32)

const heed_kernels heed_kernels_relaxed = {
#include "kernels/list.h"
    COMMON,
    HEED_AFFINE_FORMATS(AFFINE) RELAXED(matmul_q4_0),
};

const heed_kernels heed_kernels_relaxed_u8 = {
#include "kernels/list.h"
    COMMON,
    HEED_AFFINE_FORMATS(AFFINE_BYTES).matmul_q8_0 = heed_matmul_q8_0_u8,
    .matmul_q4_0 = heed_matmul_q4_0_bytes,
};

const heed_kernels heed_kernels_relaxed_s8 = {
#include "kernels/list.h"
    COMMON,
    HEED_AFFINE_FORMATS(AFFINE_BYTES).matmul_q8_0 = heed_matmul_q8_0_s8,
    .matmul_q4_0 = heed_matmul_q4_0_bytes,
};
