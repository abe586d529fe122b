/* Panels of Q4_0: scales of half precision, and two codes a byte. */
#include "kernels/kernels.h"
#include "kernels/lanes.h"

typedef heed_panel_q4_0 panel;
enum { ZERO = 8 };

/* Half precision to float, exact for what is finite: exponent and mantissa in the places of a float mean 2^-112 of the
 * value, subnormals too.  The sign comes along four times. */
ALWAYS_INLINE void load_scales(v128_t d[2], const panel *w) {
    for (int i = 0; i < 2; i++) {
        v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4(w->d + 4 * i), 13);
        d[i] = wasm_f32x4_mul(wasm_v128_and(bits, wasm_i32x4_splat((int32_t)0x8fffffff)), splat(0x1p112f));
    }
}

ALWAYS_INLINE v128_t low_codes(v128_t codes) { return wasm_v128_and(codes, wasm_i8x16_splat(15)); }
ALWAYS_INLINE v128_t high_codes(v128_t codes) { return low_codes(wasm_u16x8_shr(codes, 4)); }
