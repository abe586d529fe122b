/* One row of Q8_0 by products of whole bytes, for the sets relaxed-u8 and relaxed-s8 (bytes_relaxed.c has the tiles).
 * Both sets share the loop.  Where the engine reads second operands as unsigned, codes are 128 too high (zero = 0x80),
 * and sums start at -128·Σx.  Where it reads them as signed, codes are unchanged (zero = 0). */
#define WHOLE_BYTES
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/outputs_simd.h"
#include "kernels/matmul/q8_0_simd.h"

#define PANELS(name) q8_0_##name
#define PANEL heed_panel_q8_0
enum { STREAMS = 6, TURN = 2, TOGETHER = 3 };
typedef int8_t row_operand;

ALWAYS_INLINE int32_t q8_0_load_activations(int8_t *x, const int8_t *q, int zero) {
    for (int i = 0; i < 2; i++) wasm_v128_store(x + 16 * i, wasm_v128_load(q + 16 * i));
    return -zero_term(q, zero);
}

ALWAYS_INLINE void q8_0_multiply(v128_t sums_i32x4[][2], const heed_panel_q8_0 *w, size_t apart, const int8_t *x,
                                 v128_t initial_i32x4, int zero) {
    const v128_t flip = Q8_0_FLIP(zero);
    for (int p = 0; p < TOGETHER; p++) sums_i32x4[p][0] = sums_i32x4[p][1] = initial_i32x4;
    const char *quads = (const char *)w->q, *end = quads + sizeof w->q;
#pragma clang loop unroll(disable)
    for (; quads != end; quads += 4 * HEED_PANEL, x += 4) {
        HIDE(quads);
        HIDE(x);
        v128_t four_i8x16 = wasm_v128_load32_splat(x);
        for (int p = 0; p < TOGETHER; p++)
            for (int r = 0; r < 2; r++)
                sums_i32x4[p][r] = add_products(
                    sums_i32x4[p][r],
                    wasm_v128_xor(wasm_v128_load(quads + (size_t)p * apart * sizeof *w + 16 * r), flip), four_i8x16);
    }
}
#include "kernels/matmul/panels_row_simd.h"

void heed_row_q8_0_u8(float *y, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O, int blocks) {
    (void)stride;
    q8_0_row(y, x, (const heed_panel_q8_0 *)w, O, blocks, 0x80);
}

void heed_row_q8_0_s8(float *y, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O, int blocks) {
    (void)stride;
    q8_0_row(y, x, (const heed_panel_q8_0 *)w, O, blocks, 0);
}
