#ifdef __wasm_simd128__
#include "kernels/attention/codes_i16_simd.h"
#include "kernels/kernels.h"

#include <string.h>

/* The codes of one block of positions, pairs of each row side by side: [pairs][rows][2], of one row or of four. */
typedef struct block {
    _Alignas(16) int16_t code[HEED_BLOCK / 2 * ROWS * 2];
    float scale[ROWS];
} block;

ALWAYS_INLINE v128_t weight_at(const float *p, const float *dv, int j) {
    return wasm_f32x4_mul(wasm_v128_load(p + j), wasm_v128_load(dv + j));
}

/* Codes of the scaled weights p[j]·dv[j] of one row. */
static void quantize_row(block *to, const float *p, const float *dv) {
    v128_t largest = splat(0);
#pragma clang loop unroll(disable)
    for (int j = 0; j < HEED_BLOCK; j += 4) largest = larger_magnitude(largest, weight_at(p, dv, j));
    to->scale[0] = scale_of(largest);
    v128_t inverse_f32x4 = inverse_of(to->scale[0]);
#pragma clang loop unroll(disable)
    for (int j = 0; j < HEED_BLOCK; j += 8)
        wasm_v128_store(to->code + j, codes(weight_at(p, dv, j), weight_at(p, dv, j + 4), inverse_f32x4));
}

/* Codes of the scaled weights of four rows; their scales are lanes of one vector.  A row with a non-finite scale gets
 * arbitrary codes and the scale NaN.  Its results are NaN, as with codes of 0 and an infinite scale. */
static void quantize_four(block *to, const float *const p[ROWS], const float *dv) {
    v128_t largest[ROWS], inverse_f32x4[ROWS];
    for (int t = 0; t < ROWS; t++) largest[t] = splat(0);
#pragma clang loop unroll(disable)
    for (int j = 0; j < HEED_BLOCK; j += 4)
        for (int t = 0; t < ROWS; t++) largest[t] = larger_magnitude(largest[t], weight_at(p[t], dv, j));
    transpose_i32x4(largest);
    for (int t = 1; t < ROWS; t++) largest[0] = wasm_i32x4_max(largest[0], largest[t]);
    v128_t d_f32x4 = wasm_f32x4_div(largest[0], splat(HEED_CODE)), normal = wasm_f32x4_ge(d_f32x4, splat(FLT_MIN));
    v128_t all_f32x4 = wasm_v128_and(wasm_f32x4_div(splat(1), d_f32x4), normal);
    wasm_v128_store(to->scale, wasm_f32x4_add(d_f32x4, wasm_f32x4_sub(d_f32x4, d_f32x4)));
    inverse_f32x4[0] = wasm_i32x4_shuffle(all_f32x4, all_f32x4, 0, 0, 0, 0);
    inverse_f32x4[1] = wasm_i32x4_shuffle(all_f32x4, all_f32x4, 1, 1, 1, 1);
    inverse_f32x4[2] = wasm_i32x4_shuffle(all_f32x4, all_f32x4, 2, 2, 2, 2);
    inverse_f32x4[3] = wasm_i32x4_shuffle(all_f32x4, all_f32x4, 3, 3, 3, 3);
#pragma clang loop unroll(disable)
    for (int j = 0; j < HEED_BLOCK; j += 4) {
        v128_t rounded_i32x4[ROWS];
        for (int t = 0; t < ROWS; t++) rounded_i32x4[t] = nearest(weight_at(p[t], dv, j), inverse_f32x4[t]);
        v128_t a_i16x8 = wasm_i16x8_narrow_i32x4(rounded_i32x4[0], rounded_i32x4[1]);
        v128_t b_i16x8 = wasm_i16x8_narrow_i32x4(rounded_i32x4[2], rounded_i32x4[3]);
        wasm_v128_store(to->code + 2 * ROWS * (j / 2), wasm_i32x4_shuffle(a_i16x8, b_i16x8, 0, 2, 4, 6));
        wasm_v128_store(to->code + 2 * ROWS * (j / 2 + 1), wasm_i32x4_shuffle(a_i16x8, b_i16x8, 1, 3, 5, 7));
    }
}

/* Codes of the scaled weights of `rows` rows, p_stride apart.  Positions of row t from n[t] on are masked: they are not
 * multiplied, because their values may be NaN.  Returns the pairs of positions to multiply, 0 if no row has a weight.
 */
