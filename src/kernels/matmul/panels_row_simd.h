/* Template: one row of activations by panels of Q8_0 or Q4_0, read in place.  Parameters, defined before the include:
 *
 *     PANELS(name)    prefix of all names of an instance: q8_0_##name.
 *     PANEL           type of a panel.
 *     PANEL_ZERO      the code of weight 0 in a panel.
 *     void PANELS(load_scales)(v128_t d[2], const PANEL *)
 *                     the scales as float, of rows 0-3 and of rows 4-7
 *     void PANELS(load_activations)(operand x[32], const int8_t q[32])
 *                     activations as PANELS(multiply) reads them
 *     void PANELS(multiply)(v128_t sums[2], const PANEL *, const operand x[32])
 *                     products of the codes of one block, as int32
 *
 * Lanes are rows of weights.  The sum of a block is exact, and blocks are added in order, as in the scalar reference:
 * both give the same bits. */
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/outputs_simd.h"

/* Blocks of a row that are prepared at a time. */
enum { ROW_CHUNK = 128 };

/* A block of activations, its scale, and what to subtract from a sum of products: the zero-point term. */
typedef struct row_block {
    operand x[HEED_BLOCK];
    float d;
    int32_t zero;
} row_block;

/* Σ q·zero: what codes that are too high by `zero` add to a sum of products. */
ALWAYS_INLINE int32_t PANELS(zero_term)(const int8_t *q, const int zero) {
    if (!zero) return 0;
    v128_t halves = sum_halves_i8(q);
    return zero * (wasm_i32x4_extract_lane(halves, 0) + wasm_i32x4_extract_lane(halves, 1));
}

ALWAYS_INLINE void PANELS(add_scaled)(v128_t *total_f32x4, v128_t sum_i32x4, v128_t d_w, v128_t d_x) {
    v128_t term = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum_i32x4), wasm_f32x4_mul(d_w, d_x));
    *total_f32x4 = wasm_f32x4_add(*total_f32x4, term);
}

/* One row by one row of panels: y[8], which holds the sums of earlier chunks if `add`. */
static void PANELS(row_panels)(float *y, const row_block *x, const PANEL *w, int blocks, int add) {
    v128_t totals_f32x4[2], sums_i32x4[2], scales_f32x4[2];
    for (int i = 0; i < 2; i++) totals_f32x4[i] = add ? wasm_v128_load(y + 4 * i) : splat(0);
    for (; blocks > 0; blocks--, w++, x++) {
        PANELS(multiply)(sums_i32x4, w, x->x);
        PANELS(load_scales)(scales_f32x4, w);
        v128_t d = wasm_v128_load32_splat(&x->d), zero = wasm_v128_load32_splat(&x->zero);
        for (int i = 0; i < 2; i++) {
            if (PANEL_ZERO) sums_i32x4[i] = wasm_i32x4_sub(sums_i32x4[i], zero);
            PANELS(add_scaled)(&totals_f32x4[i], sums_i32x4[i], scales_f32x4[i], d);
        }
    }
    for (int i = 0; i < 2; i++) wasm_v128_store(y + 4 * i, totals_f32x4[i]);
}

/* x: one row of `stride` blocks; w: `stride` panels for each eight outputs. */
static void PANELS(row)(float *y, const heed_block_q8 *x, const PANEL *w, int O, int stride) {
    row_block prepared[ROW_CHUNK];
    float last[HEED_PANEL];
    for (int from = 0; from < stride; from += ROW_CHUNK) {
        int blocks = stride - from < ROW_CHUNK ? stride - from : ROW_CHUNK;
        for (int b = 0; b < blocks; b++) {
            const heed_block_q8 *block = x + from + b;
            PANELS(load_activations)(prepared[b].x, block->q);
            prepared[b].d = block->d;
            prepared[b].zero = PANELS(zero_term)(block->q, PANEL_ZERO);
        }
        const PANEL *w_o = w + from;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride)
            PANELS(row_panels)(outputs_at(y, o, O, last), prepared, w_o, blocks, from > 0);
    }
    copy_last(y, last, O);
}
