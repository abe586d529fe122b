#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/rows/gelu.h"
#include "kernels/kernels.h"

/* dx += f'(x)·dy for n elements, a multiple of 4. */
ALWAYS_INLINE void chain_fours(float *dx, const float *x, const float *dy, size_t n, v128_t (*slope)(v128_t)) {
    for (size_t i = 0; i < n; i += 4) {
        v128_t d = wasm_f32x4_mul(wasm_v128_load(dy + i), slope(wasm_v128_load(x + i)));
        wasm_v128_store(dx + i, wasm_f32x4_add(wasm_v128_load(dx + i), d));
    }
}

/* The same for any n by such a function: the end of a row is a copy with zeros. */
static void chain(void (*fours)(float *dx, const float *x, const float *dy, size_t n), float *dx, const float *x,
                  const float *dy, size_t n) {
    size_t full = n & ~(size_t)3, rest = n - full;
    fours(dx, x, dy, full);
    if (rest == 0) return;
    float ends[12];
    wasm_v128_store(ends, heed_load_part(dx + full, rest, 0));
    wasm_v128_store(ends + 4, heed_load_part(x + full, rest, 0));
    wasm_v128_store(ends + 8, heed_load_part(dy + full, rest, 0));
    fours(ends, ends + 4, ends + 8, 4);
    heed_store_part(dx + full, rest, wasm_v128_load(ends));
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

static void gelu_tanh_fours(float *dx, const float *x, const float *dy, size_t n) {
    chain_fours(dx, x, dy, n, gelu_tanh_slope);
}
static void gelu_erf_fours(float *dx, const float *x, const float *dy, size_t n) {
    chain_fours(dx, x, dy, n, gelu_erf_slope);
}
static void silu_fours(float *dx, const float *x, const float *dy, size_t n) {
    chain_fours(dx, x, dy, n, silu_slope);
}

void heed_gelu_tanh_backward_f32_simd128(float *dx, const float *x, const float *dy, size_t n) {
    chain(gelu_tanh_fours, dx, x, dy, n);
}
void heed_gelu_erf_backward_f32_simd128(float *dx, const float *x, const float *dy, size_t n) {
    chain(gelu_erf_fours, dx, x, dy, n);
}
void heed_silu_backward_f32_simd128(float *dx, const float *x, const float *dy, size_t n) {
    chain(silu_fours, dx, x, dy, n);
}

#endif
