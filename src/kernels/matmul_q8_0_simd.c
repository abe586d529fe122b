#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

typedef heed_panel_q8_0 panel;
enum { PAIRS = 1 };

ALWAYS_INLINE void load_codes(v128_t q[PAIRS][2], const panel *w, int step) {
    q[0][0] = wasm_i16x8_load8x8(w->q[step][0]);
    q[0][1] = wasm_i16x8_load8x8(w->q[step][4]);
}

ALWAYS_INLINE void load_scales(v128_t d[2], const panel *w) {
    d[0] = wasm_v128_load(w->d);
    d[1] = wasm_v128_load(w->d + 4);
}

ALWAYS_INLINE int32_t widen(int16_t *x, int stride, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK; i++) x[i / 2 * stride + i % 2] = q[i];
    return 0;
}
#include "kernels/matmul_panels_simd.h"

void heed_matmul_q8_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                              int K) {
    matmul(y, y_stride, x, w, T, O, K);
}

#endif
