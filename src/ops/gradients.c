/* Sums of gradients over rows and columns. */
#include "ops/gradients.h"

#include "ops/parallel.h"

typedef struct row_sums {
    const heed_kernels *kernels;
    const heed_tensor *to, *from;
    const int32_t *rows;
} row_sums;

static void add_row(const row_sums *p, int t, int from, int to) {
    int row = p->rows ? p->rows[t] : t % p->to->rows;
    float *d = row < 0 ? NULL : heed_grad(p->to, row) + from;
    if (d) p->kernels->add_f32(d, d, heed_grad(p->from, t) + from, (size_t)(to - from));
}

static void add_rows(const void *work, int from, int to) {
    const row_sums *p = work;
    for (int t = from; t < to; t++) add_row(p, t, 0, p->from->columns);
}

static void add_row_columns(const void *work, int from, int to) {
    const row_sums *p = work;
    for (int t = 0; t < p->from->rows; t++) add_row(p, t, from, to);
}

/* Floats of a cache line. */
enum { LINE = 16 };

/* When several rows add to one row, threads divide the columns instead of the rows. */
void heed_grad_add_rows(heed_context *c, const heed_tensor *to, const heed_tensor *from, const int32_t *rows) {
    if (!heed_requires_grad(to)) return;
    row_sums p = {c->kernels, to, from, rows};
    double cost = (double)from->rows * from->columns;
    if (!rows && from->rows <= to->rows)
        heed_parallel_for(c, add_rows, &p, from->rows, 1, cost);
    else
        heed_parallel_for(c, add_row_columns, &p, from->columns, LINE, cost);
}

int heed_grad_is_zero(const heed_tensor *x, int row) {
    const float *d = heed_grad(x, row);
    int i = 0;
    while (i < x->columns && d[i] == 0) i++;
    return i == x->columns;
}

typedef struct column_sums {
    const heed_kernels *kernels;
    float *to;
    heed_strided from;
    int rows;
} column_sums;

static void add_column_sums(const void *work, int from, int to) {
    const column_sums *s = work;
    for (int t = 0; t < s->rows; t++)
        s->kernels->add_f32(s->to + from, s->to + from, s->from.data + (size_t)t * s->from.row + from,
                            (size_t)(to - from));
}

void heed_add_column_sums(heed_context *c, float *to, heed_strided from, int rows, int columns) {
    column_sums s = {c->kernels, to, from, rows};
    heed_parallel_for(c, add_column_sums, &s, columns, LINE, (double)rows * columns);
}
