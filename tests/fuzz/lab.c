/* Random operations of a lab, with tape and backward. */
#include "input.h"

#include "../native/tiny.h"
#include "heed_lab.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = 1 << 16, FIRST = 1 << 14, MOST_TENSORS = 48, MOST_IDS = 16 };

typedef struct run {
    input *in;
    heed_lab *lab;
    uint8_t *memory;
    size_t size; /* of the arena so far */
    heed_error error;
    heed_tensor *tensors[MOST_TENSORS];
    int n_tensors;
} run;

static void judge(run *r, int done, const char *what) {
    need(done ? r->error.code == HEED_ERROR_NONE : r->error.code != HEED_ERROR_NONE, what);
    r->error = (heed_error){0};
}

static heed_tensor *any_tensor(run *r) {
    static uint8_t other[256];
    int b = byte(r->in);
    if (b == 255) return (heed_tensor *)(void *)other; /* outside of every lab */
    return r->n_tensors ? r->tensors[b % r->n_tensors] : NULL;
}

/* Releases to the address of a tensor, to the start, or to an invalid mark. Tensors past the mark are freed. */
static void release(run *r) {
    const uint8_t *base = r->memory + heed_lab_bytes(), *end = base;
    int b = byte(r->in);
    if (b == 255)
        end += heed_lab_mark(r->lab) + 1;
    else if (b > 0 && r->n_tensors)
        end = (const uint8_t *)r->tensors[b % r->n_tensors];
    heed_lab_release(r->lab, (size_t)(end - base));
    int kept = 0;
    for (int i = 0; i < r->n_tensors; i++)
        if ((const uint8_t *)r->tensors[i] < end) r->tensors[kept++] = r->tensors[i];
    r->n_tensors = kept;
}

/* Ids or, of a concat, tensors, in the arena. */
static void give_ids(run *r, int operation, heed_call *call) {
    int n = below(r->in, MOST_IDS);
    if (operation == HEED_OPERATION_CONCAT) {
        const heed_tensor **list = heed_lab_take(r->lab, (size_t)n * sizeof *list, &r->error);
        r->error = (heed_error){0};
        for (int i = 0; list && i < n; i++) list[i] = any_tensor(r);
        call->list = list;
        call->n_list = byte(r->in) == 255 ? any_int(r->in) : n;
        if (call->n_list > n) call->n_list = n;
        return;
    }
    int32_t *ids = heed_lab_take(r->lab, (size_t)n * sizeof *ids, &r->error);
    r->error = (heed_error){0};
    if (!ids) return;
    for (int i = 0; i < n; i++) ids[i] = (int32_t)below(r->in, 16) - 2;
    call->ids = ids;
    call->n_ids = byte(r->in) == 255 ? any_int(r->in) : n;
    if (call->n_ids > n) call->n_ids = n;
    if (below(r->in, 4)) call->n.at[0] = n;
}

static void fill(run *r, const heed_call *call) {
    uint32_t state = (uint32_t)byte(r->in);
    for (int t = 0; t < call->rows; t++)
        for (int i = 0; i < call->columns; i++) {
            state = state * 1664525u + 1013904223u;
            call->data[(size_t)t * call->stride + (size_t)i] = (float)(state >> 8) * 0x1p-23f - 1;
        }
    if (below(r->in, 8) == 0) call->data[0] = any_float(r->in);
}

static void operate(run *r) {
    input *in = r->in;
    /* Tensors are the most frequent operation, because other operations need inputs. */
    int operation = below(in, HEED_OPERATION_COUNT + 9);
    if (operation > HEED_OPERATION_COUNT) operation = HEED_OPERATION_TENSOR;
    heed_call call = {0};
    for (int i = 0; i < HEED_CALL_INPUTS; i++)
        if (below(in, 3) || i == 0) call.inputs[i] = any_tensor(r);
    for (int i = 0; i < HEED_CALL_INTEGERS; i++) call.n.at[i] = below(in, 4) ? 1 + below(in, 4) : any_int(in);
    for (int i = 0; i < 2; i++) call.f.at[i] = any_float(in);
    if (operation == HEED_OPERATION_ADAMW)
        for (int i = 2; i < HEED_CALL_FLOATS; i++) call.f.at[i] = any_float(in);
    if (below(in, 2)) give_ids(r, operation, &call);
    size_t mark = heed_lab_mark(r->lab);
    heed_tensor *y = heed_operation(r->lab, operation, &call, &r->error);
    judge(r, y != NULL, "a tensor or an error");
    if (!y) {
        need(heed_lab_mark(r->lab) == mark, "a failed operation releases its memory");
        return;
    }
    const uint8_t *data = (const uint8_t *)call.data, *end = r->memory + heed_lab_bytes() + heed_lab_mark(r->lab);
    size_t numbers = (size_t)(call.rows - 1) * call.stride + (size_t)call.columns;
    need(call.rows > 0 && call.columns > 0 && data >= r->memory && numbers <= (size_t)(end - data) / sizeof(float),
         "numbers of a tensor are in the arena");
    if (operation == HEED_OPERATION_TENSOR || below(in, 8) == 0) fill(r, &call);
    if (r->n_tensors < MOST_TENSORS) r->tensors[r->n_tensors++] = y;
}

static void call(run *r) {
    input *in = r->in;
    int kind = below(in, 16);
    switch (kind) {
    case 0: {
        heed_tensor *loss = any_tensor(r);
        judge(r, heed_lab_backward(r->lab, loss, &r->error), "a backward or an error");
        break;
    }
    case 1: judge(r, heed_lab_check_gradients(r->lab, &r->error), "gradients or an error"); break;
    case 2: release(r); break;
    case 3: heed_lab_record(r->lab, below(in, 2)); break;
    case 4: {
        size_t more = (size_t)byte(in) * 64;
        if (r->size + more > ALL) break;
        heed_lab_grow(r->lab, more);
        r->size += more;
        break;
    }
    default: operate(r);
    }
}

/* The sum of the numbers of the last tensor is the loss. */
static void finish(run *r) {
    if (!r->n_tensors) return;
    heed_call copy = {.inputs = {r->tensors[r->n_tensors - 1]}};
    heed_call sum = {.inputs = {heed_operation(r->lab, HEED_OPERATION_COPY, &copy, &r->error)}, .f.at = {1}};
    sum.n.at[0] = copy.rows, sum.n.at[1] = 1;
    heed_tensor *loss = sum.inputs[0] ? heed_operation(r->lab, HEED_OPERATION_SUM, &sum, &r->error) : NULL;
    if (loss && heed_lab_backward(r->lab, loss, &r->error)) heed_lab_check_gradients(r->lab, &r->error);
}

void fuzz_lab(input *in) {
    run r = {.in = in, .memory = tiny_memory(heed_lab_bytes() + ALL), .size = FIRST};
    heed_pool *pool = below(in, 3) ? NULL : heed_pool_create(tiny_memory(heed_pool_bytes()), 3, &r.error);
    r.lab = heed_lab_create(r.memory, heed_lab_bytes() + r.size, heed_kernels_get(HEED_KERNELS_SCALAR), pool);
    heed_lab_record(r.lab, below(in, 4) != 0);
    while (is_left(in)) call(&r);
    finish(&r);
    free(r.memory), free(pool);
}
