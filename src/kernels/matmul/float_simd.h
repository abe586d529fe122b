/* Products with weights of f32, f16 and bf16, for the sets simd128 and relaxed.
 *
 * y[t][o] is a sum over chunks of K in order.  A chunk is one vector of four partial sums, lane i over k = i mod 4,
 * which sum_lanes() adds.  Every tile computes it so: its bits do not depend on T and O. */
#ifndef HEED_KERNELS_FLOAT_SIMD_H
#define HEED_KERNELS_FLOAT_SIMD_H

#include "kernels/half.h"
#include "kernels/kernels.h"
#include "kernels/matmul/multiply_add_simd.h"

/* The type of the weights, a constant at every call: each branch on it vanishes. */
typedef enum weight_type { WEIGHT_F32, WEIGHT_F16, WEIGHT_BF16 } weight_type;

ALWAYS_INLINE size_t weight_bytes(weight_type type) { return type == WEIGHT_F32 ? 4 : 2; }

/* Activations of a band, one chunk of K: 128 KB, which stay in the second-level cache while all weights pass once. */
enum { FLOAT_CHUNK = 1024, FLOAT_BAND = 32 };

/* Eight finite halves of each of four rows, w_stride bytes apart, to float.  The fast path takes normal numbers.  The
 * upper half of the float is the sign and the shifted rest with another exponent bias.  Its lower half is the bits that
 * were shifted out.  One test serves four rows, because a test takes as long as the conversion of one row. */
ALWAYS_INLINE void load_4_rows_f16(v128_t to_f32x4[4][2], const uint8_t *w, size_t w_stride) {
    v128_t h_i16x8[4], exponents_i16x8 = wasm_i16x8_splat(0x7c00), least_i16x8 = exponents_i16x8;
    for (int o = 0; o < 4; o++) {
        h_i16x8[o] = wasm_v128_load(w + (size_t)o * w_stride);
        least_i16x8 = wasm_u16x8_min(least_i16x8, wasm_v128_and(h_i16x8[o], exponents_i16x8));
    }
    if (wasm_i16x8_all_true(least_i16x8)) {
        for (int o = 0; o < 4; o++) {
            v128_t upper_i16x8 = wasm_v128_and(wasm_i16x8_shr(h_i16x8[o], 3), wasm_i16x8_splat((int16_t)0x8fff));
            upper_i16x8 = wasm_i16x8_add(upper_i16x8, wasm_i16x8_splat(112 << 7));
            v128_t lower_i16x8 = wasm_i16x8_shl(h_i16x8[o], 13);
            to_f32x4[o][0] = wasm_i16x8_shuffle(lower_i16x8, upper_i16x8, 0, 8, 1, 9, 2, 10, 3, 11);
            to_f32x4[o][1] = wasm_i16x8_shuffle(lower_i16x8, upper_i16x8, 4, 12, 5, 13, 6, 14, 7, 15);
        }
    } else {
        for (int o = 0; o < 4; o++) {
            to_f32x4[o][0] = f32x4_of_finite_f16(wasm_i32x4_extend_low_i16x8(h_i16x8[o]));
            to_f32x4[o][1] = f32x4_of_finite_f16(wasm_i32x4_extend_high_i16x8(h_i16x8[o]));
        }
    }
}

/* The last n < 8 weights of a row as floats, then zeros. */
static NOINLINE void load_last(float to[8], weight_type type, const uint8_t *w, int n) {
#pragma clang loop unroll(disable)
    for (int i = 0; i < 8; i++, w += weight_bytes(type))
        to[i] = i >= n                ? 0
                : type == WEIGHT_F16  ? float_of_f16(*(const uint16_t *)w)
                : type == WEIGHT_BF16 ? float_of_bf16(*(const uint16_t *)w)
                                      : *(const float *)w;
}

/* The next n <= 8 weights as floats, then zeros. */
ALWAYS_INLINE void load_weights(v128_t to_f32x4[2], weight_type type, const uint8_t *w, int n) {
    if (n < 8) {
        float last[8];
        load_last(last, type, w, n);
        load_up_to_8(to_f32x4, last, 8);
    } else if (type == WEIGHT_F16) {
        for (int i = 0; i < 2; i++) to_f32x4[i] = f32x4_of_finite_f16(wasm_i32x4_load16x4((const uint16_t *)w + 4 * i));
    } else if (type == WEIGHT_BF16) {
        to_f32x4[0] = wasm_i32x4_shl(wasm_u32x4_load16x4(w), 16);
        to_f32x4[1] = wasm_i32x4_shl(wasm_u32x4_load16x4(w + 8), 16);
    } else {
        load_up_to_8(to_f32x4, (const float *)w, 8);
    }
}

