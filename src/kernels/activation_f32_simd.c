#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/phi.h"
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

ALWAYS_INLINE v128_t gelu_erf(v128_t x) { return wasm_f32x4_mul(x, phi_f32x4(x)); }

/* x < 0 ? 0 : x, so NaN stays NaN */
ALWAYS_INLINE v128_t relu(v128_t x) { return wasm_f32x4_pmax(x, splat(0)); }

void heed_gelu_tanh_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, gelu_tanh); }
void heed_gelu_erf_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, gelu_erf); }
void heed_silu_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, silu); }
void heed_relu_f32_simd128(float *y, const float *x, size_t n) { map(y, x, n, relu); }

#endif
