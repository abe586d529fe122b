/* Tensors: rows of numbers in an arena. */
#include "tensor.h"

#include "kernels/formats/traits.h"

#include <string.h>

size_t heed_row_bytes(heed_dtype dtype, int n) {
    const heed_format *f = heed_format_of(dtype);
    if (n < 1 || n > HEED_MAX_COLUMNS || f->elements == 0 || n % f->elements) return 0;
    return (size_t)(n / f->elements) * (size_t)f->block_bytes;
}

void *heed_out_of_memory(heed_context *c) {
    heed_fail(c->error, HEED_ERROR_MEMORY, "the run needs more memory than its arena of %u bytes", c->arena->size);
    return NULL;
}

size_t heed_matrix_bytes(heed_dtype dtype, int rows, int columns) {
    const heed_format *f = heed_format_of(dtype);
    size_t row = heed_row_bytes(dtype, columns);
    if (row == 0) return 0;
    uint64_t panels = ((uint64_t)rows + HEED_PANEL - 1) / HEED_PANEL * ((uint64_t)columns / (uint64_t)f->elements);
    uint64_t bytes = f->panel_bytes ? panels * (uint64_t)f->panel_bytes : (uint64_t)rows * row;
    return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

heed_tensor *heed_tensor_new(heed_context *c, int rows, int columns) {
    if (rows < 1 || columns < 1) {
        heed_fail(c->error, HEED_ERROR_ARGUMENT, "a tensor needs a row and a column");
        return NULL;
    }
    uint64_t numbers = (uint64_t)rows * (uint64_t)columns;
    heed_tensor *t = numbers > HEED_MAX_NUMBERS ? NULL : heed_arena_take(c->arena, 1, sizeof *t);
    float *data = t ? heed_arena_take(c->arena, (size_t)numbers, sizeof *data) : NULL;
    if (!data) return heed_out_of_memory(c);
    *t = (heed_tensor){HEED_F32, rows, columns, (size_t)columns, data, NULL};
    if (c->tape && !heed_grad_new(c, t)) return NULL;
    return t;
}

static void clear(void *argument, int part, int parts, int thread) {
    (void)thread;
    const heed_tensor *t = argument;
    int from = heed_part_begin(t->rows, part, parts, 1), to = heed_part_begin(t->rows, part + 1, parts, 1);
    memset(heed_grad(t, from), 0, (size_t)(to - from) * t->stride * sizeof *t->grad);
}

float *heed_grad_new(heed_context *c, heed_tensor *t) {
    t->grad = heed_arena_take(c->arena, (size_t)t->rows * (size_t)t->columns, sizeof *t->grad);
    if (!t->grad) return heed_out_of_memory(c);
    double cost = HEED_PRODUCTS((double)t->rows * t->columns);
    heed_pool_run(c->pool, clear, t, heed_pool_parts(c->pool, t->rows, cost), cost);
    return t->grad;
}

typedef struct copying {
    const heed_tensor *into, *from;
} copying;

static void copy(void *argument, int part, int parts, int thread) {
    (void)thread;
    const copying *a = argument;
    int from = heed_part_begin(a->into->rows, part, parts, 1), to = heed_part_begin(a->into->rows, part + 1, parts, 1);
    for (int t = from; t < to; t++)
        memcpy(heed_row(a->into, t), heed_row(a->from, t), (size_t)a->into->columns * sizeof(float));
}

heed_tensor *heed_keep(heed_context *c, size_t mark, heed_tensor *into, const heed_tensor *from) {
    if (!into || !from) return NULL;
    copying a = {into, from};
    double cost = HEED_PRODUCTS((double)into->rows * into->columns);
    heed_pool_run(c->pool, copy, &a, heed_pool_parts(c->pool, into->rows, cost), cost);
    into->q8 = NULL;
    heed_arena_release(c->arena, mark);
    return into;
}

uint64_t heed_tensor_bytes(int rows, int columns) {
    return heed_aligned_64(sizeof(heed_tensor)) + heed_aligned_64((uint64_t)rows * (uint64_t)columns * sizeof(float));
}

uint64_t heed_blocks_bytes(int rows, int columns) {
    return heed_aligned_64((uint64_t)rows * ((uint64_t)columns / HEED_BLOCK) * sizeof(heed_block_q8));
}
