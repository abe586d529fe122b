/* One sequence: its memory, forward passes, logits, taps and maps. */
#include "session.h"

#include "models/weights.h"

#include <math.h>
#include <string.h>

enum { MAX_BATCH = 4096 };

static int in_range(heed_error *error, const char *name, int value, int low, int high) {
    return heed_in_range(error, HEED_ERROR_ARGUMENT, name, value, low, high);
}

static int valid(const heed_model *model, int context, int batch, heed_cache_type cache, int threads,
                 heed_error *error) {
    if (!heed_is_address(model, 1, error)) return 0;
    const heed_config *c = &model->config;
    if (context < 1 || (c->position == HEED_POSITION_LEARNED && context > c->context_length))
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a session of %d positions; the model has %d", context,
                         c->context_length);
    return in_range(error, "batch", batch, 1, MAX_BATCH) &&
           in_range(error, "cache", (int)cache, HEED_CACHE_F32, HEED_CACHE_I16) &&
           in_range(error, "threads", threads, 1, HEED_MAX_THREADS);
}

/* Scratch bytes of one call: a forward pass, the head of a few rows with their norm and loss, or one map.  A map may be
 * requested between the blocks of a pass, whose bytes then include at least the scores of one head. */
static uint64_t work_bytes(const heed_config *c, int context, int batch, int threads) {
    uint64_t forward = heed_causal_lm_bytes(c, batch, context, threads);
    uint64_t head = heed_tensor_bytes(HEED_LOGIT_ROWS, heed_most_outputs(c)) +
                    2 * heed_blocks_bytes(HEED_LOGIT_ROWS, c->d_model) +
                    5 * heed_tensor_bytes(HEED_LOGIT_ROWS, c->d_model) + 2 * heed_tensor_bytes(1, 2 * HEED_LOGIT_ROWS);
    uint64_t map = heed_tensor_bytes(batch, context);
    return forward > head ? (forward > map ? forward : map) : (head > map ? head : map);
}

size_t heed_session_bytes(const heed_model *model, int context, int batch, int maps, heed_cache_type cache, int threads,
                          heed_error *error) {
    if (!valid(model, context, batch, cache, threads, error)) return 0;
    const heed_config *c = &model->config;
    uint64_t V = (uint64_t)heed_most_outputs(c), D = (uint64_t)c->d_model, L = (uint64_t)c->layers;
    uint64_t total =
        heed_aligned_64(sizeof(heed_session)) + heed_aligned_64(L * sizeof(heed_cache)) +
        L * heed_cache_bytes(c, cache, context, maps) + heed_aligned_64((uint64_t)context * sizeof(int32_t)) +
        heed_aligned_64((uint64_t)batch * D * sizeof(float)) + heed_aligned_64(HEED_LOGIT_ROWS * V * sizeof(float)) +
        heed_aligned_64(V * sizeof(heed_candidate)) + heed_aligned_64(V * sizeof(float)) +
        heed_aligned_64(work_bytes(c, context, batch, threads));
    if (total > SIZE_MAX - HEED_ALIGN) {
        heed_fail(error, HEED_ERROR_ADDRESSES, "a session of %d positions does not fit into the address space",
                  context);
        return 0;
    }
    return (size_t)total;
}

