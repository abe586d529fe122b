/* Panels by products of 16-bit numbers, exact for codes and activations of 8 bits: how tiles multiply pairs, and how
 * four columns of eight rows become pairs or are summed where they are. */
#include "kernels/lanes.h"

typedef int16_t operand;

ALWAYS_INLINE v128_t load_operands(const int8_t *q) { return wasm_i16x8_load8x8(q); }

/* Unpacked codes are weights: 16 bits have room for them, and no tile has anything to take off. */
enum { UNPACKED_ZERO = 0 };

ALWAYS_INLINE v128_t start(int32_t zero) { return wasm_i32x4_splat(-zero); }

ALWAYS_INLINE v128_t add_products(v128_t sum, v128_t codes, v128_t x) {
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(codes, x));
}

ALWAYS_INLINE v128_t whole(v128_t sum) { return sum; }

/* Four columns of rows 0-3 or 4-7, signed bytes, as the first and the second pair of each of these rows. */
ALWAYS_INLINE void store_pairs(int16_t *first, int16_t *second, v128_t quads) {
    v128_t pairs = wasm_i16x8_shuffle(quads, quads, 0, 2, 4, 6, 1, 3, 5, 7);
    wasm_v128_store(first, wasm_i16x8_extend_low_i8x16(pairs));
    wasm_v128_store(second, wasm_i16x8_extend_high_i8x16(pairs));
}

/* Sums of the first and of the second pairs of rows 0, 1 and of rows 2, 3: those of the four rows. */
ALWAYS_INLINE v128_t sum_of_pairs(v128_t rows_01, v128_t rows_23) {
    return wasm_i32x4_add(wasm_i32x4_shuffle(rows_01, rows_23, 0, 2, 4, 6),
                          wasm_i32x4_shuffle(rows_01, rows_23, 1, 3, 5, 7));
}
