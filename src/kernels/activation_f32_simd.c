#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

ALWAYS_INLINE void map(float *y, const float *x, size_t n, v128_t (*f)(v128_t)) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) wasm_v128_store(y + i, f(wasm_v128_load(x + i)));
    if (i < n) store_part(y + i, n - i, f(load_part(x + i, n - i, 0)));
}

/* x·σ(u) = x / (1 + e^-u) */
ALWAYS_INLINE v128_t times_sigmoid(v128_t x, v128_t u) {
    return wasm_f32x4_div(x, wasm_f32x4_add(splat(1), exp_f32x4(wasm_f32x4_neg(u))));
}

ALWAYS_INLINE v128_t silu(v128_t x) { return times_sigmoid(x, x); }

/* (1 + tanh u) / 2 = σ(2u), which loses no digits where tanh is near -1. */
ALWAYS_INLINE v128_t gelu_tanh(v128_t x) {
    v128_t cube = wasm_f32x4_mul(wasm_f32x4_mul(wasm_f32x4_mul(x, x), x), splat(0.044715f));
    return times_sigmoid(x, wasm_f32x4_mul(splat(2 * 0.79788456f), wasm_f32x4_add(x, cube)));
}

/* Φ(-a) = e^(-a²/2)·t·P(t), t = 1 / (1 + 0.35a), for a >= 0; P minimax of degree 8 over 0 <= a <= 14.5, relative error
 * 3.2e-8.  With the rounding of every step Φ is within 2.7·2^-24 of its value, and within 5 ulp down to x = -3. */
ALWAYS_INLINE v128_t gelu_erf(v128_t x) {
    v128_t a = wasm_f32x4_abs(x);
    v128_t t = wasm_f32x4_div(splat(1), wasm_f32x4_add(splat(1), wasm_f32x4_mul(splat(0.35f), a)));
    v128_t p = splat(-0.029157863929867744f);
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(0.14403082430362701f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(-0.2558388113975525f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(0.15931947529315948f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(-0.023212214931845665f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(0.10555244982242584f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(0.11982130259275436f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(0.139863520860672f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, t), splat(0.139621302485466f));
    v128_t gauss = exp_f32x4(wasm_f32x4_mul(wasm_f32x4_mul(splat(-0.5f), a), a));
    v128_t lower = wasm_f32x4_mul(wasm_f32x4_mul(p, t), gauss);
    v128_t phi = wasm_v128_bitselect(lower, wasm_f32x4_sub(splat(1), lower), wasm_f32x4_lt(x, splat(0)));
    return wasm_f32x4_mul(x, phi);
}

/* x < 0 ? 0 : x, so NaN stays NaN */
ALWAYS_INLINE v128_t relu(v128_t x) { return wasm_f32x4_pmax(x, splat(0)); }

void heed_gelu_tanh_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, gelu_tanh); }
void heed_gelu_erf_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, gelu_erf); }
void heed_silu_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, silu); }
void heed_relu_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, relu); }

#endif
