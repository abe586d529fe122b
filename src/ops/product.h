/* The product of two strided matrices: forward and backward of linear, matmul and their relatives. */
#ifndef HEED_PRODUCT_H
#define HEED_PRODUCT_H

#include "tape.h"

/* A strided matrix: element (i, j) is data[i·row + j·column]. */
typedef struct heed_strided {
    const float *data;
    size_t row, column;
} heed_strided;

static inline heed_strided heed_strided_transpose(heed_strided m) { return (heed_strided){m.data, m.column, m.row}; }
static inline heed_strided heed_strided_data(const heed_tensor *t) { return (heed_strided){t->data, t->stride, 1}; }
static inline heed_strided heed_strided_grad(const heed_tensor *t) { return (heed_strided){t->grad, t->stride, 1}; }

/* y = a·b, or y += a·b when `add`: a [M][K], b [K][N], y [M][N] with rows `y_stride` floats apart. */
void heed_product(heed_context *c, float *y, size_t y_stride, heed_strided a, heed_strided b, int M, int N, int K,
                  int add);

#endif
