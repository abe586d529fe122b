/* Template: one row of activations by panels of Q8_0 or Q4_0, read in place.  Parameters, defined before the include:
 *
 *     PANELS(name)    prefix of all names of an instance: q8_0_##name.
 *     PANEL           type of a panel.
 *     TOGETHER        panels that PANELS(multiply) takes at once, so that they share the loads of activations.
 *     STREAMS         if heed_many_streams, this many rows of panels are read in turns; if not, TOGETHER rows, each to
 *                     its end.
 *     TURN            blocks of a turn, about 600 bytes.
 *     row_operand     type of prepared activations.
 *     void PANELS(load_scales)(v128_t d_f32x4[2], const PANEL *)
 *                     the scales as float, of rows 0-3 and of rows 4-7
 *     int32_t PANELS(load_activations)(row_operand x[32], const int8_t q[32], int zero)
 *                     activations as PANELS(multiply) reads them; returns the initial value of a sum of products
 *     void PANELS(multiply)(v128_t sums_i32x4[TOGETHER][2], const PANEL *, size_t apart, const row_operand x[32],
 *                           v128_t initial_i32x4, int zero)
 *                     sums of products of one block of TOGETHER panels, which are `apart` panels apart
 *
 * `zero` is the code of weight 0 in second operands.  It is a parameter because one instance can serve sets whose
 * engines read second operands differently (q8_0_bytes_relaxed.c).
 *
 * A row of panels is the blocks of eight outputs, one after the other in memory.  Processors stop reading ahead at the
 * end of a page of 4 KB.  One stream of panels then waits for memory at each page; several streams wait at the same
 * time.  So STREAMS rows of panels far apart are read in turns, TURN blocks of each, and their sums stay in y.  Six
 * streams leave room in a cache of eight ways if all are whole pages apart; eight would evict each other.  Intel gains
 * by six to eight streams.  Zen 5 is fastest with two or three, which are read together: there are no turns.
 *
 * Lanes are rows of weights.  The sum of a block is exact, and blocks are added in order, as in the scalar reference:
 * both give the same bits. */
#include "kernels/matmul/outputs_simd.h"

#include <string.h>

/* Blocks of a row that are prepared at a time. */
enum { ROW_CHUNK = 128 };

/* A block of activations, its scale, and the initial value of a sum of products. */
typedef struct row_block {
    row_operand x[HEED_BLOCK];
    float d;
    int32_t initial;
} row_block;

ALWAYS_INLINE void PANELS(add_scaled)(v128_t *total_f32x4, v128_t sum_i32x4, v128_t d_w_f32x4, v128_t d_x_f32x4) {
    v128_t term_f32x4 = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum_i32x4), wasm_f32x4_mul(d_w_f32x4, d_x_f32x4));
    *total_f32x4 = wasm_f32x4_add(*total_f32x4, term_f32x4);
}

/* Adds a turn of TOGETHER streams, w_apart panels apart, to their outputs, y_apart floats apart. */
ALWAYS_INLINE void PANELS(add_turn)(float *y, size_t y_apart, const PANEL *w, size_t w_apart, const row_block *x,
                                    int blocks, int zero) {
    v128_t totals_f32x4[TOGETHER][2], sums_i32x4[TOGETHER][2], scales_f32x4[2];
    for (int p = 0; p < TOGETHER; p++)
        for (int i = 0; i < 2; i++) totals_f32x4[p][i] = wasm_v128_load(y + (size_t)p * y_apart + 4 * i);
#pragma clang loop unroll(disable)
    for (; blocks > 0; blocks--, w++, x++) {
        HIDE(w);
        HIDE(x);
        v128_t d_f32x4 = wasm_v128_load32_splat(&x->d);
        PANELS(multiply)(sums_i32x4, w, w_apart, x->x, wasm_v128_load32_splat(&x->initial), zero);
        for (int p = 0; p < TOGETHER; p++) {
            PANELS(load_scales)(scales_f32x4, w + (size_t)p * w_apart);
            for (int i = 0; i < 2; i++)
                PANELS(add_scaled)(&totals_f32x4[p][i], sums_i32x4[p][i], scales_f32x4[i], d_f32x4);
        }
    }
    for (int p = 0; p < TOGETHER; p++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)p * y_apart + 4 * i, totals_f32x4[p][i]);
}

/* Adds `blocks` blocks of a group of rows of panels to their outputs.  A row has `stride` panels. */
static void PANELS(add_streams)(float *y, const PANEL *w, int stride, row_group g, const row_block *x, int blocks,
                                int zero) {
    const size_t w_apart = (size_t)g.apart * (size_t)stride;
    float alone[TOGETHER * HEED_PANEL] = {0};
    const int turn = g.streams > TOGETHER ? TURN : blocks;
    for (; blocks > 0; blocks -= turn, w += turn, x += turn) {
        const PANEL *w_s = w;
        float *y_s = y;
        for (int s = g.streams; s > 0;) {
            const row_turn t = begin_turn(y_s, g, s, TOGETHER, alone);
            PANELS(add_turn)(t.y, t.y_apart, w_s, t.rows > 1 ? w_apart : 0, x, blocks < turn ? blocks : turn, zero);
            end_turn(y_s, t);
            s -= t.rows, w_s += (size_t)t.rows * w_apart, y_s += t.rows * HEED_PANEL * g.apart;
        }
    }
}

/* x: one row of `stride` blocks; w: `stride` panels for each eight outputs. */
static void PANELS(row)(float *y, const heed_block_q8 *x, const PANEL *w, int O, int stride, int zero) {
    const int streams = heed_many_streams ? STREAMS : TOGETHER;
    row_block prepared[ROW_CHUNK];
    float last[HEED_PANEL];
    memset(y, 0, (size_t)O * sizeof *y);
    memset(last, 0, sizeof last);
    heed_start_streams((const char *)w, (size_t)(O / HEED_PANEL / streams) * (size_t)stride * sizeof *w, streams);
    for (int from = 0; from < stride; from += ROW_CHUNK) {
        const int blocks = stride - from < ROW_CHUNK ? stride - from : ROW_CHUNK;
        for (int b = 0; b < blocks; b++) {
            prepared[b].initial = PANELS(load_activations)(prepared[b].x, x[from + b].q, zero);
            prepared[b].d = x[from + b].d;
        }
        const PANEL *w_o = w + from;
        row_group g;
        for (int i = 0; heed_row_group(&g, i, O, streams); i++) {
            float *y_g = outputs_at(y, g.first * HEED_PANEL, O, last);
            PANELS(add_streams)(y_g, w_o + (size_t)g.first * (size_t)stride, stride, g, prepared, blocks, zero);
        }
    }
    heed_copy_last(y, last, O);
}
