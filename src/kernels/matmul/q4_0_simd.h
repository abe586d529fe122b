/* Panels of Q4_0: scales of half precision, two codes in a byte. */
#ifndef HEED_KERNELS_Q4_0_SIMD_H
#define HEED_KERNELS_Q4_0_SIMD_H

#include "kernels/matmul/outputs_simd.h"

enum { PANEL_ZERO = 8 };

ALWAYS_INLINE void q4_0_load_scales(v128_t d_f32x4[2], const heed_panel_q4_0 *w) { load_8_scales(d_f32x4, w->d); }

ALWAYS_INLINE v128_t low_codes(v128_t codes) { return wasm_v128_and(codes, wasm_i8x16_splat(15)); }
ALWAYS_INLINE v128_t high_codes(v128_t codes) { return low_codes(wasm_u16x8_shr(codes, 4)); }

/* The codes of a panel, a byte each, as tiles of bytes read them. */
ALWAYS_INLINE void q4_0_unpack(int8_t *q, const heed_panel_q4_0 *w) {
    for (int i = 0; i < HEED_BLOCK / 8; i++) {
        for (int r = 0; r < 2; r++, q += 16) {
            v128_t codes = wasm_v128_load(w->q[i][4 * r]);
            wasm_v128_store(q, low_codes(codes));
            wasm_v128_store(q + 32 * HEED_BLOCK / 8, high_codes(codes));
        }
    }
}

#endif
