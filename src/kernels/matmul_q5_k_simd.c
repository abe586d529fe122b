#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_q5_k weight_block;
#define STEPS 8
#define ZERO 0
#define MINIMA -1
#define SCALES OF_STEPS

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) {
    for (int half = 0; half < 2; half++) {
        v128_t low = nibbles(wasm_v128_load(w->q + 32 * (step / 2) + 16 * half), step % 2);
        q[half] = wasm_v128_or(low, move_bits(wasm_v128_load(w->h + 16 * half), step, 1, 4));
    }
}

ALWAYS_INLINE void load_scales(v128_t *s, v128_t *n, const weight_block *w, int quarter) {
    load_scales_of_6_bits(s, n, w->s, quarter);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_q5_k_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q5_k *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
