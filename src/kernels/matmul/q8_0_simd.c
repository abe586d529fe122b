#ifdef __wasm_simd128__
#include "kernels/matmul/combined_simd.h"
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q8_0_simd.h"

#define PANELS(name) q8_0_##name
#define PANEL heed_panel_q8_0
enum { STREAMS = 6, TURN = 2, TOGETHER = 3, UNPACKED_ZERO = 0 };
typedef int16_t row_operand;

/* A sum starts at -128 times the activations of even columns, whose codes are 128 too high. */
ALWAYS_INLINE int32_t q8_0_load_activations(int16_t *x, const int8_t *q, int zero) {
    (void)zero;
    split_columns s = split(q);
    combine_2(x, s);
    v128_t even_i32x4 = wasm_i32x4_dot_i16x8(wasm_i16x8_add(s.even_i16x8[0], s.even_i16x8[1]), wasm_i16x8_splat(-128));
    return wasm_i32x4_extract_lane(sum_each_i32x4(even_i32x4, even_i32x4), 0);
}

ALWAYS_INLINE void q8_0_multiply(v128_t sums_i32x4[][2], const heed_panel_q8_0 *w, size_t apart, const int16_t *x,
                                 v128_t initial_i32x4, int zero) {
    (void)zero;
    for (int p = 0; p < TOGETHER; p++) sums_i32x4[p][0] = sums_i32x4[p][1] = initial_i32x4;
    add_groups_of_numbers(sums_i32x4, w->q, apart * sizeof *w, x, 2, HEED_BLOCK / 4, TOGETHER);
}

ALWAYS_INLINE void q8_0_unpack(int16_t *q, const heed_panel_q8_0 *w) {
    for (int i = 0; i < HEED_BLOCK / 4; i++, q += 32)
        for (int r = 0; r < 8; r += 4) {
            v128_t quads_i8x16 = wasm_v128_xor(wasm_v128_load(w->q[i][r]), wasm_i16x8_splat(HEED_FLIP_Q8_0));
            store_pairs(q + 2 * r, q + 16 + 2 * r, quads_i8x16);
        }
}

ALWAYS_INLINE v128_t q8_0_initial_sum(int32_t zero) { return wasm_i32x4_splat(-zero); }
#include "kernels/matmul/panels_tile_simd.h"

void heed_matmul_q8_0_simd128(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                              int K) {
    q8_0_matmul(y, y_stride, x, w, T, O, K);
}

#endif
