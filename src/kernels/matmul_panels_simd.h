/* Products of quantised activations with panels of weights, as a template: before it is included, `panel` names the
 * weights' type and
 *     PAIRS                                                           pairs of columns that one step reads, 1 or 2
 *     void load_codes(v128_t q[PAIRS][2], const panel *, int step)    as int16: of each pair rows 0-3 and rows 4-7
 *     void load_scales(v128_t d[2], const panel *)                    as float: rows 0-3 and rows 4-7
 *     int32_t widen(int16_t *x, int stride, const int8_t q[32])       pair i of activations, in the order of the codes,
 *                                                                     to x + i·stride; returns the sums' start
 * say how a panel is read.
 *
 * Lanes are rows of weights.  A block's sum is exact in int32 and blocks are added one after the other, as in the
 * scalar reference: the two agree to the last bit. */
#include "kernels/lanes.h"

/* CHUNK blocks of four rows, widened once for all outputs, are 16 KB: they stay in the first-level cache. */
enum { ROWS = 4, CHUNK = 64, STEPS = HEED_BLOCK / 2 / PAIRS };

/* A chunk of one or four rows of activations: pair of columns by pair those of each row; of scales and of what sums
 * start from, block by block those of each row. */
typedef struct activations {
    int16_t x[CHUNK * ROWS * HEED_BLOCK];
    float d[CHUNK * ROWS];
    int32_t start[CHUNK * ROWS];
} activations;

/* x: `rows` rows of blocks, `stride` blocks apart. */
ALWAYS_INLINE void widen_rows(activations *a, const heed_block_q8 *x, size_t stride, int blocks, const int rows) {
    for (int t = 0; t < rows; t++) {
        for (int b = 0; b < blocks; b++) {
            const heed_block_q8 *from = x + (size_t)t * stride + b;
            int to = b * rows + t;
            a->start[to] = widen(a->x + b * rows * HEED_BLOCK + 2 * t, 2 * rows, from->q);
            a->d[to] = from->d;
        }
    }
}

ALWAYS_INLINE void add_step(v128_t sums[][2], const panel *w, const int16_t *x, int step, const int rows) {
    v128_t q[PAIRS][2];
    load_codes(q, w, step);
    for (int p = 0; p < PAIRS; p++) {
        for (int t = 0; t < rows; t++) {
            v128_t pair = wasm_v128_load32_splat(x + ((step * PAIRS + p) * rows + t) * 2);
            for (int i = 0; i < 2; i++) sums[t][i] = wasm_i32x4_add(sums[t][i], wasm_i32x4_dot_i16x8(q[p][i], pair));
        }
    }
}

/* One block.  For one row two pairs a turn; four rows fill the registers, and a longer turn would spill them. */
ALWAYS_INLINE void add_block(v128_t sums[][2], const panel *w, const int16_t *x, const int rows) {
    if (rows == 1) {
#pragma clang loop unroll_count(2 / PAIRS)
        for (int step = 0; step < STEPS; step++) add_step(sums, w, x, step, rows);
    } else {
#pragma clang loop unroll(disable)
        for (int step = 0; step < STEPS; step++) add_step(sums, w, x, step, rows);
    }
}

/* `rows` rows of activations, a constant at every call, by one row of panels: y[rows][8], and `add` to it what the
 * earlier chunks of the sum gave. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const activations *a, const panel *w, int blocks, int add,
                        const int rows) {
    v128_t totals[ROWS][2], sums[ROWS][2], scales[2];
    for (int t = 0; t < rows; t++)
        for (int i = 0; i < 2; i++) totals[t][i] = add ? wasm_v128_load(y + (size_t)t * y_stride + 4 * i) : splat(0);
    const int16_t *x = a->x;
    const float *d = a->d;
    const int32_t *start = a->start;
    for (; blocks > 0; blocks--, w++, x += rows * HEED_BLOCK, d += rows, start += rows) {
        for (int t = 0; t < rows; t++) sums[t][0] = sums[t][1] = wasm_v128_load32_splat(start + t);
        add_block(sums, w, x, rows);
        load_scales(scales, w);
        for (int t = 0; t < rows; t++) {
            v128_t scale = wasm_v128_load32_splat(d + t);
            for (int i = 0; i < 2; i++) {
                v128_t sum = wasm_f32x4_convert_i32x4(sums[t][i]);
                totals[t][i] = wasm_f32x4_add(totals[t][i], wasm_f32x4_mul(sum, wasm_f32x4_mul(scales[i], scale)));
            }
        }
    }
    for (int t = 0; t < rows; t++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)t * y_stride + 4 * i, totals[t][i]);
}

/* The last panel of a matrix may stand for fewer outputs than eight: those that are not there are not written. */
ALWAYS_INLINE void partial_tile(float *y, size_t y_stride, const activations *a, const panel *w, int blocks, int add,
                                int outputs, const int rows) {
    float all[ROWS][HEED_PANEL] = {{0}};
    for (int t = 0; t < rows; t++)
        for (int o = 0; add && o < outputs; o++) all[t][o] = y[(size_t)t * y_stride + o];
    tile(all[0], HEED_PANEL, a, w, blocks, add, rows);
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) y[(size_t)t * y_stride + o] = all[t][o];
}

/* All outputs of `rows` rows over one chunk; `stride` panels from one eight outputs to the next. */
ALWAYS_INLINE void multiply(float *y, size_t y_stride, activations *a, const heed_block_q8 *x, const panel *w,
                            size_t stride, int blocks, int O, int add, const int rows) {
    widen_rows(a, x, stride, blocks, rows);
    int o = 0;
    for (; o + HEED_PANEL <= O; o += HEED_PANEL, w += stride) tile(y + o, y_stride, a, w, blocks, add, rows);
    if (o < O) partial_tile(y + o, y_stride, a, w, blocks, add, O - o, rows);
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const panel *w, int T, int O, int K) {
    const size_t stride = (size_t)K / HEED_BLOCK;
    activations a;
    for (int t = 0, rows; t < T; t += rows) {
        rows = T - t >= ROWS ? ROWS : 1;
        float *y_t = y + (size_t)t * y_stride;
        for (size_t b = 0; b < stride; b += CHUNK) {
            int blocks = stride - b < CHUNK ? (int)(stride - b) : CHUNK;
            const heed_block_q8 *x_t = x + (size_t)t * stride + b;
            if (rows == 1)
                multiply(y_t, y_stride, &a, x_t, w + b, stride, blocks, O, b > 0, 1);
            else
                multiply(y_t, y_stride, &a, x_t, w + b, stride, blocks, O, b > 0, ROWS);
        }
    }
}
