#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

ALWAYS_INLINE v128_t sigmoid(v128_t x) {
    return wasm_f32x4_div(splat(1), wasm_f32x4_add(splat(1), exp_f32x4(wasm_f32x4_neg(x))));
}

/* x·P(x²) for |x| < 0.625, which is as precise as the rational approximation of Cody and Waite (1980).  Beyond, (1 - u)
 * / (1 + u) with u = e^(-2|x|), where the difference keeps its digits. */
ALWAYS_INLINE v128_t tanh_f32x4(v128_t x) {
    v128_t a = wasm_f32x4_abs(x), x2 = wasm_f32x4_mul(x, x);
    v128_t p = splat(-5.70498872745e-3f);
    p = wasm_f32x4_add(wasm_f32x4_mul(p, x2), splat(2.06390887954e-2f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, x2), splat(-5.37397155531e-2f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, x2), splat(1.33314422036e-1f));
    p = wasm_f32x4_add(wasm_f32x4_mul(p, x2), splat(-3.33332819422e-1f));
    v128_t near = wasm_f32x4_add(x, wasm_f32x4_mul(x, wasm_f32x4_mul(p, x2)));
    v128_t u = exp_f32x4(wasm_f32x4_mul(a, splat(-2)));
    v128_t far = wasm_f32x4_div(wasm_f32x4_sub(splat(1), u), wasm_f32x4_add(splat(1), u));
    far = wasm_v128_bitselect(x, far, wasm_i32x4_splat((int)0x80000000));
    return wasm_v128_bitselect(near, far, wasm_f32x4_lt(a, splat(0.625f)));
}

void heed_tanh_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, tanh_f32x4); }
void heed_sigmoid_f32_simd128(float *y, const float *x, size_t n) { map_f32x4(y, x, n, sigmoid); }

#endif
