#include "kernels/kernels.h"

static void rotate(float *a, float *b, float cos, float sin) {
    float rotated_a = *a * cos - *b * sin;
    float rotated_b = *a * sin + *b * cos;
    *a = rotated_a;
    *b = rotated_b;
}

void heed_rope_adjacent_f32_scalar(float *x, const float *cs, int d) {
    for (int i = 0; i < d / 2; i++) rotate(&x[2 * i], &x[2 * i + 1], cs[2 * i], cs[2 * i + 1]);
}

void heed_rope_halves_f32_scalar(float *x, const float *cs, int d) {
    for (int i = 0; i < d / 2; i++) rotate(&x[i], &x[i + d / 2], cs[2 * i], cs[2 * i + 1]);
}
