/* Products with the affine formats (Q4_1, Q5_0, Q5_1, Q2_K to Q6_K): one loop over sub-blocks. */
#include "kernels/kernels.h"
#include "kernels/formats/affine.h"

/* The factor of the sum of a sub-block: d, times the integer scale if the sub-block has one.  Scales of halves are in
 * the sum. */
static float affine_factor(affine_layout l, const uint8_t *panel, int sub, int row) {
    return affine_parts(l) == 2 ? float_of_f16(((const uint16_t *)panel)[row]) : affine_scale(l, panel, sub, 0, row);
}

/* Adds a sub-block to a sum.  Halves with integer scales have one sum in integers, Σ scale·Σ code·x. */
static float affine_add_sub_block(float sum, affine_layout l, const uint8_t *panel, int sub, int row,
                                  const heed_block_q8 *x) {
    const int parts = affine_parts(l), columns = HEED_BLOCK / parts;
    int32_t products = 0;
    float minima[2];
    for (int part = 0; part < parts; part++) {
        int32_t dot = 0, total = 0;
        for (int k = part * columns; k < (part + 1) * columns; k++) {
            dot += affine_code(l, panel, sub, k, row) * x->q[k];
            total += x->q[k];
        }
        products += parts == 2 ? affine_scales(l, panel, sub, part)[row] * dot : dot;
        minima[part] = affine_minimum(l, panel, sub, part, row) * ((float)total * x->d);
    }
    float term = (float)products * (affine_factor(l, panel, sub, row) * x->d);
    if (!l.minima) return sum + term;
    return parts == 2 ? sum + term + minima[0] + minima[1] : sum + (term + minima[0]);
}

static void affine_matmul(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T, int O, int K,
                          affine_layout l) {
    const size_t sub_blocks = (size_t)K / HEED_BLOCK, blocks = sub_blocks / (size_t)l.sub_blocks;
    for (int t = 0; t < T; t++) {
        for (int o = 0; o < O; o++) {
            const heed_block_q8 *x_t = x + (size_t)t * sub_blocks;
            const uint8_t *panel = w + (size_t)(o / HEED_PANEL) * blocks * affine_panel_bytes(l);
            float sum = 0;
            for (size_t b = 0; b < blocks; b++, panel += affine_panel_bytes(l))
                for (int sub = 0; sub < l.sub_blocks; sub++, x_t++)
                    sum = affine_add_sub_block(sum, l, panel, sub, o % HEED_PANEL, x_t);
            y[(size_t)t * y_stride + (size_t)o] = sum;
        }
    }
}

#define X(NAME, name, ...)                                                                                             \
    void heed_matmul_##name##_scalar(float *y, size_t y_stride, const heed_block_q8 *x, const uint8_t *w, int T,       \
                                     int O, int K) {                                                                   \
        affine_matmul(y, y_stride, x, w, T, O, K, AFFINE_LAYOUT(__VA_ARGS__));                                         \
    }
HEED_AFFINE_FORMATS(X)
#undef X
