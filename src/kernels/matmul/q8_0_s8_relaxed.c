enum { CODE_FLIP = 0 };
#include "kernels/matmul/q8_0_bytes_simd.h"

void heed_row_q8_0_s8(float *y, const heed_block_q8 *x, const uint8_t *w, size_t stride, int O, int blocks) {
    (void)stride;
    q8_0_row(y, x, (const heed_panel_q8_0 *)w, O, blocks);
}
