/* Products of quantised activations with panels of the step formats, as a template: before it is included,
 *     operand                                     the type in which dot products read activations
 *     void prepare(operand x[32], int32_t start[2], int32_t sums[2], layout, const int8_t q[32])
 *         a step of activations in the order of the codes, what the sums of its two halves start from, and its own sums
 *     void add_part(v128_t sums[][2], layout, const uint8_t *codes, const operand *x, int part, const int rows)
 *         adds the codes of one part of a step of eight rows times `rows` rows of activations
 * say how codes meet activations.
 *
 * Lanes are rows of weights.  The sum of a part of a step is exact in int32 and parts are added one after the other, as
 * in the scalar reference: the two agree to the last bit. */
#include "kernels/lanes.h"
#include "kernels/steps.h"

/* CHUNK steps of ROWS rows, prepared once for all outputs, are 16 KB: they stay in the first-level cache. */
enum { CHUNK = 64 };

/* A chunk of one or four rows of activations, step by step those of each row. */
typedef struct activations {
    _Alignas(16) operand x[CHUNK * ROWS * HEED_BLOCK];
    float d[CHUNK * ROWS];
    int32_t start[CHUNK * ROWS][2]; /* of the parts */
    float sum[CHUNK * ROWS][2];     /* d·Σx of the parts */
} activations;

/* x: `rows` rows of blocks, `stride` blocks apart. */
ALWAYS_INLINE void prepare_rows(activations *a, layout l, const heed_block_q8 *x, size_t stride, int steps,
                                const int rows) {
    for (int t = 0; t < rows; t++) {
        for (int b = 0; b < steps; b++) {
            const heed_block_q8 *from = x + (size_t)t * stride + b;
            int to = b * rows + t, sums[2];
            prepare(a->x + to * HEED_BLOCK, a->start[to], sums, l, from->q);
            if (parts_of(l) == 1) {
                a->start[to][0] += a->start[to][1];
                sums[0] += sums[1];
            }
            a->d[to] = from->d;
            for (int part = 0; part < 2; part++) a->sum[to][part] = (float)sums[part] * from->d;
        }
    }
}

/* Half precision to float, exact for what is finite: exponent and mantissa in the places of a float mean 2^-112 of the
 * value, subnormals too.  The sign comes along four times. */
ALWAYS_INLINE void load_halves(v128_t to[2], const uint8_t *from) {
    for (int i = 0; i < 2; i++) {
        v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(from + 8 * i), 13);
        to[i] = wasm_f32x4_mul(wasm_v128_and(bits, wasm_i32x4_splat((int32_t)0x8fffffff)), splat(0x1p112f));
    }
}

/* Eight numbers times eight integers. */
ALWAYS_INLINE void scale_by(v128_t to[2], const v128_t from[2], const int8_t *by) {
    v128_t wide = wasm_i16x8_load8x8(by);
    to[0] = wasm_f32x4_mul(from[0], wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(wide)));
    to[1] = wasm_f32x4_mul(from[1], wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(wide)));
}

/* One step of a panel by step `at` of activations; d, m: those of the panel. */
ALWAYS_INLINE void add_step(v128_t totals[][2], layout l, const uint8_t *panel, int step, const v128_t d[2],
                            const v128_t m[2], const activations *a, int at, const int rows) {
    v128_t sums[ROWS][2], scales[2] = {d[0], d[1]}, minima[2] = {m[0], m[1]};
    for (int part = 0; part < parts_of(l); part++) {
        for (int t = 0; t < rows; t++) sums[t][0] = sums[t][1] = wasm_v128_load32_splat(&a->start[at * rows + t][part]);
        add_part(sums, l, codes_of(l, panel, step), a->x + at * rows * HEED_BLOCK, part, rows);
        if (l.scales) scale_by(scales, d, scales_of(l, panel, step, part));
        if (l.scales && l.minima) scale_by(minima, m, minima_of(l, panel, step, part));
        for (int t = 0; t < rows; t++) {
            v128_t d_x = wasm_v128_load32_splat(a->d + at * rows + t);
            v128_t sum_x = wasm_v128_load32_splat(&a->sum[at * rows + t][part]);
            for (int i = 0; i < 2; i++) {
                v128_t term = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sums[t][i]), wasm_f32x4_mul(scales[i], d_x));
                if (l.minima) term = wasm_f32x4_add(term, wasm_f32x4_mul(minima[i], sum_x));
                totals[t][i] = wasm_f32x4_add(totals[t][i], term);
            }
        }
    }
}