heed_session *heed_session_create(void *memory, size_t bytes, const heed_model *model, int context, int batch, int maps,
                                  heed_cache_type cache, const heed_kernels *kernels, heed_pool *pool,
                                  heed_error *error) {
    size_t needed = heed_session_bytes(model, context, batch, maps, cache, heed_pool_threads(pool), error);
    if (!needed || !heed_is_address(memory, HEED_ALIGN, error)) return NULL;
    if (bytes < needed || !kernels || !model->ready) {
        if (!model->ready)
            heed_fail(error, HEED_ERROR_ARGUMENT, "the model is not ready: weights are missing");
        else if (!kernels)
            heed_fail(error, HEED_ERROR_ARGUMENT, "this build lacks the kernel set");
        else
            heed_fail(error, HEED_ERROR_MEMORY, "a session of %d positions needs %u bytes, not %u", context, needed,
                      bytes);
        return NULL;
    }
    const heed_config *c = &model->config;
    heed_arena arena = {memory, needed, 0};
    size_t L = (size_t)c->layers, V = (size_t)heed_most_outputs(c);
    heed_session *s = heed_arena_take(&arena, 1, sizeof *s);
    *s = (heed_session){.model = model, .capacity = context, .batch = batch, .kernels = kernels, .pool = pool};
    s->caches = heed_arena_take(&arena, L, sizeof *s->caches);
    for (size_t l = 0; l < L; l++) s->caches[l] = heed_cache_take(&arena, c, cache, context, maps);
    s->ids = heed_arena_take(&arena, (size_t)context, sizeof *s->ids);
    s->hidden = heed_arena_take(&arena, (size_t)batch * (size_t)c->d_model, sizeof *s->hidden);
    s->logits = heed_arena_take(&arena, HEED_LOGIT_ROWS * V, sizeof *s->logits);
    s->sorted = heed_arena_take(&arena, V, sizeof *s->sorted);
    s->adjusted = heed_arena_take(&arena, V, sizeof *s->adjusted);
    s->work = (heed_arena){arena.base + arena.used, arena.size - arena.used, 0};
    return s;
}

/* The columns of x that a tap names. */
static int columns_of(const heed_session *s, const heed_tap_request *r, int head, const heed_tensor *x, int *first) {
    int d_head = s->model->config.d_head, one = r->head >= 0 && head == HEED_ALL_HEADS;
    int left = (one ? d_head : x->columns) - r->column;
    *first = (one ? r->head * d_head : 0) + r->column;
    return r->columns > 0 && r->columns < left ? r->columns : left;
}

/* x <- x - (x·v)/(v·v)·v */
static void project_out(float *x, const float *v, int n) {
    double xv = 0, vv = 0;
    for (int i = 0; i < n; i++) xv += (double)x[i] * (double)v[i], vv += (double)v[i] * (double)v[i];
    for (int i = 0; i < n && vv > 0; i++) x[i] -= (float)(xv / vv * (double)v[i]);
}

static void divide_by_sum(float *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)x[i];
    for (int i = 0; i < n && sum != 0; i++) x[i] = (float)((double)x[i] / sum);
}

/* Edits numbers begin .. end - 1 of the columns that a tap names.
 * - t: row of its values */
static void edit_row(const heed_tap_request *r, float *row, int begin, int end, int t) {
    if (r->normalize) {
        divide_by_sum(row + begin, end - begin);
        return;
    }
    if (r->scale != 1) /* 0 removes scores of -inf, too: 0·-inf would be NaN */
        for (int i = begin; i < end; i++) row[i] = r->scale == 0 ? 0 : row[i] * r->scale;
    if (!r->values) return;
    const float *values = r->values + (r->repeat ? 0 : (size_t)t * r->width);
    if (end > r->width) end = r->width;
    if (r->project)
        project_out(row + begin, values + begin, end - begin);
    else
        for (int i = begin; i < end; i++) row[i] += values[i];
}

void heed_tap_apply(const heed_session *s, const heed_tap_request *r, int head, int end, heed_tensor *x) {
    int to = end, first = to - x->rows, from = r->from > first ? r->from : first;
    if (r->to < to) to = r->to;
    int column, width = columns_of(s, r, head, x, &column);
    heed_score_rules rules = heed_causal_lm_rules(s->model, r->layer);
    for (int p = from; p < to; p++) {
        float *row = heed_row(x, p - first) + column;
        int begin = 0, after = x->columns; /* of the columns that are edited */
        if (heed_taps_map(r)) heed_seen_keys(&rules, p, x->columns, &begin, &after);
        begin = begin > column ? begin - column : 0, after -= column;
        edit_row(r, row, begin, after < width ? after : width, p - r->from);
        if (!r->copy || s->call.is_map) continue;
        size_t plane = head >= 0 && r->head < 0 ? (size_t)head * (size_t)(r->to - r->from) : 0;
        float *copy = r->copy + (plane + (size_t)(p - r->from)) * r->copy_columns;
        for (int i = 0; i < width && i < r->copy_columns; i++) copy[i] = row[i];
    }
    x->q8 = NULL; /* the quantized copy is out of date */
}

