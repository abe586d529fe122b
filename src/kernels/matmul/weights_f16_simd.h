/* Weights of half precision, for matmul_float_simd.h. */
#include "kernels/half.h"
#include "kernels/lanes.h"

typedef uint16_t weight;

/* As long as none is zero, subnormal, infinite or NaN, as hardly any weight is, a float's upper half is the sign and
 * the shifted rest with the exponent's bias changed, and its lower half what was shifted out. */
ALWAYS_INLINE void load8(v128_t to[2], const weight *w) {
    v128_t h = wasm_v128_load(w);
    v128_t usual = wasm_v128_and(wasm_i16x8_add(h, wasm_i16x8_splat(0x0400)), wasm_i16x8_splat(0x7800));
    if (__builtin_expect(wasm_i16x8_all_true(usual), 1)) {
        v128_t upper = wasm_v128_and(wasm_i16x8_shr(h, 3), wasm_i16x8_splat((int16_t)0x8fff));
        upper = wasm_i16x8_add(upper, wasm_i16x8_splat(112 << 7));
        v128_t lower = wasm_i16x8_shl(h, 13);
        to[0] = wasm_i16x8_shuffle(lower, upper, 0, 8, 1, 9, 2, 10, 3, 11);
        to[1] = wasm_i16x8_shuffle(lower, upper, 4, 12, 5, 13, 6, 14, 7, 15);
    } else {
        to[0] = f32x4_of_f16(wasm_u32x4_extend_low_u16x8(h));
        to[1] = f32x4_of_f16(wasm_u32x4_extend_high_u16x8(h));
    }
}

ALWAYS_INLINE float load1(const weight *w) { return float_of_f16(*w); }
