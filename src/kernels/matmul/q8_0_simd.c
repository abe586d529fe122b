#ifdef __wasm_simd128__
#include "kernels/matmul/operands_simd.h"

#define PANELS(name) q8_0_##name
#define PANEL heed_panel_q8_0
enum { PANEL_ZERO = 0, UNPACKED_ZERO = 0 };

ALWAYS_INLINE void q8_0_load_scales(v128_t d_f32x4[2], const heed_panel_q8_0 *w) {
    d_f32x4[0] = wasm_v128_load(w->d);
    d_f32x4[1] = wasm_v128_load(w->d + 4);
}

ALWAYS_INLINE void q8_0_load_activations(int16_t *x, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK; i++) x[i] = q[i];
}

/* A vector holds two rows.  Not unrolled: twice as many loads in flight are slower. */
ALWAYS_INLINE void q8_0_multiply(v128_t to_i32x4[2], const heed_panel_q8_0 *w, const int16_t *x) {
    v128_t sums_i32x4[4];
    for (int i = 0; i < 4; i++) sums_i32x4[i] = splat(0);
#pragma clang loop unroll(disable)
    for (int i = 0; i < HEED_BLOCK / 4; i++) {
        v128_t quad = wasm_v128_load64_splat(x + 4 * i);
        for (int r = 0; r < 4; r++)
            sums_i32x4[r] = add_products(sums_i32x4[r], wasm_i16x8_load8x8(w->q[i][2 * r]), quad);
    }
    for (int i = 0; i < 2; i++) to_i32x4[i] = sum_of_pairs(sums_i32x4[2 * i], sums_i32x4[2 * i + 1]);
}

ALWAYS_INLINE void q8_0_unpack(int16_t *q, const heed_panel_q8_0 *w) {
    for (int i = 0; i < HEED_BLOCK / 4; i++, q += 32)
        for (int r = 0; r < 8; r += 4) store_pairs(q + 2 * r, q + 16 + 2 * r, wasm_v128_load(w->q[i][r]));
}

ALWAYS_INLINE v128_t q8_0_initial_sum(int32_t zero) { return wasm_i32x4_splat(-zero); }
#include "kernels/matmul/panels_tile_simd.h"

void heed_matmul_q8_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                              int K) {
    q8_0_matmul(y, y_stride, x, w, T, O, K);
}

#endif
