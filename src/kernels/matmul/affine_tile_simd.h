/* Several rows of activations by panels of an affine format, in tiles of four rows by eight outputs.  Part of
 * affine_simd.h, which states the parameters. */
#ifndef HEED_KERNELS_AFFINE_TILE_SIMD_H
#define HEED_KERNELS_AFFINE_TILE_SIMD_H

#include "kernels/matmul/tile_simd.h"
#include "kernels/matmul/triples_simd.h"

/* CHUNK sub-blocks of an unpacked panel and of four rows stay in the first-level cache.  A chunk of a band stays in the
 * second: 170 KB on the stack. */
enum { BAND = 128, CHUNK = 16 };

/* A sub-block of four rows of activations. */
typedef struct affine_tile_x {
    _Alignas(16) tile_x x;
    float d[TILE_ROWS];
    int32_t initial[2][TILE_ROWS]; /* of the parts */
    float sum[2][TILE_ROWS];
} affine_tile_x;

/* The scales and minima of one part of a sub-block of a panel. */
typedef struct affine_factors {
    _Alignas(16) float scale[HEED_PANEL], minimum[HEED_PANEL];
} affine_factors;

/* An unpacked sub-block of a panel. */
typedef struct affine_tile_w {
    affine_factors f[2];
    tile_w q;
} affine_tile_w;

/* `sub_blocks` sub-blocks of four rows, `stride` blocks apart. */
static NOINLINE void affine_interleave(affine_tile_x *to, affine_layout l, const heed_block_q8 *x, int stride,
                                       int sub_blocks) {
    for (int b = 0; b < sub_blocks; b++, to++, x++) {
        const heed_block_q8 *rows[TILE_ROWS] = {x, x + stride, x + 2 * stride, x + 3 * stride};
        tile_interleave(to->x, rows);
        for (int t = 0; t < TILE_ROWS; t++) {
            v128_t halves = sum_halves_i8(rows[t]->q);
            int32_t sums[2] = {wasm_i32x4_extract_lane(halves, 0), wasm_i32x4_extract_lane(halves, 1)};
            if (affine_parts(l) == 1) sums[0] += sums[1];
            to->d[t] = rows[t]->d;
            for (int part = 0; part < affine_parts(l); part++) {
                to->initial[part][t] = -l.zero * sums[part];
                to->sum[part][t] = (float)sums[part] * rows[t]->d;
            }
        }
    }
}

/* Group `quad`, four columns, of rows 4r to 4r + 3, a byte for each code. */
ALWAYS_INLINE v128_t affine_quads(affine_layout l, const uint8_t *codes, int quad, int r) {
    if (l.bits > 4) return wasm_v128_load(codes + quad * AFFINE_GROUP + 16 * r);
    v128_t q = wasm_v128_load(codes + (quad / 4 * 2 + quad % 2) * AFFINE_GROUP + 16 * r);
    return wasm_v128_and(quad / 2 % 2 ? wasm_u16x8_shr(q, 4) : q, wasm_i8x16_splat(15));
}

ALWAYS_INLINE void affine_store_factors(float *to, const v128_t from_f32x4[2]) {
    for (int i = 0; i < 2; i++) wasm_v128_store(to + 4 * i, from_f32x4[i]);
}

/* Unpacks `sub_blocks` sub-blocks of a row of panels of one format. */
typedef void affine_unpacker(affine_tile_w *to, const uint8_t *w, int sub_blocks);

ALWAYS_INLINE void affine_unpack(affine_tile_w *to, affine_layout l, const uint8_t *w, int sub_blocks) {
    v128_t d_f32x4[2], m_f32x4[2], product[2];
    for (int at = 0; at < sub_blocks; at += l.sub_blocks, w += affine_panel_bytes(l)) {
        load_8_scales(d_f32x4, w);
        if (l.minima) load_8_scales(m_f32x4, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int sub = 0; sub < l.sub_blocks; sub++, to++) {
            for (int part = 0; part < affine_parts(l); part++) {
                if (l.scales) affine_scale_by(product, d_f32x4, affine_scales(l, w, sub, part));
                affine_store_factors(to->f[part].scale, l.scales ? product : d_f32x4);
                if (l.scales && l.minima) affine_scale_by(product, m_f32x4, affine_minima(l, w, sub, part));
                if (l.minima) affine_store_factors(to->f[part].minimum, l.scales ? product : m_f32x4);
            }
            const uint8_t *codes = affine_codes(l, w, sub);
            uint8_t bytes[HEED_BLOCK * HEED_PANEL];
            if (l.bits == 5) {
                heed_unpack_triples(bytes, codes);
                codes = bytes;
            }
            for (int quad = 0; quad < HEED_BLOCK / 4; quad++)
                for (int r = 0; r < 2; r++)
                    affine_store_codes(to->q[0][0] + quad * 4 * HEED_PANEL + 4 * r * G,
                                       affine_quads(l, codes, quad, r));
        }
    }
}

