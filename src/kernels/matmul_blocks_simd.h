/* Products of quantised activations with quantised weights, as a template: before it is included, `weight_block` names
 * the weights' type and
 *     void load_codes(v128_t q[4], const weight_block *)          32 codes as int16, in an order of its own
 *     void widen_codes(int16_t x[32], const int8_t q[32])         32 activations as int16, in the same order
 *     ZERO_CODE                                                   the code of weight 0
 * say how a block is read.
 *
 * The sum of a block is exact in int32 and blocks are added one after the other, as in the scalar reference: the two
 * agree to the last bit. */
#include "kernels/lanes.h"

/* CHUNK blocks of four rows, widened once for all outputs, are 16 KB: they stay in the first-level cache. */
enum { ROWS = 4, CHUNK = 64 };

/* A chunk of one or four rows; index block·rows + row. */
typedef struct activations {
    _Alignas(16) int16_t x[ROWS * CHUNK][HEED_BLOCK];
    float d[ROWS * CHUNK];
    int32_t zero[ROWS * CHUNK]; /* ZERO_CODE·Σx: what the codes' sum has too much */
} activations;

/* x: blocks of the first row of `rows`, rows are `stride` blocks apart */
ALWAYS_INLINE void widen(activations *a, const heed_block_q8 *x, size_t stride, int blocks, const int rows) {
    for (int t = 0; t < rows; t++) {
        for (int b = 0; b < blocks; b++) {
            const heed_block_q8 *from = x + (size_t)t * stride + b;
            int to = b * rows + t;
            int32_t sum = 0;
            for (int i = 0; i < HEED_BLOCK; i++) sum += from->q[i];
            widen_codes(a->x[to], from->q);
            a->d[to] = from->d;
            a->zero[to] = ZERO_CODE * sum;
        }
    }
}

/* The scales of a row of weights, as floats. */
ALWAYS_INLINE void load_scales(float *d, const weight_block *w, int blocks) {
    int b = 0;
    for (; b + 4 <= blocks; b += 4) {
        v128_t h = wasm_i32x4_make(w[b].d, w[b + 1].d, w[b + 2].d, w[b + 3].d);
        wasm_v128_store(d + b, f32x4_of_f16(h));
    }
    for (; b < blocks; b++) d[b] = wasm_f32x4_extract_lane(f32x4_of_f16(wasm_i32x4_make(w[b].d, 0, 0, 0)), 0);
}

/* Four partial sums of one block's products. */
ALWAYS_INLINE v128_t multiply(const v128_t q[4], const int16_t *x) {
    v128_t low = wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[0], wasm_v128_load(x)),
                                wasm_i32x4_dot_i16x8(q[1], wasm_v128_load(x + 8)));
    v128_t high = wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[2], wasm_v128_load(x + 16)),
                                 wasm_i32x4_dot_i16x8(q[3], wasm_v128_load(x + 24)));
    return wasm_i32x4_add(low, high);
}

ALWAYS_INLINE v128_t multiply_block(const weight_block *w, const int16_t *x) {
    v128_t q[4];
    load_codes(q, w);
    return multiply(q, x);
}

ALWAYS_INLINE v128_t scale(v128_t dots, const int32_t *zero, v128_t d_w, const float *d_x) {
    v128_t exact = wasm_i32x4_sub(dots, wasm_v128_load(zero));
    return wasm_f32x4_mul(wasm_f32x4_convert_i32x4(exact), wasm_f32x4_mul(d_w, wasm_v128_load(d_x)));
}

/* One row of activations by one of weights: lanes are four blocks that follow each other. */
ALWAYS_INLINE float dot_1(float sum, const activations *a, const weight_block *w, const float *d, int blocks) {
    int b = 0;
    for (; b + 4 <= blocks; b += 4) {
        v128_t dots = sum_each_i32x4(multiply_block(w + b, a->x[b]), multiply_block(w + b + 1, a->x[b + 1]),
                                     multiply_block(w + b + 2, a->x[b + 2]), multiply_block(w + b + 3, a->x[b + 3]));
        v128_t terms = scale(dots, a->zero + b, wasm_v128_load(d + b), a->d + b);
        sum += wasm_f32x4_extract_lane(terms, 0);
        sum += wasm_f32x4_extract_lane(terms, 1);
        sum += wasm_f32x4_extract_lane(terms, 2);
        sum += wasm_f32x4_extract_lane(terms, 3);
    }
    for (; b < blocks; b++) {
        v128_t parts = multiply_block(w + b, a->x[b]);
        int32_t dot = wasm_i32x4_extract_lane(parts, 0) + wasm_i32x4_extract_lane(parts, 1) +
                      wasm_i32x4_extract_lane(parts, 2) + wasm_i32x4_extract_lane(parts, 3);
        sum += (float)(dot - a->zero[b]) * (d[b] * a->d[b]);
    }
    return sum;
}

/* Four rows of activations by one of weights: lanes are the rows. */
ALWAYS_INLINE v128_t dot_4(v128_t sums, const activations *a, const weight_block *w, const float *d, int blocks) {
    for (int b = 0; b < blocks; b++) {
        v128_t q[4];
        load_codes(q, w + b);
        const int16_t(*x)[HEED_BLOCK] = a->x + b * ROWS;
        v128_t dots = sum_each_i32x4(multiply(q, x[0]), multiply(q, x[1]), multiply(q, x[2]), multiply(q, x[3]));
        sums = wasm_f32x4_add(sums, scale(dots, a->zero + b * ROWS, wasm_v128_load32_splat(d + b), a->d + b * ROWS));
    }
    return sums;
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const weight_block *w, int T, int O,
                          int K) {
    const int row_blocks = K / HEED_BLOCK;
    activations a;
    float d[CHUNK];
    for (int t = 0, rows; t < T; t += rows) {
        rows = T - t >= ROWS ? ROWS : 1;
        for (int from = 0; from < row_blocks; from += CHUNK) {
            int blocks = row_blocks - from < CHUNK ? row_blocks - from : CHUNK;
            const heed_block_q8 *x_t = x + (size_t)t * (size_t)row_blocks + from;
            if (rows == ROWS)
                widen(&a, x_t, (size_t)row_blocks, blocks, ROWS);
            else
                widen(&a, x_t, (size_t)row_blocks, blocks, 1);
            for (int o = 0; o < O; o++) {
                const weight_block *w_o = w + (size_t)o * (size_t)row_blocks + from;
                float *y_t = y + (size_t)t * y_stride + o;
                load_scales(d, w_o, blocks);
                if (rows == ROWS) {
                    float *y_1 = y_t + y_stride, *y_2 = y_1 + y_stride, *y_3 = y_2 + y_stride;
                    v128_t sums = from ? wasm_f32x4_make(*y_t, *y_1, *y_2, *y_3) : splat(0);
                    sums = dot_4(sums, &a, w_o, d, blocks);
                    *y_t = wasm_f32x4_extract_lane(sums, 0);
                    *y_1 = wasm_f32x4_extract_lane(sums, 1);
                    *y_2 = wasm_f32x4_extract_lane(sums, 2);
                    *y_3 = wasm_f32x4_extract_lane(sums, 3);
                } else {
                    *y_t = dot_1(from ? *y_t : 0, &a, w_o, d, blocks);
                }
            }
        }
    }
}
