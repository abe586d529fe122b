/* Φ, the distribution function of the normal distribution, of four numbers. */
#ifndef HEED_KERNELS_PHI_H
#define HEED_KERNELS_PHI_H

#include "kernels/lanes.h"

/* Φ(-a) = e^(-a²/2)·t·P(t), t = 1 / (1 + 0.35a), for a >= 0; P minimax of degree 8 over 0 <= a <= 14.5, relative error
 * 3.2e-8.  With all roundings, Φ is within 2.7·2^-24 of its value, and within 5 ulp down to x = -3. */
ALWAYS_INLINE v128_t phi_f32x4(v128_t x) {
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
    return wasm_v128_bitselect(lower, wasm_f32x4_sub(splat(1), lower), wasm_f32x4_lt(x, splat(0)));
}

#endif
