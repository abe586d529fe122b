#ifdef __wasm_simd128__
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q4_0_simd.h"

#define PANELS(name) q4_0_##name
#define PANEL heed_panel_q4_0

/* With a byte of codes c = low + 16·high: low·x + high·x' = c·x + high·(x' - 16·x), so the low code need not be
 * extracted.  All of it is exact: |x' - 16·x| <= 17·127 fits in int16, and the sum of a block in int32. */
ALWAYS_INLINE void q4_0_load_activations(int16_t *x, const int8_t *q) {
    const int half = HEED_BLOCK / 2;
    for (int i = 0; i < half; i++) {
        x[i] = q[i];
        x[i + half] = (int16_t)(q[i + half] - 16 * q[i]);
    }
}

ALWAYS_INLINE void q4_0_multiply(v128_t to_i32x4[2], const heed_panel_q4_0 *w, const int16_t *x) {
    v128_t sums_i32x4[4];
    for (int r = 0; r < 4; r++) sums_i32x4[r] = splat(0);
#pragma clang loop unroll(disable)
    for (int i = 0; i < HEED_BLOCK / 8; i++) {
        v128_t low = wasm_v128_load64_splat(x + 4 * i), high = wasm_v128_load64_splat(x + 4 * i + HEED_BLOCK / 2);
        for (int r = 0; r < 4; r++) {
            v128_t codes_i16x8 = wasm_u16x8_load8x8(w->q[i][2 * r]);
            sums_i32x4[r] = add_products(sums_i32x4[r], codes_i16x8, low);
            sums_i32x4[r] = add_products(sums_i32x4[r], wasm_u16x8_shr(codes_i16x8, 4), high);
        }
    }
    for (int i = 0; i < 2; i++) to_i32x4[i] = sum_of_pairs(sums_i32x4[2 * i], sums_i32x4[2 * i + 1]);
}
#include "kernels/matmul/panels_row_simd.h"
#include "kernels/matmul/q4_0_tile_simd.h"

void heed_matmul_q4_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K) {
    const int stride = K / HEED_BLOCK;
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const heed_block_q8 *x_t = x + (size_t)t * (size_t)stride;
        rows = band_of(T - t, BAND, TILE_ROWS);
        if (rows == 1)
            q4_0_row(y_t, x_t, w, O, stride);
        else
            q4_0_band(y_t, y_stride, x_t, w, rows, O, stride);
    }
}

#endif
