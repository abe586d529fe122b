/* One row of quantised activations by panels of weights in their place, as a template: before it is included, `panel`
 * names the weights' type, `operand` is int16_t or int8_t, and
 *     ZERO                                                       the code of weight 0 in a panel
 *     void load_scales(v128_t d[2], const panel *)               as float: rows 0-3 and rows 4-7
 *     void widen(operand x[32], const int8_t q[32])              activations as multiply_panel reads them
 *     void multiply_panel(v128_t s[2], const panel *, const operand x[32])
 *                                                                s = products of codes of one block, as int32
 * say how a panel is read and multiplied.
 *
 * Lanes are rows of weights.  A block's sum is exact and blocks are added one after the other, as in the scalar
 * reference: the two agree to the last bit. */
#include "kernels/lanes.h"

/* Blocks of a row that are widened at a time. */
enum { ROW_CHUNK = 128 };

/* A block of activations: their scale, and what there is to take off a sum of products of codes. */
typedef struct row_block {
    operand x[HEED_BLOCK];
    float d;
    int32_t zero;
} row_block;

/* What codes of `zero` add to a sum of products with q. */
ALWAYS_INLINE int32_t sum_of_zeros(const int8_t *q, const int zero) {
    if (!zero) return 0;
    v128_t halves = sum_halves_i8(q);
    return zero * (wasm_i32x4_extract_lane(halves, 0) + wasm_i32x4_extract_lane(halves, 1));
}

ALWAYS_INLINE void add_scaled(v128_t *total, v128_t sum, v128_t d_w, v128_t d_x) {
    *total = wasm_f32x4_add(*total, wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum), wasm_f32x4_mul(d_w, d_x)));
}

/* One row by one row of panels: y[8], and `add` to it what the earlier chunks of the sum gave. */
static void row(float *y, const row_block *x, const panel *w, int blocks, int add) {
    v128_t totals[2], sums[2], scales[2];
    for (int i = 0; i < 2; i++) totals[i] = add ? wasm_v128_load(y + 4 * i) : splat(0);
    for (; blocks > 0; blocks--, w++, x++) {
        multiply_panel(sums, w, x->x);
        load_scales(scales, w);
        v128_t d = wasm_v128_load32_splat(&x->d), zero = wasm_v128_load32_splat(&x->zero);
        for (int i = 0; i < 2; i++) {
            if (ZERO) sums[i] = wasm_i32x4_sub(sums[i], zero);
            add_scaled(&totals[i], sums[i], scales[i], d);
        }
    }
    for (int i = 0; i < 2; i++) wasm_v128_store(y + 4 * i, totals[i]);
}

/* Where eight outputs from o on are summed.  The last panel of a matrix may stand for fewer than eight outputs: those
 * have a room of their own, and what exists of them is copied when all chunks are in. */
ALWAYS_INLINE float *place_of(float *y, int o, int O, float *last) { return o + HEED_PANEL <= O ? y + o : last; }

ALWAYS_INLINE void copy_last(float *y, const float *last, int O) {
    for (int o = O / HEED_PANEL * HEED_PANEL; o < O; o++) y[o] = last[o % HEED_PANEL];
}

/* x: one row of `stride` blocks; w: `stride` panels from one eight outputs to the next. */
static void multiply_row(float *y, const heed_block_q8 *x, const panel *w, int O, int stride) {
    row_block wide[ROW_CHUNK];
    float last[HEED_PANEL];
    for (int from = 0; from < stride; from += ROW_CHUNK) {
        int blocks = stride - from < ROW_CHUNK ? stride - from : ROW_CHUNK;
        for (int b = 0; b < blocks; b++) {
            const heed_block_q8 *block = x + from + b;
            widen(wide[b].x, block->q);
            wide[b].d = block->d;
            wide[b].zero = sum_of_zeros(block->q, ZERO);
        }
        const panel *w_o = w + from;
        for (int o = 0; o < O; o += HEED_PANEL, w_o += stride)
            row(place_of(y, o, O, last), wide, w_o, blocks, from > 0);
    }
    copy_last(y, last, O);
}
