#ifdef __wasm_simd128__
#include "kernels/formats/affine.h"
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/triples_simd.h"

void heed_unpack_triples(uint8_t *to, const uint8_t *codes) {
#pragma clang loop unroll(full)
    for (int quad = 0; quad < HEED_BLOCK / 4; quad++)
        for (int r = 0; r < 2; r++) {
            v128_t odd = wasm_i16x8_shl(triples_pair(codes, 2 * quad + 1, r), 8);
            wasm_v128_store(to + quad * AFFINE_GROUP + 16 * r, wasm_v128_or(triples_pair(codes, 2 * quad, r), odd));
        }
}

static inline int affine_fit(affine_layout l) {
    (void)l;
    return HEED_BLOCK;
}

ALWAYS_INLINE void affine_store_codes(operand *to, v128_t quads) { store_pairs(to, to + 2 * HEED_PANEL, quads); }

/* Codes of five bits are triples (triples_simd.h).  Two bytes of codes of a row are one number of 16 bits, low +
 * 256·high, and low·x + high·x' = number·x + high·(x' - 256·x), so the low code is not extracted.  The same holds for
 * four codes of four bits; the highest is made signed first, c - 8, so the number is signed, too.  All of it is exact.
 * Combined activations fit in 16 bits.  Intermediate overflow of a sum wraps and cancels, because the final sum fits
 * in 32. */
ALWAYS_INLINE void affine_load_activations(int16_t *x, int32_t initial[2], int32_t sums[2], affine_layout l,
                                           const int8_t *q) {
    v128_t even[2], odd[2], first[4];
    for (int i = 0; i < 2; i++) {
        v128_t v = wasm_v128_load(q + 16 * i);
        even[i] = wasm_i16x8_shr(wasm_i16x8_shl(v, 8), 8);
        odd[i] = wasm_i16x8_shr(v, 8);
    }
    v128_t total = sum_halves_i8(q), top = wasm_i32x4_splat(0);
    if (l.bits == 5) {
        load_triples(x, q);
    } else if (l.bits > 5) {
        for (int i = 0; i < 2; i++) {
            wasm_v128_store(x + 8 * i, even[i]);
            wasm_v128_store(x + 16 + 8 * i, wasm_i16x8_sub(odd[i], wasm_i16x8_shl(even[i], 8)));
        }
    } else {
        first[0] = wasm_i64x2_shuffle(even[0], even[1], 0, 2);
        first[1] = wasm_i64x2_shuffle(even[0], even[1], 1, 3);
        first[2] = wasm_i64x2_shuffle(odd[0], odd[1], 0, 2);
        first[3] = wasm_i64x2_shuffle(odd[0], odd[1], 1, 3);
        wasm_v128_store(x, first[0]);
        for (int i = 1; i < 4; i++)
            wasm_v128_store(x + 8 * i, wasm_i16x8_sub(first[i], wasm_i16x8_shl(first[i - 1], 4)));
        top = wasm_i32x4_shl(wasm_i32x4_extadd_pairwise_i16x8(first[3]), 3);
        top = wasm_i32x4_add(top, wasm_i32x4_shuffle(top, top, 1, 0, 3, 2));
        top = wasm_i32x4_shuffle(top, top, 0, 2, 0, 2);
    }
    v128_t begin = wasm_i32x4_sub(top, wasm_i32x4_mul(total, wasm_i32x4_splat(l.zero)));
    sums[0] = wasm_i32x4_extract_lane(total, 0), sums[1] = wasm_i32x4_extract_lane(total, 1);
    initial[0] = wasm_i32x4_extract_lane(begin, 0), initial[1] = wasm_i32x4_extract_lane(begin, 1);
}

/* A group of codes, two or four in each 16 bits. */
ALWAYS_INLINE void affine_add_group(v128_t sums[2], affine_layout l, const uint8_t *codes, const int16_t *x) {
    v128_t q[2];
    for (int i = 0; i < 2; i++) {
        q[i] = wasm_v128_load(codes + 16 * i);
        if (l.bits <= 4) q[i] = wasm_v128_xor(q[i], wasm_i16x8_splat((int16_t)0x8000));
    }
    const int numbers = l.bits > 4 ? 2 : 4;
#pragma clang loop unroll(full)
    for (int n = 0; n < numbers; n++) {
        v128_t pair = wasm_v128_load32_splat(x + n * HEED_BLOCK / numbers);
        for (int i = 0; i < 2; i++) sums[i] = add_products(sums[i], q[i], pair);
        for (int i = 0; i < 2; i++) q[i] = wasm_i16x8_shr(q[i], 16 / numbers);
    }
}

/* A longer loop body would spill registers. */
ALWAYS_INLINE void affine_add_part(v128_t sums[2], affine_layout l, const uint8_t *codes, const int16_t *x, int part) {
    if (l.bits == 5) {
        add_triples(sums, codes, x);
        return;
    }
    const int groups = affine_groups(l) / affine_parts(l);
#pragma clang loop unroll(disable)
    for (int g = part * groups; g < (part + 1) * groups; g++)
        affine_add_group(sums, l, codes + g * AFFINE_GROUP, x + 2 * g);
}
#include "kernels/matmul/affine_simd.h"

#define X(NAME, name, ...) AFFINE_KERNELS(name, simd128, __VA_ARGS__)
HEED_AFFINE_FORMATS(X)
#undef X

#endif
