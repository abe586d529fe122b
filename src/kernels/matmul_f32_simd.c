#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

typedef float weight;

ALWAYS_INLINE void load8(v128_t to[2], const weight *w) { load_up_to_8(to, w, 8); }
ALWAYS_INLINE float load1(const weight *w) { return *w; }
#include "kernels/matmul_float_simd.h"

void heed_matmul_f32_simd128(float *y, size_t y_stride, const float *x, size_t x_stride, const float *w, int T, int O,
                             int K) {
    matmul(y, y_stride, x, x_stride, w, T, O, K);
}

#endif
