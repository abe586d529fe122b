/* Products with weights that convert to float, as a template: before it is included, `weight` names their type and
 *     v128_t load4(const weight *)             four weights as floats
 *     float load1(const weight *)              one
 * say how they are read.
 *
 * y[t][o] is one vector of four partial sums, lane i over k = i mod 4, then added as sum_lanes does, whichever tile it
 * falls in. */
#include "kernels/lanes.h"

/* `rows` rows of activations by `outputs` rows of weights: constants at every call, so the sums stay in registers. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w, int K,
                        const int rows, const int outputs) {
    v128_t sums[4][4], weights[4];
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) sums[t][o] = splat(0);
    int k = 0;
    for (; k + 4 <= K; k += 4) {
        for (int o = 0; o < outputs; o++) weights[o] = load4(w + (size_t)o * K + k);
        for (int t = 0; t < rows; t++) {
            v128_t activations = wasm_v128_load(x + (size_t)t * x_stride + k);
            for (int o = 0; o < outputs; o++)
                sums[t][o] = wasm_f32x4_add(sums[t][o], wasm_f32x4_mul(activations, weights[o]));
        }
    }
    if (k < K) {
        for (int o = 0; o < outputs; o++) {
            float rest[3] = {0};
            for (int i = 0; k + i < K; i++) rest[i] = load1(w + (size_t)o * K + k + i);
            weights[o] = load_part(rest, (size_t)(K - k), 0);
        }
        for (int t = 0; t < rows; t++) {
            v128_t activations = load_part(x + (size_t)t * x_stride + k, (size_t)(K - k), 0);
            for (int o = 0; o < outputs; o++)
                sums[t][o] = wasm_f32x4_add(sums[t][o], wasm_f32x4_mul(activations, weights[o]));
        }
    }
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) y[(size_t)t * y_stride + o] = sum_lanes(sums[t][o]);
}

/* Few rows wait for the weights: four outputs at once give four independent sums.  Many rows read each pair of weight
 * rows once for all rows of a band, which is small enough to stay in the second-level cache. */
ALWAYS_INLINE void matmul(float *y, size_t y_stride, const float *x, size_t x_stride, const weight *w, int T, int O,
                          int K) {
    enum { BAND = 32 };
    int t = 0;
    for (int end; t + 4 <= T; t = end) {
        end = t + BAND <= T ? t + BAND : t + (T - t) / 4 * 4;
        int o = 0;
        for (; o + 2 <= O; o += 2)
            for (int r = t; r < end; r += 4)
                tile(y + (size_t)r * y_stride + o, y_stride, x + (size_t)r * x_stride, x_stride, w + (size_t)o * K, K,
                     4, 2);
        for (; o < O; o++)
            for (int r = t; r < end; r += 4)
                tile(y + (size_t)r * y_stride + o, y_stride, x + (size_t)r * x_stride, x_stride, w + (size_t)o * K, K,
                     4, 1);
    }
    for (; t < T; t++) {
        int o = 0;
        for (; o + 4 <= O; o += 4)
            tile(y + (size_t)t * y_stride + o, y_stride, x + (size_t)t * x_stride, x_stride, w + (size_t)o * K, K, 1,
                 4);
        for (; o < O; o++)
            tile(y + (size_t)t * y_stride + o, y_stride, x + (size_t)t * x_stride, x_stride, w + (size_t)o * K, K, 1,
                 1);
    }
}
