#ifdef __wasm_simd128__
#include <math.h>

#include "kernels/lanes.h"
#include "kernels/kernels.h"

void heed_softmax_backward_f32_simd128(float *dx, const float *p, const float *dp, size_t n) {
    v128_t sums = splat(0);
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        sums = wasm_f32x4_add(sums, wasm_f32x4_mul(wasm_v128_load(p + i), wasm_v128_load(dp + i)));
    sums = wasm_f32x4_add(sums, wasm_f32x4_mul(heed_load_part(p + i, n - i, 0), heed_load_part(dp + i, n - i, 0)));
    float dot = sum_lanes(sums);
    for (i = 0; i + 4 <= n; i += 4) {
        v128_t d = wasm_f32x4_mul(wasm_v128_load(p + i), wasm_f32x4_sub(wasm_v128_load(dp + i), splat(dot)));
        wasm_v128_store(dx + i, wasm_f32x4_add(wasm_v128_load(dx + i), d));
    }
    for (; i < n; i++) dx[i] += p[i] * (dp[i] - dot);
}

/* x̂ of four numbers; 0 after the end of the row. */
ALWAYS_INLINE v128_t normalized(v128_t x, float mean, float inverse) {
    return wasm_f32x4_mul(wasm_f32x4_sub(x, splat(mean)), splat(inverse));
}

void heed_norm_backward_f32_simd128(float *dx, float *stats, const float *x, const float *w, const float *dy,
                                    int centered, float eps, int n) {
    size_t N = (size_t)n, i = 0, full = N & ~(size_t)3, rest = N - full;
    v128_t sums = splat(0), squares = splat(0), along = splat(0);
    float mean = 0;
    if (centered) {
        for (i = 0; i < full; i += 4) sums = wasm_f32x4_add(sums, wasm_v128_load(x + i));
        mean = sum_lanes(wasm_f32x4_add(sums, heed_load_part(x + full, rest, 0))) / (float)n;
    }
    for (i = 0; i < full; i += 4) {
        v128_t d = wasm_f32x4_sub(wasm_v128_load(x + i), splat(mean));
        squares = wasm_f32x4_add(squares, wasm_f32x4_mul(d, d));
    }
    v128_t last = wasm_f32x4_sub(heed_load_part(x + full, rest, mean), splat(mean));
    squares = wasm_f32x4_add(squares, wasm_f32x4_mul(last, last));
    float inverse = 1 / sqrtf(sum_lanes(squares) / (float)n + eps);

    sums = splat(0);
    for (i = 0; i < full; i += 4) {
        v128_t g = wasm_f32x4_mul(wasm_v128_load(dy + i), wasm_v128_load(w + i));
        sums = wasm_f32x4_add(sums, g);
        along = wasm_f32x4_add(along, wasm_f32x4_mul(g, normalized(wasm_v128_load(x + i), mean, inverse)));
    }
    v128_t g = wasm_f32x4_mul(heed_load_part(dy + full, rest, 0), heed_load_part(w + full, rest, 0));
    sums = wasm_f32x4_add(sums, g);
    along = wasm_f32x4_add(along, wasm_f32x4_mul(g, normalized(heed_load_part(x + full, rest, mean), mean, inverse)));
    float level = centered ? sum_lanes(sums) / (float)n : 0, slope = sum_lanes(along) / (float)n;

    for (i = 0; i < full; i += 4) {
        v128_t h = wasm_f32x4_mul(wasm_v128_load(dy + i), wasm_v128_load(w + i));
        h = wasm_f32x4_sub(wasm_f32x4_sub(h, splat(level)),
                           wasm_f32x4_mul(normalized(wasm_v128_load(x + i), mean, inverse), splat(slope)));
        wasm_v128_store(dx + i, wasm_f32x4_add(wasm_v128_load(dx + i), wasm_f32x4_mul(splat(inverse), h)));
    }
    for (; i < N; i++) dx[i] += inverse * (dy[i] * w[i] - level - (x[i] - mean) * inverse * slope);
    stats[0] = mean;
    stats[1] = inverse;
}

#endif
