/* One row of activations by panels of an affine format, read in place.  Part of affine_simd.h, which states the
 * parameters. */
#ifndef HEED_KERNELS_AFFINE_ROW_SIMD_H
#define HEED_KERNELS_AFFINE_ROW_SIMD_H

#include <string.h>

/* ROW_CHUNK sub-blocks of the row, prepared once for all outputs, stay in the first-level cache.  Most models
 * have shorter rows, so each stream is contiguous.  If heed_many_streams, STREAMS rows of panels are read in turns, one
 * or two at a time.  If not, one or two rows are read, each to its end.  panels_row_simd.h explains the streams. */
enum { ROW_CHUNK = 256, STREAMS = 4 };

/* Sub-blocks of a turn: a panel, or four panels of one sub-block. */
static inline int affine_turn(affine_layout l) { return l.sub_blocks > 1 ? l.sub_blocks : 4; }

typedef struct affine_chunk {
    _Alignas(16) int16_t x[ROW_CHUNK][HEED_BLOCK];
    float d[ROW_CHUNK];
    int32_t initial[ROW_CHUNK][2]; /* of the parts */
    float sum[ROW_CHUNK][2];       /* d·Σx of the parts */
} affine_chunk;

/* Runs once a row: not inlined, so that all formats share one function. */
static NOINLINE void affine_load_row(affine_chunk *to, affine_layout l, const heed_block_q8 *x, int sub_blocks) {
    for (int b = 0; b < sub_blocks; b++, x++) {
        int32_t sums[2];
        affine_load_activations(to->x[b], to->initial[b], sums, l, x->q);
        if (affine_parts(l) == 1) {
            to->initial[b][0] += to->initial[b][1];
            sums[0] += sums[1];
        }
        to->d[b] = x->d;
        for (int part = 0; part < 2; part++) to->sum[b][part] = (float)sums[part] * x->d;
    }
}

/* The numbers d and m of a panel, and the sums of its outputs. */
typedef struct affine_sums {
    v128_t d_f32x4[2], m_f32x4[2], totals_f32x4[2];
} affine_sums;

/* The sums of part `part`.  Where halves have integer scales, the scales multiply the sums. */
ALWAYS_INLINE void affine_row_part(v128_t sums_i32x4[][2], affine_layout l, const uint8_t *panel, size_t apart, int sub,
                                   int part, const affine_chunk *x, int at) {
    v128_t initial_i32x4 = wasm_v128_load32_splat(&x->initial[at][part]);
    for (int p = 0; p < affine_together(l); p++) sums_i32x4[p][0] = sums_i32x4[p][1] = initial_i32x4;
    affine_add_part(sums_i32x4, l, affine_codes(l, panel, sub), apart, x->x[at], part);
    if (affine_parts(l) == 1) return;
    for (int p = 0; p < affine_together(l); p++) {
        v128_t s_i16x8 = wasm_i16x8_load8x8(affine_scales(l, panel + (size_t)p * apart, sub, part));
        sums_i32x4[p][0] = wasm_i32x4_mul(sums_i32x4[p][0], wasm_i32x4_extend_low_i16x8(s_i16x8));
        sums_i32x4[p][1] = wasm_i32x4_mul(sums_i32x4[p][1], wasm_i32x4_extend_high_i16x8(s_i16x8));
    }
}

/* Sub-block `sub` of panels that are `apart` bytes apart, by sub-block `at` of the row. */
ALWAYS_INLINE void affine_row_sub_block(affine_sums to[], affine_layout l, const uint8_t *panel, size_t apart, int sub,
                                        const affine_chunk *x, int at) {
    v128_t sums_i32x4[2][2], second_i32x4[2][2];
    const int parts = affine_parts(l);
    affine_row_part(sums_i32x4, l, panel, apart, sub, 0, x, at);
    if (parts == 2) affine_row_part(second_i32x4, l, panel, apart, sub, 1, x, at);
    const uint8_t *w = panel;
    for (int p = 0; p < affine_together(l); p++, w += apart) {
        v128_t factor_f32x4[2] = {to[p].d_f32x4[0], to[p].d_f32x4[1]};
        v128_t minimum_f32x4[2] = {to[p].m_f32x4[0], to[p].m_f32x4[1]};
        if (parts == 2)
            for (int i = 0; i < 2; i++) sums_i32x4[p][i] = wasm_i32x4_add(sums_i32x4[p][i], second_i32x4[p][i]);
        if (l.scales == 1) affine_scale_by(factor_f32x4, to[p].d_f32x4, affine_scales(l, w, sub, 0));
        if (l.scales == 1 && l.minima) affine_scale_by(minimum_f32x4, to[p].m_f32x4, affine_minima(l, w, sub, 0));
        affine_add_scaled(to[p].totals_f32x4, l.minima && parts == 1, sums_i32x4[p], factor_f32x4, minimum_f32x4,
                          &x->d[at], x->sum[at]);
        for (int part = 0; part < 2 && l.minima && parts == 2; part++) {
            affine_scale_by(minimum_f32x4, to[p].m_f32x4, affine_minima(l, w, sub, part));
            affine_add_minimum(to[p].totals_f32x4, minimum_f32x4, &x->sum[at][part]);
        }
    }
}

