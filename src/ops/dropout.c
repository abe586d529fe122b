/* Dropout (Srivastava et al. 2014). */
#include "ops/learn.h"
#include "rng.h"

/* Forward and backward draw the same numbers from the same seed and counter. */
static void drop(float *to, const float *from, int n, uint64_t seed, uint64_t counter, float probability, int add) {
    float scale = 1 / (1 - probability);
    for (int i = 0; i < n; i++) {
        float kept = heed_random(seed, counter + (uint64_t)i) < probability ? 0 : from[i] * scale;
        to[i] = add ? to[i] + kept : kept;
    }
}

typedef struct dropped {
    const heed_tensor *x, *y;
    uint64_t seed, counter;
    float probability;
} dropped;

static void forward_rows(const void *work, int from, int to) {
    const dropped *d = work;
    int n = d->y->columns;
    for (int t = from; t < to; t++)
        drop(heed_row(d->y, t), heed_row(d->x, t), n, d->seed, d->counter + (uint64_t)t * (uint64_t)n, d->probability,
             0);
}

static void backward_rows(const void *work, int from, int to) {
    const dropped *d = work;
    int n = d->y->columns;
    for (int t = from; t < to; t++)
        drop(heed_grad(d->x, t), heed_grad(d->y, t), n, d->seed, d->counter + (uint64_t)t * (uint64_t)n, d->probability,
             1);
}

static void dropout_backward(heed_context *c, const heed_record *r) {
    dropped d = {r->x[0], r->y, heed_joined_words(r->n[0], r->n[1]), heed_joined_words(r->n[2], r->n[3]), r->f[0]};
    if (heed_requires_grad(d.x))
        heed_parallel_for(c, backward_rows, &d, d.y->rows, 1, (double)d.y->rows * d.y->columns);
}

heed_tensor *heed_dropout(heed_context *c, const heed_tensor *x, uint64_t seed, uint64_t counter, float probability) {
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    dropped d = {x, y, seed, counter, probability};
    heed_parallel_for(c, forward_rows, &d, y->rows, 1, (double)y->rows * y->columns);
    return heed_tape_push(c, y,
                          (heed_record){.name = "dropout",
                                        .backward = dropout_backward,
                                        .x = {x},
                                        .n = {(int)seed, (int)(seed >> 32), (int)counter, (int)(counter >> 32)},
                                        .f = {probability}});
}
