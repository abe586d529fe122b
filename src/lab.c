/* Tensors to learn with: one arena, a tape, and a door through which every operation is called. */
#include "ops/learn.h"
#include "ops/ops.h"

#include <math.h>
#include <string.h>

struct heed_lab {
    heed_arena arena;
    const heed_kernels *kernels;
    heed_pool *pool;
    heed_tape tape;
    heed_tape walked; /* what the last backward went through, as long as the arena holds it */
    const heed_tensor *loss;
    int recording;
};

size_t heed_lab_bytes(void) { return heed_aligned(sizeof(heed_lab)); }

heed_lab *heed_lab_create(void *memory, size_t bytes, const heed_kernels *kernels, heed_pool *pool) {
    if (!heed_is_address(memory, HEED_ALIGN, NULL) || bytes < heed_lab_bytes() || !kernels) return NULL;
    heed_lab *lab = memory;
    uint8_t *base = (uint8_t *)memory + heed_lab_bytes();
    *lab = (heed_lab){.arena = {base, bytes - heed_lab_bytes(), 0}, .kernels = kernels, .pool = pool};
    return lab;
}

void heed_lab_grow(heed_lab *lab, size_t bytes) {
    size_t end = (size_t)lab->arena.base + lab->arena.size;
    if (bytes <= SIZE_MAX - end) lab->arena.size += bytes;
}

int heed_lab_record(heed_lab *lab, int on) {
    int before = lab->recording;
    lab->recording = on;
    return before;
}

size_t heed_lab_mark(const heed_lab *lab) { return heed_arena_mark(&lab->arena); }

void heed_lab_release(heed_lab *lab, size_t mark) {
    mark = heed_aligned(mark);
    if (mark > lab->arena.used) return;
    const uint8_t *end = lab->arena.base + mark;
    while (lab->tape.last && (const uint8_t *)lab->tape.last >= end) lab->tape.last = lab->tape.last->previous;
    if ((const uint8_t *)lab->walked.last >= end || (const uint8_t *)lab->loss >= end) lab->walked.last = NULL;
    heed_arena_release(&lab->arena, mark);
}

static heed_context context(heed_lab *lab, heed_error *error) {
    return (heed_context){.arena = &lab->arena,
                          .kernels = lab->kernels,
                          .pool = lab->pool,
                          .error = error,
                          .tape = lab->recording ? &lab->tape : NULL};
}

void *heed_lab_take(heed_lab *lab, size_t bytes, heed_error *error) {
    if (!heed_is_address(lab, 1, error)) return NULL;
    heed_context c = context(lab, error);
    void *room = heed_arena_take(&lab->arena, 1, bytes);
    return room ? room : heed_out_of_memory(&c);
}

/* Whether it holds; else the call is refused with this sentence. */
static int must(heed_context *c, int holds, const char *what) {
    if (!holds) heed_fail(c->error, HEED_ERROR_ARGUMENT, "%s", what);
    return holds;
}

/* Whether `bytes` at this address lie in what the arena has given out. */
static int is_given(const heed_arena *arena, const void *at, uint64_t bytes, size_t alignment) {
    uintptr_t base = (uintptr_t)arena->base, from = (uintptr_t)at;
    return from % alignment == 0 && from >= base && bytes <= arena->used && from - base <= arena->used - bytes;
}

static int is_tensor(const heed_context *c, const heed_tensor *x) {
    return is_given(c->arena, x, sizeof *x, HEED_ALIGN);
}

/* Whether shapes, sizes and kinds fit.  JavaScript, which knows the names of axes, says before what does not. */
static int fit(heed_context *c, int holds) { return must(c, holds, "sizes, kinds or tensors that do not fit"); }

static int same_shape(const heed_tensor *a, const heed_tensor *b) {
    return a->rows == b->rows && a->columns == b->columns;
}

/* What JavaScript names by axes is checked there; here, that nothing outside of the matrices is touched. */
static int has_ids(heed_context *c, const heed_call *a, int n, int least, int end) {
    if (!must(c, a->ids && a->n_ids == n && n > 0, "there must be an id for each row")) return 0;
    for (int i = 0; i < n; i++)
        if (a->ids[i] < least || a->ids[i] >= end)
            return heed_fail(c->error, HEED_ERROR_ARGUMENT, "id %d, number %d of %d, is none of %d .. %d", a->ids[i], i,
                             n, least, end - 1);
    return 1;
}

static int has_no_gaps(const heed_tensor *x) { return !x || x->rows < 2 || x->stride == (size_t)x->columns; }

