#ifdef __wasm_simd128__
#include "kernels/codes_i16_simd.h"
#include "kernels/set.h"

enum { ROWS = 4 };

/* `rows` queries, a constant at every call, by the eight keys of a panel, of which n <= 8 are there.  The last block of
 * an even number of columns may be shorter. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq, size_t dq_stride,
                        const int16_t *k, const float *dk, int n, int even, const int rows) {
    v128_t totals[ROWS][2], sums[ROWS][2], scales[2], outputs[2];
    for (int t = 0; t < rows; t++) totals[t][0] = totals[t][1] = splat(0);
    for (int b = 0; b < even; b += HEED_BLOCK) {
        int columns = even - b < HEED_BLOCK ? even - b : HEED_BLOCK;
        sum_steps(sums, k + b * HEED_KEYS, q + b, q_stride, columns / 2, rows);
        for (int t = 0; t < rows; t++)
            for (int i = 0; i < 2; i++)
                totals[t][i] = wasm_f32x4_add(totals[t][i], wasm_f32x4_convert_i32x4(sums[t][i]));
    }
    load_up_to_8(scales, dk, (size_t)n);
    for (int t = 0; t < rows; t++) {
        v128_t d = wasm_v128_load32_splat(dq + (size_t)t * dq_stride);
        for (int i = 0; i < 2; i++) outputs[i] = wasm_f32x4_mul(totals[t][i], wasm_f32x4_mul(d, scales[i]));
        store_outputs(y + (size_t)t * y_stride, outputs, n);
    }
}

ALWAYS_INLINE void multiply_rows(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                                 size_t dq_stride, const int16_t *k, const float *dk, int N, int D, const int rows) {
    int even = HEED_EVEN(D);
    for (int j = 0; j < N; j += HEED_KEYS)
        tile(y + j, y_stride, q, q_stride, dq, dq_stride, k + (size_t)j * (size_t)even, dk + j,
             N - j < HEED_KEYS ? N - j : HEED_KEYS, even, rows);
}

/* Blocks are exact and added in order: the same bits as the scalar reference. */
void heed_scores_i16_simd128(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                             size_t dq_stride, const int16_t *k, const float *dk, int T, int N, int D) {
    for (int t = 0; t < T; t += ROWS) {
        float *y_t = y + (size_t)t * y_stride;
        const int16_t *q_t = q + (size_t)t * q_stride;
        const float *dq_t = dq + (size_t)t * dq_stride;
        switch (T - t) {
        case 1: multiply_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 1); break;
        case 2: multiply_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 2); break;
        case 3: multiply_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 3); break;
        default: multiply_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 4);
        }
    }
}

#endif
