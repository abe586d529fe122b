/* The affine formats by relaxed products of bytes, of pairs or of fours (operands_simd.h).  Part of affine_relaxed.c
 * and bytes_relaxed.c. */
#ifndef HEED_KERNELS_AFFINE_RELAXED_SIMD_H
#define HEED_KERNELS_AFFINE_RELAXED_SIMD_H

#include "kernels/formats/affine.h"
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/triples_simd.h"

/* Activations stay bytes, except for codes of five bits, which one row multiplies as triples of 16 bits.  Two codes in
 * a byte are eight columns apart; activations of all low codes come first. */
ALWAYS_INLINE void affine_load_activations(int16_t *x, int32_t initial[2], int32_t sums[2], affine_layout l,
                                           const int8_t *q) {
    if (l.bits == 5)
        load_triples(x, q);
    else {
        v128_t first_i8x16 = wasm_v128_load(q), last_i8x16 = wasm_v128_load(q + 16);
        wasm_v128_store(x, l.bits > 4 ? first_i8x16 : wasm_i64x2_shuffle(first_i8x16, last_i8x16, 0, 2));
        wasm_v128_store(x + 8, l.bits > 4 ? last_i8x16 : wasm_i64x2_shuffle(first_i8x16, last_i8x16, 1, 3));
    }
    v128_t total_i32x4 = sum_halves_i8(q);
    sums[0] = wasm_i32x4_extract_lane(total_i32x4, 0), sums[1] = wasm_i32x4_extract_lane(total_i32x4, 1);
    initial[0] = -l.zero * sums[0], initial[1] = -l.zero * sums[1];
}

/* Adds a group of codes of `panels` panels, which are `apart` bytes apart.  mask_i8x16: bytes of 15. */
ALWAYS_INLINE void affine_add_group(v128_t sums[][2], affine_layout l, const uint8_t *codes, size_t apart,
                                    const operand *x, v128_t mask_i8x16, const int panels) {
    v128_t low_i8x16 = wasm_v128_load32_splat(x), high_i8x16 = low_i8x16;
    if (l.bits <= 4) high_i8x16 = wasm_v128_load32_splat(x + HEED_BLOCK / 2);
    for (int p = 0; p < panels; p++)
        for (int r = 0; r < 2; r++) {
            v128_t q_i8x16 = wasm_v128_load(codes + (size_t)p * apart + 16 * r);
            sums[p][r] = add_products(sums[p][r], l.bits > 4 ? q_i8x16 : wasm_v128_and(q_i8x16, mask_i8x16), low_i8x16);
            if (l.bits > 4) continue;
            sums[p][r] = add_products(sums[p][r], wasm_v128_and(wasm_u16x8_shr(q_i8x16, 4), mask_i8x16), high_i8x16);
        }
}

/* As affine_add_group(), for `groups` groups. */
ALWAYS_INLINE void affine_add_groups(v128_t sums[][2], affine_layout l, const uint8_t *codes, size_t apart,
                                     const operand *x, int groups, const int panels) {
    const uint8_t *end = codes + groups * AFFINE_GROUP;
    v128_t mask_i8x16 = wasm_i8x16_splat(15);
    HIDE(mask_i8x16);
#pragma clang loop unroll(disable)
    for (; codes != end; codes += AFFINE_GROUP, x += 4) {
        HIDE(codes);
        HIDE(x);
        affine_add_group(sums, l, codes, apart, x, mask_i8x16, panels);
    }
}

#endif
