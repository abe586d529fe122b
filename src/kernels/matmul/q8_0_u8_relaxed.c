enum { CODE_FLIP = 0x80 };
#include "kernels/matmul/q8_0_bytes_simd.h"

void heed_matmul_q8_0_u8(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                         int K) {
    q8_0_matmul(y, y_stride, x, w, T, O, K);
}
