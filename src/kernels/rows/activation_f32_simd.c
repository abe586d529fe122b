#ifdef __wasm_simd128__
#include <math.h>

#include "kernels/kernels.h"
#include "kernels/lanes.h"

/* x·σ(2u), where σ(2u) = (1 + tanh u) / 2 and u = √(2/π)·(x + 0.044715x³).
 *
 * It is x / (1 + 2^v) with v = -2·log2 e·u, which keeps its digits where tanh is near -1.  v = n + f with |f| <= 1/2:
 * adding 1.5·2^23 leaves n in the low bits, and n is added to the exponent of 2^f.  2^f = 1 + f·P(f), P minimax of
 * degree 4, relative error 1.1e-7.  2^128 is inf; below 2^-126, 1 + 2^v is 1.  exp_f32x4 is more precise, but the slope
 * of σ, at most 1/4, does not need it. */
ALWAYS_INLINE v128_t gelu_tanh(v128_t x) {
    static const float numbers[] = {-0.10294324f,
                                    -2.3022082f,
                                    128,
                                    -126,
                                    0x1.8p23f,
                                    0.24022242426872253f,
                                    0.6931470036506653f,
                                    0.009671512991189957f,
                                    0.05550733581185341f,
                                    0.001326472731307149f,
                                    1};
    const float *at = numbers;
    HIDE(at);
    v128_t v = wasm_f32x4_mul(wasm_f32x4_mul(x, x), NUMBER(0));
    v = wasm_f32x4_mul(x, wasm_f32x4_add(v, NUMBER(1)));
    v = wasm_f32x4_pmax(wasm_f32x4_pmin(v, NUMBER(2)), NUMBER(3));
    v128_t shifted = wasm_f32x4_add(v, NUMBER(4)), f = wasm_f32x4_sub(v, wasm_f32x4_sub(shifted, NUMBER(4)));
    v128_t low = wasm_f32x4_add(wasm_f32x4_mul(f, NUMBER(5)), NUMBER(6));
    v128_t high = wasm_f32x4_add(wasm_f32x4_mul(f, NUMBER(7)), NUMBER(8)), f2 = wasm_f32x4_mul(f, f);
    high = wasm_f32x4_add(high, wasm_f32x4_mul(f2, NUMBER(9)));
    v128_t p = wasm_f32x4_add(low, wasm_f32x4_mul(f2, high));
    p = wasm_f32x4_add(wasm_f32x4_mul(f, p), NUMBER(10));
    v128_t power = wasm_i32x4_add(p, wasm_i32x4_shl(shifted, 23));
    return wasm_f32x4_div(x, wasm_f32x4_add(power, NUMBER(10)));
}

/* Φ(-a) = e^(-a²/2)·t·P(t), t = 1 / (1 + 0.35a), for a >= 0; P minimax of degree 8 over 0 <= a <= 14.5, relative error
 * 3.2e-8.  With all roundings, Φ is within 2.7·2^-24 of its value, and within 5 ulp down to x = -3. */
ALWAYS_INLINE v128_t phi(v128_t x) {
    enum { DEGREE = 8 };
    static const float numbers[] = {-0.029157863929867744f,
                                    0.14403082430362701f,
                                    -0.2558388113975525f,
                                    0.15931947529315948f,
                                    -0.023212214931845665f,
                                    0.10555244982242584f,
                                    0.11982130259275436f,
                                    0.139863520860672f,
                                    0.139621302485466f, /* P */
                                    0.35f,
                                    -0.5f,
                                    1};
    const float *at = numbers;
    HIDE(at);
    v128_t a = wasm_f32x4_abs(x), one = NUMBER(11);
    v128_t t = wasm_f32x4_div(one, wasm_f32x4_add(one, wasm_f32x4_mul(NUMBER(9), a)));
    v128_t p = NUMBER(0);
    for (int i = 1; i <= DEGREE; i++) p = wasm_f32x4_add(wasm_f32x4_mul(p, t), NUMBER(i));
    v128_t gauss = exp_f32x4(wasm_f32x4_mul(wasm_f32x4_mul(NUMBER(10), a), a));
    v128_t lower = wasm_f32x4_mul(wasm_f32x4_mul(p, t), gauss);
    return wasm_v128_bitselect(lower, wasm_f32x4_sub(one, lower), wasm_f32x4_lt(x, splat(0)));
}

ALWAYS_INLINE v128_t gelu_erf(v128_t x) { return wasm_f32x4_mul(x, phi(x)); }

/* x / (1 + e^-x).  Added to 1, e^-x needs no subnormals: 2^n is one addition to the exponent.  From 2^128 on, the sum
 * exceeds the bits of inf and becomes inf, so that y is -0. */
ALWAYS_INLINE v128_t silu(v128_t x) {
    v128_t shifted, u = wasm_f32x4_pmax(wasm_f32x4_pmin(wasm_f32x4_neg(x), splat(89)), splat(-87));
    v128_t p = wasm_f32x4_add(exp_of_rest(u, &shifted), splat(1));
    v128_t power = wasm_i32x4_add(p, wasm_i32x4_shl(shifted, 23));
    power = wasm_i32x4_min(power, splat(INFINITY));
    return wasm_f32x4_div(x, wasm_f32x4_add(power, splat(1)));
}

/* x < 0 ? 0 : x, so NaN stays NaN */
ALWAYS_INLINE v128_t relu(v128_t x) { return wasm_f32x4_pmax(x, splat(0)); }

void heed_gelu_tanh_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, gelu_tanh); }
void heed_gelu_erf_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, gelu_erf); }
void heed_silu_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, silu); }
void heed_relu_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, relu); }

#endif
