/* Embeddings of tokens and of positions. */
#include "ops/gradients.h"
#include "ops/ops.h"

#include "kernels/formats/traits.h"

/* Row `row` of a table of any type, as floats. */
static void read_row(const heed_context *c, float *y, const heed_tensor *w, int row) {
    heed_format_read(y, w->dtype, w->data, row, w->columns, 0, w->columns, c->kernels);
}

/* Rows of the table that several ids take get the sum, in the order of the ids. */
static void embed_backward(heed_context *c, const heed_record *r) { heed_grad_add_rows(c, r->x[0], r->y, r->ids); }

heed_tensor *heed_embed(heed_context *c, const heed_tensor *table, const int32_t *ids, int n) {
    heed_tensor *y = heed_tensor_new(c, n, table->columns);
    for (int t = 0; y && t < n; t++) read_row(c, heed_row(y, t), table, ids[t]);
    heed_record record = {.name = "embedding", .backward = embed_backward, .x = {table}, .ids = ids};
    return heed_tape_push(c, y, record);
}

static void positions_backward(heed_context *c, const heed_record *r) { heed_grad_add_rows(c, r->x[0], r->y, NULL); }

heed_tensor *heed_positions(heed_context *c, const heed_tensor *table, int first, int n) {
    heed_tensor *y = heed_tensor_new(c, n, table->columns);
    for (int t = 0; y && t < n; t++) read_row(c, heed_row(y, t), table, first + t);
    return heed_tape_push(c, y, (heed_record){.name = "positions", .backward = positions_backward, .x = {table}});
}
