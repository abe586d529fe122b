/* Q4_0 by relaxed products of bytes, of pairs or of fours (operands_simd.h).  Part of q4_0_relaxed.c and
 * q4_0_bytes_relaxed.c. */
#include "kernels/matmul/affine_relaxed_simd.h"

ALWAYS_INLINE int32_t q4_0_load_activations(int8_t *x, const int8_t *q, int zero) {
    for (int i = 0; i < 2; i++) wasm_v128_store(x + 16 * i, wasm_v128_load(q + 16 * i));
    return -zero_term(q, zero);
}

ALWAYS_INLINE void q4_0_multiply(v128_t sums_i32x4[][2], const heed_panel_q4_0 *w, size_t apart, const int8_t *x,
                                 v128_t initial_i32x4, int zero) {
    (void)zero;
    v128_t sums[TOGETHER][2];
    for (int p = 0; p < TOGETHER; p++) sums[p][0] = sums[p][1] = splat(0);
    affine_add_groups(sums, AFFINE_LAYOUT(HEED_BLOCK, 4, 0, 0, PANEL_ZERO), (const uint8_t *)w->q, apart * sizeof *w, x,
                      HEED_BLOCK / 8, TOGETHER);
    for (int p = 0; p < TOGETHER; p++)
        for (int r = 0; r < 2; r++) sums_i32x4[p][r] = wasm_i32x4_add(widen_sums(sums[p][r]), initial_i32x4);
}
