/* Q8_0 for all SIMD sets: scales and the mask of codes. */
#ifndef HEED_KERNELS_Q8_0_SIMD_H
#define HEED_KERNELS_Q8_0_SIMD_H

#include "kernels/kernels.h"
#include "kernels/lanes.h"

ALWAYS_INLINE void q8_0_load_scales(v128_t d_f32x4[2], const heed_panel_q8_0 *w) {
    d_f32x4[0] = wasm_v128_load(w->d);
    d_f32x4[1] = wasm_v128_load(w->d + 4);
}

/* A mask from codes of a panel to second operands.  0x80 gives code + 128, for engines that read them as unsigned.  0
 * gives the code.  Panels hold even columns with their sign bit flipped. */
#define Q8_0_FLIP(by) wasm_i16x8_splat((int16_t)(HEED_FLIP_Q8_0 ^ (by)*0x101))

#endif
