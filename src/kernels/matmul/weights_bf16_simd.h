/* Weights of bfloat16, for matmul_float_simd.h. */
#include "kernels/half.h"
#include "kernels/lanes.h"

typedef uint16_t weight;

ALWAYS_INLINE void load8(v128_t to[2], const weight *w) {
    to[0] = wasm_i32x4_shl(wasm_u32x4_load16x4(w), 16);
    to[1] = wasm_i32x4_shl(wasm_u32x4_load16x4(w + 4), 16);
}

ALWAYS_INLINE float load1(const weight *w) { return float_of_bf16(*w); }
