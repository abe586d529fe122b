/* Panels by the relaxed product of bytes.  Codes, of at most seven bits, are its second operand: there every engine
 * gives the exact product, whichever sign it takes bytes above 127 to have.  Sums of pairs stay in 16 bits while they
 * fit. */
#include "kernels/lanes.h"

typedef int8_t operand;

ALWAYS_INLINE v128_t load_operands(const int8_t *q) { return wasm_v128_load(q); }

ALWAYS_INLINE v128_t add_products(v128_t sum, v128_t codes, v128_t x) {
    return wasm_i16x8_add(sum, wasm_i16x8_relaxed_dot_i8x16_i7x16(x, codes));
}

ALWAYS_INLINE v128_t whole(v128_t sum) { return wasm_i32x4_dot_i16x8(sum, wasm_i16x8_splat(1)); }
