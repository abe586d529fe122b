#define WHOLE_BYTES
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q4_0_simd.h"

#define PANELS(name) q4_0_##name
#define PANEL heed_panel_q4_0
enum { STREAMS = 4, TURN = 1, TOGETHER = 4, UNPACKED_ZERO = PANEL_ZERO };
typedef int8_t row_operand;

ALWAYS_INLINE v128_t q4_0_initial_sum(int32_t zero) { return wasm_i32x4_splat(-zero); }
#include "kernels/matmul/q4_0_relaxed_simd.h"
#include "kernels/matmul/panels_tile_simd.h"

void heed_matmul_q4_0_bytes(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                            int K) {
    q4_0_matmul(y, y_stride, x, w, T, O, K);
}
