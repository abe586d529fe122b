#include "ops/learn.h"

#include <math.h>

void heed_adamw(heed_context *c, const heed_tensor *w, const heed_tensor *m, const heed_tensor *v, heed_adamw_step s) {
    (void)c;
    size_t n = (size_t)w->rows * (size_t)w->columns;
    float *weight = w->data, *first = m->data, *second = v->data;
    float step = s.rate / s.correction_1, root = sqrtf(s.correction_2), keep = 1 - s.rate * s.decay;
    for (size_t i = 0; i < n; i++) {
        float g = w->grad[i];
        first[i] = s.beta_1 * first[i] + (1 - s.beta_1) * g;
        second[i] = s.beta_2 * second[i] + (1 - s.beta_2) * g * g;
        weight[i] = weight[i] * keep - step * first[i] / (sqrtf(second[i]) / root + s.eps);
    }
}

/* The velocity begins as zeros, which gives PyTorch's first step, too. */
void heed_sgd(heed_context *c, const heed_tensor *w, const heed_tensor *velocity, float rate, float momentum,
              float decay) {
    (void)c;
    size_t n = (size_t)w->rows * (size_t)w->columns;
    float *weight = w->data;
    for (size_t i = 0; i < n; i++) {
        float g = w->grad[i] + decay * weight[i];
        if (velocity) g = ((float *)velocity->data)[i] = momentum * ((float *)velocity->data)[i] + g;
        weight[i] -= rate * g;
    }
}

double heed_gradient_squares(const heed_tensor *x) {
    double sum = 0;
    for (int t = 0; t < x->rows; t++)
        for (int i = 0; i < x->columns; i++) sum += (double)heed_grad(x, t)[i] * (double)heed_grad(x, t)[i];
    return sum;
}

void heed_gradient_scale(const heed_tensor *x, float factor) {
    for (int t = 0; t < x->rows; t++)
        for (int i = 0; i < x->columns; i++) heed_grad(x, t)[i] *= factor;
}
