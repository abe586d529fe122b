#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

typedef heed_panel_q4_0 panel;
enum { PAIRS = 2 };

/* With a byte of codes c = low + 16·high, low·x + high·x' = c·x + high·(x' - 16·x): the low code is never taken out.
 * All of it is integers: |x' - 16·x| <= 17·127 fits int16, and a block's sum int32. */
ALWAYS_INLINE void load_codes(v128_t q[PAIRS][2], const panel *w, int step) {
    q[0][0] = wasm_u16x8_load8x8(w->q[step][0]);
    q[0][1] = wasm_u16x8_load8x8(w->q[step][4]);
    for (int i = 0; i < 2; i++) q[1][i] = wasm_u16x8_shr(q[0][i], 4);
}

ALWAYS_INLINE int32_t widen(int16_t *x, int stride, const int8_t *q) {
    int32_t sum = 0;
    for (int i = 0; i < HEED_BLOCK / 2; i++) {
        int low = q[i], high = q[i + HEED_BLOCK / 2], at = i / 2 * 2 * stride + i % 2;
        x[at] = (int16_t)low;
        x[at + stride] = (int16_t)(high - 16 * low);
        sum += low + high;
    }
    return -8 * sum; /* code 8 is weight 0 */
}

/* Half precision to float, exact for what is finite: exponent and mantissa in the places of a float mean 2^-112 of the
 * value, subnormals too.  The sign comes along four times. */
ALWAYS_INLINE void load_scales(v128_t d[2], const panel *w) {
    for (int i = 0; i < 2; i++) {
        v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(w->d + 4 * i), 13);
        d[i] = wasm_f32x4_mul(wasm_v128_and(bits, wasm_i32x4_splat((int32_t)0x8fffffff)), splat(0x1p112f));
    }
}
#include "kernels/matmul_panels_simd.h"

void heed_matmul_q4_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
