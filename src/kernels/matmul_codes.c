/* Products with every format of kernels/formats.h: one loop, step by step. */
#include "kernels/codes.h"
#include "kernels/set.h"

static float add_step(float sum, const codes *w, const heed_block_q8 *x) {
    int32_t dot = 0, minimum = 0;
    for (int i = 0; i < HEED_BLOCK; i++) {
        dot += w->s[i / 16] * w->q[i] * x->q[i];
        minimum += w->n[i / 16] * x->q[i];
    }
    return sum + ((float)dot * (w->d * x->d) + (float)minimum * (w->m * x->d));
}

#define X(NAME, name, elements, last)                                                                                  \
    void heed_matmul_##name##_scalar(float *y, size_t y_stride, const heed_block_q8 *x, const heed_block_##name *w,    \
                                     int T, int O, int K) {                                                            \
        const int steps = K / HEED_BLOCK, of_block = elements / HEED_BLOCK;                                            \
        for (int t = 0; t < T; t++) {                                                                                  \
            for (int o = 0; o < O; o++) {                                                                              \
                const heed_block_q8 *x_t = x + (size_t)t * (size_t)steps;                                              \
                const heed_block_##name *w_o = w + (size_t)o * (size_t)(steps / of_block);                             \
                float sum = 0;                                                                                         \
                for (int b = 0; b < steps; b++) {                                                                      \
                    codes c = codes_##name(&w_o[b / of_block], b % of_block);                                          \
                    sum = add_step(sum, &c, &x_t[b]);                                                                  \
                }                                                                                                      \
                y[(size_t)t * y_stride + (size_t)o] = sum;                                                             \
            }                                                                                                          \
        }                                                                                                              \
    }
HEED_STEP_FORMATS(X)
#undef X
