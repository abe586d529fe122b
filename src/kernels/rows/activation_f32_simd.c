#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/rows/gelu.h"
#include "kernels/kernels.h"

/* x / (1 + e^-x).  Added to 1, e^-x needs no subnormals, and it is limited to below 2^128: 2^n is one multiplication.
 */
ALWAYS_INLINE v128_t silu(v128_t x) {
    v128_t shifted, u = wasm_f32x4_pmax(wasm_f32x4_pmin(wasm_f32x4_neg(x), splat(88.72f)), splat(-87));
    v128_t p = wasm_f32x4_add(exp_of_rest(u, &shifted), splat(1));
    v128_t power = wasm_i32x4_add(p, wasm_i32x4_shl(shifted, 23));
    return wasm_f32x4_div(x, wasm_f32x4_add(power, splat(1)));
}

ALWAYS_INLINE v128_t gelu_tanh(v128_t x) { return wasm_f32x4_div(x, gelu_tanh_divisor(x)); }

ALWAYS_INLINE v128_t gelu_erf(v128_t x) { return wasm_f32x4_mul(x, phi_f32x4(x)); }

/* x < 0 ? 0 : x, so NaN stays NaN */
ALWAYS_INLINE v128_t relu(v128_t x) { return wasm_f32x4_pmax(x, splat(0)); }

void heed_gelu_tanh_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, gelu_tanh); }
void heed_gelu_erf_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, gelu_erf); }
void heed_silu_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, silu); }
void heed_relu_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, relu); }

#endif