static heed_tensor *apply_taps(heed_context *c, heed_hook hook, int head, heed_tensor *x) {
    const heed_session *s = c->user;
    for (const heed_tap_request *r = s->call.taps; r; r = r->next)
        if (r->hook == (int)hook && r->layer == c->layer && (r->head < 0 || head < 0 || r->head == head))
            heed_tap_apply(s, r, head, c->end, x);
    return x;
}

heed_context heed_session_context(heed_session *s, size_t kept, int end, const heed_tap_request *taps,
                                  heed_error *error) {
    heed_arena_release(&s->work, kept);
    s->call.taps = taps;
    heed_guard_begin(&s->guard);
    s->call.is_map = 0;
    return (heed_context){.arena = &s->work,
                          .kernels = s->kernels,
                          .guard = &s->guard,
                          .pool = s->pool,
                          .error = error,
                          .listener = taps ? apply_taps : NULL,
                          .user = s,
                          .layer = HEED_NO_LAYER,
                          .end = end};
}

int heed_session_has_ids(const heed_session *s, const int32_t *ids, int n, heed_error *error) {
    int vocabulary = s->model->config.vocabulary;
    for (int i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= vocabulary)
            return heed_fail(error, HEED_ERROR_ARGUMENT, "id %d is not in the vocabulary of %d", ids[i], vocabulary);
    return 1;
}

/* Checks the ids of a pass, and ends any pass that is active. */
static int accept(heed_session *s, const int32_t *ids, int n, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(ids, 1, error)) return 0;
    s->pass.x = NULL;
    if (!in_range(error, "the number of ids", n, 1, s->batch)) return 0;
    if (s->model->config.bidirectional && s->position > 0)
        return heed_fail(error, HEED_ERROR_ARGUMENT,
                         "an encoder reads a whole sequence in one call; the session has %d positions: rewind to 0",
                         s->position);
    if (n > s->capacity - s->position)
        return heed_fail(error, HEED_ERROR_CONTEXT, "the session holds %d positions and has %d; %d more do not fit",
                         s->capacity, s->position, n);
    if (!heed_session_has_ids(s, ids, n, error)) return 0;
    memcpy(s->ids + s->position, ids, (size_t)n * sizeof *ids);
    return 1;
}

int heed_source(heed_session *s, const int32_t *ids, int n, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(ids, sizeof *ids, error)) return 0;
    if (!s->model->config.encoder_layers)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "the model has no encoder that reads a source");
    if (s->position > 0)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a source needs an empty session; it has %d positions",
                         s->position);
    int most = s->batch < s->capacity ? s->batch : s->capacity;
    if (!in_range(error, "the number of ids", n, 1, most) || !heed_session_has_ids(s, ids, n, error)) return 0;
    s->pass.x = NULL;
    s->source = (heed_text){ids, n};
    return 1;
}

/* Positions that a layer's queries, or its keys, have. */
static int queries_at(const heed_session *s, int layer) {
    return s->position && heed_in_encoder(&s->model->config, layer) ? s->source.n : s->position;
}
static int keys_at(const heed_session *s, int layer) {
    return heed_is_cross(&s->model->config, layer) ? s->source.n : queries_at(s, layer);
}

int heed_session_holds(heed_session *s) {
    if (heed_guard_end(&s->guard, s->kernels)) return 1;
    s->kernels = &heed_kernels_relaxed;
    return 0;
}

