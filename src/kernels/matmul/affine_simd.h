/* Products with the affine formats (Q4_1, Q5_0, Q5_1, Q2_K to Q6_K), for the sets simd128 and relaxed.  Parameters,
 * defined before the include:
 *
 *     AFFINE_BANDS(X)
 *         X(name, bits, scales, minima) for each band function of the set.  Its tile reads these fields of the layout.
 *     void affine_store_scales(affine_tile_w *to, affine_layout, const v128_t scales_i16x8[2][2])
 *         stores integer scales of halves for affine_multiply().  scales_i16x8[half][r] has the scales of rows 4r to
 *         4r + 3, each twice.
 *     void affine_store_codes(operand *to, affine_layout, v128_t quads_i8x16, v128_t scales_i16x8)
 *         stores four columns of rows 0-3 or 4-7.  `scales_i16x8`: the integer scales of their half, each twice.
 *     void affine_multiply(v128_t sums_i32x4[4][2], affine_layout, const affine_tile_x *, const affine_tile_w *)
 *         computes the sums of a sub-block: Σ (code - zero)·x.  Where halves have integer scales, the scales multiply
 *         these products.
 *     void affine_load_activations(int16_t x[32], int32_t initial[2], int32_t sums[2], affine_layout,
 *                                  const int8_t q[32])
 *         prepares a sub-block of one row of activations for affine_add_part().  `initial`: the initial sums of its two
 *         halves.  `sums`: the sums of its activations
 *     int affine_together(affine_layout)
 *         how many panels one row of activations is multiplied by at once: 1 or 2.
 *     void affine_add_part(v128_t sums_i32x4[][2], affine_layout, const uint8_t *codes, size_t apart, const int16_t *x,
 *                          int part)
 *         adds the products of one part of a sub-block.  All sums start at the initial sum of the part.  Afterwards
 *         they are Σ(code - zero)·x.  The first panel has its codes at `codes`.  The second panel, if there is one, is
 *         `apart` bytes later.
 *
 * Lanes are rows of weights.  One row of activations reads the panels in place; more rows go in tiles, for which codes
 * and scales are unpacked once for a band.  The sum of a sub-block, with the integer scales of its halves, is exact in
 * int32.  Sub-blocks are added in order, as in the scalar reference, so both give the same bits.  The layout is a
 * constant where rows are read and codes are unpacked.  Formats share the functions of bands, which keeps binaries
 * small.  There, minima of halves, which only Q2_K has, are a condition at run time. */
#ifndef HEED_KERNELS_AFFINE_SIMD_H
#define HEED_KERNELS_AFFINE_SIMD_H

#include "kernels/formats/affine.h"
#include "kernels/matmul/outputs_simd.h"

/* Eight numbers times eight integers. */
ALWAYS_INLINE void affine_scale_by(v128_t to_f32x4[2], const v128_t from_f32x4[2], const int8_t *by) {
    v128_t by_i16x8 = wasm_i16x8_load8x8(by);
    to_f32x4[0] = wasm_f32x4_mul(from_f32x4[0], wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(by_i16x8)));
    to_f32x4[1] = wasm_f32x4_mul(from_f32x4[1], wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(by_i16x8)));
}

/* totals += sums·(factor·d) + minimum·sum */
ALWAYS_INLINE void affine_add_scaled(v128_t totals_f32x4[2], const int has_minima, const v128_t sums_i32x4[2],
                                     const v128_t factor_f32x4[2], const v128_t minimum_f32x4[2], const float *d,
                                     const float *sum) {
    v128_t d_f32x4 = wasm_v128_load32_splat(d), sum_f32x4 = wasm_v128_load32_splat(sum);
    for (int i = 0; i < 2; i++) {
        v128_t term_f32x4 =
            wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums_i32x4[i]), wasm_f32x4_mul(factor_f32x4[i], d_f32x4));
        if (has_minima) term_f32x4 = wasm_f32x4_add(term_f32x4, wasm_f32x4_mul(minimum_f32x4[i], sum_f32x4));
        totals_f32x4[i] = wasm_f32x4_add(totals_f32x4[i], term_f32x4);
    }
}

