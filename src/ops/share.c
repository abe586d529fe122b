#include "ops/share.h"

typedef struct shared {
    heed_units *run;
    const void *work;
    int n, grain;
} shared;

static void run_part(void *argument, int part, int parts, int thread) {
    (void)thread;
    const shared *s = argument;
    int from = heed_share(s->n, part, parts, s->grain), to = heed_share(s->n, part + 1, parts, s->grain);
    if (from < to) s->run(s->work, from, to);
}

void heed_share_out(heed_context *c, heed_units *run, const void *work, int n, int grain, double cost) {
    if (n < 1) return;
    shared s = {run, work, n, grain};
    heed_parallel(c->pool, run_part, &s, heed_pool_parts(c->pool, (n + grain - 1) / grain, cost), cost);
}

typedef struct rows {
    heed_row_task *task;
    const void *operands;
} rows;

static void do_rows(const void *work, int from, int to) {
    const rows *r = work;
    for (int t = from; t < to; t++) r->task(r->operands, t);
}

void heed_each_row(heed_context *c, int T, int columns, heed_row_task *task, const void *operands) {
    rows r = {task, operands};
    heed_share_out(c, do_rows, &r, T, 1, (double)T * columns);
}

typedef struct product {
    const heed_kernels *kernels;
    float *y;
    size_t y_stride;
    heed_factor a, b;
    int N, K, add;
} product;

static void multiply(const void *work, int from, int to) {
    const product *p = work;
    p->kernels->gemm_f32(p->y + (size_t)from * p->y_stride, p->y_stride, p->a.data + (size_t)from * p->a.row, p->a.row,
                         p->a.column, p->b.data, p->b.row, p->b.column, to - from, p->N, p->K, p->add, 1);
}

/* Rows that a thread takes at once.  Each part packs all columns anew, so there are as few as give every thread the
 * same number of them, but not of more than MOST_ROWS: others can still help the one that is late. */
enum { MOST_ROWS = 192, TILE_ROWS = 4 };

static int rows_of_part(int M, int threads) {
    int parts = threads * ((M + threads * MOST_ROWS - 1) / (threads * MOST_ROWS));
    return ((M + parts - 1) / parts + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
}

void heed_product(heed_context *c, float *y, size_t y_stride, heed_factor a, heed_factor b, int M, int N, int K,
                  int add) {
    product p = {c->kernels, y, y_stride, a, b, N, K, add};
    heed_share_out(c, multiply, &p, M, rows_of_part(M, heed_pool_threads(c->pool)), HEED_PRODUCTS((double)M * N * K));
}

typedef struct passing {
    const heed_kernels *kernels;
    const heed_tensor *to, *from;
    const int32_t *rows;
} passing;

static void pass(const passing *p, int t, int from, int to) {
    int row = p->rows ? p->rows[t] : t % p->to->rows;
    float *d = row < 0 ? NULL : heed_grad(p->to, row) + from;
    if (d) p->kernels->add_f32(d, d, heed_grad(p->from, t) + from, (size_t)(to - from));
}

static void pass_rows(const void *work, int from, int to) {
    const passing *p = work;
    for (int t = from; t < to; t++) pass(p, t, 0, p->from->columns);
}

static void pass_columns(const void *work, int from, int to) {
    const passing *p = work;
    for (int t = 0; t < p->from->rows; t++) pass(p, t, from, to);
}

/* Numbers of a cache line. */
enum { LINE = 16 };

/* Where rows meet in one, each thread adds up some columns of all. */
void heed_pass_back(heed_context *c, const heed_tensor *to, const heed_tensor *from, const int32_t *rows) {
    if (!heed_learns(to)) return;
    passing p = {c->kernels, to, from, rows};
    double cost = (double)from->rows * from->columns;
    if (!rows && from->rows <= to->rows)
        heed_share_out(c, pass_rows, &p, from->rows, 1, cost);
    else
        heed_share_out(c, pass_columns, &p, from->columns, LINE, cost);
}

typedef struct sums {
    const heed_kernels *kernels;
    float *to;
    heed_factor from;
    int rows;
} sums;

static void add_columns(const void *work, int from, int to) {
    const sums *s = work;
    for (int t = 0; t < s->rows; t++)
        s->kernels->add_f32(s->to + from, s->to + from, s->from.data + (size_t)t * s->from.row + from,
                            (size_t)(to - from));
}

void heed_add_columns(heed_context *c, float *to, heed_factor from, int rows, int columns) {
    sums s = {c->kernels, to, from, rows};
    heed_share_out(c, add_columns, &s, columns, LINE, (double)rows * columns);
}
