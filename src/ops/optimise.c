#include "ops/learn.h"

#include <math.h>

typedef struct descent {
    const heed_kernels *kernels;
    const heed_tensor *w, *m, *v;
    const float *numbers; /* as the kernel takes them */
} descent;

static void descend(const void *work, int from, int to) {
    const descent *d = work;
    d->kernels->adamw_f32((float *)d->w->data + from, (float *)d->m->data + from, (float *)d->v->data + from,
                          d->w->grad + from, d->numbers, (size_t)(to - from));
}

void heed_adamw(heed_context *c, const heed_tensor *w, const heed_tensor *m, const heed_tensor *v, heed_adamw_step s) {
    float numbers[] = {s.beta_1, s.beta_2, 1 - s.rate * s.decay, s.rate / s.correction_1, sqrtf(s.correction_2), s.eps};
    descent d = {c->kernels, w, m, v, numbers};
    heed_share_out(c, descend, &d, w->rows * w->columns, 64, 4 * (double)w->rows * w->columns);
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
