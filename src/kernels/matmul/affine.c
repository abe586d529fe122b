/* Products with the panels of every step format: one loop, part by part. */
#include "kernels/kernels.h"
#include "kernels/formats/affine.h"

static float add_part(float sum, layout l, const uint8_t *panel, int step, int part, int row, const heed_block_q8 *x) {
    int32_t dot = 0, total = 0;
    int columns = HEED_BLOCK / parts_of(l);
    for (int k = part * columns; k < (part + 1) * columns; k++) {
        dot += code_of(l, panel, step, k, row) * x->q[k];
        total += x->q[k];
    }
    float term = (float)dot * (scale_of(l, panel, step, part, row) * x->d);
    if (l.minima) term += minimum_of(l, panel, step, part, row) * ((float)total * x->d);
    return sum + term;
}

static void matmul(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K, layout l) {
    const size_t steps = (size_t)K / HEED_BLOCK, blocks = steps / (size_t)l.steps;
    for (int t = 0; t < T; t++) {
        for (int o = 0; o < O; o++) {
            const heed_block_q8 *x_t = x + (size_t)t * steps;
            const uint8_t *panel = w + (size_t)(o / HEED_PANEL) * blocks * panel_bytes(l);
            float sum = 0;
            for (size_t b = 0; b < blocks; b++, panel += panel_bytes(l))
                for (int step = 0; step < l.steps; step++, x_t++)
                    for (int part = 0; part < parts_of(l); part++)
                        sum = add_part(sum, l, panel, step, part, o % HEED_PANEL, x_t);
            y[(size_t)t * y_stride + (size_t)o] = sum;
        }
    }
}

#define X(NAME, name, ...)                                                                                             \
    void heed_matmul_##name##_scalar(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T,       \
                                     int O, int K) {                                                                   \
        matmul(y, y_stride, x, w, T, O, K, LAYOUT(__VA_ARGS__));                                                       \
    }
HEED_AFFINE_FORMATS(X)
#undef X