/* Products read weights without gaps. */
static const heed_tensor *without_gaps(heed_context *c, const heed_tensor *x) {
    return has_no_gaps(x) ? x : heed_copied(c, x);
}

static heed_tensor *new_tensor(heed_context *c, int rows, int columns, int learns) {
    heed_context silent = *c;
    silent.tape = NULL;
    heed_tensor *t = heed_tensor_new(&silent, rows, columns);
    if (t) memset(t->data, 0, (size_t)rows * (size_t)columns * sizeof(float));
    return t && learns && !heed_gradient(c, t) ? NULL : t;
}

/* Rows of a view have no number in common: threads that add to their gradients do not meet, and a view has no more
 * numbers than its tensor. */
static heed_tensor *view(heed_context *c, const heed_tensor *x, int first, int rows, int columns, int stride) {
    uint64_t end = (uint64_t)(x->rows - 1) * x->stride + (uint64_t)x->columns;
    int fits = first >= 0 && rows > 0 && columns > 0 && stride >= (rows > 1 ? columns : 0);
    fits = fits && (uint64_t)first + (uint64_t)(rows - 1) * (uint64_t)stride + (uint64_t)columns <= end;
    if (!fit(c, fits)) return NULL;
    heed_tensor *v = heed_arena_take(c->arena, 1, sizeof *v);
    if (!v) return heed_out_of_memory(c);
    *v = (heed_tensor){
        HEED_F32, rows, columns, (size_t)stride, (float *)x->data + first, NULL, x->grad ? x->grad + first : NULL};
    return v;
}

static heed_tensor *linear(heed_context *c, heed_tensor *x, const heed_tensor *w, const heed_tensor *b) {
    if (!fit(c, x->columns == w->columns && (!b || (b->rows == 1 && b->columns == w->rows)))) return NULL;
    w = without_gaps(c, w);
    return w ? heed_linear(c, x, w, b) : NULL;
}

static heed_tensor *repeated(heed_context *c, const heed_tensor *a, const heed_tensor *b, int product) {
    int fits = a->rows % b->rows == 0 && (b->columns == a->columns || b->columns == 1);
    if (!fit(c, fits)) return NULL;
    if (same_shape(a, b)) return product ? heed_mul(c, a, b) : heed_add(c, a, b);
    return product ? heed_mul_repeated(c, a, b) : heed_add_repeated(c, a, b);
}

static heed_tensor *norm(heed_context *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *b, int kind,
                         float eps) {
    static const heed_tensor absent = {HEED_F32};
    int fits = w->columns == x->columns && (!b || b->columns == x->columns);
    fits = fits && (kind == HEED_LAYERNORM || kind == HEED_RMSNORM);
    return fit(c, fits) ? heed_norm(c, x, w, b ? b : &absent, (heed_norm_kind)kind, eps) : NULL;
}

static heed_tensor *concat(heed_context *c, const heed_call *a) {
    const heed_tensor *const *list = (const void *)a->ids;
    int64_t columns = 0;
    int fits = list && a->integers[0] > 0 && a->n_ids == a->integers[0];
    for (int i = 0; fits && i < a->n_ids; i++) {
        fits = is_tensor(c, list[i]) && list[i]->rows == list[0]->rows;
        fits = fits && (columns += list[i]->columns) <= INT32_MAX;
    }
    return fit(c, fits) ? heed_concat(c, list, a->integers[0]) : NULL;
}

static heed_heads heads_of(const heed_call *a) {
    const int *n = a->integers;
    return (heed_heads){n[0], n[1], n[2], n[3], n[4], n[5]};
}

static int heads_fit(heed_context *c, heed_heads h, const heed_tensor *q, const heed_tensor *k) {
    int fits = h.batch > 0 && h.heads > 0 && h.kv_heads > 0 && h.heads % h.kv_heads == 0 && h.past >= 0;
    int64_t batch = h.batch;
    if (fits && h.joined)
        fits = q->rows % h.batch == 0 && k->rows % h.batch == 0 && q->columns % h.heads == 0 &&
               k->columns % h.kv_heads == 0;
    else if (fits)
        fits = q->rows % (batch * h.heads) == 0 && k->rows % (batch * h.kv_heads) == 0;
    return fit(c, fits);
}

