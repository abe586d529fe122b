#ifdef __wasm_simd128__
#include "kernels/attention/codes_i16_simd.h"
#include "kernels/kernels.h"

/* Heads of more than WIDTH columns, which are rare, go row by row. */
enum { WIDTH = 256 };

/* Lays the codes of `rows` queries side by side: [pairs][rows][2]. */
static void scores_interleave(int16_t *x, const int16_t *q, size_t q_stride, int even, int rows) {
    for (int d = 0; d < even; d += 2)
        for (int t = 0; t < rows; t++, x += 2) __builtin_memcpy(x, q + (size_t)t * q_stride + d, 2 * sizeof *x);
}

/* `rows` queries by the eight keys of a panel: y[rows][8]; `rows` is a constant at every call.  y holds the sums of
 * earlier blocks, because registers have room for one block only.  The last block of a head may be shorter. */
ALWAYS_INLINE void scores_panel(float *y, size_t y_stride, const int16_t *x, const float *dq, size_t dq_stride,
                                const int16_t *k, const float *dk, int even, const int rows) {
    v128_t sums_i32x4[ROWS][2], total_f32x4;
    for (int b = 0; b < even; b += HEED_BLOCK, k += HEED_BLOCK * HEED_KEYS, x += HEED_BLOCK * rows) {
        int columns = even - b < HEED_BLOCK ? even - b : HEED_BLOCK;
        sum_pairs(sums_i32x4, k, x, columns / 2, rows, rows);
        for (int t = 0; t < rows; t++) {
            for (int i = 0; i < 2; i++) {
                float *y_t = y + (size_t)t * y_stride + 4 * i;
                total_f32x4 = wasm_f32x4_convert_i32x4(sums_i32x4[t][i]);
                if (b > 0) total_f32x4 = wasm_f32x4_add(wasm_v128_load(y_t), total_f32x4);
                if (b + HEED_BLOCK >= even) {
                    v128_t d_f32x4 = wasm_v128_load32_splat(dq + (size_t)t * dq_stride);
                    total_f32x4 = wasm_f32x4_mul(total_f32x4, wasm_f32x4_mul(d_f32x4, wasm_v128_load(dk + 4 * i)));
                }
                wasm_v128_store(y_t, total_f32x4);
            }
        }
    }
}

/* `rows` queries by n <= 32 keys of a block.  A last panel of fewer than eight keys is computed beside y. */
ALWAYS_INLINE void scores_block(float *y, size_t y_stride, const int16_t *x, const float *dq, size_t dq_stride,
                                const heed_codes *k, int n, int even, const int rows) {
    for (int j = 0; j < n; j += HEED_KEYS) {
        float last[ROWS][HEED_KEYS];
        int full = n - j >= HEED_KEYS;
        scores_panel(full ? y + j : last[0], full ? y_stride : HEED_KEYS, x, dq, dq_stride, k->q + even * j, k->d + j,
                     even, rows);
        for (int t = 0; !full && t < rows; t++)
            for (int i = 0; j + i < n; i++) y[(size_t)t * y_stride + j + i] = last[t][i];
    }
}

/* Blocks are exact and added in order: the same bits as the scalar reference. */
void heed_scores_i16_simd128(float *y, size_t y_stride, const int16_t *q, size_t q_stride, const float *dq,
                             size_t dq_stride, const heed_codes *k, int heads, int H, int T, int N, int D) {
    int16_t interleaved[TILES * ROWS * WIDTH];
    int even = HEED_EVEN(D), most = D > WIDTH ? 1 : ROWS, tiles = tiles_of(H, T, most);
    for (int from = 0; from < tiles; from += TILES) {
        int to = tiles - from < TILES ? tiles : from + TILES;
        for (int i = from; i < to; i++) {
            tile of = tile_at(i, T, most);
            if (of.rows > 1)
                scores_interleave(interleaved + (i - from) * ROWS * even, q + of.row * q_stride, q_stride, even,
                                  of.rows);
        }
        for (int j = 0; j < N; j += HEED_BLOCK) {
            int n = N - j < HEED_BLOCK ? N - j : HEED_BLOCK;
            for (int i = from; i < to; i++) {
                tile of = tile_at(i, T, most);
                const heed_codes *keys = heed_codes_at(k, D, j / HEED_BLOCK * heads + of.head);
                const int16_t *x = of.rows > 1 ? interleaved + (i - from) * ROWS * even : q + of.row * q_stride;
                const float *d = dq + of.row * dq_stride;
                float *y_t = y + of.row * y_stride + j;
                switch (of.rows) {
                case 1: scores_block(y_t, y_stride, x, d, dq_stride, keys, n, even, 1); break;
                case 2: scores_block(y_t, y_stride, x, d, dq_stride, keys, n, even, 2); break;
                case 3: scores_block(y_t, y_stride, x, d, dq_stride, keys, n, even, 3); break;
                default: scores_block(y_t, y_stride, x, d, dq_stride, keys, n, even, 4);
                }
            }
        }
    }
}

#endif
