#ifdef __wasm_simd128__
#include "kernels/matmul/affine_operands_simd.h"
#include "kernels/matmul/combined_simd.h"
#include "kernels/matmul/triples_simd.h"

void heed_unpack_triples(uint8_t *to, const uint8_t *codes) {
#pragma clang loop unroll(full)
    for (int quad = 0; quad < HEED_BLOCK / 4; quad++)
        for (int r = 0; r < 2; r++) {
            v128_t odd = wasm_i16x8_shl(triples_pair(codes, 2 * quad + 1, r), 8);
            wasm_v128_store(to + quad * AFFINE_GROUP + 16 * r, wasm_v128_or(triples_pair(codes, 2 * quad, r), odd));
        }
}

static inline int affine_together(affine_layout l) {
    (void)l;
    return 2;
}

/* affine_store_codes() multiplies the codes by the scales. */
ALWAYS_INLINE void affine_store_scales(affine_tile_w *to, affine_layout l, const v128_t scales_i16x8[2][2]) {
    (void)to, (void)l, (void)scales_i16x8;
}

/* Codes of tiles have 16 bits: (code - zero) times the integer scale of its half is at most 63·128 < 2^15. */
ALWAYS_INLINE void affine_store_codes(operand *to, affine_layout l, v128_t quads_i8x16, v128_t scales_i16x8) {
    operand *pairs[2] = {to, to + 2 * HEED_PANEL};
    store_pairs(pairs[0], pairs[1], wasm_i8x16_sub(quads_i8x16, wasm_i8x16_splat((int8_t)l.zero)));
    for (int i = 0; i < 2 && affine_parts(l) == 2; i++)
        wasm_v128_store(pairs[i], wasm_i16x8_mul(wasm_v128_load(pairs[i]), scales_i16x8));
}

/* Stored codes contain zero and scales. */
ALWAYS_INLINE void affine_multiply(v128_t sums_i32x4[TILE_ROWS][2], affine_layout l, const affine_tile_x *x,
                                   const affine_tile_w *w) {
    (void)l;
    tile_zero(sums_i32x4);
    tile_add(sums_i32x4, x->x[0][0], w->q[0][0], TILE_COLUMNS);
}

/* Codes of five bits are triples (triples_simd.h).  Others are numbers of two or four codes (combined_simd.h).  A sum
 * of four-bit codes starts at -8·Σx, so it fits in 16 bits.  affine_add_part() removes this term at the end. */
ALWAYS_INLINE void affine_load_activations(int16_t *x, int32_t initial[2], int32_t sums[2], affine_layout l,
                                           const int8_t *q) {
    v128_t total_i32x4 = sum_halves_i8(q);
    split_columns s = split(q);
    if (l.bits == 5) {
        load_triples(x, q);
    } else if (l.bits > 5) {
        combine_2(x, s);
    } else {
        v128_t by_code_i16x8[4];
        for (int i = 0; i < 2; i++) {
            const v128_t *columns_i16x8 = i ? s.odd_i16x8 : s.even_i16x8;
            by_code_i16x8[2 * i] = wasm_i64x2_shuffle(columns_i16x8[0], columns_i16x8[1], 0, 2);
            by_code_i16x8[2 * i + 1] = wasm_i64x2_shuffle(columns_i16x8[0], columns_i16x8[1], 1, 3);
        }
        combine_4(x, by_code_i16x8);
    }
    v128_t begin_i32x4 = wasm_i32x4_mul(total_i32x4, wasm_i32x4_splat(l.bits == 4 ? -8 : -l.zero));
    sums[0] = wasm_i32x4_extract_lane(total_i32x4, 0), sums[1] = wasm_i32x4_extract_lane(total_i32x4, 1);
    initial[0] = wasm_i32x4_extract_lane(begin_i32x4, 0), initial[1] = wasm_i32x4_extract_lane(begin_i32x4, 1);
}

ALWAYS_INLINE void affine_add_part(v128_t sums_i32x4[][2], affine_layout l, const uint8_t *codes, size_t apart,
                                   const int16_t *x, int part) {
    if (l.bits == 5) {
        add_triples(sums_i32x4, codes, apart, x, affine_together(l));
        return;
    }
    const int groups = affine_groups(l) / affine_parts(l), first = part * groups;
    const v128_t initial_i32x4 = sums_i32x4[0][0];
    add_groups_of_numbers(sums_i32x4, codes + first * AFFINE_GROUP, apart, x + 2 * first, l.bits > 4 ? 2 : 4, groups,
                          affine_together(l));
    if (l.bits != 4) return;
    for (int p = 0; p < affine_together(l); p++)
        for (int r = 0; r < 2; r++) sums_i32x4[p][r] = wasm_i32x4_sub(sum_of_low_bits(sums_i32x4[p][r]), initial_i32x4);
}

/* Integer scales of halves are in the codes, so tiles have one part.  Sums of 32 bits hold codes of any bits. */
#define AFFINE_BANDS(X)                                                                                                \
    X(affine_band_1, 4, 1, 0)                                                                                          \
    X(affine_band_1_minima, 4, 1, 1)
#include "kernels/matmul/affine_simd.h"

ALWAYS_INLINE affine_band_kernel *affine_band_of(affine_layout l) {
    return l.minima && affine_parts(l) == 1 ? affine_band_1_minima : affine_band_1;
}

#define X(NAME, name, elements, bits, scales, minima, zero)                                                            \
    _Static_assert((bits) != 4 || (zero) == 0, #name ": affine_add_part() expects that weight 0 has code 0");
HEED_AFFINE_FORMATS(X)
#undef X

#define X(NAME, name, ...) AFFINE_KERNELS(name, simd128, __VA_ARGS__)
HEED_AFFINE_FORMATS(X)
#undef X

#endif
