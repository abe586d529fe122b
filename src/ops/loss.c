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
    if (heed_learns(x)) heed_share_out(c, loss_rows, &l, x->rows, 1, (double)x->rows * x->columns);
}

heed_tensor *heed_cross_entropy(heed_context *c, const heed_tensor *x, const int32_t *targets, int ignored,
                                float smoothing, int mean) {
    int V = x->columns, count = 0;
    heed_tensor *y = heed_tensor_new(c, 1, 1);
    float *p = c->tape ? heed_arena_take(c->arena, (size_t)x->rows * (size_t)V, sizeof *p) : NULL;
    if (!y) return NULL;
    if (c->tape && !p) return heed_out_of_memory(c);
    double sum = 0;
    for (int t = 0; t < x->rows; t++) {
        if (targets[t] == ignored) continue;
        const float *row = heed_row(x, t);
        float largest = c->kernels->max_f32(row, (size_t)V);
        double normaliser = largest + heed_log((double)c->kernels->sumexp_f32(row, largest, (size_t)V)), all = 0;
        for (int i = 0; i < V && smoothing > 0; i++) all += normaliser - row[i];
        sum += (1 - smoothing) * (normaliser - row[targets[t]]) + smoothing * all / V;
        count++;
        if (!p) continue;
        memcpy(p + (size_t)t * (size_t)V, row, (size_t)V * sizeof *p);
        c->kernels->softmax_f32(p + (size_t)t * (size_t)V, V);
    }
    float weight = mean ? 1 / (float)count : 1;
    *heed_row(y, 0) = (float)(mean ? sum / count : sum);
    return heed_recorded(c, y,
                         (heed_record){.name = "cross_entropy",
                                       .backward = cross_entropy_backward,
                                       .x = {x},
                                       .n = {ignored},
                                       .f = {smoothing, weight},
                                       .ids = targets,
                                       .saved = p});
}