/* The sums of one part of a sub-block, as int32. */
ALWAYS_INLINE void affine_multiply_part(v128_t sums_i32x4[TILE_ROWS][2], affine_layout l, const affine_tile_x *x,
                                        const affine_tile_w *w, int part) {
    const int columns = TILE_COLUMNS / affine_parts(l), fit = affine_fit(l) < columns ? affine_fit(l) : columns;
    for (int t = 0; t < TILE_ROWS; t++) /* the code of weight 0 is 0 in formats with minima */
        sums_i32x4[t][0] = sums_i32x4[t][1] = l.minima ? splat(0) : wasm_v128_load32_splat(&x->initial[part][t]);
    if (affine_fit(l) == HEED_BLOCK) {
        tile_add(sums_i32x4, x->x[part * columns][0], w->q[part * columns][0], columns);
        return;
    }
#pragma clang loop unroll(disable)
    for (int k = part * columns; k < (part + 1) * columns; k += fit) {
        v128_t sums_i16x8[TILE_ROWS][2];
        for (int t = 0; t < TILE_ROWS; t++) sums_i16x8[t][0] = sums_i16x8[t][1] = splat(0);
        tile_add(sums_i16x8, x->x[k][0], w->q[k][0], fit);
        for (int t = 0; t < TILE_ROWS; t++)
            for (int i = 0; i < 2; i++)
                sums_i32x4[t][i] = wasm_i32x4_add(sums_i32x4[t][i], widen_sums(sums_i16x8[t][i]));
    }
}

/* Four rows by one row of panels: y[4][8], which holds the sums of earlier chunks if `add`. */
ALWAYS_INLINE void affine_tile(float *y, size_t y_stride, affine_layout l, const affine_tile_x *x,
                               const affine_tile_w *w, int sub_blocks, int add) {
    v128_t totals_f32x4[TILE_ROWS][2], sums_i32x4[TILE_ROWS][2];
    tile_load(totals_f32x4, y, y_stride, add);
    for (; sub_blocks > 0; sub_blocks--, w++, x++) {
#pragma clang loop unroll(disable)
        for (int part = 0; part < affine_parts(l); part++) {
            affine_multiply_part(sums_i32x4, l, x, w, part);
            const affine_factors *f = &w->f[part];
            v128_t scale[2] = {wasm_v128_load(f->scale), wasm_v128_load(f->scale + 4)};
            v128_t minimum[2] = {wasm_v128_load(f->minimum), wasm_v128_load(f->minimum + 4)};
            for (int t = 0; t < TILE_ROWS; t++)
                affine_add_scaled(totals_f32x4[t], l, sums_i32x4[t], scale, minimum, &x->d[t], &x->sum[part][t]);
        }
    }
    tile_store(y, y_stride, totals_f32x4);
}

/* `rows` rows, a multiple of four; `stride`: bytes of panels for each eight outputs. */
ALWAYS_INLINE void affine_band(float *y, size_t y_stride, affine_layout l, affine_unpacker *unpack,
                               const heed_block_q8 *x, const uint8_t *w, size_t stride, int rows, int O,
                               int sub_blocks) {
    affine_tile_x tiles[BAND / TILE_ROWS][CHUNK];
    affine_tile_w codes[CHUNK];
    float last[BAND][HEED_PANEL];
    for (int from = 0; from < sub_blocks; from += CHUNK, w += stride * CHUNK / (size_t)sub_blocks) {
        int n = sub_blocks - from < CHUNK ? sub_blocks - from : CHUNK;
        for (int t = 0; t < rows; t += TILE_ROWS)
            affine_interleave(tiles[t / TILE_ROWS], l, x + (size_t)t * (size_t)sub_blocks + from, sub_blocks, n);
        const uint8_t *w_o = w;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride) {
            unpack(codes, w_o, n);
            size_t to_stride = o + HEED_PANEL <= O ? y_stride : HEED_PANEL;
            for (int t = 0; t < rows; t += TILE_ROWS) {
                float *to = outputs_at(y + (size_t)t * y_stride, o, O, last[t]);
                affine_tile(to, to_stride, l, tiles[t / TILE_ROWS], codes, n, from > 0);
            }
        }
    }
    for (int t = 0; t < rows; t++) heed_copy_last(y + (size_t)t * y_stride, last[t], O);
}

#endif
