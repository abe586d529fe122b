/* One row of activations by panels of an affine format, read in place.  Part of affine_simd.h, which states the
 * parameters. */
#ifndef HEED_KERNELS_AFFINE_ROW_SIMD_H
#define HEED_KERNELS_AFFINE_ROW_SIMD_H

/* ROW_CHUNK sub-blocks of the row, prepared once for all outputs, stay in the first-level cache.  They are whole rows
 * of most models, so panels are one stream; gaps between chunks would halve the speed of reading. */
enum { ROW_CHUNK = 256 };

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

/* One row by one row of panels: y[8], which holds the sums of earlier chunks if `add`. */
ALWAYS_INLINE void affine_row_panels(float *y, const affine_chunk *x, affine_layout l, const uint8_t *w, int sub_blocks,
                                     int add) {
    v128_t totals_f32x4[2], d_f32x4[2], m_f32x4[2] = {splat(0), splat(0)};
    for (int i = 0; i < 2; i++) totals_f32x4[i] = add ? wasm_v128_load(y + 4 * i) : splat(0);
    for (int at = 0; at < sub_blocks; at += l.sub_blocks, w += affine_panel_bytes(l)) {
        load_8_scales(d_f32x4, w);
        if (l.minima) load_8_scales(m_f32x4, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int sub = 0; sub < l.sub_blocks; sub++)
            affine_row_sub_block(totals_f32x4, l, w, sub, d_f32x4, m_f32x4, x, at + sub);
    }
    for (int i = 0; i < 2; i++) wasm_v128_store(y + 4 * i, totals_f32x4[i]);
}

/* `stride`: bytes of panels for each eight outputs. */
ALWAYS_INLINE void affine_row(float *y, affine_layout l, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O,
                              int sub_blocks) {
    affine_chunk chunk;
    float last[HEED_PANEL];
    for (int from = 0; from < sub_blocks;
         from += ROW_CHUNK, w += (size_t)(ROW_CHUNK / l.sub_blocks) * affine_panel_bytes(l)) {
        int n = sub_blocks - from < ROW_CHUNK ? sub_blocks - from : ROW_CHUNK;
        affine_load_row(&chunk, l, x + from, n);
        const uint8_t *w_o = w;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride)
            affine_row_panels(outputs_at(y, o, O, last), &chunk, l, w_o, n, from > 0);
    }
    copy_last(y, last, O);
}

#endif
