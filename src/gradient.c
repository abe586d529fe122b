/* The gradient of a metric by activations: one forward pass that records, and its backward, a block per call. */
#include "metric.h"
#include "ops/learn.h"

#include <string.h>

typedef enum stage { FORWARD, HEAD, BACKWARD, DONE } stage;

struct heed_gradient {
    heed_session *session;
    const heed_tap_request *taps;
    heed_metric metric;
    heed_arena arena; /* tensors and records, after this struct */
    heed_tape tape;
    heed_pass pass;
    heed_tensor *hidden; /* input of the head: [n][D] */
    heed_text ids, source;
    int last; /* rows of the last block's output; 0: all */
    stage stage;
    int row;                      /* of the metric: the first that has no logits yet */
    double value;                 /* of the rows before `row` */
    const heed_record **of_block; /* [L + 1] last record before each block, and before the final norm */
};

static heed_tensor *listen(heed_context *c, heed_hook hook, int head, heed_tensor *x);

/* Exact products in every engine: a guard would have to start a whole run again (whole_bytes.h). */
static heed_context context(heed_gradient *g, heed_error *error) {
    const heed_kernels *k = g->session->kernels;
    g->session->call.is_map = 0;
    return (heed_context){.arena = &g->arena,
                          .kernels = heed_has_whole_bytes(k) ? &heed_kernels_relaxed : k,
                          .pool = g->session->pool,
                          .error = error,
                          .listener = g->taps ? listen : NULL,
                          .user = g,
                          .layer = HEED_NO_LAYER,
                          .end = g->ids.n,
                          .tape = &g->tape};
}

/* Positions of an activation, up to the last.  Scores and patterns are [H·positions][T], a head after another. */
static int positions_of(const heed_gradient *g, const heed_tap_request *r, const heed_tensor *x) {
    return heed_taps_map(r) ? x->rows / g->session->model->config.heads : x->rows;
}

/* The position after the last of an activation: in an encoder–decoder, of the text or of its source. */
static int end_of(const heed_gradient *g, const heed_tap_request *r) {
    const heed_config *c = &g->session->model->config;
    int is_key = r->hook == HEED_HOOK_K || r->hook == HEED_HOOK_V;
    int is_source = r->layer >= 0 && (heed_in_encoder(c, r->layer) || (is_key && heed_is_cross(c, r->layer)));
    return is_source ? g->source.n : g->ids.n;
}

/* Applies a tap to numbers laid out as x: its data or its gradient. */
static void apply(const heed_gradient *g, const heed_tap_request *r, const heed_tensor *x, float *numbers) {
    heed_tensor view = {HEED_F32, positions_of(g, r, x), x->columns, x->stride, numbers};
    int end = end_of(g, r);
    if (!heed_taps_map(r)) {
        heed_tap_apply(g->session, r, HEED_ALL_HEADS, end, &view);
        return;
    }
    for (int h = 0; h < g->session->model->config.heads; h++) {
        view.data = numbers + (size_t)h * (size_t)view.rows * x->stride;
        if (r->head < 0 || r->head == h) heed_tap_apply(g->session, r, h, end, &view);
    }
}

/* y = x / Σx: dx = (dy - Σ dy·y) / Σx.  x is a pattern [H·T][keys], of which a row has the keys that it sees. */
static void normalize_backward(heed_context *c, const heed_record *r) {
    const heed_gradient *g = c->user;
    const heed_tap_request *tap = r->saved;
    int T = positions_of(g, tap, r->y), first = end_of(g, tap) - T;
    heed_score_rules rules = heed_causal_lm_rules(g->session->model, tap->layer);
    for (int i = 0; i < r->y->rows; i++) {
        int head = i / T, t = first + i % T;
        if (t < tap->from || t >= tap->to || (tap->head >= 0 && tap->head != head)) continue;
        const float *x = heed_row(r->x[0], i), *y = heed_row(r->y, i);
        float *dy = heed_grad(r->y, i);
        double sum = 0, along = 0;
        int begin, end;
        heed_seen_keys(&rules, t, r->y->columns, &begin, &end);
        for (int j = begin; j < end; j++) sum += (double)x[j], along += (double)dy[j] * (double)y[j];
        for (int j = begin; j < end && sum != 0; j++) dy[j] = (float)(((double)dy[j] - along) / sum);
    }
}

