/* Products with weights that convert to float, as a template: before it is included, `weight` names their type and
 *     void load8(v128_t to[2], const weight *w)       eight weights as floats
 *     float load1(const weight *w)                    one
 * say how they are read.
 *
 * y[t][o] is a sum over chunks of K in order; a chunk is one vector of four partial sums, lane i over k = i mod 4,
 * added as sum_lanes does: whichever tile it falls in. */
#include "kernels/lanes.h"

/* A chunk of a band of rows is 128 KB: it stays in the second-level cache while the weights pass by once for all of
 * it. */
enum { CHUNK = 1024, BAND = 32 };

/* The next n <= 8 weights as floats, then zeros. */
ALWAYS_INLINE void load_weights(v128_t to[2], const weight *w, int n) {
    if (n == 8) {
        load8(to, w);
        return;
    }
    float rest[8];
    for (int i = 0; i < n; i++) rest[i] = load1(w + i);
    load_up_to_8(to, rest, (size_t)n);
}

ALWAYS_INLINE void multiply_add(v128_t *sum, v128_t a, v128_t b) { *sum = wasm_f32x4_add(*sum, wasm_f32x4_mul(a, b)); }

ALWAYS_INLINE void store_sum(float *y, v128_t sum, int add) { *y = (add ? *y : 0) + sum_lanes(sum); }

/* One row of activations by `outputs` rows of weights, straight from their place; `outputs` is a constant at every
 * call, so the sums stay in registers. */
ALWAYS_INLINE void row_tile(float *y, const float *x, const weight *w, int K, int n, int add, const int outputs) {
    v128_t sums[4], activations[2], weights[2];
    for (int o = 0; o < outputs; o++) sums[o] = splat(0);
    int k = 0;
    for (; k + 8 <= n; k += 8) {
        HIDE(k);
        load_up_to_8(activations, x + k, 8);
        for (int o = 0; o < outputs; o++) {
            load_weights(weights, w + (size_t)o * (size_t)K + k, 8);
            for (int i = 0; i < 2; i++) multiply_add(&sums[o], activations[i], weights[i]);
        }
    }
    if (k < n) {
        load_up_to_8(activations, x + k, (size_t)(n - k));
        for (int o = 0; o < outputs; o++) {
            load_weights(weights, w + (size_t)o * (size_t)K + k, n - k);
            for (int i = 0; i < 2; i++) multiply_add(&sums[o], activations[i], weights[i]);
        }
    }
    for (int o = 0; o < outputs; o++) store_sum(y + o, sums[o], add);
}

/* Four outputs at a time, for independent sums. */
ALWAYS_INLINE void multiply_row(float *y, const float *x, const weight *w, int O, int K, int n, int add) {
    int o = 0;
    for (; o + 4 <= O; o += 4) row_tile(y + o, x, w + (size_t)o * (size_t)K, K, n, add, 4);
    for (; o < O; o++) row_tile(y + o, x, w + (size_t)o * (size_t)K, K, n, add, 1);
}

/* `rows` <= 4 rows of activations by `outputs` rows of widened weights. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const float *x, size_t x_stride, const float *const w[], int n,
                        int add, const int rows, const int outputs) {
    v128_t sums[4][2], weights[2];
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) sums[t][o] = splat(0);
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        HIDE(k);
        for (int o = 0; o < outputs; o++) weights[o] = wasm_v128_load(w[o] + k);
        for (int t = 0; t < rows; t++) {
            v128_t activations = wasm_v128_load(x + (size_t)t * x_stride + k);
            for (int o = 0; o < outputs; o++) multiply_add(&sums[t][o], activations, weights[o]);
        }
    }
    if (k < n) {
        size_t rest = (size_t)(n - k);
        for (int o = 0; o < outputs; o++) weights[o] = load_part(w[o] + k, rest, 0);
        for (int t = 0; t < rows; t++) {
            v128_t activations = load_part(x + (size_t)t * x_stride + k, rest, 0);
            for (int o = 0; o < outputs; o++) multiply_add(&sums[t][o], activations, weights[o]);
        }
    }
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) store_sum(y + (size_t)t * y_stride + o, sums[t][o], add);
}

/* n weights as floats: in `room`, or where they are if they are floats. */
ALWAYS_INLINE const float *widen(float room[CHUNK], const weight *w, int n) {
    if (sizeof *w == sizeof *room) return (const void *)w;
    v128_t wide[2];
    for (int k = 0; k < n; k += 8) {
        load_weights(wide, w + k, n - k < 8 ? n - k : 8);
        wasm_v128_store(room + k, wide[0]);
        wasm_v128_store(room + k + 4, wide[1]);
    }
    return room;
}

ALWAYS_INLINE void tile_of(float *y, size_t y_stride, const float *x, size_t x_stride, const float *const w[], int n,
                           int add, int rows, const int outputs) {
    switch (rows) {
    case 2: tile(y, y_stride, x, x_stride, w, n, add, 2, outputs); break;
    case 3: tile(y, y_stride, x, x_stride, w, n, add, 3, outputs); break;
    default: tile(y, y_stride, x, x_stride, w, n, add, 4, outputs);
    }
}

/* 2, 3, 4, 8, 12 … rows: weights are read, and widened, once for all of them. */
ALWAYS_INLINE void multiply_band(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w, int band,
                                 int O, int K, int n, int add) {
    float room[2][CHUNK];
    for (int o = 0, outputs; o < O; o += outputs) {
        outputs = O - o < 2 ? 1 : 2;
        const weight *w_o = w + (size_t)o * (size_t)K;
        const float *wide[] = {widen(room[0], w_o, n), outputs == 2 ? widen(room[1], w_o + K, n) : NULL};
        for (int t = 0; t < band; t += 4) {
            float *y_t = y + (size_t)t * y_stride + o;
            const float *x_t = x + (size_t)t * x_stride;
            if (outputs == 2)
                tile_of(y_t, y_stride, x_t, x_stride, wide, n, add, band - t, 2);
            else
                tile_of(y_t, y_stride, x_t, x_stride, wide, n, add, band - t, 1);
        }
    }
}

ALWAYS_INLINE void matmul(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w, int T, int O,
                          int K) {
    for (int k = 0; k < K; k += CHUNK) {
        int n = K - k < CHUNK ? K - k : CHUNK, add = k > 0;
        for (int t = 0, band; t < T; t += band) {
            float *y_t = y + (size_t)t * y_stride;
            const float *x_t = x + (size_t)t * x_stride + k;
            band = T - t >= BAND ? BAND : T - t >= 4 ? (T - t) / 4 * 4 : T - t;
            if (band > 1)
                multiply_band(y_t, y_stride, x_t, x_stride, w + k, band, O, K, n, add);
            else
                multiply_row(y_t, x_t, w + k, O, K, n, add);
        }
    }
}