NOINLINE static int quantize_rows(block *to, const float *p, size_t p_stride, const float *dv, const int n[],
                                  int rows) {
    float weighted[ROWS][HEED_BLOCK], ones[HEED_BLOCK];
    const float *from[ROWS];
    int least = n[0], most = n[0];
    for (int t = 0; t < ROWS; t++) from[t] = p + (t < rows ? (size_t)t * p_stride : 0);
    for (int t = 1; t < rows; t++) {
        if (n[t] < least) least = n[t];
        if (n[t] > most) most = n[t];
    }
    if (most <= 0) return 0;
    if (least < HEED_BLOCK) {
#pragma clang loop unroll(disable)
        for (int t = 0; t < ROWS; t++) {
#pragma clang loop unroll(disable)
            for (int j = 0; j < HEED_BLOCK; j++) weighted[t][j] = t < rows && j < n[t] ? from[t][j] * dv[j] : 0;
            from[t] = weighted[t];
        }
#pragma clang loop unroll(disable)
        for (int j = 0; j < HEED_BLOCK; j++) ones[j] = 1;
        dv = ones;
    }
    if (rows == 1)
        quantize_row(to, from[0], dv);
    else
        quantize_four(to, from, dv);
    for (int t = 0; t < rows; t++)
        if (to->scale[t] != 0) return most < HEED_BLOCK ? (most + 1) / 2 : HEED_BLOCK / 2;
    return 0;
}

/* z[t] += scale[t]·sums[t], eight columns. */
ALWAYS_INLINE void add_scaled(float *z, size_t z_stride, const v128_t sums_i32x4[ROWS][2], const float *scale,
                              const int rows) {
    for (int t = 0; t < rows; t++, z += z_stride)
        for (int i = 0; i < 2; i++) {
            v128_t scaled_f32x4 = wasm_f32x4_mul(splat(scale[t]), wasm_f32x4_convert_i32x4(sums_i32x4[t][i]));
            wasm_v128_store(z + 4 * i, wasm_f32x4_add(wasm_v128_load(z + 4 * i), scaled_f32x4));
        }
}

/* Adds a panel of a block of values to `columns` columns of z: a whole panel, or fewer at the end. */
ALWAYS_INLINE void add_panel(float *z, size_t z_stride, const block *x, const int16_t *v, int columns, int pairs,
                             const int rows) {
    v128_t sums_i32x4[ROWS][2];
    sum_pairs(sums_i32x4, v, x->code, pairs, rows, rows == 1 ? 1 : ROWS);
    if (columns >= HEED_PANEL) {
        add_scaled(z, z_stride, sums_i32x4, x->scale, rows);
        return;
    }
    float last[ROWS][HEED_PANEL] = {0};
    for (int t = 0; t < rows; t++)
        for (int d = 0; d < columns; d++) last[t][d] = z[(size_t)t * z_stride + d];
    add_scaled(last[0], HEED_PANEL, sums_i32x4, x->scale, rows);
    for (int t = 0; t < rows; t++)
        for (int d = 0; d < columns; d++) z[(size_t)t * z_stride + d] = last[t][d];
}

/* z[t] += scale[t]·Σ over a block of values, for `rows` rows: a constant at every call. */
ALWAYS_INLINE void add_block(float *z, size_t z_stride, const block *x, const int16_t *v, int D, int pairs,
                             const int rows) {
    for (int d = 0; d < D; d += HEED_PANEL) add_panel(z + d, z_stride, x, v + HEED_BLOCK * d, D - d, pairs, rows);
}

/* The length of a row without its trailing zeros. */
static int end_of(const float *p, int N) {
    while (N > 0 && p[N - 1] == 0) N--;
    return N;
}

/* Blocks are exact and added in order: the same bits as the scalar reference.  Blocks where all weights are 0, before a
 * window or after the last position, are skipped. */
void heed_weighted_sum_i16_simd128(float *z, size_t z_stride, const float *p, size_t p_stride, const heed_codes *v,
                                   int heads, int H, int T, int N, int D) {
    int tiles = tiles_of(H, T, ROWS);
    for (int from = 0; from < tiles; from += TILES) {
        int to = tiles - from < TILES ? tiles : from + TILES, rest[TILES][ROWS], longest = 0;
        for (int i = from; i < to; i++) {
            tile of = tile_at(i, T, ROWS);
            for (int t = 0; t < of.rows; t++, of.row++) {
                int end = end_of(p + of.row * p_stride, N);
                if (end > longest) longest = end;
                rest[i - from][t] = end;
                memset(z + of.row * z_stride, 0, (size_t)D * sizeof *z);
            }
        }
        for (int j = 0; j < longest; j += HEED_BLOCK) {
            for (int i = from; i < to; i++) {
                tile of = tile_at(i, T, ROWS);
                const heed_codes *values = heed_codes_at(v, D, j / HEED_BLOCK * heads + of.head);
                float *z_t = z + of.row * z_stride;
                block x;
                int pairs = quantize_rows(&x, p + of.row * p_stride + j, p_stride, values->d, rest[i - from], of.rows);
                for (int t = 0; t < of.rows; t++) rest[i - from][t] -= HEED_BLOCK;
                if (!pairs) continue;
                switch (of.rows) {
                case 1: add_block(z_t, z_stride, &x, values->q, D, pairs, 1); break;
                case 2: add_block(z_t, z_stride, &x, values->q, D, pairs, 2); break;
                case 3: add_block(z_t, z_stride, &x, values->q, D, pairs, 3); break;
                default: add_block(z_t, z_stride, &x, values->q, D, pairs, 4);
                }
            }
        }
    }
}

#endif