/* totals += minimum·sum */
ALWAYS_INLINE void affine_add_minimum(v128_t totals_f32x4[2], const v128_t minimum_f32x4[2], const float *sum) {
    v128_t sum_f32x4 = wasm_v128_load32_splat(sum);
    for (int i = 0; i < 2; i++)
        totals_f32x4[i] = wasm_f32x4_add(totals_f32x4[i], wasm_f32x4_mul(minimum_f32x4[i], sum_f32x4));
}

#include "kernels/matmul/affine_row_simd.h"
#include "kernels/matmul/affine_tile_simd.h"

/* Multiplies one row.  `stride`: bytes of panels for each eight outputs. */
typedef void affine_row_kernel(float *y, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O,
                               int sub_blocks);

/* One band of rows (affine_band).  The formats of a band share the fields that its tile reads (AFFINE_BANDS). */
typedef void affine_band_kernel(float *y, size_t y_stride, affine_layout l, affine_unpacker *unpack,
                                const heed_block_q8 *x, const uint8_t *w, size_t stride, int rows, int O,
                                int sub_blocks);
#define AFFINE_BAND(name, of_bits, of_scales, has_minima)                                                              \
    static NOINLINE void name(float *y, size_t y_stride, affine_layout l, affine_unpacker *unpack,                     \
                              const heed_block_q8 *x, const uint8_t *w, size_t stride, int rows, int O,                \
                              int sub_blocks) {                                                                        \
        affine_band(y, y_stride, l, (affine_layout){1, of_bits, of_scales, has_minima, 0}, unpack, x, w, stride, rows, \
                    O, sub_blocks);                                                                                    \
    }
AFFINE_BANDS(AFFINE_BAND)

static NOINLINE void affine_matmul(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O,
                                   int K, affine_layout l, size_t stride, affine_unpacker *unpack,
                                   affine_row_kernel *row, affine_band_kernel *band) {
    const int sub_blocks = K / HEED_BLOCK;
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const heed_block_q8 *x_t = x + (size_t)t * (size_t)sub_blocks;
        rows = band_of(T - t, BAND, TILE_ROWS);
        if (rows == 1)
            row(y_t, x_t, w, stride, O, sub_blocks);
        else
            band(y_t, y_stride, l, unpack, x_t, w, stride, rows, O, sub_blocks);
    }
}

/* Bytes of panels for each eight outputs. */
static inline size_t affine_stride(affine_layout l, int K) {
    return (size_t)(K / HEED_BLOCK / l.sub_blocks) * affine_panel_bytes(l);
}

/* The kernels of a set for one format: heed_unpack_… is an affine_unpacker, heed_row_… an affine_row_kernel. */
#define AFFINE_UNPACK(name, set, ...)                                                                                  \
    NOINLINE void heed_unpack_##name##_##set(affine_tile_w *to, const uint8_t *w, int sub_blocks) {                    \
        affine_unpack(to, AFFINE_LAYOUT(__VA_ARGS__), w, sub_blocks);                                                  \
    }
#define AFFINE_ROW(name, set, ...)                                                                                     \
    void heed_row_##name##_##set(float *y, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O,             \
                                 int sub_blocks) {                                                                     \
        affine_row(y, AFFINE_LAYOUT(__VA_ARGS__), x, w, stride, O, sub_blocks);                                        \
    }
#define AFFINE_MATMUL(name, set, unpack, row, ...)                                                                     \
    void heed_matmul_##name##_##set(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, \
                                    int K) {                                                                           \
        const affine_layout l = AFFINE_LAYOUT(__VA_ARGS__);                                                            \
        affine_matmul(y, y_stride, x, w, T, O, K, l, affine_stride(l, K), unpack, row, affine_band_of(l));             \
    }
#define AFFINE_KERNELS(name, set, ...)                                                                                 \
    AFFINE_UNPACK(name, set, __VA_ARGS__)                                                                              \
    AFFINE_ROW(name, set, __VA_ARGS__)                                                                                 \
    AFFINE_MATMUL(name, set, heed_unpack_##name##_##set, heed_row_##name##_##set, __VA_ARGS__)

#endif
