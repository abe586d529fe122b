#include "kernels/kernels.h"

void heed_matmul_q8_0_scalar(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                             int K) {
    size_t blocks = (size_t)K / HEED_BLOCK;
    for (int t = 0; t < T; t++) {
        for (int o = 0; o < O; o++) {
            const heed_block_q8 *x_t = x + (size_t)t * blocks;
            const heed_panel_q8_0 *w_o = w + (size_t)(o / HEED_PANEL) * blocks;
            int row = o % HEED_PANEL;
            float sum = 0;
            for (size_t b = 0; b < blocks; b++) {
                int32_t dot = 0;
                for (int k = 0; k < HEED_BLOCK; k++) dot += heed_code_q8_0(&w_o[b], row, k) * x_t[b].q[k];
                sum += (float)dot * (w_o[b].d[row] * x_t[b].d);
            }
            y[(size_t)t * y_stride + o] = sum;
        }
    }
}
