/* Panels of Q4_0: scales of half precision, two codes in a byte. */
#ifndef HEED_KERNELS_Q4_0_SIMD_H
#define HEED_KERNELS_Q4_0_SIMD_H

#include "kernels/matmul/outputs_simd.h"

enum { PANEL_ZERO = 8 };

ALWAYS_INLINE void q4_0_load_scales(v128_t d_f32x4[2], const heed_panel_q4_0 *w) { load_8_scales(d_f32x4, w->d); }

ALWAYS_INLINE v128_t low_codes(v128_t codes) { return wasm_v128_and(codes, wasm_i8x16_splat(15)); }
ALWAYS_INLINE v128_t high_codes(v128_t codes) { return low_codes(wasm_u16x8_shr(codes, 4)); }

#endif
