/* Several rows of activations by panels of an affine format, in tiles of four rows by eight outputs.  Part of
 * affine_simd.h, which states the parameters. */
#ifndef HEED_KERNELS_AFFINE_TILE_SIMD_H
#define HEED_KERNELS_AFFINE_TILE_SIMD_H

#include "kernels/matmul/affine_operands_simd.h"
#include "kernels/matmul/triples_simd.h"

/* CHUNK sub-blocks of an unpacked panel and of four rows stay in the first-level cache.  A chunk of a band stays in the
 * second: 170 KB on the stack. */
enum { BAND = 128, CHUNK = 16 };

/* `sub_blocks` sub-blocks of four rows, `stride` blocks apart. */
static NOINLINE void affine_interleave(affine_tile_x *to, affine_layout l, const heed_block_q8 *x, int stride,
                                       int sub_blocks) {
    for (int b = 0; b < sub_blocks; b++, to++, x++) {
        const heed_block_q8 *rows[TILE_ROWS] = {x, x + stride, x + 2 * stride, x + 3 * stride};
        tile_interleave(to->x, rows);
        for (int t = 0; t < TILE_ROWS; t++) {
            v128_t halves_i32x4 = sum_halves_i8(rows[t]->q);
            int first = wasm_i32x4_extract_lane(halves_i32x4, 0), second = wasm_i32x4_extract_lane(halves_i32x4, 1);
            wasm_v128_store32_lane(to->halves[t], wasm_i16x8_narrow_i32x4(halves_i32x4, halves_i32x4), 0);
            to->initial[t] = -l.zero * (first + second);
            to->d[t] = rows[t]->d;
            to->sum[0][t] = (float)(affine_parts(l) == 1 ? first + second : first) * rows[t]->d;
            to->sum[1][t] = (float)second * rows[t]->d;
        }
    }
}

/* Group `quad`, four columns, of rows 4r to 4r + 3, a byte for each code. */
ALWAYS_INLINE v128_t affine_quads(affine_layout l, const uint8_t *codes, int quad, int r) {
    if (l.bits > 4) return wasm_v128_load(codes + quad * AFFINE_GROUP + 16 * r);
    v128_t q = wasm_v128_load(codes + (quad / 4 * 2 + quad % 2) * AFFINE_GROUP + 16 * r);
    return wasm_v128_and(quad / 2 % 2 ? wasm_u16x8_shr(q, 4) : q, wasm_i8x16_splat(15));
}

ALWAYS_INLINE void store_8(float *to, const v128_t from_f32x4[2]) {
    for (int i = 0; i < 2; i++) wasm_v128_store(to + 4 * i, from_f32x4[i]);
}

/* Unpacks `sub_blocks` sub-blocks of a row of panels of one format. */
typedef void affine_unpacker(affine_tile_w *to, const uint8_t *w, int sub_blocks);

ALWAYS_INLINE void affine_unpack(affine_tile_w *to, affine_layout l, const uint8_t *w, int sub_blocks) {
    v128_t d_f32x4[2], m_f32x4[2], product_f32x4[2];
    for (int at = 0; at < sub_blocks; at += l.sub_blocks, w += affine_panel_bytes(l)) {
        load_8_scales(d_f32x4, w);
        if (l.minima) load_8_scales(m_f32x4, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int sub = 0; sub < l.sub_blocks; sub++, to++) {
            if (l.scales == 1) affine_scale_by(product_f32x4, d_f32x4, affine_scales(l, w, sub, 0));
            store_8(to->factor, l.scales == 1 ? product_f32x4 : d_f32x4);
            for (int part = 0; part < affine_parts(l) && l.minima; part++) {
                if (l.scales) affine_scale_by(product_f32x4, m_f32x4, affine_minima(l, w, sub, part));
                store_8(to->minima[part], l.scales ? product_f32x4 : m_f32x4);
            }
            const uint8_t *codes = affine_codes(l, w, sub);
            uint8_t bytes[HEED_BLOCK * HEED_PANEL];
            if (l.bits == 5) {
                heed_unpack_triples(bytes, codes);
                codes = bytes;
            }
            v128_t scales_i16x8[2][2] = {{splat(0), splat(0)}, {splat(0), splat(0)}};
            for (int half = 0; half < 2 && affine_parts(l) == 2; half++) {
                v128_t eight_i16x8 = wasm_i16x8_load8x8(affine_scales(l, w, sub, half));
                for (int r = 0; r < 2; r++) scales_i16x8[half][r] = twice(eight_i16x8, r);
            }
            affine_store_scales(to, l, scales_i16x8);
            for (int quad = 0; quad < HEED_BLOCK / 4; quad++)
                for (int r = 0; r < 2; r++)
                    affine_store_codes(to->q[0][0] + quad * 4 * HEED_PANEL + 4 * r * G, l,
                                       affine_quads(l, codes, quad, r), scales_i16x8[quad / (HEED_BLOCK / 8)][r]);
        }
    }
}

/* Four rows by one row of panels: y[4][8], which holds the sums of earlier chunks if `add`. */
ALWAYS_INLINE void affine_tile(float *y, size_t y_stride, affine_layout l, const affine_tile_x *x,
                               const affine_tile_w *w, int sub_blocks, int minima_of_halves, int add) {
    v128_t totals_f32x4[TILE_ROWS][2], sums_i32x4[TILE_ROWS][2];
    tile_load(totals_f32x4, y, y_stride, add);
    for (; sub_blocks > 0; sub_blocks--, w++, x++) {
        affine_multiply(sums_i32x4, l, x, w);
        v128_t factor_f32x4[2] = {wasm_v128_load(w->factor), wasm_v128_load(w->factor + 4)};
        v128_t minimum_f32x4[2] = {wasm_v128_load(w->minima[0]), wasm_v128_load(w->minima[0] + 4)};
        for (int t = 0; t < TILE_ROWS; t++)
            affine_add_scaled(totals_f32x4[t], l.minima, sums_i32x4[t], factor_f32x4, minimum_f32x4, &x->d[t],
                              &x->sum[0][t]);
        if (!minima_of_halves) continue;
#pragma clang loop unroll(disable)
        for (int half = 0; half < 2; half++) {
            minimum_f32x4[0] = wasm_v128_load(w->minima[half]), minimum_f32x4[1] = wasm_v128_load(w->minima[half] + 4);
            for (int t = 0; t < TILE_ROWS; t++) affine_add_minimum(totals_f32x4[t], minimum_f32x4, &x->sum[half][t]);
        }
    }
    tile_store(y, y_stride, totals_f32x4);
}

/* `rows` rows, a multiple of four; `stride`: bytes of panels for each eight outputs.  `tile` has the constants of the
 * layout that the tile needs. */
ALWAYS_INLINE void affine_band(float *y, size_t y_stride, affine_layout l, affine_layout tile, affine_unpacker *unpack,
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
                affine_tile(to, to_stride, tile, tiles[t / TILE_ROWS], codes, n, l.minima && affine_parts(l) == 2,
                            from > 0);
            }
        }
    }
    for (int t = 0; t < rows; t++) heed_copy_last(y + (size_t)t * y_stride, last[t], O);
}

#endif
