/* The affine formats by fours of bytes, for the sets relaxed-u8 and relaxed-s8.  Codes have at most seven bits, so the
 * products are exact in every engine.
 *
 * Tiles of all formats share two functions, because they differ only in how panels are unpacked, which is as in the set
 * relaxed.  One row of the formats without a loop here goes through the set relaxed, too. */
#define WHOLE_BYTES
#include "kernels/matmul/affine_relaxed_simd.h"

static inline int affine_fit(affine_layout l) {
    (void)l;
    return HEED_BLOCK;
}

ALWAYS_INLINE void affine_add_part(v128_t sums[2], affine_layout l, const uint8_t *codes, const int16_t *numbers,
                                   int part) {
    const int groups = affine_groups(l) / affine_parts(l);
#pragma clang loop unroll_count(2)
    for (int g = part * groups; g < (part + 1) * groups; g++)
        affine_add_group(sums, l, codes, (const operand *)numbers, g);
}
#include "kernels/matmul/affine_simd.h"

/* One band of rows, for any format with minima and for any without. */
static NOINLINE void band_with_minima(float *y, size_t y_stride, affine_layout l, affine_unpacker *unpack,
                                      const heed_block_q8 *x, const uint8_t *w, size_t stride, int rows, int O,
                                      int sub_blocks) {
    l.minima = 1;
    affine_band(y, y_stride, l, unpack, x, w, stride, rows, O, sub_blocks);
}
static NOINLINE void band_without_minima(float *y, size_t y_stride, affine_layout l, affine_unpacker *unpack,
                                         const heed_block_q8 *x, const uint8_t *w, size_t stride, int rows, int O,
                                         int sub_blocks) {
    l.minima = 0;
    affine_band(y, y_stride, l, unpack, x, w, stride, rows, O, sub_blocks);
}

typedef void row_kernel(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K);

static NOINLINE void multiply(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K,
                              affine_layout l, affine_unpacker *unpack, row_kernel *row) {
    const int sub_blocks = K / HEED_BLOCK;
    const size_t stride = (size_t)(sub_blocks / l.sub_blocks) * affine_panel_bytes(l);
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const heed_block_q8 *x_t = x + (size_t)t * (size_t)sub_blocks;
        rows = band_of(T - t, BAND, TILE_ROWS);
        if (rows == 1)
            row(y_t, y_stride, x_t, w, 1, O, K);
        else if (l.minima)
            band_with_minima(y_t, y_stride, l, unpack, x_t, w, stride, rows, O, sub_blocks);
        else
            band_without_minima(y_t, y_stride, l, unpack, x_t, w, stride, rows, O, sub_blocks);
    }
}

#define OWN_ROW(name, ...)                                                                                             \
    static void row_##name(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K) { \
        (void)y_stride, (void)T;                                                                                       \
        const affine_layout l = AFFINE_LAYOUT(__VA_ARGS__);                                                            \
        affine_row(y, l, x, w, (size_t)(K / HEED_BLOCK / l.sub_blocks) * affine_panel_bytes(l), O, K / HEED_BLOCK);    \
    }
OWN_ROW(q4_k, 256, 4, 1, 1, 0)
OWN_ROW(q6_k, 256, 6, 2, 0, 32)
#define row_q4_1 heed_matmul_q4_1_relaxed
#define row_q5_0 heed_matmul_q5_0_relaxed
#define row_q5_1 heed_matmul_q5_1_relaxed
#define row_q2_k heed_matmul_q2_k_relaxed
#define row_q3_k heed_matmul_q3_k_relaxed
#define row_q5_k heed_matmul_q5_k_relaxed

#define X(NAME, name, ...)                                                                                             \
    affine_unpacker heed_unpack_##name##_relaxed;                                                                      \
    void heed_matmul_##name##_bytes(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, \
                                    int K) {                                                                           \
        multiply(y, y_stride, x, w, T, O, K, AFFINE_LAYOUT(__VA_ARGS__), heed_unpack_##name##_relaxed, row_##name);    \
    }
HEED_AFFINE_FORMATS(X)
#undef X
