/* Activation functions, sums and products of numbers at the same place. */
#include "ops/gradients.h"
#include "ops/learn.h"
#include "ops/ops.h"
#include "ops/parallel.h"

typedef struct backward_rows {
    const heed_kernels *kernels;
    const heed_record *r;
} backward_rows;

/* dx [n] += f'(x)·dy, from y, for activations without a kernel.  The arrays are distinct, so that the compiler makes
 * vectors of the loops. */
static void add_slopes(heed_activation_kind kind, float *restrict dx, const float *restrict y, const float *restrict dy,
                       int n) {
    if (kind == HEED_RELU)
        for (int i = 0; i < n; i++) {
            float d = dy[i]; /* loaded unconditionally: keeps the loop free of branches */
            dx[i] += y[i] > 0 ? d : 0;
        }
    if (kind == HEED_TANH)
        for (int i = 0; i < n; i++) dx[i] += dy[i] * (1 - y[i] * y[i]);
    if (kind == HEED_SIGMOID)
        for (int i = 0; i < n; i++) dx[i] += dy[i] * y[i] * (1 - y[i]);
}

/* dx += f'(x)·dy, from x and y.  Quick GELU records other operations. */
static void activation_backward_rows(const void *work, int from, int to) {
    const backward_rows *s = work;
    const heed_kernels *k = s->kernels;
    int n = s->r->y->columns;
    for (int t = from; t < to; t++) {
        float *dx = heed_grad(s->r->x[0], t);
        const float *x = heed_row(s->r->x[0], t), *y = heed_row(s->r->y, t), *dy = heed_grad(s->r->y, t);
        heed_activation_kind kind = (heed_activation_kind)s->r->n[0];
        if (kind == HEED_GELU_TANH)
            k->gelu_tanh_backward_f32(dx, x, y, dy, (size_t)n);
        else if (kind == HEED_GELU_ERF)
            k->gelu_erf_backward_f32(dx, x, y, dy, (size_t)n);
        else if (kind == HEED_SILU)
            k->silu_backward_f32(dx, x, y, dy, (size_t)n);
        else
            add_slopes(kind, dx, y, dy, n);
    }
}

static void activation_backward(heed_context *c, const heed_record *r) {
    backward_rows s = {c->kernels, r};
    if (heed_requires_grad(r->x[0]))
        heed_parallel_for(c, activation_backward_rows, &s, r->y->rows, 1, (double)r->y->rows * r->y->columns);
}

typedef struct activation {
    void (*f)(float *, const float *, size_t);
    const heed_tensor *x, *y;
} activation;

static void activate(const void *operands, int t) {
    const activation *a = operands;
    a->f(heed_row(a->y, t), heed_row(a->x, t), (size_t)a->x->columns);
}

heed_tensor *heed_activation(heed_context *c, const heed_tensor *x, heed_activation_kind kind) {
    const float slope = 1.702f;
    if (!x) return NULL;
    if (kind == HEED_QUICK_GELU) /* x·σ(1.702x), Hendrycks and Gimpel 2016 */
        return heed_affine(c, heed_activation(c, heed_affine(c, x, slope, 0), HEED_SILU), 1 / slope, 0);
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    if (!y) return NULL;
    const heed_kernels *k = c->kernels;
    activation a = {kind == HEED_GELU_TANH  ? k->gelu_tanh_f32
                    : kind == HEED_GELU_ERF ? k->gelu_erf_f32
                    : kind == HEED_SILU     ? k->silu_f32
                    : kind == HEED_TANH     ? k->tanh_f32
                    : kind == HEED_SIGMOID  ? k->sigmoid_f32
                                            : k->relu_f32,
                    x, y};
    heed_parallel_rows(c, x->rows, x->columns, activate, &a);
    heed_record record = {.name = "activation", .backward = activation_backward, .x = {x}, .n = {kind}};
    return heed_tape_push(c, y, record);
}

static void add_backward(heed_context *c, const heed_record *r) {
    for (int i = 0; i < 2; i++) heed_grad_add_rows(c, r->x[i], r->y, NULL);
}

typedef struct factor_gradient {
    const heed_kernels *kernels;
    const heed_tensor *to, *y, *other;
} factor_gradient;

/* The gradient of one factor: dy times the other. */
static void add_factor_gradient(const void *operands, int t) {
    const factor_gradient *g = operands;
    g->kernels->add_product_f32(heed_grad(g->to, t), heed_grad(g->y, t), heed_row(g->other, t), (size_t)g->y->columns);
}

/* One factor after the other: both may be views of one tensor, whose rows two threads would write. */
static void mul_backward(heed_context *c, const heed_record *r) {
    for (int i = 0; i < 2; i++) {
        factor_gradient g = {c->kernels, r->x[i], r->y, r->x[1 - i]};
        if (heed_requires_grad(g.to)) heed_parallel_rows(c, r->y->rows, r->y->columns, add_factor_gradient, &g);
    }
}

typedef struct pairing {
    void (*f)(float *, const float *, const float *, size_t);
    const heed_tensor *a, *b, *y;
} pairing;

static void pair(const void *operands, int t) {
    const pairing *p = operands;
    p->f(heed_row(p->y, t), heed_row(p->a, t), heed_row(p->b, t), (size_t)p->a->columns);
}

static heed_tensor *binary(heed_context *c, const heed_tensor *a, const heed_tensor *b,
                           void (*f)(float *, const float *, const float *, size_t)) {
    if (!a || !b) return NULL;
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    if (!y) return NULL;
    pairing p = {f, a, b, y};
    heed_parallel_rows(c, a->rows, a->columns, pair, &p);
    return y;
}

heed_tensor *heed_add(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    heed_record record = {.name = "add", .backward = add_backward, .x = {a, b}};
    return heed_tape_push(c, binary(c, a, b, c->kernels->add_f32), record);
}

heed_tensor *heed_mul(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    heed_record record = {.name = "mul", .backward = mul_backward, .x = {a, b}};
    return heed_tape_push(c, binary(c, a, b, c->kernels->mul_f32), record);
}