/* `rows` rows of activations, a constant at every call, by one row of panels: y[rows][8], and `add` to it what the
 * earlier chunks of the sum gave. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const activations *a, layout l, const uint8_t *w, int steps, int add,
                        const int rows) {
    v128_t totals[ROWS][2], d[2], m[2] = {splat(0), splat(0)};
    for (int t = 0; t < rows; t++)
        for (int i = 0; i < 2; i++) totals[t][i] = add ? wasm_v128_load(y + (size_t)t * y_stride + 4 * i) : splat(0);
    for (int at = 0; at < steps; at += l.steps, w += panel_bytes(l)) {
        load_halves(d, w);
        if (l.minima) load_halves(m, w + 2 * HEED_PANEL);
#pragma clang loop unroll(disable)
        for (int step = 0; step < l.steps; step++) add_step(totals, l, w, step, d, m, a, at + step, rows);
    }
    for (int t = 0; t < rows; t++)
        for (int i = 0; i < 2; i++) wasm_v128_store(y + (size_t)t * y_stride + 4 * i, totals[t][i]);
}

/* The last panel of a matrix may stand for fewer outputs than eight: those that are not there are not written. */
ALWAYS_INLINE void partial_tile(float *y, size_t y_stride, const activations *a, layout l, const uint8_t *w, int steps,
                                int add, int outputs, const int rows) {
    float all[ROWS][HEED_PANEL] = {{0}};
    for (int t = 0; t < rows; t++)
        for (int o = 0; add && o < outputs; o++) all[t][o] = y[(size_t)t * y_stride + o];
    tile(all[0], HEED_PANEL, a, l, w, steps, add, rows);
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) y[(size_t)t * y_stride + o] = all[t][o];
}

/* All outputs of `rows` rows over one chunk; `stride` bytes of panels from one eight outputs to the next. */
ALWAYS_INLINE void multiply(float *y, size_t y_stride, activations *a, layout l, const heed_block_q8 *x,
                            size_t x_stride, const uint8_t *w, size_t stride, int steps, int O, int add,
                            const int rows) {
    prepare_rows(a, l, x, x_stride, steps, rows);
    int o = 0;
    for (; o + HEED_PANEL <= O; o += HEED_PANEL, w += stride) tile(y + o, y_stride, a, l, w, steps, add, rows);
    if (o < O) partial_tile(y + o, y_stride, a, l, w, steps, add, O - o, rows);
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K,
                          layout l) {
    const size_t steps = (size_t)K / HEED_BLOCK, stride = steps / (size_t)l.steps * panel_bytes(l);
    activations a;
    for (int t = 0, rows; t < T; t += rows) {
        rows = T - t >= ROWS ? ROWS : 1;
        float *y_t = y + (size_t)t * y_stride;
        for (size_t b = 0; b < steps; b += CHUNK) {
            int n = steps - b < CHUNK ? (int)(steps - b) : CHUNK;
            const heed_block_q8 *x_t = x + (size_t)t * steps + b;
            const uint8_t *w_b = w + b / (size_t)l.steps * panel_bytes(l);
            if (rows == 1)
                multiply(y_t, y_stride, &a, l, x_t, steps, w_b, stride, n, O, b > 0, 1);
            else
                multiply(y_t, y_stride, &a, l, x_t, steps, w_b, stride, n, O, b > 0, ROWS);
        }
    }
}