/* Keeps the result of a pass of n ids and moves the position.  Until here, the session is as before the pass. */
static int commit(heed_session *s, const heed_tensor *hidden, int n) {
    if (!hidden) return 0;
    memcpy(s->hidden, hidden->data, (size_t)hidden->rows * (size_t)hidden->columns * sizeof *s->hidden);
    s->position += n;
    s->last = hidden->rows;
    return 1;
}

int heed_forward(heed_session *s, const int32_t *ids, int n, heed_error *error) {
    if (!accept(s, ids, n, error)) return 0;
    heed_tensor *hidden;
    do {
        heed_context c = heed_session_context(s, 0, s->position + n, s->taps, error);
        hidden = heed_causal_lm(&c, s->model, s->caches, (heed_text){ids, n}, s->position, s->source);
    } while (hidden && !heed_session_holds(s));
    return commit(s, hidden, n);
}

/* Begins the pass of the n ids that `accept` took.
 * - residual: input of block `layer`; NULL: the embedding */
static int begin(heed_session *s, int n, int layer, const float *residual, int last, heed_error *error) {
    heed_context c = heed_session_context(s, 0, s->position + n, s->taps, error);
    heed_text ids = {s->ids + s->position, n};
    s->pass = residual ? heed_causal_lm_from(&c, s->model, ids, s->position, layer, residual)
                       : heed_causal_lm_begin(&c, s->model, ids, s->position, s->source);
    s->pass.last = last;
    return s->pass.x != NULL;
}

int heed_forward_begin(heed_session *s, const int32_t *ids, int n, heed_error *error) {
    return accept(s, ids, n, error) && begin(s, n, 0, NULL, 0, error);
}

int heed_forward_from(heed_session *s, const int32_t *ids, int n, int layer, const float *residual, int rows,
                      heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(residual, 1, error) ||
        !in_range(error, "layer", layer, 0, s->model->config.layers - 1) || !accept(s, ids, n, error) ||
        !in_range(error, "rows", rows, 1, n))
        return 0;
    if (s->model->config.encoder_layers)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "a pass of an encoder–decoder cannot begin at a layer");
    return begin(s, n, layer, residual, rows, error);
}

heed_forward_state heed_forward_next(heed_session *s, heed_error *error) {
    if (!heed_is_address(s, 1, error)) return HEED_FORWARD_FAILED;
    heed_pass *pass = &s->pass;
    if (!pass->x) {
        heed_fail(error, HEED_ERROR_ARGUMENT, "no forward pass is under way: another call ended it");
        return HEED_FORWARD_FAILED;
    }
    int n = pass->ids.n;
    heed_context c = heed_session_context(s, pass->mark, s->position + n, s->taps, error);
    heed_causal_lm_next(&c, s->model, s->caches, pass);
    if (!pass->x) return HEED_FORWARD_FAILED;
    if (!heed_session_holds(s))
        return begin(s, n, pass->from, pass->residual, pass->last, error) ? HEED_FORWARD_MORE : HEED_FORWARD_FAILED;
    if (pass->layer < s->model->config.layers) return HEED_FORWARD_MORE;
    int done = commit(s, heed_causal_lm_end(&c, s->model, pass), n);
    pass->x = NULL;
    return done ? HEED_FORWARD_DONE : HEED_FORWARD_FAILED;
}

const float *heed_session_logits(heed_session *s, heed_context *c, heed_tensor *x, int position, heed_error *error) {
    heed_tensor *y = heed_causal_lm_head(c, s->model, x);
    if (!y) return NULL;
    for (int r = 0; r < y->rows; r++)
        if (!heed_all_finite(HEED_F32, heed_row(y, r), (size_t)y->columns)) {
            heed_fail(error, HEED_ERROR_NUMBER, "the logits after position %d are not finite numbers", position + r);
            return NULL;
        }
    memcpy(s->logits, y->data, (size_t)y->rows * (size_t)y->columns * sizeof *s->logits);
    return s->logits;
}

