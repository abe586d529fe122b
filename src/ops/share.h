/* Work of an operation shared out among the threads of its context. */
#ifndef HEED_SHARE_H
#define HEED_SHARE_H

#include "tape.h"

/* Units [from, to) of some work: no two may write to the same place. */
typedef void heed_units(const void *work, int from, int to);

/* Runs `run` over n units, in parts of a multiple of `grain`; `cost` as in threads.h, of all. */
void heed_share_out(heed_context *c, heed_units *run, const void *work, int n, int grain, double cost);

/* The same for each row t of T, of `columns` numbers. */
typedef void heed_row_task(const void *operands, int t);
void heed_each_row(heed_context *c, int T, int columns, heed_row_task *task, const void *operands);

/* One factor of a product: number (i, j) lies at data + i·row + j·column. */
typedef struct heed_factor {
    const float *data;
    size_t row, column;
} heed_factor;

static inline heed_factor heed_transposed(heed_factor f) { return (heed_factor){f.data, f.column, f.row}; }
static inline heed_factor heed_values(const heed_tensor *t) { return (heed_factor){t->data, t->stride, 1}; }
static inline heed_factor heed_slopes(const heed_tensor *t) { return (heed_factor){t->grad, t->stride, 1}; }

/* y[M][N] = a·b, or + y where `add`: a M × K, b K × N. */
void heed_product(heed_context *c, float *y, size_t y_stride, heed_factor a, heed_factor b, int M, int N, int K,
                  int add);

/* The gradient of row rows[t] of `to` += that of row t of `from`, t ascending, and none where it is -1.  NULL: row t
 * modulo the rows there are. */
void heed_pass_back(heed_context *c, const heed_tensor *to, const heed_tensor *from, const int32_t *rows);

/* to[c] += Σ_t from[t][c], t ascending: `from` may be the gradient of any matrix. */
void heed_add_columns(heed_context *c, float *to, heed_factor from, int rows, int columns);

#endif