/* One row of activations by `outputs` rows of weights, w_stride bytes apart, read in place.  `outputs` is a constant at
 * every call, so the sums stay in registers. */
ALWAYS_INLINE void float_row_tile(float *y, size_t y_stride, const float *x, weight_type type, const uint8_t *w,
                                  size_t w_stride, int n, int add, const int outputs) {
    v128_t sums[4], activations[2], weights[4][2];
    for (int o = 0; o < outputs; o++) sums[o] = splat(0);
    int k = 0;
    for (; k + 8 <= n; k += 8) {
        HIDE(k);
        load_up_to_8(activations, x + k, 8);
        const uint8_t *w_k = w + (size_t)k * weight_bytes(type);
        const int is_f16_tile = type == WEIGHT_F16 && outputs == 4;
        if (is_f16_tile) load_4_rows_f16(weights, w_k, w_stride);
        for (int o = 0; o < outputs; o++) {
            if (!is_f16_tile) load_weights(weights[o], type, w_k + (size_t)o * w_stride, 8);
            for (int i = 0; i < 2; i++) sums[o] = multiply_add(sums[o], activations[i], weights[o][i]);
        }
    }
    if (k < n) {
        load_up_to_8(activations, x + k, (size_t)(n - k));
        for (int o = 0; o < outputs; o++) {
            load_weights(weights[o], type, w + (size_t)o * w_stride + (size_t)k * weight_bytes(type), n - k);
            for (int i = 0; i < 2; i++) sums[o] = multiply_add(sums[o], activations[i], weights[o][i]);
        }
    }
    for (int o = 0; o < outputs; o++) store_sum(y + (size_t)o * y_stride, sums[o], add);
}

/* One row of activations: four outputs at a time, whose sums are independent.  Each is of another quarter of the
 * weights, so that memory is read as four streams (panels_row_simd.h says why). */
ALWAYS_INLINE void float_row(float *y, const float *x, weight_type type, const uint8_t *w, size_t w_stride, int O,
                             int n, int add) {
    const size_t quarter = (size_t)O / 4;
    for (size_t o = 0; o < quarter; o++)
        float_row_tile(y + o, quarter, x, type, w + o * w_stride, quarter * w_stride, n, add, 4);
    for (size_t o = 4 * quarter; o < (size_t)O; o++)
        float_row_tile(y + o, 1, x, type, w + o * w_stride, w_stride, n, add, 1);
}

/* `rows` rows of activations by `outputs` rows of float weights, at most four of each; both constants at every call. */
ALWAYS_INLINE void float_tile(float *y, size_t y_stride, const float *x, size_t x_stride, const float *const w[], int n,
                              int add, const int rows, const int outputs) {
    v128_t sums[4][4], weights[4];
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) sums[t][o] = splat(0);
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        HIDE(k);
        for (int o = 0; o < outputs; o++) weights[o] = wasm_v128_load(w[o] + k);
        for (int t = 0; t < rows; t++) {
            v128_t activations = wasm_v128_load(x + (size_t)t * x_stride + k);
            for (int o = 0; o < outputs; o++) sums[t][o] = multiply_add(sums[t][o], activations, weights[o]);
        }
    }
    if (k < n) {
        size_t rest = (size_t)(n - k);
        for (int o = 0; o < outputs; o++) weights[o] = heed_load_part(w[o] + k, rest, 0);
        for (int t = 0; t < rows; t++) {
            v128_t activations = heed_load_part(x + (size_t)t * x_stride + k, rest, 0);
            for (int o = 0; o < outputs; o++) sums[t][o] = multiply_add(sums[t][o], activations, weights[o]);
        }
    }
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) store_sum(y + (size_t)t * y_stride + o, sums[t][o], add);
}

/* y[t][o] (+)= Σ_k x[t][k]·w[o][k] over n columns : y, x `rows` rows (2 or a multiple of 4), w `outputs` rows.  Two
 * rows by four outputs, or four by two, are eight independent sums.  Not inlined: a copy for each weight type would add
 * a tenth to a binary. */
