#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q4_0_simd.h"

/* Codes are 0 to 15, so two products are at most 2·15·127.  A lane can sum the eight pairs of a block in 16 bits.
 * One lane of two subtracts the zero-point term 8·Σx of both.  The result still fits: |c - 8|·|x| <= 8·127 in its own
 * 16 columns, and as much in the other 16, is 32512. */
#define PANELS(name) q4_0_##name
#define PANEL heed_panel_q4_0
enum { STREAMS = 6, TURN = 4, TOGETHER = 3, UNPACKED_ZERO = PANEL_ZERO };
typedef int8_t row_operand;

ALWAYS_INLINE v128_t q4_0_initial_sum(int32_t zero) { return wasm_i32x4_splat(-zero & 0xffff); }

#include "kernels/matmul/q4_0_relaxed_simd.h"
#include "kernels/matmul/panels_tile_simd.h"

void heed_matmul_q4_0_relaxed(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                              int K) {
    q4_0_matmul(y, y_stride, x, w, T, O, K);
}
