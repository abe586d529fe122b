#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

typedef heed_block_q4_0 weight_block;
enum { ZERO_CODE = 8 };

/* A lane of 16 bits holds the codes of elements 2i, 2i + 16, 2i + 1 and 2i + 17, lowest four bits first: shifts take
 * them apart without a shuffle. */
ALWAYS_INLINE void load_codes(v128_t q[4], const weight_block *w) {
    v128_t codes = wasm_v128_load(w->q), mask = wasm_i16x8_splat(15);
    q[0] = wasm_v128_and(codes, mask);
    q[1] = wasm_v128_and(wasm_u16x8_shr(codes, 4), mask);
    q[2] = wasm_v128_and(wasm_u16x8_shr(codes, 8), mask);
    q[3] = wasm_u16x8_shr(codes, 12);
}

ALWAYS_INLINE void widen_codes(int16_t *x, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK / 4; i++) {
        x[i] = q[2 * i];
        x[i + 8] = q[2 * i + 16];
        x[i + 16] = q[2 * i + 1];
        x[i + 24] = q[2 * i + 17];
    }
}
#include "kernels/matmul_blocks_simd.h"

void heed_matmul_q4_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q4_0 *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
