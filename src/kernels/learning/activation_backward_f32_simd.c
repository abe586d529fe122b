#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/rows/gelu.h"
#include "kernels/kernels.h"

/* dx += f'(x)·dy.  One call of slope serves the middle and the end: inlined, it is most of the code. */
ALWAYS_INLINE void chain(float *dx, const float *x, const float *dy, size_t n, v128_t (*slope)(v128_t)) {
    for (size_t i = 0; i < n; i += 4) {
        size_t left = n - i;
        int whole = left >= 4;
        v128_t at = whole ? wasm_v128_load(x + i) : heed_load_part(x + i, left, 0);
        v128_t d = wasm_f32x4_mul(whole ? wasm_v128_load(dy + i) : heed_load_part(dy + i, left, 0), slope(at));
        d = wasm_f32x4_add(whole ? wasm_v128_load(dx + i) : heed_load_part(dx + i, left, 0), d);
        if (whole)
            wasm_v128_store(dx + i, d);
        else
            heed_store_part(dx + i, left, d);
    }
}

ALWAYS_INLINE v128_t sigmoid(v128_t x) {
    return wasm_f32x4_div(splat(1), wasm_f32x4_add(splat(1), exp_f32x4(wasm_f32x4_neg(x))));
}

/* With s = σ(2u) = (1 + tanh u) / 2: f' = s + 2x·s·(1 - s)·u', u' = √(2/π)(1 + 3·0.044715x²). */
ALWAYS_INLINE v128_t gelu_tanh_slope(v128_t x) {
    static const float numbers[] = {2 * 0.79788456f * 3 * 0.044715f, 2 * 0.79788456f, 1};
    const float *at = numbers;
    HIDE(at);
    v128_t s = wasm_f32x4_div(NUMBER(2), gelu_tanh_divisor(x));
    v128_t slope = wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_mul(x, x), NUMBER(0)), NUMBER(1));
    v128_t bend = wasm_f32x4_mul(wasm_f32x4_mul(x, s), wasm_f32x4_mul(wasm_f32x4_sub(NUMBER(2), s), slope));
    return wasm_f32x4_add(s, bend);
}

/* Φ(x) + x·φ(x) */
ALWAYS_INLINE v128_t gelu_erf_slope(v128_t x) {
    v128_t gauss = exp_f32x4(wasm_f32x4_mul(wasm_f32x4_mul(splat(-0.5f), x), x));
    return wasm_f32x4_add(phi_f32x4(x), wasm_f32x4_mul(wasm_f32x4_mul(x, splat(0.39894228f)), gauss));
}

ALWAYS_INLINE v128_t silu_slope(v128_t x) {
    v128_t s = sigmoid(x), rest = wasm_f32x4_sub(splat(1), s);
    return wasm_f32x4_mul(s, wasm_f32x4_add(splat(1), wasm_f32x4_mul(x, rest)));
}

void heed_gelu_tanh_backward_f32_simd128(float *dx, const float *x, const float *dy, size_t n) {
    chain(dx, x, dy, n, gelu_tanh_slope);
}
void heed_gelu_erf_backward_f32_simd128(float *dx, const float *x, const float *dy, size_t n) {
    chain(dx, x, dy, n, gelu_erf_slope);
}
void heed_silu_backward_f32_simd128(float *dx, const float *x, const float *dy, size_t n) {
    chain(dx, x, dy, n, silu_slope);
}

#endif
