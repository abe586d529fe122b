#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

ALWAYS_INLINE void add_products(float *y, const float *a, v128_t b) {
    wasm_v128_store(y, wasm_f32x4_add(wasm_v128_load(y), wasm_f32x4_mul(wasm_v128_load(a), b)));
}

void heed_add_scaled_f32_simd128(float *y, const float *x, float scale, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) add_products(y + i, x + i, splat(scale));
    for (; i < n; i++) y[i] += scale * x[i];
}

void heed_add_product_f32_simd128(float *y, const float *a, const float *b, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) add_products(y + i, a + i, wasm_v128_load(b + i));
    for (; i < n; i++) y[i] += a[i] * b[i];
}

#endif
