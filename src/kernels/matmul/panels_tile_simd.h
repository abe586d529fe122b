/* Template: rows of activations by panels of Q8_0 or Q4_0.  Parameters: all of panels_row_simd.h, and
 *
 *     UNPACKED_ZERO   the code of weight 0 after PANELS(unpack)
 *     void PANELS(unpack)(operand *q, const PANEL *)
 *                     codes as tiles read them, a tile_w
 *     v128_t PANELS(initial_sum)(int32_t zero)
 *                     the initial value of the sums of a tile: the zero-point term, negated
 *
 * One row goes straight through the panels.  More rows go in tiles: the codes of a panel are unpacked once for a band
 * of rows, so a tile only multiplies and adds. */
#include "kernels/matmul/panels_row_simd.h"
#include "kernels/matmul/tile_simd.h"

/* A chunk of an unpacked panel and of four rows stays in the first-level cache.  A chunk of a band stays in the second:
 * 221 KB on the stack.  24 blocks are a row of GPT-2: its weights are then one stream, and outputs are summed at once.
 */
enum { BAND = 128, CHUNK = 24 };

/* A block of four rows of activations. */
typedef struct tile_block {
    _Alignas(16) tile_x x;
    float d[TILE_ROWS];
    int32_t zero[TILE_ROWS];
} tile_block;

/* An unpacked panel.  Aligned: no vector crosses a cache line. */
typedef struct unpacked_panel {
    _Alignas(16) float d[HEED_PANEL];
    tile_w q;
} unpacked_panel;

/* Four rows by one row of panels: y[4][8], which holds the sums of earlier chunks if `add`. */
static void PANELS(tile)(float *y, size_t y_stride, const tile_block *x, const unpacked_panel *w, int blocks, int add) {
    v128_t totals_f32x4[TILE_ROWS][2], sums[TILE_ROWS][2];
    tile_load(totals_f32x4, y, y_stride, add);
    for (; blocks > 0; blocks--, w++, x++) {
        for (int t = 0; t < TILE_ROWS; t++)
            sums[t][0] = sums[t][1] = PANELS(initial_sum)(UNPACKED_ZERO ? x->zero[t] : 0);
        tile_add(sums, x->x[0][0], w->q[0][0], TILE_COLUMNS);
        for (int t = 0; t < TILE_ROWS; t++) {
            v128_t d_f32x4 = wasm_v128_load32_splat(x->d + t);
            for (int i = 0; i < 2; i++)
                PANELS(add_scaled)(&totals_f32x4[t][i], widen_sums(sums[t][i]), wasm_v128_load(w->d + 4 * i), d_f32x4);
        }
    }
    tile_store(y, y_stride, totals_f32x4);
}

/* A chunk of four rows, `stride` blocks apart, side by side. */
static void PANELS(interleave)(tile_block *to, const heed_block_q8 *x, int stride, int blocks) {
    for (int b = 0; b < blocks; b++, to++, x++) {
        const heed_block_q8 *rows[TILE_ROWS] = {x, x + stride, x + 2 * stride, x + 3 * stride};
        tile_interleave(to->x, rows);
        for (int t = 0; t < TILE_ROWS; t++) {
            to->d[t] = rows[t]->d;
            to->zero[t] = zero_term(rows[t]->q, UNPACKED_ZERO);
        }
    }
}

static void PANELS(unpack_chunk)(unpacked_panel *to, const PANEL *w, int blocks) {
    for (int b = 0; b < blocks; b++) {
        v128_t scales_f32x4[2];
        PANELS(load_scales)(scales_f32x4, w + b);
        for (int i = 0; i < 2; i++) wasm_v128_store(to[b].d + 4 * i, scales_f32x4[i]);
        PANELS(unpack)(to[b].q[0][0], w + b);
    }
}

/* `rows` rows, a multiple of four. */
static void PANELS(band)(float *y, size_t y_stride, const heed_block_q8 *x, const PANEL *w, int rows, int O,
                         int stride) {
    tile_block tiles[BAND / TILE_ROWS * CHUNK];
    unpacked_panel codes[CHUNK];
    float last[BAND][HEED_PANEL];
    for (int from = 0, blocks, chunks = (stride + CHUNK - 1) / CHUNK; chunks > 0; from += blocks, chunks--) {
        blocks = (stride - from) / chunks;
        for (int t = 0; t < rows; t += TILE_ROWS)
            PANELS(interleave)(tiles + t / TILE_ROWS * blocks, x + (size_t)t * (size_t)stride + from, stride, blocks);
        const PANEL *w_o = w + from;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride) {
            PANELS(unpack_chunk)(codes, w_o, blocks);
            size_t to_stride = o + HEED_PANEL <= O ? y_stride : HEED_PANEL;
            for (int t = 0; t < rows; t += TILE_ROWS) {
                float *to = outputs_at(y + (size_t)t * y_stride, o, O, last[t]);
                PANELS(tile)(to, to_stride, tiles + t / TILE_ROWS * blocks, codes, blocks, from > 0);
            }
        }
    }
    for (int t = 0; t < rows; t++) heed_copy_last(y + (size_t)t * y_stride, last[t], O);
}

ALWAYS_INLINE void PANELS(matmul)(float *y, size_t y_stride, const heed_block_q8 *x, const PANEL *w, int T, int O,
                                  int K) {
    const int stride = K / HEED_BLOCK;
    for (int t = 0, rows; t < T; t += rows) {
        float *y_t = y + (size_t)t * y_stride;
        const heed_block_q8 *x_t = x + (size_t)t * (size_t)stride;
        rows = band_of(T - t, BAND, TILE_ROWS);
        if (rows == 1)
            PANELS(row)(y_t, x_t, w, O, stride, UNPACKED_ZERO);
        else
            PANELS(band)(y_t, y_stride, x_t, w, rows, O, stride);
    }
}
