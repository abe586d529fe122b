#ifdef __wasm_simd128__
#include "kernels/matmul/combined_simd.h"
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q4_0_simd.h"

#define PANELS(name) q4_0_##name
#define PANEL heed_panel_q4_0

enum { STREAMS = 6, TURN = 4, TOGETHER = 3 };
typedef int16_t row_operand;

/* A number has columns i, i + 16, i + 1 and i + 17, in this order.  A sum starts at -8·Σx. */
ALWAYS_INLINE int32_t q4_0_load_activations(int16_t *x, const int8_t *q, int zero) {
    split_columns s = split(q);
    combine_4(x, (v128_t[4]){s.even_i16x8[0], s.even_i16x8[1], s.odd_i16x8[0], s.odd_i16x8[1]});
    return -zero_term(q, zero);
}

ALWAYS_INLINE void q4_0_multiply(v128_t sums_i32x4[][2], const heed_panel_q4_0 *w, size_t apart, const int16_t *x,
                                 v128_t initial_i32x4, int zero) {
    (void)zero;
    for (int p = 0; p < TOGETHER; p++) sums_i32x4[p][0] = sums_i32x4[p][1] = initial_i32x4;
    add_groups_of_numbers(sums_i32x4, w->q, apart * sizeof *w, x, 4, HEED_BLOCK / 8, TOGETHER);
    for (int p = 0; p < TOGETHER; p++)
        for (int r = 0; r < 2; r++) sums_i32x4[p][r] = sum_of_low_bits(sums_i32x4[p][r]);
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
            q4_0_row(y_t, x_t, w, O, stride, PANEL_ZERO);
        else
            q4_0_band(y_t, y_stride, x_t, w, rows, O, stride);
    }
}

#endif
