/* The product of strided matrices. */
#include "ops/product.h"

#include "ops/parallel.h"

typedef struct product {
    const heed_kernels *kernels;
    float *y;
    size_t y_stride;
    heed_strided a, b;
    int N, K, add;
} product;

static void multiply(const void *work, int from, int to) {
    const product *p = work;
    p->kernels->gemm_f32(p->y + (size_t)from * p->y_stride, p->y_stride, p->a.data + (size_t)from * p->a.row, p->a.row,
                         p->a.column, p->b.data, p->b.row, p->b.column, to - from, p->N, p->K, p->add, 1);
}

/* Rows of one part.  Every part packs all columns again, so parts are few: the same number for every thread, and one
 * for a single thread.  They have at most MOST_ROWS rows, so that other threads can take over parts of a late one. */
enum { MOST_ROWS = 192, TILE_ROWS = 4 };

static int rows_of_part(int M, int threads) {
    if (threads == 1) return M;
    int parts = threads * ((M + threads * MOST_ROWS - 1) / (threads * MOST_ROWS));
    return ((M + parts - 1) / parts + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
}

void heed_product(heed_context *c, float *y, size_t y_stride, heed_strided a, heed_strided b, int M, int N, int K,
                  int add) {
    product p = {c->kernels, y, y_stride, a, b, N, K, add};
    heed_parallel_for(c, multiply, &p, M, rows_of_part(M, heed_pool_threads(c->pool)),
                      HEED_PRODUCTS((double)M * N * K));
}
