#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

void heed_add_f32_simd128(float *y, const float *a, const float *b, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) wasm_v128_store(y + i, wasm_f32x4_add(wasm_v128_load(a + i), wasm_v128_load(b + i)));
    for (; i < n; i++) y[i] = a[i] + b[i];
}

void heed_mul_f32_simd128(float *y, const float *a, const float *b, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) wasm_v128_store(y + i, wasm_f32x4_mul(wasm_v128_load(a + i), wasm_v128_load(b + i)));
    for (; i < n; i++) y[i] = a[i] * b[i];
}

#endif