static heed_tensor *scores(heed_context *c, const heed_call *a, int pairs) {
    const heed_tensor *q = a->inputs[0], *k = a->inputs[1];
    heed_heads h = heads_of(a);
    if (!heads_fit(c, h, q, k)) return NULL;
    int d_q = h.joined ? q->columns / h.heads : q->columns, d_k = h.joined ? k->columns / h.kv_heads : k->columns;
    if (!fit(c, d_q == d_k)) return NULL;
    int64_t keys = k->rows / h.batch / (h.joined ? 1 : h.kv_heads), all_heads = h.joined ? h.heads : 1;
    if (pairs && !fit(c, q->rows * all_heads * keys <= INT32_MAX)) return NULL;
    return pairs ? heed_pairs(c, q, k, h) : heed_scores(c, q, k, h, a->floats[0]);
}

static heed_tensor *softmax(heed_context *c, const heed_call *a) {
    heed_heads h = heads_of(a);
    int fits = !h.causal ||
               (h.past >= 0 && h.batch > 0 && h.heads > 0 && a->inputs[0]->rows % ((int64_t)h.batch * h.heads) == 0);
    return fit(c, fits) ? heed_softmax(c, a->inputs[0], h) : NULL;
}

static heed_tensor *combine(heed_context *c, const heed_call *a) {
    const heed_tensor *p = a->inputs[0], *v = a->inputs[1];
    heed_heads h = heads_of(a);
    heed_heads of_p = {h.batch, h.heads, h.heads, 0}, of_v = {h.batch, h.kv_heads, h.kv_heads, h.joined};
    if (!heads_fit(c, of_p, p, p) || !heads_fit(c, of_v, v, v)) return NULL;
    if (!fit(c, h.heads % h.kv_heads == 0)) return NULL;
    int keys = v->rows / h.batch / (h.joined ? 1 : h.kv_heads);
    int64_t columns = (int64_t)v->columns / (h.joined ? h.kv_heads : 1) * (h.joined ? h.heads : 1);
    if (!fit(c, columns <= INT32_MAX)) return NULL;
    return fit(c, keys == p->columns) ? heed_combine(c, p, v, h) : NULL;
}

static heed_tensor *mask(heed_context *c, const heed_call *a) {
    heed_tensor *s = a->inputs[0];
    const heed_tensor *m = a->inputs[1];
    const int *n = a->integers;
    heed_mask_rules rules = {n[0], n[1], n[2], n[3], a->ids, m, n[4], n[5], n[6], n[7]};
    int64_t heads = (int64_t)n[0] * n[1];
    int fits = n[0] > 0 && n[1] > 0 && s->rows % heads == 0 && n[3] >= 0;
    if (fits && m) {
        int T = (int)(s->rows / heads);
        fits = (n[4] == 1 || n[4] == n[0]) && (n[5] == 1 || n[5] == n[1]) && (n[6] == 1 || n[6] == T) &&
               m->columns == s->columns && m->rows == n[4] * n[5] * n[6];
    }
    if (!fit(c, fits)) return NULL;
    return a->ids && !has_ids(c, a, n[0], 0, s->columns + 1) ? NULL : heed_mask(c, s, rules);
}

/* Whether the last of `n` positions from `first` on is an int. */
static int are_positions(int first, int n) { return n > 0 && (int64_t)first + n - 1 <= INT32_MAX; }

static heed_tensor *rope(heed_context *c, const heed_call *a) {
    const heed_tensor *x = a->inputs[0];
    const int *n = a->integers;
    int fits = are_positions(n[0], n[1]) && n[2] > 0 && x->columns % n[2] == 0 && n[3] > 0 && n[3] % 2 == 0 &&
               n[3] <= x->columns / n[2] && (n[4] == HEED_ROPE_ADJACENT || n[4] == HEED_ROPE_HALVES) &&
               a->floats[0] > 0 && a->floats[0] < INFINITY;
    if (!fit(c, fits)) return NULL;
    return heed_rope_rows(c, x, n[0], n[1], n[2], n[3], (heed_position_kind)n[4], a->floats[0]);
}

static heed_tensor *gru(heed_context *c, const heed_call *a) {
    const heed_tensor *input = a->inputs[0], *state = a->inputs[1], *h = a->inputs[2];
    int fits = same_shape(input, state) && input->rows == h->rows && input->columns == 3 * (int64_t)h->columns;
    if (!fit(c, fits && (!a->ids || a->n_ids == h->rows))) return NULL;
    return heed_gru(c, input, state, h, a->ids, a->integers[0]);
}