/* The gradient of scale·x + values is scale·dy, where x was edited.  A projection is its own derivative. */
static void edit_backward(heed_context *c, const heed_record *r) {
    heed_tap_request scaling = *(const heed_tap_request *)r->saved;
    if (!scaling.project) scaling.values = NULL;
    scaling.copy = NULL;
    apply(c->user, &scaling, r->y, r->y->grad);
}

/* Edits a copy in place: earlier records still read x. */
static heed_tensor *edited(heed_context *c, const heed_tap_request *r, const heed_tensor *x) {
    heed_tensor *y = heed_copied(c, x);
    if (!y) return NULL;
    heed_tap_request edit = *r;
    edit.copy = NULL;
    apply(c->user, &edit, y, y->data);
    heed_backward_function *backward = r->normalize ? normalize_backward : edit_backward;
    return heed_tape_push(c, y, (heed_record){.name = "edit", .backward = backward, .x = {x}, .saved = r});
}

/* Copies numbers laid out as x. */
static void copy(const heed_gradient *g, const heed_tap_request *r, const heed_tensor *x, float *numbers) {
    heed_tap_request copying = *r;
    copying.scale = 1;
    copying.values = NULL;
    copying.normalize = 0;
    apply(g, &copying, x, numbers);
}

/* Every operation that reads the activation comes after this record, so its gradient is complete here. */
static void copy_gradient(heed_context *c, const heed_record *r) { copy(c->user, r->saved, r->y, r->y->grad); }

static heed_tensor *listen(heed_context *c, heed_hook hook, int head, heed_tensor *x) {
    (void)head;
    const heed_gradient *g = c->user;
    for (const heed_tap_request *r = g->taps; r && x; r = r->next) {
        if (r->hook != (int)hook || r->layer != c->layer) continue;
        if (heed_tap_edits(r)) x = edited(c, r, x);
        if (!x || !r->copy) continue;
        if (r->activation)
            copy(g, r, x, x->data);
        else
            x = heed_tape_push(c, x, (heed_record){.name = "tap", .backward = copy_gradient, .saved = r});
    }
    return x;
}

/* An upper bound of the bytes of a run of n ids, and a source of at most n. */
static uint64_t bytes_of(const heed_session *s, int n) {
    const heed_config *c = &s->model->config;
    uint64_t T = (uint64_t)n, H = (uint64_t)c->heads, L = (uint64_t)c->layers, V = (uint64_t)heed_most_outputs(c);
    uint64_t D = (uint64_t)c->d_model, F = (uint64_t)c->d_ff, q = H * (uint64_t)c->d_head;
    uint64_t record = heed_aligned_64(sizeof(heed_record));
    uint64_t head = HEED_METRIC_ROWS * (heed_causal_lm_logits_copies(c) * V + 6 * D) * sizeof(float) +
                    2 * heed_blocks_bytes(HEED_METRIC_ROWS, c->d_model) +
                    40 * (record + 4 * HEED_ALIGN + heed_aligned_64(sizeof(heed_tensor)));
    uint64_t total = heed_aligned_64(sizeof(heed_gradient)) + heed_aligned_64((L + 1) * sizeof(heed_record *)) +
                     2 * heed_aligned_64(T * sizeof(int32_t)) + heed_causal_lm_recorded_bytes(s->model, 1, n) + head;
    for (const heed_tap_request *r = s->taps; r; r = r->next) {
        uint64_t widest = H * T > F ? H * T : F;
        if (D > widest) widest = D;
        if (q > widest) widest = q;
        total += 3 * record + heed_aligned_64(sizeof(heed_tensor)) + 2 * heed_aligned_64(T * widest * sizeof(float));
    }
    return total + HEED_ALIGN;
}

/* Rows of the last block that the metric depends on; 0: all, because a tap copies activations, which are at every
 * position.  Gradients at other positions are zeros. */
static int last_rows(const heed_session *s, const heed_metric *m, int n) {
    for (const heed_tap_request *r = s->taps; r; r = r->next)
        if (r->copy && r->activation) return 0;
    return n - m->first;
}

static int valid(const heed_session *s, int n, heed_error *error) {
    return heed_is_address(s, 1, error) &&
           heed_in_range(error, HEED_ERROR_ARGUMENT, "the number of ids", n, 1, s->capacity);
}

/* A copy of ids in the arena. */
static heed_text copied(heed_arena *arena, const int32_t *ids, int n) {
    int32_t *copy = n ? heed_arena_take(arena, (size_t)n, sizeof *copy) : NULL;
    if (copy) memcpy(copy, ids, (size_t)n * sizeof *copy);
    return (heed_text){copy, n};
}

