#ifdef __wasm_simd128__
#include "kernels/attention/codes_i16_simd.h"
#include "kernels/kernels.h"

/* Heads of more than WIDTH columns, which are rare, go row by row.  Keys are read from STREAMS distant places in turns:
 * the processor fetches the next lines of one place while another is computed. */
enum { ROWS = 4, WIDTH = 256, STREAMS = 4 };

/* Lays the codes of `rows` queries side by side: [pairs][rows][2]. */
ALWAYS_INLINE void scores_interleave(int16_t *x, const int16_t *q, size_t q_stride, int even, const int rows) {
    for (int d = 0; d < even; d += 2)
        for (int t = 0; t < rows; t++, x += 2) __builtin_memcpy(x, q + (size_t)t * q_stride + d, 2 * sizeof *x);
}

/* `rows` queries by the eight keys of a panel: y[rows][8]; `rows` is a constant at every call.  y holds the sums of
 * earlier blocks, because registers have room for one block only.  The last block of a head may be shorter. */
ALWAYS_INLINE void scores_tile(float *y, size_t y_stride, const int16_t *x, const float *dq, size_t dq_stride,
                               const int16_t *k, const float *dk, int even, const int rows) {
    v128_t sums[ROWS][2], total;
    for (int b = 0; b < even; b += HEED_BLOCK, k += HEED_BLOCK * HEED_KEYS, x += HEED_BLOCK * rows) {
        int columns = even - b < HEED_BLOCK ? even - b : HEED_BLOCK;
        sum_pairs(sums, k, x, columns / 2, rows, rows);
        for (int t = 0; t < rows; t++) {
            for (int i = 0; i < 2; i++) {
                float *y_t = y + (size_t)t * y_stride + 4 * i;
                total = wasm_f32x4_convert_i32x4(sums[t][i]);
                if (b > 0) total = wasm_f32x4_add(wasm_v128_load(y_t), total);
                if (b + HEED_BLOCK >= even) {
                    v128_t d = wasm_v128_load32_splat(dq + (size_t)t * dq_stride);
                    total = wasm_f32x4_mul(total, wasm_f32x4_mul(d, wasm_v128_load(dk + 4 * i)));
                }
                wasm_v128_store(y_t, total);
            }
        }
    }
}

ALWAYS_INLINE void scores_rows(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                               size_t dq_stride, const int16_t *k, const float *dk, int N, int D, const int rows) {
    int16_t interleaved[WIDTH * ROWS];
    float last[ROWS][HEED_KEYS], scales[HEED_KEYS] = {0};
    int even = HEED_EVEN(D), rest = N % HEED_KEYS;
    if (rows > 1) scores_interleave(interleaved, q, q_stride, even, rows);
    const int16_t *x = rows > 1 ? interleaved : q;
    for (int j = 0; j < rest; j++) scales[j] = dk[N - rest + j];
    int panels = (N + HEED_KEYS - 1) / HEED_KEYS, of_stream = panels / STREAMS;
    for (int i = 0; i < panels; i++) {
        int panel = i < of_stream * STREAMS ? i % STREAMS * of_stream + i / STREAMS : i, j = panel * HEED_KEYS;
        int full = N - j >= HEED_KEYS;
        scores_tile(full ? y + j : last[0], full ? y_stride : HEED_KEYS, x, dq, dq_stride, k + (size_t)even * (size_t)j,
                    full ? dk + j : scales, even, rows);
    }
    for (int t = 0; t < rows; t++)
        for (int j = 0; j < rest; j++) y[(size_t)t * y_stride + N - rest + j] = last[t][j];
}

/* Blocks are exact and added in order: the same bits as the scalar reference. */
void heed_scores_i16_simd128(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                             size_t dq_stride, const int16_t *k, const float *dk, int T, int N, int D) {
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const int16_t *q_t = q + (size_t)t * q_stride;
        const float *dq_t = dq + (size_t)t * dq_stride;
        rows = D > WIDTH ? 1 : T - t < ROWS ? T - t : ROWS;
        switch (rows) {
        case 1: scores_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 1); break;
        case 2: scores_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 2); break;
        case 3: scores_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 3); break;
        default: scores_rows(y_t, y_stride, q_t, q_stride, dq_t, dq_stride, k, dk, N, D, 4);
        }
    }
}

#endif
