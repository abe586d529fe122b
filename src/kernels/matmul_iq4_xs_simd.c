#ifdef __wasm_simd128__
#include "kernels/codes_simd.h"
#include "kernels/set.h"

typedef heed_block_iq4_xs weight_block;
#define STEPS 8
#define ZERO 128
#define MINIMA 0
#define SCALES OF_STEPS

ALWAYS_INLINE void load_codes(v128_t q[2], const weight_block *w, int step) { load_iq4(q, w->q + 16 * step); }

ALWAYS_INLINE void load_scales(v128_t *s, v128_t *n, const weight_block *w, int quarter) {
    uint32_t low = w->s[2 * quarter] | (uint32_t)w->s[2 * quarter + 1] << 16; /* nibbles of the steps at 0 4 16 20 */
    uint32_t high = (uint32_t)w->h >> 8 * quarter & 255;                      /* pairs of bits at 0 2 4 6 */
    low = (low & 0x000f000f) | (low << 4 & 0x0f000f00);
    high = (high & 3) << 4 | (high & 12) << 10 | (high & 48) << 16 | (high & 192) << 22;
    *s = wasm_i16x8_sub(twice_u8(low | high), wasm_i16x8_splat(32));
    *n = wasm_i16x8_splat(0);
}
#include "kernels/matmul_codes_simd.h"

void heed_matmul_iq4_xs_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_iq4_xs *w, int T,
                                int O, int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
