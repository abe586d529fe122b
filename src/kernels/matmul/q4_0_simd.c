#ifdef __wasm_simd128__
#include "kernels/matmul/panels_int16_simd.h"
#include "kernels/matmul/panels_q4_0_simd.h"
#include "kernels/kernels.h"

/* With a byte of codes c = low + 16·high, low·x + high·x' = c·x + high·(x' - 16·x): the low code is never taken out.
 * All of it is integers: |x' - 16·x| <= 17·127 fits int16, and a block's sum int32. */
ALWAYS_INLINE void widen(int16_t *x, const int8_t *q) {
    const int half = HEED_BLOCK / 2;
    for (int i = 0; i < half; i++) {
        x[i] = q[i];
        x[i + half] = (int16_t)(q[i + half] - 16 * q[i]);
    }
}

ALWAYS_INLINE void multiply_panel(v128_t s[2], const panel *w, const int16_t *x) {
    v128_t sums[4];
    for (int r = 0; r < 4; r++) sums[r] = splat(0);
#pragma clang loop unroll(disable)
    for (int i = 0; i < HEED_BLOCK / 8; i++) {
        v128_t low = wasm_v128_load64_splat(x + 4 * i), high = wasm_v128_load64_splat(x + 4 * i + HEED_BLOCK / 2);
        for (int r = 0; r < 4; r++) {
            v128_t codes = wasm_u16x8_load8x8(w->q[i][2 * r]);
            sums[r] = add_products(sums[r], codes, low);
            sums[r] = add_products(sums[r], wasm_u16x8_shr(codes, 4), high);
        }
    }
    for (int i = 0; i < 2; i++) s[i] = sum_of_pairs(sums[2 * i], sums[2 * i + 1]);
}
#include "kernels/matmul/tiles_q4_0_simd.h"

#include "kernels/matmul/rows_simd.h"

void heed_matmul_q4_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
