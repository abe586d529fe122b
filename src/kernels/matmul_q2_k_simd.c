#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_q2_k weight_block;
#define STEPS 8
#define ZERO 0
#define MINIMA -1
#define SCALES OF_HALVES

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) {
    const uint8_t *from = w->q + 32 * (step / 4);
    for (int half = 0; half < 2; half++) q[half] = move_bits(wasm_v128_load(from + 16 * half), 2 * (step % 4), 2, 0);
}

ALWAYS_INLINE void load_scales(v128_t *s, v128_t *n, const weight_block *w, int quarter) {
    v128_t both = wasm_u16x8_load8x8(w->s + 8 * quarter);
    *s = wasm_v128_and(both, wasm_i16x8_splat(15));
    *n = wasm_u16x8_shr(both, 4);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_q2_k_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q2_k *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
