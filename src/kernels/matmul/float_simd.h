/* Products with weights that convert to float, as a template: before it is included, `weight` names their type,
 *     void load8(v128_t to[2], const weight *w)       eight weights as floats
 *     float load1(const weight *w)                    one
 * say how they are read, and multiply_add(sum, a, b) and MULTIPLY_WIDE how products are added up.
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
            for (int i = 0; i < 2; i++) sums[o] = multiply_add(sums[o], activations[i], weights[i]);
        }
    }
    if (k < n) {
        load_up_to_8(activations, x + k, (size_t)(n - k));
        for (int o = 0; o < outputs; o++) {
            load_weights(weights, w + (size_t)o * (size_t)K + k, n - k);
            for (int i = 0; i < 2; i++) sums[o] = multiply_add(sums[o], activations[i], weights[i]);
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

/* n weights as floats. */
ALWAYS_INLINE void widen(float room[CHUNK], const weight *w, int n) {
    v128_t wide[2];
    for (int k = 0; k < n; k += 8) {
        load_weights(wide, w + k, n - k < 8 ? n - k : 8);
        wasm_v128_store(room + k, wide[0]);
        wasm_v128_store(room + k + 4, wide[1]);
    }
}

/* 2, 3, 4, 8, 12 … rows: weights are read, and widened, once for all of them; floats are where they are. */
ALWAYS_INLINE void multiply_band(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w, int band,
                                 int O, int K, int n, int add) {
    if (sizeof *w == sizeof(float)) {
        MULTIPLY_WIDE(y, y_stride, x, x_stride, (const void *)w, (size_t)K, band, O, n, add);
        return;
    }
    float room[4][CHUNK];
    const int most = band == 2 ? 4 : 2; /* outputs of a tile */
    for (int o = 0, outputs; o < O; o += outputs) {
        outputs = O - o < most ? O - o : most;
        for (int i = 0; i < outputs; i++) widen(room[i], w + (size_t)(o + i) * (size_t)K, n);
        MULTIPLY_WIDE(y + o, y_stride, x, x_stride, room[0], CHUNK, band, outputs, n, add);
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
