#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_q6_k weight_block;
#define STEPS 8
#define ZERO 32
#define MINIMA 0
#define SCALES OF_HALVES

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) {
    const int k = step % 4;
    const uint8_t *low = w->q + 64 * (step / 4) + 32 * (k % 2), *high = w->h + 32 * (step / 4);
    for (int half = 0; half < 2; half++) {
        v128_t bits = move_bits(wasm_v128_load(high + 16 * half), 2 * k, 2, 4);
        q[half] = wasm_v128_or(nibbles(wasm_v128_load(low + 16 * half), k / 2), bits);
    }
}

ALWAYS_INLINE void load_scales(v128_t *s, v128_t *n, const weight_block *w, int quarter) {
    *s = wasm_i16x8_load8x8(w->s + 8 * quarter);
    *n = wasm_i16x8_splat(0);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_q6_k_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q6_k *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