/* Adds sub-blocks from .. to - 1 of the row times one or two rows of panels to their outputs, y_apart floats apart.  w:
 * the panel of sub-block `from` of the first row; the second is `apart` bytes later. */
ALWAYS_INLINE void affine_add_turn(float *y, size_t y_apart, affine_layout l, const uint8_t *w, size_t apart,
                                   const affine_chunk *x, int from, int to) {
    affine_sums sums[2];
    for (int p = 0; p < affine_together(l); p++)
        for (int i = 0; i < 2; i++) {
            sums[p].totals_f32x4[i] = wasm_v128_load(y + (size_t)p * y_apart + 4 * i);
            sums[p].m_f32x4[i] = splat(0);
        }
    for (int at = from; at < to; at += l.sub_blocks, w += affine_panel_bytes(l)) {
        const uint8_t *w_p = w;
        for (int p = 0; p < affine_together(l); p++, w_p += apart) {
            load_8_scales(sums[p].d_f32x4, w_p);
            if (l.minima) load_8_scales(sums[p].m_f32x4, w_p + 2 * HEED_PANEL);
        }
#pragma clang loop unroll(disable)
        for (int sub = 0; sub < l.sub_blocks; sub++) affine_row_sub_block(sums, l, w, apart, sub, x, at + sub);
    }
    for (int p = 0; p < affine_together(l); p++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)p * y_apart + 4 * i, sums[p].totals_f32x4[i]);
}

/* Adds `sub_blocks` sub-blocks of a group of rows of panels to their outputs.  A row has `stride` bytes. */
ALWAYS_INLINE void affine_add_streams(float *y, affine_layout l, const uint8_t *w, size_t stride, row_group g,
                                      const affine_chunk *x, int sub_blocks) {
    const int turn = g.streams > affine_together(l) ? affine_turn(l) : sub_blocks;
    const size_t turn_bytes = (size_t)(turn / l.sub_blocks) * affine_panel_bytes(l), apart = (size_t)g.apart * stride;
    float alone[2 * HEED_PANEL] = {0};
    for (int from = 0; from < sub_blocks; from += turn, w += turn_bytes) {
        const int to = from + turn < sub_blocks ? from + turn : sub_blocks;
        const uint8_t *w_s = w;
        float *y_s = y;
        for (int s = g.streams; s > 0;) {
            const row_turn t = begin_turn(y_s, g, s, affine_together(l), alone);
            affine_add_turn(t.y, t.y_apart, l, w_s, t.rows > 1 ? apart : 0, x, from, to);
            if (affine_together(l) > 1) end_turn(y_s, t);
            s -= t.rows, w_s += (size_t)t.rows * apart, y_s += t.rows * HEED_PANEL * g.apart;
        }
    }
}

/* `stride`: bytes of panels for each eight outputs. */
ALWAYS_INLINE void affine_row(float *y, affine_layout l, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O,
                              int sub_blocks) {
    const int streams = heed_many_streams ? STREAMS : affine_together(l);
    affine_chunk chunk;
    float last[HEED_PANEL];
    memset(y, 0, (size_t)O * sizeof *y);
    memset(last, 0, sizeof last);
    for (int from = 0; from < sub_blocks;
         from += ROW_CHUNK, w += (size_t)(ROW_CHUNK / l.sub_blocks) * affine_panel_bytes(l)) {
        int n = sub_blocks - from < ROW_CHUNK ? sub_blocks - from : ROW_CHUNK;
        affine_load_row(&chunk, l, x + from, n);
        row_group g;
        for (int i = 0; heed_row_group(&g, i, O, streams); i++) {
            float *y_g = outputs_at(y, g.first * HEED_PANEL, O, last);
            affine_add_streams(y_g, l, w + (size_t)g.first * stride, stride, g, &chunk, n);
        }
    }
    heed_copy_last(y, last, O);
}

#endif
