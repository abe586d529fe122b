#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_q4_k weight_block;
#define STEPS 8
#define ZERO 0
#define MINIMA -1
#define SCALES OF_STEPS

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) {
    const uint8_t *from = w->q + 32 * (step / 2);
    q[0] = nibbles(wasm_v128_load(from), step % 2);
    q[1] = nibbles(wasm_v128_load(from + 16), step % 2);
}

ALWAYS_INLINE void load_scales(v128_t *s, v128_t *n, const weight_block *w, int quarter) {
    load_scales_of_6_bits(s, n, w->s, quarter);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_q4_k_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q4_k *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
