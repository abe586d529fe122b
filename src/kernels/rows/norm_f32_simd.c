#ifdef __wasm_simd128__
#include <math.h>

#include "kernels/lanes.h"
#include "kernels/kernels.h"

/* Four vectors of partial sums hide the latency of addition. */
ALWAYS_INLINE float sum_all(const v128_t sums[4]) {
    return sum_lanes(wasm_f32x4_add(wasm_f32x4_add(sums[0], sums[1]), wasm_f32x4_add(sums[2], sums[3])));
}

static float sum(const float *x, size_t n) {
    v128_t sums[4] = {splat(0), splat(0), splat(0), splat(0)};
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (int j = 0; j < 4; j++) sums[j] = wasm_f32x4_add(sums[j], wasm_v128_load(x + i + 4 * j));
    for (; i + 4 <= n; i += 4) sums[0] = wasm_f32x4_add(sums[0], wasm_v128_load(x + i));
    sums[0] = wasm_f32x4_add(sums[0], heed_load_part(x + i, n - i, 0));
    return sum_all(sums);
}

ALWAYS_INLINE v128_t add_square(v128_t sum, v128_t x, float mean) {
    v128_t difference = wasm_f32x4_sub(x, splat(mean));
    return wasm_f32x4_add(sum, wasm_f32x4_mul(difference, difference));
}

/* Σ (x[i] - mean)² */
static float sum_squares(const float *x, float mean, size_t n) {
    v128_t sums[4] = {splat(0), splat(0), splat(0), splat(0)};
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (int j = 0; j < 4; j++) sums[j] = add_square(sums[j], wasm_v128_load(x + i + 4 * j), mean);
    for (; i + 4 <= n; i += 4) sums[0] = add_square(sums[0], wasm_v128_load(x + i), mean);
    sums[0] = add_square(sums[0], heed_load_part(x + i, n - i, mean), mean);
    return sum_all(sums);
}

static float scale_of(float squares, float eps, int n) {
    return squares < INFINITY ? 1 / sqrtf(squares / (float)n + eps) : NAN;
}

void heed_layernorm_f32_simd128(float *y, const float *x, const float *w, const float *b, float eps, int n) {
    size_t N = (size_t)n, i = 0;
    float mean = sum(x, N) / (float)n;
    float scale = scale_of(sum_squares(x, mean, N), eps, n);
    for (; i + 4 <= N; i += 4) {
        v128_t v = wasm_f32x4_mul(wasm_f32x4_sub(wasm_v128_load(x + i), splat(mean)), splat(scale));
        v = wasm_f32x4_mul(v, wasm_v128_load(w + i));
        wasm_v128_store(y + i, b ? wasm_f32x4_add(v, wasm_v128_load(b + i)) : v);
    }
    for (; i < N; i++) y[i] = (x[i] - mean) * scale * w[i] + (b ? b[i] : 0);
}

void heed_rmsnorm_f32_simd128(float *y, const float *x, const float *w, float eps, int n) {
    size_t N = (size_t)n, i = 0;
    float scale = scale_of(sum_squares(x, 0, N), eps, n);
    for (; i + 4 <= N; i += 4) {
        v128_t v = wasm_f32x4_mul(wasm_v128_load(x + i), splat(scale));
        wasm_v128_store(y + i, wasm_f32x4_mul(v, wasm_v128_load(w + i)));
    }
    for (; i < N; i++) y[i] = x[i] * scale * w[i];
}

#endif