static NOINLINE void float_tiles(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w,
                                 size_t w_stride, int rows, int outputs, int n, int add) {
    const int most = rows == 2 ? 4 : 2;
    for (int o = 0, together; o < outputs; o += together) {
        const float *w_o[4];
        together = outputs - o >= most ? most : 1;
        for (int i = 0; i < together; i++) w_o[i] = w + (size_t)(o + i) * w_stride;
        for (int t = 0; t < rows; t += 4) {
            float *y_t = y + (size_t)t * y_stride + o;
            const float *x_t = x + (size_t)t * x_stride;
            switch (together) {
            case 4: float_tile(y_t, y_stride, x_t, x_stride, w_o, n, add, 2, 4); break;
            case 2: float_tile(y_t, y_stride, x_t, x_stride, w_o, n, add, 4, 2); break;
            default:
                if (rows == 2)
                    float_tile(y_t, y_stride, x_t, x_stride, w_o, n, add, 2, 1);
                else
                    float_tile(y_t, y_stride, x_t, x_stride, w_o, n, add, 4, 1);
            }
        }
    }
}

ALWAYS_INLINE void widen_weights(float to[FLOAT_CHUNK], weight_type type, const uint8_t *w, int n) {
    v128_t wide[2];
    for (int k = 0; k < n; k += 8) {
        load_weights(wide, type, w + (size_t)k * weight_bytes(type), n - k < 8 ? n - k : 8);
        wasm_v128_store(to + k, wide[0]);
        wasm_v128_store(to + k + 4, wide[1]);
    }
}

/* Several rows of activations: weights are widened to float once for all rows; f32 weights are read in place. */
ALWAYS_INLINE void float_band(float *y, size_t y_stride, const float *x, size_t x_stride, weight_type type,
                              const uint8_t *w, size_t w_stride, int rows, int O, int n, int add) {
    if (type == WEIGHT_F32) {
        float_tiles(y, y_stride, x, x_stride, (const float *)w, w_stride / sizeof(float), rows, O, n, add);
        return;
    }
    float wide[4][FLOAT_CHUNK];
    const int most = rows == 2 ? 4 : 2; /* outputs of a tile */
    for (int o = 0, outputs; o < O; o += outputs) {
        outputs = O - o < most ? O - o : most;
        for (int i = 0; i < outputs; i++) widen_weights(wide[i], type, w + (size_t)(o + i) * w_stride, n);
        float_tiles(y + o, y_stride, x, x_stride, wide[0], FLOAT_CHUNK, rows, outputs, n, add);
    }
}

ALWAYS_INLINE void float_matmul(float *y, size_t y_stride, const float *x, size_t x_stride, weight_type type,
                                const void *w, int T, int O, int K) {
    const size_t w_stride = (size_t)K * weight_bytes(type);
    for (int k = 0; k < K; k += FLOAT_CHUNK) {
        int n = K - k < FLOAT_CHUNK ? K - k : FLOAT_CHUNK, add = k > 0;
        const uint8_t *w_k = (const uint8_t *)w + (size_t)k * weight_bytes(type);
        for (int t = 0, rows; t < T; t += rows) {
            float *y_t = y + (size_t)t * y_stride;
            const float *x_t = x + (size_t)t * x_stride + k;
            rows = T - t >= FLOAT_BAND ? FLOAT_BAND : T - t >= 4 ? (T - t) / 4 * 4 : T - t >= 2 ? 2 : 1;
            if (rows > 1)
                float_band(y_t, y_stride, x_t, x_stride, type, w_k, w_stride, rows, O, n, add);
            else
                float_row(y_t, x_t, type, w_k, w_stride, O, n, add);
        }
    }
}

/* The three kernels of a set. */
#define FLOAT_MATMUL(dtype, DTYPE, weight, set)                                                                        \
    void heed_matmul_##dtype##_##set(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w,      \
                                     int T, int O, int K) {                                                            \
        float_matmul(y, y_stride, x, x_stride, WEIGHT_##DTYPE, w, T, O, K);                                            \
    }
#define FLOAT_MATMULS(set)                                                                                             \
    FLOAT_MATMUL(f32, F32, float, set)                                                                                 \
    FLOAT_MATMUL(f16, F16, uint16_t, set)                                                                              \
    FLOAT_MATMUL(bf16, BF16, uint16_t, set)

#endif
