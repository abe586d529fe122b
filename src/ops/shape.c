/* Copies, gathered rows, joined matrices, and products of matrices. */
#include "ops/learn.h"

#include <string.h>

static void copy_backward(heed_context *c, const heed_record *r) { heed_grad_add_rows(c, r->x[0], r->y, NULL); }

heed_tensor *heed_copied(heed_context *c, const heed_tensor *x) {
    heed_tensor *y = heed_tensor_new(c, x->rows, x->columns);
    for (int t = 0; y && t < x->rows; t++) memcpy(heed_row(y, t), heed_row(x, t), (size_t)x->columns * sizeof(float));
    return heed_tape_push(c, y, (heed_record){.name = "copy", .backward = copy_backward, .x = {x}});
}

static void gather_backward(heed_context *c, const heed_record *r) { heed_grad_add_rows(c, r->x[0], r->y, r->ids); }

heed_tensor *heed_gather(heed_context *c, const heed_tensor *x, const int32_t *ids, int n) {
    heed_tensor *y = heed_tensor_new(c, n, x->columns);
    for (int t = 0; y && t < n; t++) {
        size_t bytes = (size_t)x->columns * sizeof(float);
        if (ids[t] < 0)
            memset(heed_row(y, t), 0, bytes);
        else
            memcpy(heed_row(y, t), heed_row(x, ids[t]), bytes);
    }
    return heed_tape_push(c, y, (heed_record){.name = "gather", .backward = gather_backward, .x = {x}, .ids = ids});
}

static void concat_backward(heed_context *c, const heed_record *r) {
    heed_tensor part = *r->y;
    for (int i = 0; i < r->n[0]; part.grad += r->list[i++]->columns) {
        part.columns = r->list[i]->columns;
        heed_grad_add_rows(c, r->list[i], &part, NULL);
    }
}

heed_tensor *heed_concat(heed_context *c, const heed_tensor *const *list, int n) {
    int columns = 0, at = 0;
    for (int i = 0; i < n; i++) columns += list[i]->columns;
    heed_tensor *y = heed_tensor_new(c, list[0]->rows, columns);
    for (int i = 0; y && i < n; at += list[i++]->columns)
        for (int t = 0; t < y->rows; t++)
            memcpy(heed_row(y, t) + at, heed_row(list[i], t), (size_t)list[i]->columns * sizeof(float));
    return heed_tape_push(c, y, (heed_record){.name = "concat", .backward = concat_backward, .list = list, .n = {n}});
}

/* y = op(a)·op(b): d op(a) = dy·op(b)ᵀ, d op(b) = op(a)ᵀ·dy, each transposed once more where its matrix is. */
static heed_strided operand(const heed_tensor *x, int transposed) {
    return transposed ? heed_strided_transpose(heed_strided_data(x)) : heed_strided_data(x);
}

static void matmul_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *a = r->x[0], *b = r->x[1], *y = r->y;
    heed_strided dy = heed_strided_grad(y), left = operand(a, r->n[0]), right = operand(b, r->n[1]);
    int M = y->rows, N = y->columns, K = r->n[0] ? a->rows : a->columns;
    if (heed_requires_grad(a) && r->n[0])
        heed_product(c, a->grad, a->stride, right, heed_strided_transpose(dy), K, M, N, 1);
    else if (heed_requires_grad(a))
        heed_product(c, a->grad, a->stride, dy, heed_strided_transpose(right), M, K, N, 1);
    if (heed_requires_grad(b) && r->n[1])
        heed_product(c, b->grad, b->stride, heed_strided_transpose(dy), left, N, K, M, 1);
    else if (heed_requires_grad(b))
        heed_product(c, b->grad, b->stride, heed_strided_transpose(left), dy, K, N, M, 1);
}

heed_tensor *heed_matmul(heed_context *c, const heed_tensor *a, const heed_tensor *b, int a_transposed,
                         int b_transposed) {
    int M = a_transposed ? a->columns : a->rows, K = a_transposed ? a->rows : a->columns;
    heed_tensor *y = heed_tensor_new(c, M, b_transposed ? b->rows : b->columns);
    if (!y) return NULL;
    heed_product(c, y->data, y->stride, operand(a, a_transposed), operand(b, b_transposed), M, y->columns, K, 0);
    return heed_tape_push(
        c, y,
        (heed_record){
            .name = "matmul", .backward = matmul_backward, .x = {a, b}, .n = {!!a_transposed, !!b_transposed}});
}
