/* AdamW, SGD, and the norm of gradients. */
#include "ops/learn.h"

#include <math.h>

typedef struct adamw_work {
    const heed_kernels *kernels;
    const heed_tensor *w, *m, *v;
    const float *numbers; /* the arguments of the kernel adamw_f32 */
} adamw_work;

static void adamw_range(const void *work, int from, int to) {
    const adamw_work *d = work;
    d->kernels->adamw_f32((float *)d->w->data + from, (float *)d->m->data + from, (float *)d->v->data + from,
                          d->w->grad + from, d->numbers, (size_t)(to - from));
}

void heed_adamw(heed_context *c, const heed_tensor *w, const heed_tensor *m, const heed_tensor *v, heed_adamw_step s) {
    float numbers[] = {s.beta_1, s.beta_2, 1 - s.rate * s.decay, s.rate / s.correction_1, sqrtf(s.correction_2), s.eps};
    adamw_work d = {c->kernels, w, m, v, numbers};
    heed_parallel_for(c, adamw_range, &d, w->rows * w->columns, 64, 4 * (double)w->rows * w->columns);
}

typedef struct sgd_work {
    const heed_tensor *w, *velocity;
    float rate, momentum, decay;
} sgd_work;

/* The velocity starts as zeros, as in PyTorch. */
static void sgd_range(const void *work, int from, int to) {
    const sgd_work *d = work;
    float *weight = d->w->data, *velocity = d->velocity ? d->velocity->data : NULL;
    for (int i = from; i < to; i++) {
        float g = d->w->grad[i] + d->decay * weight[i];
        if (velocity) g = velocity[i] = d->momentum * velocity[i] + g;
        weight[i] -= d->rate * g;
    }
}

void heed_sgd(heed_context *c, const heed_tensor *w, const heed_tensor *velocity, float rate, float momentum,
              float decay) {
    sgd_work d = {w, velocity, rate, momentum, decay};
    heed_parallel_for(c, sgd_range, &d, w->rows * w->columns, 64, (double)w->rows * w->columns);
}

/* Four accumulators hide the latency of addition. */
static double row_squared_norm(const float *x, int n) {
    double a = 0, b = 0, c = 0, d = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        a += (double)x[i] * (double)x[i];
        b += (double)x[i + 1] * (double)x[i + 1];
        c += (double)x[i + 2] * (double)x[i + 2];
        d += (double)x[i + 3] * (double)x[i + 3];
    }
    for (; i < n; i++) a += (double)x[i] * (double)x[i];
    return (a + b) + (c + d);
}

/* Partial sums of a gradient.  Their number does not depend on the threads, so the result does not. */
enum { MOST_SUMS = 64 };

typedef struct squared_norm {
    const heed_tensor *x;
    double *sums;
    int n;
} squared_norm;

static void squared_norm_parts(const void *work, int from, int to) {
    const squared_norm *s = work;
    for (int part = from; part < to; part++) {
        double sum = 0;
        int end = heed_part_begin(s->x->rows, part + 1, s->n, 1);
        for (int t = heed_part_begin(s->x->rows, part, s->n, 1); t < end; t++)
            sum += row_squared_norm(heed_grad(s->x, t), s->x->columns);
        s->sums[part] = sum;
    }
}

double heed_grad_squared_norm(heed_context *c, const heed_tensor *x) {
    double sums[MOST_SUMS], sum = 0;
    squared_norm s = {x, sums, x->rows < MOST_SUMS ? x->rows : MOST_SUMS};
    heed_parallel_for(c, squared_norm_parts, &s, s.n, 1, (double)x->rows * x->columns);
    for (int part = 0; part < s.n; part++) sum += sums[part];
    return sum;
}

typedef struct scaling {
    const heed_tensor *x;
    float factor;
} scaling;

static void scale_row(const void *operands, int t) {
    const scaling *s = operands;
    float *row = heed_grad(s->x, t);
    for (int i = 0; i < s->x->columns; i++) row[i] *= s->factor;
}

void heed_grad_scale(heed_context *c, const heed_tensor *x, float factor) {
    scaling s = {x, factor};
    heed_parallel_rows(c, x->rows, x->columns, scale_row, &s);
}
