/* Scales, soft caps, sums, and additions and products element by element with repeated rows. */
#include "ops/learn.h"
#include "ops/ops.h"

typedef struct gradient {
    const heed_kernels *kernels;
    const heed_record *r;
} gradient;

static void scaled_rows(const void *work, int from, int to) {
    const gradient *g = work;
    for (int t = from; t < to; t++)
        g->kernels->add_scaled_f32(heed_grad(g->r->x[0], t), heed_grad(g->r->y, t), g->r->f[0],
                                   (size_t)g->r->y->columns);
}

static void affine_backward(heed_context *c, const heed_record *r) {
    gradient g = {c->kernels, r};
    if (heed_requires_grad(r->x[0]))
        heed_parallel_for(c, scaled_rows, &g, r->y->rows, 1, (double)r->y->rows * r->y->columns);
}

heed_tensor *heed_affine(heed_context *c, const heed_tensor *x, float scale, float shift) {
    if (!x) return NULL;
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    for (int t = 0; y && t < x->rows; t++) {
        float *to = heed_row(y, t);
        const float *from = heed_row(x, t);
        for (int i = 0; i < x->columns; i++) to[i] = scale * from[i] + shift;
    }
    return heed_tape_push(c, y, (heed_record){.name = "affine", .backward = affine_backward, .x = {x}, .f = {scale}});
}

static void scale_rows(const heed_tensor *x, float scale) {
    for (int t = 0; t < x->rows; t++)
        for (int i = 0; i < x->columns; i++) heed_row(x, t)[i] *= scale;
}

heed_tensor *heed_scaled(heed_context *c, heed_tensor *x, float scale) {
    if (!x || scale == 0) return x;
    if (c->tape) return heed_affine(c, x, scale, 0);
    scale_rows(x, scale);
    return x;
}

heed_tensor *heed_softcap(heed_context *c, heed_tensor *x, float cap) {
    if (!x || cap == 0) return x;
    if (c->tape) return heed_scaled(c, heed_activation(c, heed_scaled(c, x, 1 / cap), HEED_TANH), cap);
    scale_rows(x, 1 / cap);
    for (int t = 0; t < x->rows; t++) c->kernels->tanh_f32(heed_row(x, t), heed_row(x, t), (size_t)x->columns);
    scale_rows(x, cap);
    return x;
}

/* Row t of a and row t mod R of b. */
static void add_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *a = r->x[0], *b = r->x[1];
    heed_grad_add_rows(c, a, r->y, NULL);
    if (b->columns == a->columns) {
        heed_grad_add_rows(c, b, r->y, NULL);
        return;
    }
    for (int t = 0; t < a->rows && heed_requires_grad(b); t++)
        for (int i = 0; i < a->columns; i++) *heed_grad(b, t % b->rows) += heed_grad(r->y, t)[i];
}

typedef struct addition {
    const heed_kernels *kernels;
    const heed_tensor *a, *b, *y;
} addition;

static void add_row(const void *operands, int t) {
    const addition *sum = operands;
    float *to = heed_row(sum->y, t);
    const float *row = heed_row(sum->a, t), *other = heed_row(sum->b, t % sum->b->rows);
    int n = sum->a->columns;
    if (sum->b->columns == n)
        sum->kernels->add_f32(to, row, other, (size_t)n);
    else
        for (int i = 0; i < n; i++) to[i] = row[i] + *other;
}

heed_tensor *heed_add_repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    addition sum = {c->kernels, a, b, y};
    if (y) heed_parallel_rows(c, a->rows, a->columns, add_row, &sum);
    return heed_tape_push(c, y, (heed_record){.name = "add", .backward = add_backward, .x = {a, b}});
}

static void mul_backward(heed_context *c, const heed_record *r) {
    (void)c;
    const heed_tensor *a = r->x[0], *b = r->x[1];
    int b_stride = b->columns == a->columns;
    for (int t = 0; t < a->rows; t++) {
        const float *dy = heed_grad(r->y, t), *row = heed_row(a, t), *other = heed_row(b, t % b->rows);
        float *da = heed_requires_grad(a) ? heed_grad(a, t) : NULL,
              *db = heed_requires_grad(b) ? heed_grad(b, t % b->rows) : NULL;
        for (int i = 0; da && i < a->columns; i++) da[i] += dy[i] * other[i * b_stride];
        for (int i = 0; db && i < a->columns; i++) db[i * b_stride] += dy[i] * row[i];
    }
}

heed_tensor *heed_mul_repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    int b_stride = b->columns == a->columns;
    for (int t = 0; y && t < a->rows; t++) {
        float *to = heed_row(y, t);
        const float *row = heed_row(a, t), *other = heed_row(b, t % b->rows);
        for (int i = 0; i < a->columns; i++) to[i] = row[i] * other[i * b_stride];
    }
    return heed_tape_push(c, y, (heed_record){.name = "mul", .backward = mul_backward, .x = {a, b}});
}

static void sum_backward(heed_context *c, const heed_record *r) {
    (void)c;
    const heed_tensor *x = r->x[0];
    int y_stride = r->y->columns == x->columns;
    for (int t = 0; t < x->rows && heed_requires_grad(x); t++) {
        float *dx = heed_grad(x, t);
        const float *dy = heed_grad(r->y, t / r->n[0]);
        for (int i = 0; i < x->columns; i++) dx[i] += r->f[0] * dy[i * y_stride];
    }
}

/* Sums in double, so that long sums keep their precision. */
heed_tensor *heed_sum(heed_context *c, const heed_tensor *x, int rows, int over_columns, float scale) {
    int columns = over_columns ? 1 : x->columns, each = over_columns ? x->columns : 1;
    heed_tensor *y = heed_tensor_new(c, x->rows / rows, columns);
    for (int t = 0; y && t < y->rows; t++)
        for (int i = 0; i < columns; i++) {
            double sum = 0;
            for (int row = 0; row < rows; row++)
                for (int j = 0; j < each; j++) sum += heed_row(x, t * rows + row)[i + j];
            heed_row(y, t)[i] = (float)(scale * sum);
        }
    return heed_tape_push(c, y,
                          (heed_record){.name = "sum", .backward = sum_backward, .x = {x}, .n = {rows}, .f = {scale}});
}
