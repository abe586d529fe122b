#define WHOLE_BYTES
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q4_0_simd.h"

#define PANELS(name) q4_0_##name
#define PANEL heed_panel_q4_0
enum { STREAMS = 6, TURN = 4, TOGETHER = 3 };
typedef int8_t row_operand;

#include "kernels/matmul/q4_0_relaxed_simd.h"
#include "kernels/matmul/panels_row_simd.h"

void heed_row_q4_0_bytes(float *y, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O, int blocks) {
    (void)stride;
    q4_0_row(y, x, (const heed_panel_q4_0 *)w, O, blocks, PANEL_ZERO);
}
