/* Cross-entropy. */
#include "ops/learn.h"
#include "ops/series.h"

#include <string.h>

typedef struct loss {
    const heed_record *r;
    const float *p; /* [T][V]: softmax of each row */
    float weight;   /* of one row in the loss, times the loss's own gradient */
} loss;

/* dx = softmax(x) - ((1 - ε)·onehot + ε/V). */
static void loss_rows(const void *work, int from, int to) {
    const loss *l = work;
    const heed_tensor *x = l->r->x[0];
    int V = x->columns;
    float smoothing = l->r->f[0];
    for (int t = from; t < to; t++) {
        int target = l->r->ids[t];
        if (target == l->r->n[0]) continue;
        float *dx = heed_grad(x, t);
        const float *p = l->p + (size_t)t * (size_t)V;
        for (int i = 0; i < V; i++) dx[i] += l->weight * (p[i] - smoothing / (float)V);
        dx[target] -= l->weight * (1 - smoothing);
    }
}

static void cross_entropy_backward(heed_context *c, const heed_record *r) {
    loss l = {r, r->saved, *r->y->grad * r->f[1]};
    const heed_tensor *x = r->x[0];
    if (heed_requires_grad(x)) heed_parallel_for(c, loss_rows, &l, x->rows, 1, (double)x->rows * x->columns);
}

/* The loss of each row, and its softmax when the tape records. */
typedef struct reading {
    const heed_kernels *kernels;
    const heed_tensor *x;
    const int32_t *targets;
    int ignored;
    float smoothing, *p;
    double *losses; /* [T] */
} reading;

static void read_row(const void *operands, int t) {
    const reading *r = operands;
    if (r->targets[t] == r->ignored) return;
    int V = r->x->columns;
    const float *row = heed_row(r->x, t);
    float largest = r->kernels->max_f32(row, (size_t)V);
    double log_sum = largest + heed_log((double)r->kernels->sumexp_f32(row, largest, (size_t)V)), all = 0;
    for (int i = 0; i < V && r->smoothing > 0; i++) all += log_sum - row[i];
    r->losses[t] = (1 - r->smoothing) * (log_sum - row[r->targets[t]]) + r->smoothing * all / V;
    if (!r->p) return;
    float *p = r->p + (size_t)t * (size_t)V;
    memcpy(p, row, (size_t)V * sizeof *p);
    r->kernels->softmax_f32(p, V);
}

heed_tensor *heed_cross_entropy(heed_context *c, const heed_tensor *x, const int32_t *targets, int ignored,
                                float smoothing, int mean) {
    heed_tensor *y = heed_tensor_new(c, 1, 1);
    double *losses = heed_arena_take(c->arena, (size_t)x->rows, sizeof *losses), sum = 0;
    size_t n = (size_t)x->rows * (size_t)x->columns;
    float *p = c->tape ? heed_arena_take(c->arena, n, sizeof *p) : NULL;
    if (!y) return NULL;
    if (!losses || (c->tape && !p)) return heed_out_of_memory(c);
    reading r = {c->kernels, x, targets, ignored, smoothing, p, losses};
    heed_parallel_rows(c, x->rows, x->columns, read_row, &r);
    int count = 0;
    for (int t = 0; t < x->rows; t++) {
        if (targets[t] == ignored) continue;
        sum += losses[t];
        count++;
    }
    float weight = mean ? 1 / (float)count : 1;
    *heed_row(y, 0) = (float)(mean ? sum / count : sum);
    return heed_tape_push(c, y,
                          (heed_record){.name = "cross_entropy",
                                        .backward = cross_entropy_backward,
                                        .x = {x},
                                        .n = {ignored},
                                        .f = {smoothing, weight},
                                        .ids = targets,
                                        .saved = p});
}