static heed_tensor *cross_entropy(heed_context *c, const heed_call *a) {
    const heed_tensor *x = a->inputs[0];
    if (!must(c, a->ids && a->n_ids == x->rows, "there must be an id for each row")) return NULL;
    for (int t = 0; t < x->rows; t++)
        if (a->ids[t] != a->integers[0] && (a->ids[t] < 0 || a->ids[t] >= x->columns)) {
            heed_fail(c->error, HEED_ERROR_ARGUMENT, "target %d of row %d is none of 0 .. %d", a->ids[t], t,
                      x->columns - 1);
            return NULL;
        }
    return heed_cross_entropy(c, x, a->ids, a->integers[0], a->floats[0], a->floats[1] != 0);
}

static heed_tensor *optimise(heed_context *c, int operation, const heed_call *a) {
    heed_tensor *w = a->inputs[0], *m = a->inputs[1], *v = a->inputs[2];
    const float *f = a->floats;
    int fits = w->grad && (!m || same_shape(w, m)) && (!v || same_shape(w, v));
    if (operation != HEED_OPERATION_SHRINK) fits = fits && has_no_gaps(w) && has_no_gaps(m) && has_no_gaps(v);
    if (!must(c, fits, "an optimiser needs a gradient, and state of its shape")) return NULL;
    if (operation == HEED_OPERATION_ADAMW)
        heed_adamw(c, w, m, v, (heed_adamw_step){f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
    else if (operation == HEED_OPERATION_SGD)
        heed_sgd(c, w, m, f[0], f[1], f[2]);
    else
        heed_gradient_scale(c, w, f[0]);
    return w;
}

static heed_tensor *squares(heed_context *c, const heed_tensor *x) {
    heed_tensor *y = must(c, x->grad != NULL, "a gradient is asked for") ? new_tensor(c, 1, 1, 0) : NULL;
    if (y) *heed_row(y, 0) = (float)heed_gradient_squares(c, x);
    return y;
}

static uint64_t number(const int *halves) { return (uint64_t)(uint32_t)halves[1] << 32 | (uint32_t)halves[0]; }

/* Inputs that an operation cannot do without. */
static int needed(int operation) {
    switch (operation) {
    case HEED_OPERATION_TENSOR:
    case HEED_OPERATION_CONCAT:
    case HEED_OPERATION_SINUSOIDAL: return 0;
    case HEED_OPERATION_LINEAR:
    case HEED_OPERATION_MATMUL:
    case HEED_OPERATION_NORM:
    case HEED_OPERATION_ADD:
    case HEED_OPERATION_MUL:
    case HEED_OPERATION_SCORES:
    case HEED_OPERATION_PAIRS:
    case HEED_OPERATION_COMBINE: return 2;
    case HEED_OPERATION_GRU:
    case HEED_OPERATION_ADAMW: return 3;
    }
    return 1;
}

static heed_tensor *run(heed_context *c, int operation, const heed_call *a) {
    heed_tensor *x = a->inputs[0], *y = a->inputs[1], *z = a->inputs[2];
    const int *n = a->integers;
    const float *f = a->floats;
    for (int i = 0; i < needed(operation); i++)
        if (!must(c, a->inputs[i] != NULL, "an operation lacks an input")) return NULL;
    for (int i = 0; i < HEED_CALL_INPUTS; i++)
        if (!fit(c, !a->inputs[i] || is_tensor(c, a->inputs[i]))) return NULL;
    size_t size = operation == HEED_OPERATION_CONCAT ? sizeof(heed_tensor *) : sizeof(int32_t);
    int given = a->n_ids >= 0 && is_given(c->arena, a->ids, (uint64_t)a->n_ids * size, size);
    if (!fit(c, !a->ids || given)) return NULL;
    switch ((heed_operation_kind)operation) {
    case HEED_OPERATION_TENSOR: return new_tensor(c, n[0], n[1], n[2]);
    case HEED_OPERATION_VIEW: return view(c, x, n[0], n[1], n[2], n[3]);
    case HEED_OPERATION_COPY: return heed_copied(c, x);
    case HEED_OPERATION_LINEAR: return linear(c, x, y, z);
    case HEED_OPERATION_MATMUL: {
        int fits = (n[0] ? x->rows : x->columns) == (n[1] ? y->columns : y->rows);
        return fit(c, fits) ? heed_matmul(c, x, y, n[0], n[1]) : NULL;
    }
    case HEED_OPERATION_EMBEDDING: {
        const heed_tensor *table = has_ids(c, a, n[0], 0, x->rows) ? without_gaps(c, x) : NULL;
        return table ? heed_embed(c, table, a->ids, n[0]) : NULL;
    }
    case HEED_OPERATION_GATHER: return has_ids(c, a, n[0], -1, x->rows) ? heed_gather(c, x, a->ids, n[0]) : NULL;
    case HEED_OPERATION_NORM: return norm(c, x, y, z, n[0], f[0]);
    case HEED_OPERATION_ACTIVATION:
        return fit(c, n[0] >= HEED_GELU_TANH && n[0] <= HEED_SIGMOID)
                   ? heed_activation(c, x, (heed_activation_kind)n[0])
                   : NULL;
    case HEED_OPERATION_ADD: return repeated(c, x, y, 0);
    case HEED_OPERATION_MUL: return repeated(c, x, y, 1);
    case HEED_OPERATION_AFFINE: return heed_affine(c, x, f[0], f[1]);
    case HEED_OPERATION_CONCAT: return concat(c, a);
    case HEED_OPERATION_SUM: return fit(c, n[0] > 0 && x->rows % n[0] == 0) ? heed_sum(c, x, n[0], n[1], f[0]) : NULL;
    case HEED_OPERATION_SOFTMAX: return softmax(c, a);
    case HEED_OPERATION_SCORES: return scores(c, a, 0);
    case HEED_OPERATION_PAIRS: return scores(c, a, 1);
    case HEED_OPERATION_MASK: return mask(c, a);
    case HEED_OPERATION_COMBINE: return combine(c, a);
    case HEED_OPERATION_ROPE: return rope(c, a);
    case HEED_OPERATION_SINUSOIDAL:
        return fit(c, are_positions(n[0], n[1])) ? heed_sinusoidal(c, n[0], n[1], n[2]) : NULL;
    case HEED_OPERATION_DROPOUT:
        return fit(c, f[0] >= 0 && f[0] < 1) ? heed_dropout(c, x, number(n), number(n + 2), f[0]) : NULL;
    case HEED_OPERATION_GRU: return gru(c, a);
    case HEED_OPERATION_CROSS_ENTROPY: return cross_entropy(c, a);
    case HEED_OPERATION_ADAMW:
    case HEED_OPERATION_SGD:
    case HEED_OPERATION_SHRINK: return optimise(c, operation, a);
    case HEED_OPERATION_SQUARES: return squares(c, x);
    case HEED_OPERATION_COUNT: break;
    }
    must(c, 0, "there is no such operation");
    return NULL;
}

heed_tensor *heed_operation(heed_lab *lab, int operation, heed_call *call, heed_error *error) {
    if (!heed_is_address(lab, 1, error) || !heed_is_address(call, 1, error)) return NULL;
    heed_context c = context(lab, error);
    size_t mark = heed_lab_mark(lab);
    heed_tensor *y = run(&c, operation, call);
    if (!y) {
        heed_lab_release(lab, mark);
        return NULL;
    }
    call->rows = y->rows;
    call->columns = y->columns;
    call->stride = y->stride;
    call->data = y->data;
    call->grad = y->grad;
    return y;
}

int heed_lab_backward(heed_lab *lab, heed_tensor *loss, heed_error *error) {
    if (!heed_is_address(lab, 1, error)) return 0;
    heed_context c = context(lab, error);
    int position;
    if (!fit(&c, is_tensor(&c, loss))) return 0;
    if (!must(&c, loss->rows == 1 && loss->columns == 1 && loss->grad,
              "a loss is one number that depends on gradients"))
        return 0;
    float value = *heed_row(loss, 0);
    if (!(value - value == 0)) {
        const heed_record *first = heed_tape_first_nan(&lab->tape, &position);
        return first ? heed_fail(error, HEED_ERROR_NUMBER,
                                 "the loss is no number: a NaN first appeared in %s, "
                                 "operation %d of this step",
                                 first->name, position)
                     : heed_fail(error, HEED_ERROR_NUMBER, "the loss is infinite, without a NaN before it");
    }
    *loss->grad += 1;
    c.tape = &lab->tape;
    heed_tape_backward(&c);
    lab->walked = lab->tape;
    lab->loss = loss;
    lab->tape.last = NULL;
    return 1;
}

int heed_lab_check_gradients(heed_lab *lab, heed_error *error) {
    if (!heed_is_address(lab, 1, error)) return 0;
    heed_context c = context(lab, error);
    int position;
    if (!lab->walked.last) return 1;
    c.tape = &lab->walked;
    const heed_record *first = heed_tape_first_bad_gradient(&c, lab->loss, &position);
    return first ? heed_fail(error, HEED_ERROR_NUMBER,
                             "it first appeared on the way back through %s, operation %d of this step", first->name,
                             position)
                 : 1;
}