const float *heed_logits(heed_session *s, int first, int rows, heed_error *error) {
    if (!heed_is_address(s, 1, error)) return NULL;
    if (first < 0 || rows < 1 || rows > HEED_LOGIT_ROWS || first > s->last - rows) {
        heed_fail(error, HEED_ERROR_ARGUMENT, "logits of %d rows from row %d; the last call had %d rows", rows, first,
                  s->last);
        return NULL;
    }
    s->pass.x = NULL;
    int D = s->model->config.d_model;
    const float *logits;
    do {
        heed_context c = heed_session_context(s, 0, s->position, NULL, error);
        heed_tensor x = {HEED_F32, rows, D, (size_t)D, s->hidden + (size_t)first * (size_t)D, NULL};
        logits = heed_session_logits(s, &c, &x, s->position - s->last + first, error);
    } while (logits && !heed_session_holds(s));
    return logits;
}

const heed_kernels *const *heed_session_kernels(const heed_session *s) { return s ? &s->kernels : NULL; }

int heed_position(const heed_session *s) { return s ? s->position : 0; }

int heed_rewind(heed_session *s, int position, heed_error *error) {
    if (!heed_is_address(s, 1, error)) return 0;
    if (!in_range(error, "the position to go back to", position, 0, s->position)) return 0;
    if (s->model->config.bidirectional && position > 0 && position < s->position)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "an encoder's sequence cannot be shortened; rewind to 0");
    s->position = position;
    s->last = 0;
    s->pass.x = NULL;
    for (heed_tap_request *r = s->edits; r; r = r->next)
        if (r->to > queries_at(s, r->layer)) r->to = queries_at(s, r->layer);
    if (position == 0) s->edits = NULL;
    return 1;
}

int heed_cached(heed_session *s, int layer, heed_cached_kind kind, int position, int save, void *row,
                heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(row, 1, error) ||
        !in_range(error, "layer", layer, 0, s->model->config.layers - 1) ||
        !in_range(error, "kind", (int)kind, HEED_CACHED_KEYS,
                  s->caches->q ? HEED_CACHED_QUERIES : HEED_CACHED_VALUES) ||
        !in_range(error, "position", position, 0, s->capacity - 1))
        return 0;
    heed_cache_copy(&s->caches[layer], kind, position, save, row);
    return 1;
}

int heed_restore(heed_session *s, const int32_t *ids, int n, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(ids, 1, error) ||
        !in_range(error, "the number of ids", n, 0, s->capacity) || !heed_session_has_ids(s, ids, n, error))
        return 0;
    if (n && s->model->config.encoder_layers && !s->source.n)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "the encoder has no source yet");
    heed_rewind(s, 0, error);
    memcpy(s->ids, ids, (size_t)n * sizeof *ids);
    s->position = n;
    return 1;
}

const float *heed_map(heed_session *s, int layer, int head, heed_map_kind kind, int from, int to, heed_error *error) {
    if (!heed_is_address(s, 1, error)) return NULL;
    const heed_config *config = &s->model->config;
    if (!in_range(error, "layer", layer, 0, config->layers - 1) ||
        !in_range(error, "head", head, 0, config->heads - 1) ||
        !in_range(error, "kind", (int)kind, HEED_MAP_PATTERN, HEED_MAP_SCORES))
        return NULL;
    int queries = queries_at(s, layer), keys = keys_at(s, layer);
    if (from < 0 || to <= from || to > queries || to - from > s->batch) {
        heed_fail(error, HEED_ERROR_ARGUMENT, "queries %d to %d; the session has %d", from, to, queries);
        return NULL;
    }
    const heed_cache *cache = &s->caches[layer];
    if (!cache->q) {
        heed_fail(error, HEED_ERROR_ARGUMENT, "the session was made without maps");
        return NULL;
    }
    heed_context c = heed_session_context(s, s->pass.x ? s->pass.mark : 0, to, s->taps ? s->taps : s->edits, error);
    c.layer = layer;
    s->call.is_map = 1;
    heed_queries q = heed_cache_queries(cache, from);
    heed_kv_view kv = {cache, keys, heed_causal_lm_rules(s->model, layer)};
    heed_score_rows rows = {HEED_ROWS_ARE_POSITIONS, head, from, to - from, kv.rules.bidirectional ? keys : 0};
    heed_tensor *map = heed_attention_scores(&c, &q, &kv, rows);
    map = heed_tap_head(&c, HEED_HOOK_ATTN_SCORES, head, map);
    if (map && kind == HEED_MAP_PATTERN)
        map = heed_tap_head(&c, HEED_HOOK_PATTERN, head, heed_attention_pattern(&c, map, rows));
    return map ? map->data : NULL;
}

