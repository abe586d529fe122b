#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_q3_k weight_block;
#define STEPS 8
#define ZERO 4
#define MINIMA 0
#define SCALES OF_HALVES

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) {
    for (int half = 0; half < 2; half++) {
        v128_t low = move_bits(wasm_v128_load(w->q + 32 * (step / 4) + 16 * half), 2 * (step % 4), 2, 0);
        q[half] = wasm_v128_or(low, move_bits(wasm_v128_load(w->h + 16 * half), step, 1, 2));
    }
}

ALWAYS_INLINE void load_scales(v128_t *s, v128_t *n, const weight_block *w, int quarter) {
    uint32_t first = four_bytes(w->s) >> 4 * quarter & 0x0f0f0f0f, high = four_bytes(w->s + 8) >> 4 * quarter;
    uint32_t second = four_bytes(w->s + 4) >> 4 * quarter & 0x0f0f0f0f;
    first |= high << 4 & 0x30303030;
    second |= high << 2 & 0x30303030;
    v128_t eight = wasm_u16x8_extend_low_u8x16(wasm_i64x2_splat((int64_t)(first | (uint64_t)second << 32)));
    *s = wasm_i16x8_sub(eight, wasm_i16x8_splat(32));
    *n = wasm_i16x8_splat(0);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_q3_k_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_q3_k *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
