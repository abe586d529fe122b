/* The affine formats by relaxed products of bytes, of pairs or of fours (operands_simd.h).  Part of affine_relaxed.c
 * and affine_bytes_relaxed.c. */
#ifndef HEED_KERNELS_AFFINE_RELAXED_SIMD_H
#define HEED_KERNELS_AFFINE_RELAXED_SIMD_H

#include "kernels/formats/affine.h"
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/triples_simd.h"

ALWAYS_INLINE void affine_store_codes(operand *to, v128_t quads) { wasm_v128_store(to, quads); }

/* Activations stay bytes, except for codes of five bits, which one row multiplies as triples of 16 bits. */
ALWAYS_INLINE void affine_load_activations(int16_t *x, int32_t initial[2], int32_t sums[2], affine_layout l,
                                           const int8_t *q) {
    if (l.bits == 5)
        load_triples(x, q);
    else
        for (int i = 0; i < 2; i++) wasm_v128_store(x + 8 * i, wasm_v128_load(q + 16 * i));
    v128_t total = sum_halves_i8(q);
    sums[0] = wasm_i32x4_extract_lane(total, 0), sums[1] = wasm_i32x4_extract_lane(total, 1);
    initial[0] = -l.zero * sums[0], initial[1] = -l.zero * sums[1];
}

/* Adds one group of codes. */
ALWAYS_INLINE void affine_add_group(v128_t sums[2], affine_layout l, const uint8_t *codes, const operand *x, int g) {
    v128_t q[2];
    for (int i = 0; i < 2; i++) q[i] = wasm_v128_load(codes + g * AFFINE_GROUP + 16 * i);
    const int high = l.bits > 4 ? 1 : 2;
#pragma clang loop unroll(full)
    for (int p = 0; p < high; p++) {
        v128_t c[2];
        for (int i = 0; i < 2; i++) {
            c[i] = p ? wasm_u16x8_shr(q[i], 4) : q[i];
            if (l.bits <= 4) c[i] = wasm_v128_and(c[i], wasm_i8x16_splat(15));
        }
        int column = l.bits > 4 ? 4 * g : g / 2 * 16 + p * 8 + g % 2 * 4;
        v128_t four = wasm_v128_load32_splat(x + column);
        for (int i = 0; i < 2; i++) sums[i] = add_products(sums[i], c[i], four);
    }
}

#endif
