/* Sums of gradients that several operations need. */
#ifndef HEED_GRADIENTS_H
#define HEED_GRADIENTS_H

#include "ops/product.h"

/* Adds the gradient of row t of `from` to the gradient of row rows[t] of `to`, in the order of t.
 * - rows: -1 adds to no row; NULL: row t modulo the rows of `to`
 *
 * Does nothing when `to` has no gradient. */
void heed_grad_add_rows(heed_context *c, const heed_tensor *to, const heed_tensor *from, const int32_t *rows);

/* Whether the gradient of a row is zeros. */
int heed_grad_is_zero(const heed_tensor *x, int row);

/* to[c] += Σ_t m[t][c], for t ascending: m [rows][columns]. */
void heed_add_column_sums(heed_context *c, float *to, heed_strided m, int rows, int columns);

#endif
