/* Products of the sets relaxed-u8 and relaxed-s8: fours of bytes, in tiles that all formats share, because formats
 * differ only in how panels are unpacked.
 *
 * Codes of the affine formats and of Q4_0 have at most seven bits, so their products are exact in every engine.  Q8_0
 * has eight: whole_bytes.h.  One row of an affine format without a loop here goes through the set relaxed. */
#define WHOLE_BYTES
#include "kernels/matmul/affine_relaxed_simd.h"
#include "kernels/matmul/q8_0_simd.h"

static inline int affine_together(affine_layout l) {
    (void)l;
    return 2;
}

ALWAYS_INLINE void affine_add_part(v128_t sums_i32x4[][2], affine_layout l, const uint8_t *codes, size_t apart,
                                   const int16_t *numbers, int part) {
    const int groups = affine_groups(l) / affine_parts(l), first = part * groups;
    affine_add_groups(sums_i32x4, l, codes + first * AFFINE_GROUP, apart, (const operand *)numbers + 4 * first, groups,
                      affine_together(l));
}

static inline int affine_fit(affine_layout l) {
    (void)l;
    return HEED_BLOCK;
}

#include "kernels/matmul/affine_relaxed_tile_simd.h"

/* Sums of 32 bits hold codes of any bits. */
#define AFFINE_BANDS(X)                                                                                                \
    X(affine_band_1, 4, 1, 0)                                                                                          \
    X(affine_band_1_minima, 4, 1, 1)                                                                                   \
    X(affine_band_2, 4, 2, 0)
#include "kernels/matmul/affine_simd.h"

ALWAYS_INLINE affine_band_kernel *affine_band_of(affine_layout l) {
    if (affine_parts(l) == 2) return affine_band_2;
    return l.minima ? affine_band_1_minima : affine_band_1;
}

#include "kernels/matmul/q4_0_simd.h"

AFFINE_ROW(q4_k, bytes, 256, 4, 1, 1, 0)
AFFINE_ROW(q6_k, bytes, 256, 6, 2, 0, 32)
#define heed_row_q4_1_bytes heed_row_q4_1_relaxed
#define heed_row_q5_0_bytes heed_row_q5_0_relaxed
#define heed_row_q5_1_bytes heed_row_q5_1_relaxed
#define heed_row_q2_k_bytes heed_row_q2_k_relaxed
#define heed_row_q3_k_bytes heed_row_q3_k_relaxed
#define heed_row_q5_k_bytes heed_row_q5_k_relaxed

#define X(NAME, name, ...)                                                                                             \
    affine_unpacker heed_unpack_##name##_relaxed;                                                                      \
    affine_row_kernel heed_row_##name##_bytes;                                                                         \
    AFFINE_MATMUL(name, bytes, heed_unpack_##name##_relaxed, heed_row_##name##_bytes, __VA_ARGS__)
HEED_AFFINE_FORMATS(X)
#undef X

/* Four columns of four rows of Q8_0 as second operands. */
static void unpack_q8_0(affine_tile_w *to, const uint8_t *w, int blocks, v128_t flip) {
    const heed_panel_q8_0 *panel = (const heed_panel_q8_0 *)w;
    for (; blocks > 0; blocks--, panel++, to++) {
        v128_t scales_f32x4[2] = {wasm_v128_load(panel->d), wasm_v128_load(panel->d + 4)};
        store_8(to->factor, scales_f32x4);
        for (int i = 0; i < HEED_BLOCK / 4; i++)
            for (int r = 0; r < HEED_PANEL; r += 4)
                wasm_v128_store(to->q[i][r], wasm_v128_xor(wasm_v128_load(panel->q[i][r]), flip));
    }
}
static void unpack_q8_0_u8(affine_tile_w *to, const uint8_t *w, int blocks) {
    unpack_q8_0(to, w, blocks, Q8_0_FLIP(0x80));
}
static void unpack_q8_0_s8(affine_tile_w *to, const uint8_t *w, int blocks) {
    unpack_q8_0(to, w, blocks, Q8_0_FLIP(0));
}

static void unpack_q4_0(affine_tile_w *to, const uint8_t *w, int blocks) {
    const heed_panel_q4_0 *panel = (const heed_panel_q4_0 *)w;
    for (; blocks > 0; blocks--, panel++, to++) {
        v128_t scales_f32x4[2];
        q4_0_load_scales(scales_f32x4, panel);
        store_8(to->factor, scales_f32x4);
        q4_0_unpack(to->q[0][0], panel);
    }
}

/* Formats of blocks with one scale: the layout gives the tile one part, no minima, and the code of weight 0. */
#define PANELS_MATMUL(name, set, unpack, panel, zero)                                                                  \
    affine_row_kernel heed_row_##name##_##set;                                                                         \
    void heed_matmul_##name##_##set(float *y, size_t y_stride, const heed_block_q8 *x, const panel *w, int T, int O,   \
                                    int K) {                                                                           \
        affine_matmul(y, y_stride, x, (const uint8_t *)w, T, O, K, AFFINE_LAYOUT(HEED_BLOCK, 8, 0, 0, zero),           \
                      (size_t)(K / HEED_BLOCK) * sizeof *w, unpack, heed_row_##name##_##set, affine_band_1);           \
    }
PANELS_MATMUL(q8_0, u8, unpack_q8_0_u8, heed_panel_q8_0, 128)
PANELS_MATMUL(q8_0, s8, unpack_q8_0_s8, heed_panel_q8_0, 0)
PANELS_MATMUL(q4_0, bytes, unpack_q4_0, heed_panel_q4_0, PANEL_ZERO)
