#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

typedef heed_block_q8_0 weight_block;
enum { ZERO_CODE = 0 };

ALWAYS_INLINE void load_codes(v128_t q[4], const weight_block *w) {
    for (int i = 0; i < 4; i++) q[i] = wasm_i16x8_load8x8(w->q + 8 * i);
}

ALWAYS_INLINE void widen_codes(int16_t *x, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK; i++) x[i] = q[i];
}
#include "kernels/matmul_blocks_simd.h"

void heed_matmul_q8_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q8_0 *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
