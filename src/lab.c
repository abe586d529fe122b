/* The lab: one arena, one tape, and a checked entry to every operation (heed_lab.h). */
#include "heed_lab.h"

#include "models/causal_lm.h"
#include "ops/learn.h"
#include "rng.h"

#include <math.h>
#include <string.h>

struct heed_lab {
    heed_arena arena;
    const heed_kernels *kernels;
    heed_pool *pool;
    heed_tape tape;
    heed_tape consumed; /* the records of the last backward; empty once the arena has released them */
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
    if ((const uint8_t *)lab->consumed.last >= end || (const uint8_t *)lab->loss >= end) lab->consumed.last = NULL;
    heed_arena_release(&lab->arena, mark);
}

static heed_context context(heed_lab *lab, heed_error *error) {
    return (heed_context){.arena = &lab->arena,
                          .kernels = lab->kernels,
                          .pool = lab->pool,
                          .error = error,
                          .layer = HEED_NO_LAYER,
                          .tape = lab->recording ? &lab->tape : NULL};
}

void *heed_lab_take(heed_lab *lab, size_t bytes, heed_error *error) {
    if (!heed_is_address(lab, 1, error)) return NULL;
    heed_context c = context(lab, error);
    void *memory = heed_arena_take(&lab->arena, 1, bytes);
    return memory ? memory : heed_out_of_memory(&c);
}

/* Fails with this message unless `holds`. */
static int require(heed_context *c, int holds, const char *message) {
    if (!holds) heed_fail(c->error, HEED_ERROR_ARGUMENT, "%s", message);
    return holds;
}

/* Whether `bytes` at this address lie in the used part of the arena. */
static int is_in_arena(const heed_arena *arena, const void *at, uint64_t bytes, size_t alignment) {
    uintptr_t base = (uintptr_t)arena->base, from = (uintptr_t)at;
    return from % alignment == 0 && from >= base && bytes <= arena->used && from - base <= arena->used - bytes;
}

static int is_tensor(const heed_context *c, const heed_tensor *x) {
    return is_in_arena(c->arena, x, sizeof *x, HEED_ALIGN);
}

/* JavaScript checks shapes first, with errors that name axes; these checks keep memory safe. */
static int fit(heed_context *c, int holds) { return require(c, holds, "sizes, kinds or tensors do not fit"); }

static int same_shape(const heed_tensor *a, const heed_tensor *b) {
    return a->rows == b->rows && a->columns == b->columns;
}

/* Whether the call has n ids, each in least .. end - 1. */
static int has_ids(heed_context *c, const heed_call *a, int n, int least, int end) {
    if (!require(c, a->ids && a->n_ids == n && n > 0, "there must be an id for each row")) return 0;
    for (int i = 0; i < n; i++)
        if (a->ids[i] < least || a->ids[i] >= end)
            return heed_fail(c->error, HEED_ERROR_ARGUMENT, "id %d, number %d of %d, is not in %d .. %d", a->ids[i], i,
                             n, least, end - 1);
    return 1;
}

static int has_no_gaps(const heed_tensor *x) { return !x || x->rows < 2 || x->stride == (size_t)x->columns; }

/* Kernels read weights without gaps between rows. */
static const heed_tensor *without_gaps(heed_context *c, const heed_tensor *x) {
    return has_no_gaps(x) ? x : heed_copied(c, x);
}

static heed_tensor *new_tensor(heed_context *c, int rows, int columns, int requires_grad) {
    heed_context unrecorded = *c;
    unrecorded.tape = NULL;
    heed_tensor *t = heed_tensor_new(&unrecorded, rows, columns);
    if (t) memset(t->data, 0, (size_t)rows * (size_t)columns * sizeof(float));
    return t && requires_grad && !heed_grad_new(c, t) ? NULL : t;
}

