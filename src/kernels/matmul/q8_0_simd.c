#ifdef __wasm_simd128__
#include "kernels/matmul/panels_int16_simd.h"
#include "kernels/kernels.h"

typedef heed_panel_q8_0 panel;
enum { ZERO = 0 };

ALWAYS_INLINE void load_scales(v128_t d[2], const panel *w) {
    d[0] = wasm_v128_load(w->d);
    d[1] = wasm_v128_load(w->d + 4);
}

ALWAYS_INLINE void widen(int16_t *x, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK; i++) x[i] = q[i];
}

/* Two rows a vector; the loop is not unrolled: twice as many loads in flight are slower. */
ALWAYS_INLINE void multiply_panel(v128_t s[2], const panel *w, const int16_t *x) {
    v128_t sums[4];
    for (int i = 0; i < 4; i++) sums[i] = splat(0);
#pragma clang loop unroll(disable)
    for (int i = 0; i < HEED_BLOCK / 4; i++) {
        v128_t quad = wasm_v128_load64_splat(x + 4 * i);
        for (int r = 0; r < 4; r++) sums[r] = add_products(sums[r], wasm_i16x8_load8x8(w->q[i][2 * r]), quad);
    }
    for (int i = 0; i < 2; i++) s[i] = sum_of_pairs(sums[2 * i], sums[2 * i + 1]);
}

ALWAYS_INLINE void unpack(int16_t *q, const panel *w) {
    for (int i = 0; i < HEED_BLOCK / 4; i++, q += 32)
        for (int r = 0; r < 8; r += 4) store_pairs(q + 2 * r, q + 16 + 2 * r, wasm_v128_load(w->q[i][r]));
}
#include "kernels/matmul/panels_simd.h"

void heed_matmul_q8_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
