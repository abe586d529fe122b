/* The affine formats by fours of bytes, for the sets relaxed-u8 and relaxed-s8.  Codes have at most seven bits, so the
 * products are exact in every engine.
 *
 * Tiles of all formats share two functions, because they differ only in how panels are unpacked, which is as in the set
 * relaxed.  One row of the formats without a loop here goes through the set relaxed, too. */
#define WHOLE_BYTES
#include "kernels/formats/affine.h"
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/triples_simd.h"

static inline int affine_fit(affine_layout l) {
    (void)l;
    return HEED_BLOCK;
}

ALWAYS_INLINE void affine_store_codes(operand *to, v128_t quads) { wasm_v128_store(to, quads); }

/* Activations stay bytes, except for codes of five bits, which one row multiplies as triples of 16 bits. */
ALWAYS_INLINE void affine_load_activations(int16_t *x, int32_t initial[2], int32_t sums[2], affine_layout l,
                                           const int8_t *q) {
    if (l.bits == 5)
        load_triples(x, q);
    else
        for (int i = 0; i < 2; i++) wasm_v128_store(x + 8 * i, wasm_v128_load(q + 16 * i));
    v128_t total = sum_halves_i8(q);
    sums[0] = wasm_i32x4_extract_lane(total, 0), sums[1] = wasm_i32x4_extract_lane(total, 1);
    initial[0] = -l.zero * sums[0], initial[1] = -l.zero * sums[1];
}

/* A group of codes: eight rows of four columns, or of four and four. */
ALWAYS_INLINE void affine_add_group(v128_t sums[2], affine_layout l, const uint8_t *codes, const operand *x, int g) {
    const int halves = l.bits > 4 ? 1 : 2;
#pragma clang loop unroll(full)
    for (int p = 0; p < halves; p++) {
        int column = l.bits > 4 ? 4 * g : g / 2 * 16 + p * 8 + g % 2 * 4;
        v128_t four = wasm_v128_load32_splat(x + column);
        for (int i = 0; i < 2; i++) {
            v128_t q = wasm_v128_load(codes + g * AFFINE_GROUP + 16 * i);
            if (p) q = wasm_u16x8_shr(q, 4);
            if (l.bits <= 4) q = wasm_v128_and(q, wasm_i8x16_splat(15));
            sums[i] = add_products(sums[i], q, four);
        }
    }
}

ALWAYS_INLINE void affine_add_part(v128_t sums[2], affine_layout l, const uint8_t *codes, const int16_t *numbers,
                                   int part) {
    if (l.bits == 5) {
        add_triples(sums, codes, numbers);
        return;
    }
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
