/* LayerNorm and RMSNorm. */
#include "ops/gradients.h"
#include "ops/ops.h"
#include "ops/parallel.h"

typedef struct norm_gradient {
    const heed_kernels *kernels;
    const heed_record *r;
    float *stats; /* [T] pairs: mean and 1/σ */
} norm_gradient;

static void rows_backward(const void *work, int from, int to) {
    const norm_gradient *g = work;
    const heed_tensor *x = g->r->x[0], *w = g->r->x[1], *y = g->r->y;
    for (int t = from; t < to; t++)
        g->kernels->norm_backward_f32(heed_grad(x, t), g->stats + 2 * t, heed_row(x, t), w->data, heed_grad(y, t),
                                      g->r->n[0] == HEED_LAYERNORM, g->r->f[0], x->columns);
}

/* dw [n] += dy·x̂.  The arrays are distinct, so that the compiler makes vectors of the loop. */
static void add_normalized(float *restrict dw, const float *restrict dy, const float *restrict x, float mean,
                           float inverse, int n) {
    for (int i = 0; i < n; i++) dw[i] += dy[i] * ((x[i] - mean) * inverse);
}

/* dw = Σ_t dy[t]·x̂[t] */
static void weight_backward(const void *work, int from, int to) {
    const norm_gradient *g = work;
    const heed_tensor *x = g->r->x[0], *w = g->r->x[1], *y = g->r->y;
    for (int t = 0; t < x->rows; t++)
        add_normalized(w->grad + from, heed_grad(y, t) + from, heed_row(x, t) + from, g->stats[2 * t],
                       g->stats[2 * t + 1], to - from);
}

static void norm_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *x = r->x[0], *w = r->x[1], *b = r->x[2];
    norm_gradient g = {c->kernels, r, (float *)r->saved};
    double cost = (double)x->rows * x->columns;
    heed_parallel_for(c, rows_backward, &g, x->rows, 1, cost);
    if (heed_requires_grad(w)) heed_parallel_for(c, weight_backward, &g, x->columns, 64, cost);
    if (heed_requires_grad(b)) heed_add_column_sums(c, b->grad, heed_strided_grad(r->y), x->rows, x->columns);
}

/* The kernel always writes a gradient of x, so the record has memory for it even when x has no gradient. */
static heed_tensor *record(heed_context *c, heed_tensor *y, const heed_tensor *x, const heed_tensor *w,
                           const heed_tensor *b, heed_norm_kind kind, float eps) {
    if (!c->tape) return y;
    float *stats = heed_arena_take(c->arena, (size_t)x->rows * 2, sizeof *stats);
    heed_tensor *with_gradient = heed_arena_take(c->arena, 1, sizeof *with_gradient);
    if (!stats || !with_gradient) return heed_out_of_memory(c);
    *with_gradient = *x;
    if (!x->grad) {
        size_t numbers = (size_t)(x->rows - 1) * x->stride + (size_t)x->columns;
        with_gradient->grad = heed_arena_take(c->arena, numbers, sizeof *x->grad);
        if (!with_gradient->grad) return heed_out_of_memory(c);
    }
    return heed_tape_push(c, y,
                          (heed_record){.name = "norm",
                                        .backward = norm_backward,
                                        .x = {with_gradient, w, b},
                                        .n = {kind},
                                        .f = {eps},
                                        .saved = stats});
}

typedef struct norm {
    const heed_kernels *kernels;
    const heed_tensor *x, *w, *b, *y;
    heed_norm_kind kind;
    float eps;
} norm;

static void normalize(const void *operands, int t) {
    const norm *n = operands;
    float *y = heed_row(n->y, t);
    const float *x = heed_row(n->x, t);
    if (n->kind == HEED_RMSNORM)
        n->kernels->rmsnorm_f32(y, x, n->w->data, n->eps, n->x->columns);
    else
        n->kernels->layernorm_f32(y, x, n->w->data, n->b ? n->b->data : NULL, n->eps, n->x->columns);
}

heed_tensor *heed_norm(heed_context *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *b,
                       heed_norm_kind kind, float eps) {
    if (!x) return NULL;
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    norm n = {c->kernels, x, w, b, y, kind, eps};
    heed_parallel_rows(c, x->rows, x->columns, normalize, &n);
    return record(c, y, x, w, b, kind, eps);
}
