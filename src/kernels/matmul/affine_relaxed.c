#include "kernels/matmul/panels_int8_relaxed.h"
#include "kernels/kernels.h"
#include "kernels/matmul/triples_simd.h"

/* Sums of pairs stay in 16 bits as long as they fit for sure: 2·127·(2^bits - 1), 8 times at 4 bits, 4 at 5, 2 at 6. */
static inline int fit_of(layout l) { return l.bits <= 4 ? 8 : 8 >> (l.bits - 4); }

ALWAYS_INLINE void store_codes(operand *to, v128_t quads) { wasm_v128_store(to, quads); }

/* Activations stay the bytes that they are, but for triples, whose row goes by products of 16 bits. */
ALWAYS_INLINE void prepare(int16_t *x, int32_t start[2], int32_t sums[2], layout l, const int8_t *q) {
    if (l.bits == 5)
        prepare_triples(x, q);
    else
        for (int i = 0; i < 2; i++) wasm_v128_store(x + 8 * i, wasm_v128_load(q + 16 * i));
    v128_t total = sum_halves_i8(q);
    sums[0] = wasm_i32x4_extract_lane(total, 0), sums[1] = wasm_i32x4_extract_lane(total, 1);
    start[0] = -l.zero * sums[0], start[1] = -l.zero * sums[1];
}

ALWAYS_INLINE void add_group(v128_t sums[2], layout l, const uint8_t *codes, const operand *x, int g) {
    v128_t q[2];
    for (int i = 0; i < 2; i++) q[i] = wasm_v128_load(codes + g * GROUP + 16 * i);
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

ALWAYS_INLINE void add_part(v128_t sums[2], layout l, const uint8_t *codes, const int16_t *numbers, int part) {
    if (l.bits == 5) {
        add_triples(sums, codes, numbers);
        return;
    }
    const operand *x = (const operand *)numbers;
    const int groups = groups_of(l) / parts_of(l), together = l.bits <= 4 ? groups : 2;
#pragma clang loop unroll(disable)
    for (int g = part * groups; g < (part + 1) * groups; g += together) {
        v128_t narrow[2] = {wasm_i16x8_splat(0), wasm_i16x8_splat(0)};
        if (together == 2) {
            add_group(narrow, l, codes, x, g);
            add_group(narrow, l, codes, x, g + 1);
        } else {
#pragma clang loop unroll(disable)
            for (int i = 0; i < together; i++) add_group(narrow, l, codes, x, g + i);
        }
        for (int i = 0; i < 2; i++) sums[i] = wasm_i32x4_add(sums[i], whole(narrow[i]));
    }
}
#include "kernels/matmul/affine_simd.h"

#define X(NAME, name, ...)                                                                                             \
    void heed_matmul_##name##_relaxed(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T,      \
                                      int O, int K) {                                                                  \
        matmul(y, y_stride, x, w, T, O, K, LAYOUT(__VA_ARGS__));                                                       \
    }
HEED_AFFINE_FORMATS(X)
#undef X
