#ifdef __wasm_simd128__
#include "kernels/matmul/panels_int16_simd.h"
#include "kernels/kernels.h"
#include "kernels/matmul/triples_simd.h"

static inline int fit_of(layout l) {
    (void)l;
    return HEED_BLOCK;
}

ALWAYS_INLINE void store_codes(operand *to, v128_t quads) { store_pairs(to, to + 2 * HEED_PANEL, quads); }

/* Codes of five bits are triples.  Two bytes of codes of a row are one number of 16 bits, low + 256·high, and low·x +
 * high·x' = number·x + high·(x' - 256·x): the low code is never taken out.  The same with the four codes of four bits,
 * one after the other; the highest is made to be signed first, c - 8, so that the number is, too.  All of it is
 * integers: activations so combined fit into 16 bits, and what overflows in a sum comes back, for the sum as a whole
 * fits into 32. */
ALWAYS_INLINE void prepare(int16_t *x, int32_t start[2], int32_t sums[2], layout l, const int8_t *q) {
    v128_t even[2], odd[2], first[4];
    for (int i = 0; i < 2; i++) {
        v128_t v = wasm_v128_load(q + 16 * i);
        even[i] = wasm_i16x8_shr(wasm_i16x8_shl(v, 8), 8);
        odd[i] = wasm_i16x8_shr(v, 8);
    }
    v128_t total = sum_halves_i8(q), top = wasm_i32x4_splat(0);
    if (l.bits == 5) {
        prepare_triples(x, q);
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
    start[0] = wasm_i32x4_extract_lane(begin, 0), start[1] = wasm_i32x4_extract_lane(begin, 1);
}

/* A group of codes, two or four numbers after one another in each 16 bits. */
ALWAYS_INLINE void add_group(v128_t sums[2], layout l, const uint8_t *codes, const int16_t *x) {
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

/* A longer turn would spill registers. */
ALWAYS_INLINE void add_part(v128_t sums[2], layout l, const uint8_t *codes, const int16_t *x, int part) {
    if (l.bits == 5) {
        add_triples(sums, codes, x);
        return;
    }
    const int groups = groups_of(l) / parts_of(l);
#pragma clang loop unroll(disable)
    for (int g = part * groups; g < (part + 1) * groups; g++) add_group(sums, l, codes + g * GROUP, x + 2 * g);
}
#include "kernels/matmul/affine_simd.h"

#define X(NAME, name, ...)                                                                                             \
    void heed_matmul_##name##_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T,      \
                                      int O, int K) {                                                                  \
        matmul(y, y_stride, x, w, T, O, K, LAYOUT(__VA_ARGS__));                                                       \
    }
HEED_AFFINE_FORMATS(X)
#undef X

#endif
