/* One row of activations by panels of an affine format, read in place.  Part of affine_simd.h, which states the
 * parameters. */
#ifndef HEED_KERNELS_AFFINE_ROW_SIMD_H
#define HEED_KERNELS_AFFINE_ROW_SIMD_H

#include <string.h>

/* ROW_CHUNK sub-blocks of the row, prepared once for all outputs, stay in the first-level cache.  They are whole rows
 * of most models, so each stream has no gaps.  STREAMS rows of panels are read in turns (panels_row_simd.h says why).
 */
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

/* Sub-block `sub` of a panel with the numbers d and m, by sub-block `at` of the row. */
ALWAYS_INLINE void affine_row_sub_block(v128_t totals_f32x4[2], affine_layout l, const uint8_t *panel, int sub,
                                        const v128_t d_f32x4[2], const v128_t m_f32x4[2], const affine_chunk *x,
                                        int at) {
    v128_t sums_i32x4[2], scales[2] = {d_f32x4[0], d_f32x4[1]}, minima[2] = {m_f32x4[0], m_f32x4[1]};
    for (int part = 0; part < affine_parts(l); part++) {
        sums_i32x4[0] = sums_i32x4[1] = wasm_v128_load32_splat(&x->initial[at][part]);
        affine_add_part(sums_i32x4, l, affine_codes(l, panel, sub), x->x[at], part);
        if (l.scales) affine_scale_by(scales, d_f32x4, affine_scales(l, panel, sub, part));
        if (l.scales && l.minima) affine_scale_by(minima, m_f32x4, affine_minima(l, panel, sub, part));
        affine_add_scaled(totals_f32x4, l, sums_i32x4, scales, minima, &x->d[at], &x->sum[at][part]);
    }
}

/* Adds sub-blocks from .. to - 1 of the row times a row of panels to y[8]; w: the panel of sub-block `from`. */
ALWAYS_INLINE void affine_add_turn(float *y, affine_layout l, const uint8_t *w, const affine_chunk *x, int from,
                                   int to) {
    v128_t totals_f32x4[2], d_f32x4[2], m_f32x4[2] = {splat(0), splat(0)};
    for (int i = 0; i < 2; i++) totals_f32x4[i] = wasm_v128_load(y + 4 * i);
    for (int at = from; at < to; at += l.sub_blocks, w += affine_panel_bytes(l)) {
        load_8_scales(d_f32x4, w);
        if (l.minima) load_8_scales(m_f32x4, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int sub = 0; sub < l.sub_blocks; sub++)
            affine_row_sub_block(totals_f32x4, l, w, sub, d_f32x4, m_f32x4, x, at + sub);
    }
    for (int i = 0; i < 2; i++) wasm_v128_store(y + 4 * i, totals_f32x4[i]);
}

/* Adds `sub_blocks` sub-blocks of a group of rows of panels to their outputs.  A row has `stride` bytes. */
ALWAYS_INLINE void affine_add_streams(float *y, affine_layout l, const uint8_t *w, size_t stride, row_group g,
                                      const affine_chunk *x, int sub_blocks) {
    const int turn = affine_turn(l);
    const size_t turn_bytes = (size_t)(turn / l.sub_blocks) * affine_panel_bytes(l);
    for (int from = 0; from < sub_blocks; from += turn, w += turn_bytes) {
        const int to = from + turn < sub_blocks ? from + turn : sub_blocks;
        const uint8_t *w_s = w;
        float *y_s = y;
        for (int s = g.streams; s > 0; s--, w_s += (size_t)g.apart * stride, y_s += HEED_PANEL * g.apart)
            affine_add_turn(y_s, l, w_s, x, from, to);
    }
}

/* `stride`: bytes of panels for each eight outputs. */
ALWAYS_INLINE void affine_row(float *y, affine_layout l, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O,
                              int sub_blocks) {
    affine_chunk chunk;
    float last[HEED_PANEL];
    memset(y, 0, (size_t)O * sizeof *y);
    memset(last, 0, sizeof last);
    for (int from = 0; from < sub_blocks;
         from += ROW_CHUNK, w += (size_t)(ROW_CHUNK / l.sub_blocks) * affine_panel_bytes(l)) {
        int n = sub_blocks - from < ROW_CHUNK ? sub_blocks - from : ROW_CHUNK;
        affine_load_row(&chunk, l, x + from, n);
        for (int i = 0; i < row_groups(O, STREAMS); i++) {
            const row_group g = row_group_at(i, O, STREAMS);
            float *y_g = outputs_at(y, g.first * HEED_PANEL, O, last);
            affine_add_streams(y_g, l, w + (size_t)g.first * stride, stride, g, &chunk, n);
        }
    }
    copy_last(y, last, O);
}

#endif