/* Rows of a view do not overlap, so threads can add to their gradients, and a view is never larger than its tensor. */
static heed_tensor *view(heed_context *c, const heed_call *a) {
    const heed_tensor *x = a->inputs[0];
    int first = a->n.view.first, rows = a->n.view.rows, columns = a->n.view.columns, stride = a->n.view.stride;
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

static heed_tensor *matmul(heed_context *c, const heed_call *a) {
    const heed_tensor *x = a->inputs[0], *y = a->inputs[1];
    int x_transposed = a->n.matmul.a_transposed, y_transposed = a->n.matmul.b_transposed;
    int fits = (x_transposed ? x->rows : x->columns) == (y_transposed ? y->columns : y->rows);
    return fit(c, fits) ? heed_matmul(c, x, y, x_transposed, y_transposed) : NULL;
}

static heed_tensor *embedding(heed_context *c, const heed_call *a) {
    const heed_tensor *table = a->inputs[0];
    int n = a->n.embedding.n;
    table = has_ids(c, a, n, 0, table->rows) ? without_gaps(c, table) : NULL;
    return table ? heed_embed(c, table, a->ids, n) : NULL;
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
    fits = fits && (kind == HEED_LAYERNORM || (kind == HEED_RMSNORM && !b));
    return fit(c, fits) ? heed_norm(c, x, w, b ? b : &absent, (heed_norm_kind)kind, eps) : NULL;
}

static heed_tensor *concat(heed_context *c, const heed_call *a) {
    heed_tensor_list list = a->list;
    int64_t columns = 0;
    int fits = list && a->n_list > 0;
    for (int i = 0; fits && i < a->n_list; i++) {
        fits = is_tensor(c, list[i]) && list[i]->rows == list[0]->rows;
        fits = fits && (columns += list[i]->columns) <= INT32_MAX;
    }
    return fit(c, fits) ? heed_concat(c, list, a->n_list) : NULL;
}

/* The heads of a call: scores, pairs, softmax and attend_values have the same integers. */
static heed_heads heads_of(const heed_call *a) {
    const heed_call_integers *n = &a->n;
    return (heed_heads){n->scores.batch,  n->scores.heads,  n->scores.kv_heads,
                        n->scores.joined, n->scores.causal, n->scores.past};
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
    return pairs ? heed_pairs(c, q, k, h) : heed_scores(c, q, k, h, a->f.scores.scale);
}

static heed_tensor *softmax(heed_context *c, const heed_call *a) {
    heed_heads h = heads_of(a);
    int fits = !h.causal ||
               (h.past >= 0 && h.batch > 0 && h.heads > 0 && a->inputs[0]->rows % ((int64_t)h.batch * h.heads) == 0);
    return fit(c, fits) ? heed_softmax(c, a->inputs[0], h) : NULL;
}

static heed_tensor *attend_values(heed_context *c, const heed_call *a) {
    const heed_tensor *p = a->inputs[0], *v = a->inputs[1];
    heed_heads h = heads_of(a);
    heed_heads p_heads = {h.batch, h.heads, h.heads, .past = h.past},
               v_heads = {h.batch, h.kv_heads, h.kv_heads, h.joined};
    if (!heads_fit(c, p_heads, p, p) || !heads_fit(c, v_heads, v, v)) return NULL;
    if (!fit(c, h.heads % h.kv_heads == 0)) return NULL;
    int keys = v->rows / h.batch / (h.joined ? 1 : h.kv_heads);
    int64_t columns = (int64_t)v->columns / (h.joined ? h.kv_heads : 1) * (h.joined ? h.heads : 1);
    if (!fit(c, columns <= INT32_MAX)) return NULL;
    return fit(c, keys == p->columns) ? heed_attend_values(c, p, v, h) : NULL;
}

static heed_tensor *mask(heed_context *c, const heed_call *a) {
    heed_tensor *s = a->inputs[0];
    const heed_tensor *m = a->inputs[1];
    heed_mask_rules r = {.batch = a->n.mask.batch,
                         .heads = a->n.mask.heads,
                         .causal = a->n.mask.causal,
                         .past = a->n.mask.past,
                         .lengths = a->ids,
                         .m = m,
                         .m_batch = a->n.mask.m_batch,
                         .m_heads = a->n.mask.m_heads,
                         .m_rows = a->n.mask.m_rows,
                         .boolean = a->n.mask.boolean};
    int64_t heads = (int64_t)r.batch * r.heads;
    int fits = r.batch > 0 && r.heads > 0 && s->rows % heads == 0 && r.past >= 0;
    if (fits && m) {
        int T = (int)(s->rows / heads);
        fits = (r.m_batch == 1 || r.m_batch == r.batch) && (r.m_heads == 1 || r.m_heads == r.heads) &&
               (r.m_rows == 1 || r.m_rows == T) && m->columns == s->columns &&
               m->rows == r.m_batch * r.m_heads * r.m_rows;
    }
    if (!fit(c, fits)) return NULL;
    return a->ids && !has_ids(c, a, r.batch, 0, s->columns + 1) ? NULL : heed_mask(c, s, r);
}

/* Whether positions first .. first + n - 1 are ints. */
static int are_positions(int first, int n) { return n > 0 && (int64_t)first + n - 1 <= INT32_MAX; }

static heed_tensor *rope(heed_context *c, const heed_call *a) {
    const heed_tensor *x = a->inputs[0];
    int first = a->n.rope.first, period = a->n.rope.period, heads = a->n.rope.heads, dims = a->n.rope.dims;
    int kind = a->n.rope.kind;
    float theta = a->f.rope.theta;
    int fits = are_positions(first, period) && heads > 0 && x->columns % heads == 0 && dims > 0 && dims % 2 == 0 &&
               dims <= x->columns / heads && (kind == HEED_ROPE_ADJACENT || kind == HEED_ROPE_HALVES) && theta > 0 &&
               theta < INFINITY;
    return fit(c, fits) ? heed_rope_rows(c, x, first, period, heads, dims, (heed_position_kind)kind, theta) : NULL;
}

static heed_tensor *sinusoidal(heed_context *c, const heed_call *a) {
    int first = a->n.sinusoidal.first, rows = a->n.sinusoidal.rows;
    return fit(c, are_positions(first, rows)) ? heed_sinusoidal(c, first, rows, a->n.sinusoidal.columns) : NULL;
}

static heed_tensor *dropout(heed_context *c, const heed_call *a) {
    uint64_t seed = heed_joined_words(a->n.dropout.seed_low, a->n.dropout.seed_high);
    uint64_t counter = heed_joined_words(a->n.dropout.counter_low, a->n.dropout.counter_high);
    float probability = a->f.dropout.probability;
    return fit(c, probability >= 0 && probability < 1) ? heed_dropout(c, a->inputs[0], seed, counter, probability)
                                                       : NULL;
}

static heed_tensor *gru(heed_context *c, const heed_call *a) {
    const heed_tensor *input = a->inputs[0], *state = a->inputs[1], *h = a->inputs[2];
    int fits = same_shape(input, state) && input->rows == h->rows && input->columns == 3 * (int64_t)h->columns;
    if (!fit(c, fits && (!a->ids || a->n_ids == h->rows))) return NULL;
    return heed_gru(c, input, state, h, a->ids, a->n.gru.step);
}

static heed_tensor *cross_entropy(heed_context *c, const heed_call *a) {
    const heed_tensor *x = a->inputs[0];
    int ignored = a->n.cross_entropy.ignored;
    if (!require(c, a->ids && a->n_ids == x->rows, "there must be an id for each row")) return NULL;
    for (int t = 0; t < x->rows; t++)
        if (a->ids[t] != ignored && (a->ids[t] < 0 || a->ids[t] >= x->columns)) {
            heed_fail(c->error, HEED_ERROR_ARGUMENT, "target %d of row %d is not in 0 .. %d", a->ids[t], t,
                      x->columns - 1);
            return NULL;
        }
    return heed_cross_entropy(c, x, a->ids, ignored, a->f.cross_entropy.smoothing, a->f.cross_entropy.mean != 0);
}

/* Returns the scores of each block to the caller. */
static heed_tensor *note_scores(heed_context *c, heed_hook hook, int head, heed_tensor *x) {
    (void)head;
    if (hook == HEED_HOOK_ATTN_SCORES) ((const heed_tensor **)c->user)[c->layer] = x;
    return x;
}

static heed_tensor *causal_lm(heed_context *c, const heed_call *a) {
    const heed_model *m = a->model;
    int batch = a->n.causal_lm.batch;
    if (!require(c, m && m->ready, "the model is not ready")) return NULL;
    if (!require(c, !m->config.encoder_layers, "CAUSAL_LM runs no encoder–decoder; a session does")) return NULL;
    if (!fit(c, batch > 0 && a->n_ids > 0 && a->n_ids % batch == 0)) return NULL;
    int n = a->n_ids / batch, fits = m->config.position != HEED_POSITION_LEARNED || n <= m->config.context_length;
    if (!require(c, fits, "a sequence is longer than the context")) return NULL;
    if (!has_ids(c, a, a->n_ids, 0, m->config.vocabulary)) return NULL;
    if (!fit(c, !a->list || a->n_list == m->config.layers)) return NULL;
    heed_context exact = *c;   /* no guard watches whole bytes here */
    heed_tape unread = {NULL}; /* keeps the scores, which a block without a tape releases */
    if (a->list && !c->tape) exact.tape = &unread;
    exact.listener = a->list ? note_scores : NULL;
    exact.user = (void *)(uintptr_t)a->list;
    if (heed_has_whole_bytes(c->kernels)) exact.kernels = &heed_kernels_relaxed;
    return heed_causal_lm_batch(&exact, m, a->ids, batch, n);
}

size_t heed_lab_model_bytes(const heed_model *m, int batch, int n) {
    if (!m || batch < 1 || n < 1 || !heed_causal_lm_can_record(&m->config, batch, n)) return 0;
    uint64_t numbers = (uint64_t)batch * (uint64_t)n * (uint64_t)heed_most_outputs(&m->config);
    uint64_t total = heed_causal_lm_recorded_bytes(m, batch, n) +
                     heed_causal_lm_logits_copies(&m->config) * heed_aligned_64(numbers * sizeof(float)) +
                     heed_blocks_bytes(batch * n, m->config.d_model) + (1 << 12);
    return total > SIZE_MAX ? 0 : (size_t)total;
}

/* Whether w has a gradient, and a state of an optimizer has its shape. */
static int can_update(heed_context *c, const heed_tensor *w, const heed_tensor *m, const heed_tensor *v) {
    int fits = w->grad && (!m || same_shape(w, m)) && (!v || same_shape(w, v));
    fits = fits && has_no_gaps(w) && has_no_gaps(m) && has_no_gaps(v);
    return require(c, fits, "an optimizer needs a gradient, and state of its shape");
}

static heed_tensor *adamw(heed_context *c, const heed_call *a) {
    heed_tensor *w = a->inputs[0], *m = a->inputs[1], *v = a->inputs[2];
    if (!can_update(c, w, m, v)) return NULL;
    heed_adamw(c, w, m, v,
               (heed_adamw_step){a->f.adamw.rate, a->f.adamw.beta_1, a->f.adamw.beta_2, a->f.adamw.eps,
                                 a->f.adamw.decay, a->f.adamw.correction_1, a->f.adamw.correction_2});
    return w;
}

static heed_tensor *sgd(heed_context *c, const heed_call *a) {
    heed_tensor *w = a->inputs[0], *velocity = a->inputs[1];
    if (!can_update(c, w, velocity, NULL)) return NULL;
    heed_sgd(c, w, velocity, a->f.sgd.rate, a->f.sgd.momentum, a->f.sgd.decay);
    return w;
}

static heed_tensor *scale_gradient(heed_context *c, const heed_call *a) {
    heed_tensor *x = a->inputs[0];
    if (!require(c, x->grad != NULL, "the tensor has no gradient")) return NULL;
    heed_grad_scale(c, x, a->f.scale_gradient.factor);
    return x;
}

static heed_tensor *squared_norm(heed_context *c, const heed_tensor *x) {
    heed_tensor *y = require(c, x->grad != NULL, "the tensor has no gradient") ? new_tensor(c, 1, 1, 0) : NULL;
    if (y) *heed_row(y, 0) = (float)heed_grad_squared_norm(c, x);
    return y;
}

/* Inputs that an operation requires. */
static int required_inputs(int operation) {
    switch (operation) {
#define X(NAME, name, needed, integers, floats)                                                                        \
    case HEED_OPERATION_##NAME: return needed;
        HEED_OPERATIONS(X)
#undef X
    }
    return 0;
}

/* Whether inputs, ids and list lie in the arena. */
static int has_inputs(heed_context *c, int operation, const heed_call *a) {
    for (int i = 0; i < required_inputs(operation); i++)
        if (!require(c, a->inputs[i] != NULL, "an operation lacks an input")) return 0;
    for (int i = 0; i < (int)(sizeof a->inputs / sizeof *a->inputs); i++)
        if (!fit(c, !a->inputs[i] || is_tensor(c, a->inputs[i]))) return 0;
    size_t id = sizeof *a->ids, pointer = sizeof *a->list;
    int ids = !a->ids || (a->n_ids >= 0 && is_in_arena(c->arena, a->ids, (uint64_t)a->n_ids * id, id));
    int list = !a->list || (a->n_list >= 0 && is_in_arena(c->arena, a->list, (uint64_t)a->n_list * pointer, pointer));
    return fit(c, ids && list);
}

static heed_tensor *run(heed_context *c, int operation, const heed_call *a) {
    heed_tensor *x = a->inputs[0], *y = a->inputs[1], *z = a->inputs[2];
    if (!has_inputs(c, operation, a)) return NULL;
    switch ((heed_operation_kind)operation) {
    case HEED_OPERATION_TENSOR: return new_tensor(c, a->n.tensor.rows, a->n.tensor.columns, a->n.tensor.requires_grad);
    case HEED_OPERATION_VIEW: return view(c, a);
    case HEED_OPERATION_COPY: return heed_copied(c, x);
    case HEED_OPERATION_LINEAR: return linear(c, x, y, z);
    case HEED_OPERATION_MATMUL: return matmul(c, a);
    case HEED_OPERATION_EMBEDDING: return embedding(c, a);
    case HEED_OPERATION_GATHER:
        return has_ids(c, a, a->n.gather.n, -1, x->rows) ? heed_gather(c, x, a->ids, a->n.gather.n) : NULL;
    case HEED_OPERATION_NORM: return norm(c, x, y, z, a->n.norm.kind, a->f.norm.eps);
    case HEED_OPERATION_ACTIVATION: {
        int kind = a->n.activation.kind, fits = kind >= HEED_GELU_TANH && kind <= HEED_SIGMOID;
        return fit(c, fits) ? heed_activation(c, x, (heed_activation_kind)kind) : NULL;
    }
    case HEED_OPERATION_ADD: return repeated(c, x, y, 0);
    case HEED_OPERATION_MUL: return repeated(c, x, y, 1);
    case HEED_OPERATION_AFFINE: return heed_affine(c, x, a->f.affine.scale, a->f.affine.shift);
    case HEED_OPERATION_CONCAT: return concat(c, a);
    case HEED_OPERATION_SUM: {
        int rows = a->n.sum.rows, fits = rows > 0 && x->rows % rows == 0;
        return fit(c, fits) ? heed_sum(c, x, rows, a->n.sum.over_columns, a->f.sum.scale) : NULL;
    }
    case HEED_OPERATION_SOFTMAX: return softmax(c, a);
    case HEED_OPERATION_SCORES: return scores(c, a, 0);
    case HEED_OPERATION_PAIRS: return scores(c, a, 1);
    case HEED_OPERATION_MASK: return mask(c, a);
    case HEED_OPERATION_ATTEND_VALUES: return attend_values(c, a);
    case HEED_OPERATION_ROPE: return rope(c, a);
    case HEED_OPERATION_SINUSOIDAL: return sinusoidal(c, a);
    case HEED_OPERATION_DROPOUT: return dropout(c, a);
    case HEED_OPERATION_GRU: return gru(c, a);
    case HEED_OPERATION_CROSS_ENTROPY: return cross_entropy(c, a);
    case HEED_OPERATION_CAUSAL_LM: return causal_lm(c, a);
    case HEED_OPERATION_ADAMW: return adamw(c, a);
    case HEED_OPERATION_SGD: return sgd(c, a);
    case HEED_OPERATION_SQUARED_NORM: return squared_norm(c, x);
    case HEED_OPERATION_SCALE_GRADIENT: return scale_gradient(c, a);
    case HEED_OPERATION_COUNT: break;
    }
    require(c, 0, "there is no such operation");
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
    if (!require(&c, loss->rows == 1 && loss->columns == 1 && loss->grad,
                 "a loss is one number that depends on gradients"))
        return 0;
    float value = *heed_row(loss, 0);
    if (!(value - value == 0)) {
        const heed_record *first = heed_tape_first_nan(&lab->tape, &position);
        return first ? heed_fail(error, HEED_ERROR_NUMBER,
                                 "the loss is not a number: NaN first appeared in %s, "
                                 "operation %d of this step",
                                 first->name, position)
                     : heed_fail(error, HEED_ERROR_NUMBER, "the loss is infinite");
    }
    *loss->grad += 1;
    lab->consumed = lab->tape;
    lab->loss = loss;
    c.tape = &lab->tape;
    heed_tape_backward(&c, NULL);
    return 1;
}

int heed_lab_check_gradients(heed_lab *lab, heed_error *error) {
    if (!heed_is_address(lab, 1, error)) return 0;
    heed_context c = context(lab, error);
    int position;
    if (!lab->consumed.last) return 1;
    c.tape = &lab->consumed;
    const heed_record *first = heed_tape_first_bad_gradient(&c, lab->loss, &position);
    return first ? heed_fail(error, HEED_ERROR_NUMBER,
                             "it first appeared in the backward pass of %s, operation %d of this step", first->name,
                             position)
                 : 1;
}