size_t heed_gradient_bytes(const heed_session *s, int n, heed_error *error) {
    if (!valid(s, n, error)) return 0;
    int longest = n > s->source.n ? n : s->source.n;
    uint64_t total = heed_causal_lm_can_record(&s->model->config, 1, longest) ? bytes_of(s, longest) : SIZE_MAX;
    if (total <= SIZE_MAX - HEED_ALIGN) return (size_t)total;
    heed_fail(error, HEED_ERROR_ADDRESSES,
              "the gradients of %d positions do not fit into the address space; give fewer ids or use 64-bit memory",
              n);
    return 0;
}

heed_gradient *heed_gradient_create(void *memory, size_t bytes, heed_session *s, const int32_t *ids, int n,
                                    const heed_metric *metric, heed_error *error) {
    size_t needed = heed_gradient_bytes(s, n, error);
    if (!needed || !heed_is_address(memory, HEED_ALIGN, error) || !heed_is_address(ids, 1, error) ||
        !heed_metric_is_valid(s, metric, n, error))
        return NULL;
    if (bytes < needed) {
        heed_fail(error, HEED_ERROR_MEMORY, "gradients of %d positions need %u bytes, not %u", n, needed, bytes);
        return NULL;
    }
    if (!heed_session_has_ids(s, ids, n, error)) return NULL;
    heed_arena arena = {memory, needed, 0};
    heed_gradient *g = heed_arena_take(&arena, 1, sizeof *g);
    *g = (heed_gradient){.session = s, .taps = s->taps, .metric = *metric, .last = last_rows(s, metric, n)};
    g->of_block = heed_arena_take(&arena, (size_t)s->model->config.layers + 1, sizeof(heed_record *));
    g->ids = copied(&arena, ids, n);
    g->source = copied(&arena, s->source.ids, s->source.n);
    g->arena = arena;
    return g;
}

/* The embedding, a block, or the final norm. */
static int forward(heed_gradient *g, heed_context *c) {
    const heed_model *m = g->session->model;
    if (!g->pass.x) {
        g->pass = heed_causal_lm_begin(c, m, g->ids, 0, g->source);
        g->pass.last = g->last;
        if (!g->pass.x) return 0;
    }
    g->of_block[g->pass.layer] = g->tape.last;
    if (g->pass.layer < m->config.layers) {
        heed_causal_lm_next(c, m, NULL, &g->pass);
        return g->pass.x != NULL;
    }
    g->hidden = heed_causal_lm_end(c, m, &g->pass);
    g->stage = HEAD;
    return g->hidden != NULL;
}

/* The head and its backward, for a few rows of the metric. */
static int head(heed_gradient *g, heed_context *c) {
    const heed_record *end = g->tape.last;
    size_t mark = heed_arena_mark(c->arena);
    int left = g->metric.rows - g->row, rows = left < HEED_METRIC_ROWS ? left : HEED_METRIC_ROWS,
        first = g->metric.first + g->row - (g->ids.n - g->hidden->rows);
    heed_tensor x = *g->hidden;
    x.rows = rows;
    x.data = heed_row(g->hidden, first);
    x.grad = heed_grad(g->hidden, first);
    x.q8 = NULL;
    if (!heed_metric_add(c, g->session->model, &g->metric, g->row, &x, &g->value)) return 0;
    heed_tape_backward(c, end);
    heed_arena_release(c->arena, mark);
    g->row += rows;
    if (g->row == g->metric.rows) g->stage = BACKWARD;
    return 1;
}

/* The backward of the final norm, of a block, or of the embedding. */
static int backward(heed_gradient *g, heed_context *c) {
    heed_tape_backward(c, g->pass.layer >= 0 ? g->of_block[g->pass.layer] : NULL);
    if (g->pass.layer-- < 0) g->stage = DONE;
    return 1;
}

heed_forward_state heed_gradient_next(heed_gradient *g, float *value, heed_error *error) {
    if (!heed_is_address(g, 1, error) || !heed_is_address(value, 1, error)) return HEED_FORWARD_FAILED;
    heed_context c = context(g, error);
    int ok = g->stage == FORWARD ? forward(g, &c) : g->stage == HEAD ? head(g, &c) : backward(g, &c);
    if (ok && g->value - g->value != 0)
        ok = heed_fail(error, HEED_ERROR_NUMBER, "the metric is infinite or not a number");
    if (ok && g->stage == DONE) *value = (float)g->value;
    return !ok ? HEED_FORWARD_FAILED : g->stage == DONE ? HEED_FORWARD_DONE : HEED_FORWARD_MORE;
}
