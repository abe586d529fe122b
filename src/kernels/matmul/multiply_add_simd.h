/* sum + a·b, as every float product adds it up. */
#ifndef HEED_KERNELS_MULTIPLY_ADD_SIMD_H
#define HEED_KERNELS_MULTIPLY_ADD_SIMD_H

#include "kernels/lanes.h"

#ifdef __wasm_relaxed_simd__
/* One rounding on machines with a fused instruction, two on others; an engine rounds all products alike. */
ALWAYS_INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) {
    return __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
}
#else
/* Two roundings, the same bits in every engine. */
ALWAYS_INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) { return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b)); }
#endif

#endif
