#ifdef __wasm_simd128__
#include <math.h>

#include "kernels/lanes.h"
#include "kernels/kernels.h"

/* Element i is always in lane i mod 4, and the end of a row is padded with -inf.  So a row that continues with -inf (a
 * mask) gives the same bits as a row that ends. */

float heed_max_f32_simd128(const float *x, size_t n) {
    v128_t largest = splat(-INFINITY), b = largest, c = largest, d = largest;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        largest = wasm_f32x4_pmax(largest, wasm_v128_load(x + i));
        b = wasm_f32x4_pmax(b, wasm_v128_load(x + i + 4));
        c = wasm_f32x4_pmax(c, wasm_v128_load(x + i + 8));
        d = wasm_f32x4_pmax(d, wasm_v128_load(x + i + 12));
    }
    largest = wasm_f32x4_pmax(wasm_f32x4_pmax(largest, b), wasm_f32x4_pmax(c, d));
    for (; i + 4 <= n; i += 4) largest = wasm_f32x4_pmax(largest, wasm_v128_load(x + i));
    largest = wasm_f32x4_pmax(largest, heed_load_part(x + i, n - i, -INFINITY));
    largest = wasm_f32x4_pmax(largest, wasm_i32x4_shuffle(largest, largest, 2, 3, 0, 1));
    largest = wasm_f32x4_pmax(largest, wasm_i32x4_shuffle(largest, largest, 1, 0, 3, 2));
    return wasm_f32x4_extract_lane(largest, 0);
}

float heed_sumexp_f32_simd128(const float *x, float shift, size_t n) {
    v128_t sums = splat(0);
    for (size_t i = 0; i < n; i += 4) {
        v128_t v = n - i >= 4 ? wasm_v128_load(x + i) : heed_load_part(x + i, n - i, -INFINITY);
        sums = wasm_f32x4_add(sums, exp_f32x4(wasm_f32x4_sub(v, splat(shift))));
    }
    return sum_lanes(sums);
}

/* 2^64·e^x for x <= 0, with the bits of exp_f32x4 apart from subnormals: the factor keeps results above them, so 2^n is
 * one multiplication.  At -132.5, n is -191, and 2^(n + 64) has the bits of 0. */
ALWAYS_INLINE v128_t raised_exp(v128_t x) {
    v128_t shifted, p = exp_of_rest(wasm_f32x4_pmax(x, splat(-132.5f)), &shifted);
    v128_t power = wasm_i32x4_add(wasm_i32x4_shl(shifted, 23), wasm_i32x4_splat((64 + 127) << 23));
    return wasm_f32x4_add(power, wasm_f32x4_mul(power, p));
}

/* Exponentials and their sum have a factor of 2^64, which their ratio cancels. */
int heed_softmax_f32_simd128(float *x, int n) {
    if (n <= 0) return 0;
    size_t N = (size_t)n, i = 0;
    float largest = heed_max_f32_simd128(x, N);
    if (largest == -INFINITY) largest = 0; /* all masked: exp(-inf - 0) = 0, but -inf + inf is NaN */
    v128_t sums = splat(0);
    for (; i + 4 <= N; i += 4) {
        v128_t e = raised_exp(wasm_f32x4_sub(wasm_v128_load(x + i), splat(largest)));
        wasm_v128_store(x + i, e);
        sums = wasm_f32x4_add(sums, e);
    }
    if (i < N) {
        v128_t e = raised_exp(wasm_f32x4_sub(heed_load_part(x + i, N - i, -INFINITY), splat(largest)));
        heed_store_part(x + i, N - i, e);
        sums = wasm_f32x4_add(sums, e);
    }
    float sum = sum_lanes(sums);
    if (sum == 0) return 0;
    float inverse_sum = 1 / sum;
    for (i = 0; i + 4 <= N; i += 4) wasm_v128_store(x + i, wasm_f32x4_mul(wasm_v128_load(x + i), splat(inverse_sum)));
    for (; i < N; i++) x[i] *= inverse_sum;
    return sum > 0;
}

#endif
