#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/rows/phi.h"
#include "kernels/kernels.h"

/* x / (1 + e^-x).  Added to 1, e^-x needs no subnormals, and it is limited to below 2^128: 2^n is one multiplication.
 */
ALWAYS_INLINE v128_t silu(v128_t x) {
    v128_t shifted, u = wasm_f32x4_pmax(wasm_f32x4_pmin(wasm_f32x4_neg(x), splat(88.72f)), splat(-87));
    v128_t p = wasm_f32x4_add(exp_of_rest(u, &shifted), splat(1));
    v128_t power = wasm_i32x4_add(p, wasm_i32x4_shl(shifted, 23));
    return wasm_f32x4_div(x, wasm_f32x4_add(power, splat(1)));
}

/* (1 + tanh u) / 2 = σ(2u) = 1 / (1 + 2^v) with v = -2·log2 e·√(2/π)·(x + 0.044715x³), which keeps its digits where
 * tanh is near -1.  v = n + f with |f| <= 1/2: adding 1.5·2^23 leaves n in the low bits, and n is added to the exponent
 * of 2^f. 2^f = 1 + f·P(f), P minimax of degree 4, relative error 1.1e-7.  2^128 is inf; below 2^-126, 1 + 2^v is 1.
 * exp_f32x4 is more precise, but the slope of σ, at most 1/4, does not need it. */
ALWAYS_INLINE v128_t gelu_tanh(v128_t x) {
    const v128_t round = splat(0x1.8p23f);
    v128_t v = wasm_f32x4_mul(wasm_f32x4_mul(x, x), splat(-0.10294324f));
    v = wasm_f32x4_mul(x, wasm_f32x4_add(v, splat(-2.3022082f)));
    v = wasm_f32x4_pmax(wasm_f32x4_pmin(v, splat(128)), splat(-126));
    v128_t shifted = wasm_f32x4_add(v, round), f = wasm_f32x4_sub(v, wasm_f32x4_sub(shifted, round));
    v128_t low = wasm_f32x4_add(wasm_f32x4_mul(f, splat(0.24022242426872253f)), splat(0.6931470036506653f));
    v128_t high = wasm_f32x4_add(wasm_f32x4_mul(f, splat(0.009671512991189957f)), splat(0.05550733581185341f));
    v128_t f2 = wasm_f32x4_mul(f, f);
    high = wasm_f32x4_add(high, wasm_f32x4_mul(f2, splat(0.001326472731307149f)));
    v128_t p = wasm_f32x4_add(low, wasm_f32x4_mul(f2, high));
    p = wasm_f32x4_add(wasm_f32x4_mul(f, p), splat(1));
    v128_t power = wasm_i32x4_add(p, wasm_i32x4_shl(shifted, 23));
    return wasm_f32x4_div(x, wasm_f32x4_add(power, splat(1)));
}

ALWAYS_INLINE v128_t gelu_erf(v128_t x) { return wasm_f32x4_mul(x, phi_f32x4(x)); }

/* x < 0 ? 0 : x, so NaN stays NaN */
ALWAYS_INLINE v128_t relu(v128_t x) { return wasm_f32x4_pmax(x, splat(0)); }

void heed_gelu_tanh_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, gelu_tanh); }
void heed_gelu_erf_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, gelu_erf); }
void heed_silu_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, silu); }
void heed_relu_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, relu); }

#endif
