#ifdef __wasm_simd128__
#include "kernels/half.h"
#include "kernels/lanes.h"
#include "kernels/kernels.h"

void heed_widen_f16_simd128(float *y, const uint16_t *x, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) wasm_v128_store(y + i, f32x4_of_f16(wasm_i32x4_load16x4(x + i)));
    for (; i < n; i++) y[i] = float_of_f16(x[i]);
}

void heed_widen_bf16_simd128(float *y, const uint16_t *x, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) wasm_v128_store(y + i, wasm_i32x4_shl(wasm_u32x4_load16x4(x + i), 16));
    for (; i < n; i++) y[i] = float_of_bf16(x[i]);
}

#endif