/* Heads of an activation: its axis head or kv_head; 0 without. */
static int heads_of(const heed_config *c, heed_hook hook) {
    switch (hook) {
#define HEADS_D_MODEL 0
#define HEADS_D_MLP 0
#define HEADS_EXPERTS 0
#define HEADS_HEADS c->heads
#define HEADS_KEYS c->heads
#define HEADS_KV_HEADS c->kv_heads
#define X(name, text, per_layer, axes)                                                                                 \
    case HEED_HOOK_##name: return HEADS_##axes;
        HEED_HOOKS(X)
#undef X
    case HEED_HOOK_COUNT: break;
    }
    return 0;
}

/* One bit per hook: whether every layer has it. */
#define X(name, text, per_layer, axes) | (uint32_t)per_layer << HEED_HOOK_##name
static const uint32_t of_layer = 0 HEED_HOOKS(X);
#undef X

static int has(const heed_tap_request *list, const heed_tap_request *r) {
    while (list && list != r) list = list->next;
    return list != NULL;
}

int heed_tap_link(heed_session *s, heed_tap_request *r, heed_error *error) {
    if (!heed_is_address(s, 1, error) || !heed_is_address(r, 1, error)) return 0;
    const heed_config *c = &s->model->config;
    int is_hook = r->hook >= 0 && r->hook < HEED_HOOK_COUNT, deep = is_hook && of_layer >> r->hook & 1;
    if (!is_hook || r->layer < (deep ? 0 : -1) || r->layer >= (deep ? c->layers : 0) || r->head < -1 ||
        r->head >= heads_of(c, (heed_hook)r->hook) || r->from < 0 || r->to < r->from || r->column < 0 ||
        r->column > HEED_MAX_COLUMNS || r->columns < 0 || (r->values && r->width < 1) ||
        (r->copy && r->copy_columns < 1) || (r->normalize && (r->hook != HEED_HOOK_PATTERN || r->column || r->columns)))
        return heed_fail(error, HEED_ERROR_ARGUMENT, "there is no hook %d at layer %d, head %d, positions %d to %d",
                         r->hook, r->layer, r->head, r->from, r->to);
    if (has(s->taps, r) || has(s->edits, r))
        return heed_fail(error, HEED_ERROR_ARGUMENT, "this tap is linked already, or maps use it until heed_tap_end");
    r->next = s->taps;
    s->taps = r;
    return 1;
}

void heed_tap_clear(heed_session *s) {
    if (s) s->taps = NULL;
}

/* The cache holds queries and keys as they were edited.  It holds no scores or patterns, so their edits are kept for
 * heed_map, clipped to positions that were run: a pass may have been aborted. */
void heed_tap_end(heed_session *s) {
    if (!s) return;
    s->edits = NULL;
    for (heed_tap_request *r = s->taps, *next; r; r = next) {
        next = r->next;
        int queries = queries_at(s, r->layer);
        if (!heed_taps_map(r) || !heed_tap_edits(r) || r->from >= queries) continue;
        if (r->to > queries) r->to = queries;
        heed_tap_request **end = &s->edits;
        while (*end) end = &(*end)->next;
        r->next = NULL;
        r->copy = NULL;
        *end = r;
    }
    s->taps = NULL;
}
