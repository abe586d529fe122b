/* Products of quantised activations with quantised weights, as a template: before it is included, `weight_block` names
 * the weights' type and
 *     void load_codes(v128_t q[4], const weight_block *)          32 codes as int16, in an order of its own
 *     void widen_codes(int16_t x[32], const int8_t q[32])         32 activations as int16, in the same order
 *     ZERO_CODE                                                   the code of weight 0
 * say how a block is read.
 *
 * The sum of a block is exact in int32 and blocks are added one after the other, as in the scalar reference: the two
 * agree to the last bit. */
#include "kernels/half.h"
#include "kernels/lanes.h"

/* CHUNK blocks of four rows, widened once for all outputs, are 16 KB: they stay in the first-level cache. */
enum { ROWS = 4, CHUNK = 64 };

/* A chunk of one or four rows; index block·rows + row. */
typedef struct activations {
    _Alignas(16) int16_t x[ROWS * CHUNK][HEED_BLOCK];
    float d[ROWS * CHUNK];
    int32_t zero[ROWS * CHUNK]; /* ZERO_CODE·Σx: what the codes' sum has too much */
} activations;

/* x: `rows` rows of blocks, `stride` blocks apart. */
ALWAYS_INLINE void widen(activations *a, const heed_block_q8 *x, size_t stride, int blocks, int rows) {
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

/* Four partial sums of one block's products. */
ALWAYS_INLINE v128_t multiply(const v128_t q[4], const int16_t *x) {
    v128_t low = wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[0], wasm_v128_load(x)),
                                wasm_i32x4_dot_i16x8(q[1], wasm_v128_load(x + 8)));
    v128_t high = wasm_i32x4_add(wasm_i32x4_dot_i16x8(q[2], wasm_v128_load(x + 16)),
                                 wasm_i32x4_dot_i16x8(q[3], wasm_v128_load(x + 24)));
    return wasm_i32x4_add(low, high);
}

/* One row of activations by one of weights, two blocks at a time: one row is one stream of memory, which processors
 * follow better than several. */
ALWAYS_INLINE float dot_1(float sum, const activations *a, const weight_block *w, int blocks) {
    const int16_t *x = a->x[0];
    const float *d = a->d;
    const int32_t *zero = a->zero;
    v128_t q[4];
    for (int pairs = blocks / 2; pairs > 0; pairs--, x += 2 * HEED_BLOCK, w += 2, d += 2, zero += 2) {
        load_codes(q, &w[0]);
        v128_t first = multiply(q, x);
        load_codes(q, &w[1]);
        v128_t second = multiply(q, x + HEED_BLOCK);
        v128_t dots = sum_each_i32x4(first, second);
        if (ZERO_CODE) dots = wasm_i32x4_sub(dots, wasm_v128_load64_zero(zero));
        dots = wasm_f32x4_convert_i32x4(dots);
        sum += wasm_f32x4_extract_lane(dots, 0) * (float_of_f16(w[0].d) * d[0]);
        sum += wasm_f32x4_extract_lane(dots, 1) * (float_of_f16(w[1].d) * d[1]);
    }
    if (blocks % 2) {
        load_codes(q, w);
        v128_t parts = multiply(q, x);
        int32_t dot = wasm_i32x4_extract_lane(sum_each_i32x4(parts, parts), 0);
        sum += (float)(dot - zero[0]) * (float_of_f16(w->d) * d[0]);
    }
    return sum;
}

/* Four rows of activations by one of weights: lanes are the rows. */
ALWAYS_INLINE v128_t dot_4(v128_t sums, const activations *a, const weight_block *w, int blocks) {
    const int16_t *x = a->x[0];
    const float *d = a->d;
    const int32_t *zero = a->zero;
    for (; blocks > 0; blocks--, x += ROWS * HEED_BLOCK, w++, d += ROWS, zero += ROWS) {
        v128_t q[4];
        load_codes(q, w);
        v128_t dots = sum_each4_i32x4(multiply(q, x), multiply(q, x + HEED_BLOCK), multiply(q, x + 2 * HEED_BLOCK),
                                      multiply(q, x + 3 * HEED_BLOCK));
        if (ZERO_CODE) dots = wasm_i32x4_sub(dots, wasm_v128_load(zero));
        v128_t scale = wasm_f32x4_mul(splat(float_of_f16(w->d)), wasm_v128_load(d));
        sums = wasm_f32x4_add(sums, wasm_f32x4_mul(wasm_f32x4_convert_i32x4(dots), scale));
    }
    return sums;
}

/* All outputs of one row, or of four: y, and `add` to it what the earlier chunks of the sum gave. */
ALWAYS_INLINE void multiply_1(float *y, const activations *a, const weight_block *w, size_t stride, int blocks, int O,
                              int add) {
    for (int o = 0; o < O; o++, w += stride) y[o] = dot_1(add ? y[o] : 0, a, w, blocks);
}

ALWAYS_INLINE void multiply_4(float *y, size_t y_stride, const activations *a, const weight_block *w, size_t stride,
                              int blocks, int O, int add) {
    float *y_1 = y + y_stride, *y_2 = y_1 + y_stride, *y_3 = y_2 + y_stride;
    for (int o = 0; o < O; o++, w += stride) {
        v128_t sums = add ? wasm_f32x4_make(y[o], y_1[o], y_2[o], y_3[o]) : splat(0);
        sums = dot_4(sums, a, w, blocks);
        y[o] = wasm_f32x4_extract_lane(sums, 0);
        y_1[o] = wasm_f32x4_extract_lane(sums, 1);
        y_2[o] = wasm_f32x4_extract_lane(sums, 2);
        y_3[o] = wasm_f32x4_extract_lane(sums, 3);
    }
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const weight_block *w, int T, int O,
                          int K) {
    const size_t stride = (size_t)K / HEED_BLOCK;
    activations a;
    for (int t = 0, rows; t < T; t += rows) {
        rows = T - t >= ROWS ? ROWS : 1;
        float *y_t = y + (size_t)t * y_stride;
        for (size_t b = 0; b < stride; b += CHUNK) {
            int blocks = stride - b < CHUNK ? (int)(stride - b) : CHUNK;
            widen(&a, x + (size_t)t * stride + b, stride, blocks, rows);
            if (rows == 1)
                multiply_1(y_t, &a, w + b, stride, blocks, O, b > 0);
            else
                multiply_4(y_t, y_stride, &a, w + b, stride, blocks, O, b > 0);
        }
    }
}
