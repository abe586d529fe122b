#ifdef __wasm_simd128__
#include "kernels/half.h"
#include "kernels/lanes.h"
#include "kernels/set.h"

typedef uint16_t weight;

ALWAYS_INLINE void load8(v128_t to[2], const weight *w) {
    to[0] = wasm_i32x4_shl(wasm_u32x4_load16x4(w), 16);
    to[1] = wasm_i32x4_shl(wasm_u32x4_load16x4(w + 4), 16);
}

ALWAYS_INLINE float load1(const weight *w) { return float_of_bf16(*w); }
#include "kernels/matmul_float_simd.h"

void heed_matmul_bf16_simd128(float *y, size_t y_stride, const float *x, size_t x_stride, const uint16_t *w, int T,
                              int O, int K) {
    matmul(y, y_stride, x, x_stride, w, T, O, K);
}

#endif
