#ifdef __wasm_simd128__
#include "kernels/kernels.h"
#include "kernels/lanes.h"

/* s of f = x·s(x), as the scalar kernels have it. */
ALWAYS_INLINE v128_t factor(v128_t x, v128_t y) {
    v128_t is_small = wasm_f32x4_lt(wasm_f32x4_abs(x), splat(1e-37f));
    return wasm_v128_bitselect(splat(0.5f), wasm_f32x4_div(y, x), is_small);
}

/* dx += f'(x)·dy.  One call of slope serves the middle and the end: inlined, it is most of the code. */
ALWAYS_INLINE void chain(float *dx, const float *x, const float *y, const float *dy, size_t n,
                         v128_t (*slope)(v128_t x, v128_t y, v128_t s)) {
    for (size_t i = 0; i < n; i += 4) {
        size_t left = n - i;
        int whole = left >= 4;
        v128_t u = whole ? wasm_v128_load(x + i) : heed_load_part(x + i, left, 0);
        v128_t f = whole ? wasm_v128_load(y + i) : heed_load_part(y + i, left, 0);
        v128_t d = whole ? wasm_v128_load(dy + i) : heed_load_part(dy + i, left, 0);
        d = wasm_f32x4_mul(d, slope(u, f, factor(u, f)));
        d = wasm_f32x4_add(whole ? wasm_v128_load(dx + i) : heed_load_part(dx + i, left, 0), d);
        if (whole)
            wasm_v128_store(dx + i, d);
        else
            heed_store_part(dx + i, left, d);
    }
}

/* s + f·(1 - s)·2u', 2u' = 2·√(2/π)·(1 + 3·0.044715x²), finite as in the scalar kernel */
ALWAYS_INLINE v128_t gelu_tanh_slope(v128_t x, v128_t y, v128_t s) {
    v128_t x2 = wasm_f32x4_pmin(wasm_f32x4_mul(x, x), splat(1e4f));
    v128_t slope = wasm_f32x4_mul(x2, splat(2 * 0.79788456f * 3 * 0.044715f));
    slope = wasm_f32x4_add(slope, splat(2 * 0.79788456f));
    return wasm_f32x4_add(s, wasm_f32x4_mul(wasm_f32x4_mul(y, wasm_f32x4_sub(splat(1), s)), slope));
}

ALWAYS_INLINE v128_t gelu_erf_slope(v128_t x, v128_t y, v128_t s) {
    (void)y;
    v128_t gauss = exp_f32x4(wasm_f32x4_mul(wasm_f32x4_mul(splat(-0.5f), x), x));
    return wasm_f32x4_add(s, wasm_f32x4_mul(wasm_f32x4_mul(x, splat(0.39894228f)), gauss));
}

ALWAYS_INLINE v128_t silu_slope(v128_t x, v128_t y, v128_t s) {
    (void)x;
    return wasm_f32x4_add(s, wasm_f32x4_mul(y, wasm_f32x4_sub(splat(1), s)));
}

void heed_gelu_tanh_backward_f32_simd128(float *dx, const float *x, const float *y, const float *dy, size_t n) {
    chain(dx, x, y, dy, n, gelu_tanh_slope);
}
void heed_gelu_erf_backward_f32_simd128(float *dx, const float *x, const float *y, const float *dy, size_t n) {
    chain(dx, x, y, dy, n, gelu_erf_slope);
}
void heed_silu_backward_f32_simd128(float *dx, const float *x, const float *y, const float *dy, size_t n) {
    chain(dx, x, y, dy, n, silu_slope);
}

#endif
