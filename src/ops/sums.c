#include "ops/learn.h"

static void affine_backward(heed_context *c, const heed_record *r) {
    (void)c;
    for (int t = 0; t < r->y->rows && heed_learns(r->x[0]); t++) {
        float *dx = heed_grad(r->x[0], t), scale = r->f[0];
        const float *dy = heed_grad(r->y, t);
        for (int i = 0; i < r->y->columns; i++) dx[i] += scale * dy[i];
    }
}

heed_tensor *heed_affine(heed_context *c, const heed_tensor *x, float scale, float shift) {
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    for (int t = 0; y && t < x->rows; t++) {
        float *to = heed_row(y, t);
        const float *from = heed_row(x, t);
        for (int i = 0; i < x->columns; i++) to[i] = scale * from[i] + shift;
    }
    return heed_recorded(c, y, (heed_record){.name = "affine", .backward = affine_backward, .x = {x}, .f = {scale}});
}

/* Row t of a meets row t mod R of b. */
static void add_backward(heed_context *c, const heed_record *r) {
    (void)c;
    const heed_tensor *a = r->x[0], *b = r->x[1];
    for (int t = 0; t < a->rows; t++) {
        const float *dy = heed_grad(r->y, t);
        if (heed_learns(a)) heed_accumulate(heed_grad(a, t), dy, a->columns);
        if (!heed_learns(b)) continue;
        float *db = heed_grad(b, t % b->rows);
        if (b->columns == a->columns) {
            heed_accumulate(db, dy, a->columns);
        } else {
            for (int i = 0; i < a->columns; i++) *db += dy[i];
        }
    }
}

heed_tensor *heed_add_repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    for (int t = 0; y && t < a->rows; t++) {
        float *to = heed_row(y, t);
        const float *row = heed_row(a, t), *other = heed_row(b, t % b->rows);
        if (b->columns == a->columns)
            c->kernels->add_f32(to, row, other, (size_t)a->columns);
        else
            for (int i = 0; i < a->columns; i++) to[i] = row[i] + *other;
    }
    return heed_recorded(c, y, (heed_record){.name = "add", .backward = add_backward, .x = {a, b}});
}

static void mul_backward(heed_context *c, const heed_record *r) {
    (void)c;
    const heed_tensor *a = r->x[0], *b = r->x[1];
    int step = b->columns == a->columns;
    for (int t = 0; t < a->rows; t++) {
        const float *dy = heed_grad(r->y, t), *row = heed_row(a, t), *other = heed_row(b, t % b->rows);
        float *da = heed_learns(a) ? heed_grad(a, t) : NULL, *db = heed_learns(b) ? heed_grad(b, t % b->rows) : NULL;
        for (int i = 0; da && i < a->columns; i++) da[i] += dy[i] * other[i * step];
        for (int i = 0; db && i < a->columns; i++) db[i * step] += dy[i] * row[i];
    }
}

heed_tensor *heed_mul_repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b) {
    heed_tensor *y = heed_tensor_new(c, a->rows, a->columns);
    int step = b->columns == a->columns;
    for (int t = 0; y && t < a->rows; t++) {
        float *to = heed_row(y, t);
        const float *row = heed_row(a, t), *other = heed_row(b, t % b->rows);
        for (int i = 0; i < a->columns; i++) to[i] = row[i] * other[i * step];
    }
    return heed_recorded(c, y, (heed_record){.name = "mul", .backward = mul_backward, .x = {a, b}});
}

static void sum_backward(heed_context *c, const heed_record *r) {
    (void)c;
    const heed_tensor *x = r->x[0];
    int step = r->y->columns == x->columns;
    for (int t = 0; t < x->rows && heed_learns(x); t++) {
        float *dx = heed_grad(x, t);
        const float *dy = heed_grad(r->y, t / r->n[0]);
        for (int i = 0; i < x->columns; i++) dx[i] += r->f[0] * dy[i * step];
    }
}

/* In double, so that a mean over a long text is as good as one over a short one. */
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
    return heed_recorded(c, y,
                         (heed_record){.name = "sum", .backward = sum_backward, .x = {x}, .n = {rows}, .f = {scale}});
}
