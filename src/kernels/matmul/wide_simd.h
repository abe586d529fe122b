/* Sums over weights that are floats by now, what products of every type of float weights share, as a template: before
 * it is included, `multiply_add(sum, a, b)` says how a product is added. */
#include "kernels/lanes.h"

/* `rows` rows of activations by `outputs` rows of weights, four of each at most. */
ALWAYS_INLINE void tile(float *y, size_t y_stride, const float *x, size_t x_stride, const float *const w[], int n,
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
        for (int o = 0; o < outputs; o++) weights[o] = load_part(w[o] + k, rest, 0);
        for (int t = 0; t < rows; t++) {
            v128_t activations = load_part(x + (size_t)t * x_stride + k, rest, 0);
            for (int o = 0; o < outputs; o++) sums[t][o] = multiply_add(sums[t][o], activations, weights[o]);
        }
    }
    for (int t = 0; t < rows; t++)
        for (int o = 0; o < outputs; o++) store_sum(y + (size_t)t * y_stride + o, sums[t][o], add);
}

ALWAYS_INLINE void tile_of(float *y, size_t y_stride, const float *x, size_t x_stride, const float *const w[], int n,
                           int add, int rows, const int outputs) {
    switch (rows) {
    case 2: tile(y, y_stride, x, x_stride, w, n, add, 2, outputs); break;
    case 3: tile(y, y_stride, x, x_stride, w, n, add, 3, outputs); break;
    default: tile(y, y_stride, x, x_stride, w, n, add, 4, outputs);
    }
}

/* y[t][o] = Σ_k x[t][k]·w[o][k] over n columns, or added to y : y, x `rows` rows, 2, 3 or a multiple of 4; w `outputs`
 * rows. */
ALWAYS_INLINE void multiply_wide(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w,
                                 size_t w_stride, int rows, int outputs, int n, int add) {
    int o = 0;
    for (; rows == 2 && o + 4 <= outputs; o += 4) { /* eight sums do not wait for each other */
        const float *const w_o[] = {w + (size_t)o * w_stride, w + (size_t)(o + 1) * w_stride,
                                    w + (size_t)(o + 2) * w_stride, w + (size_t)(o + 3) * w_stride};
        tile(y + o, y_stride, x, x_stride, w_o, n, add, 2, 4);
    }
    for (; o < outputs; o += 2) {
        const float *const w_o[] = {w + (size_t)o * w_stride, w + (size_t)(o + 1) * w_stride};
        for (int t = 0; t < rows; t += 4) {
            float *y_t = y + (size_t)t * y_stride + o;
            const float *x_t = x + (size_t)t * x_stride;
            if (outputs - o >= 2)
                tile_of(y_t, y_stride, x_t, x_stride, w_o, n, add, rows - t, 2);
            else
                tile_of(y_t, y_stride, x_t, x_stride, w_o, n, add, rows - t, 1);
        }
    }
}
