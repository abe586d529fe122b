/* A random model, loaded in random ways, and random calls of its session. */
#include "input.h"

#include "../native/tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONTEXT = 48, MOST_TAPS = 24, LARGEST = 1 << 20, DICE = 1024 };

typedef struct run {
    input *in;
    heed_config config;
    heed_model *model;
    heed_session *session;
    heed_pool *pool;
    heed_error error;
    int batch, context, is_i16;
    heed_tap_request *taps[MOST_TAPS]; /* all linked taps: maps may read them until the end */
    int n_taps;
    float *residual; /* of the last pass that began at a block */
} run;

/* A failure has a message, a success has no message. */
static void judge(run *r, int done, const char *what) {
    need(done ? r->error.code == HEED_ERROR_NONE : r->error.code != HEED_ERROR_NONE, what);
    need(memchr(r->error.message, 0, sizeof r->error.message) != NULL, "a message without end");
    r->error = (heed_error){0};
}

static heed_config random_config(input *in) {
    static const int widths[] = {32, 64, 8, 256, 33, 1};
    heed_config c = tiny_config((tiny_family)below(in, TINY_FAMILIES));
    c.layers = 1 + below(in, 3);
    c.kv_heads = 1 + below(in, 3);
    c.heads = c.kv_heads * (1 + below(in, 3));
    c.d_head = 1 + below(in, 20);
    c.d_model = widths[below(in, 6)];
    c.d_ff = widths[below(in, 6)];
    c.vocabulary = 1 + below(in, 60);
    c.context_length = 1 + below(in, MOST_CONTEXT);
    c.window = below(in, 3) ? 0 : any_int(in);
    c.position = below(in, 4);
    int rope = c.position == HEED_ROPE_ADJACENT || c.position == HEED_ROPE_HALVES;
    c.rope_dims = rope ? 2 * (1 + below(in, 10)) : 0;
    c.activation = below(in, 4);
    c.norm = below(in, 2);
    c.gated = below(in, 2);
    /* Without more of the input, so that stored inputs keep their meaning. */
    if (c.layers == 2 && !rope) {
        c.experts = 3, c.experts_used = 2, c.expert_norm = c.gated;
        c.d_shared = c.norm ? 32 : 0;
    }
    if (c.layers == 3 && !rope) c.encoder_layers = 1, c.relative_reach = c.window ? 0 : 3;
    if (below(in, 4) == 0) c.rope_theta = any_float(in), c.rope_scale = any_float(in), c.norm_eps = any_float(in);
    if (below(in, 8) == 0) { /* any field, any value */
        int value = any_int(in);
        memcpy((int *)&c + below(in, (int)(sizeof c / sizeof(int))), &value, sizeof value);
    }
    return c;
}

/* Whether a model of this configuration is small enough to run often. */
static int is_small(const heed_config *c) {
    return c->layers <= 4 && c->heads <= 64 && c->d_model <= 4096 && c->d_head <= 64 && c->d_ff <= 4096 &&
           c->vocabulary <= 4096 && c->context_length <= 4096 && c->experts <= 8 && c->d_shared <= 4096;
}

static heed_dtype random_dtype(input *in) {
#define X(name, number, text) HEED_##name,
    static const heed_dtype all[] = {HEED_F32, HEED_DTYPES(X)(heed_dtype) 99};
#undef X
    return all[below(in, (int)(sizeof all / sizeof *all))];
}

/* Fills the bytes of a weight: with plausible values, or with a repeated pattern of the input. */
static void fill(run *r, void *bytes, size_t n, heed_dtype stored, int rows, int columns, float center) {
    uint32_t state = (uint32_t)byte(r->in);
    if (below(r->in, 6)) {
        tiny_fill(bytes, stored, rows, columns, center, &state);
        return;
    }
    uint8_t pattern[7];
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = (uint8_t)byte(r->in);
    for (size_t i = 0; i < n; i++) ((uint8_t *)bytes)[i] = pattern[i % sizeof pattern];
}

/* Loads one weight, completely or in part. */
static void load(run *r, heed_loader *loader, int layer, int slot, heed_dtype stored, heed_dtype kept, int rows,
                 int columns, float center) {
    int transposed = below(r->in, 8) == 0;
    size_t line = heed_loader_begin(loader, layer, slot, stored, kept, rows, columns, transposed, &r->error);
    judge(r, line > 0, "a weight that was begun or an error");
    size_t n = line > 0 ? line * (size_t)(transposed ? columns : rows) : 0;
    if (!n || n > LARGEST) return;
    uint8_t *bytes = malloc(n + sizeof(float));
    if (transposed)
        fill(r, bytes, n, stored, columns, rows, center);
    else
        fill(r, bytes, n, stored, rows, columns, center);
    size_t at = 0;
    uint32_t piece;
    void *into;
    while ((into = heed_loader_next(loader, &piece, &r->error))) {
        need(piece > 0 && piece <= n - at, "pieces as large as the weight");
        memcpy(into, bytes + at, piece);
        at += piece;
        if (byte(r->in) == 255) break;
    }
    need(into || at == n || r->error.code != HEED_ERROR_NONE, "a weight that ends early, without an error");
    free(bytes);
    r->error = (heed_error){0};
}

typedef struct slot {
    const char *text;
    int rows, columns, needed;
} slot;

static int slots_of(int layer) { return layer < 0 ? (int)HEED_MODEL_SLOT_COUNT : (int)HEED_BLOCK_SLOT_COUNT; }

static slot slot_of(const heed_config *config, int layer, int i) {
    const heed_config of = tiny_sizes(config, layer), *c = &of;
#define X(name, text, rows, columns, needed) {text, HEED_SIZE_##rows, HEED_SIZE_##columns, HEED_SIZE_##needed},
    const slot of_model[] = {HEED_MODEL_SLOTS(X)}, of_block[] = {HEED_BLOCK_SLOTS(X)};
#undef X
    return layer < 0 ? of_model[i] : of_block[i];
}

/* Every required weight, some optional weights, and rarely a weight of a wrong shape. */
static int build(run *r) {
    input *in = r->in;
    const heed_config *c = &r->config;
    size_t tables = heed_model_bytes(c, &r->error);
    judge(r, tables > 0, "a size of a model or an error");
    if (!tables || !is_small(c)) return 0;
    size_t bytes = tables;
    for (int l = -1; l < tiny_blocks(c); l++)
        for (int i = 0; i < slots_of(l); i++) {
            slot s = slot_of(c, l, i);
            if (s.columns > 0) bytes += heed_weight_bytes(HEED_F32, s.rows + 8, s.columns);
        }
    if (below(in, 16) == 0) bytes = tables + bytes / 4;
    r->model = heed_model_create(tiny_memory(bytes), bytes, c, &r->error);
    judge(r, r->model != NULL, "a model or an error");
    if (!r->model) return 0;
    heed_pool *pool = below(in, 2) ? r->pool : NULL;
    heed_loader *loader = heed_loader_create(tiny_memory(heed_loader_bytes(r->model, pool)), r->model,
                                             heed_kernels_get(HEED_KERNELS_SCALAR), pool);
    int fused = below(in, 2);
    heed_dtype usual = random_dtype(in);
    for (int l = -1; l < tiny_blocks(c); l++)
        for (int i = 0; i < slots_of(l); i++) {
            if (!tiny_has_slot(c, l, i)) continue;
            slot s = slot_of(c, l, i);
            int choice = byte(in), is_fused = strstr(s.text, "attn_qkv") != NULL;
            int part = strstr(s.text, "attn_q.") || strstr(s.text, "attn_k.") || strstr(s.text, "attn_v.");
            int wanted = s.needed || (part && !fused) || (is_fused && fused) || (!part && !is_fused && choice % 2);
            if (choice == 255)
                load(r, loader, any_int(in), any_int(in), random_dtype(in), random_dtype(in), any_int(in), any_int(in),
                     0);
            if (!wanted || choice == 254) continue;
            heed_dtype stored = s.rows > 1 ? usual : choice % 3 ? HEED_F32 : HEED_BF16;
            heed_dtype kept = choice % 5 ? stored : random_dtype(in);
            float center = strstr(s.text, "norm.weight") || strstr(s.text, "rope_freqs") ? 1 : 0;
            if (heed_weight_bytes(stored, s.rows, s.columns) == SIZE_MAX) stored = kept = HEED_F32;
            load(r, loader, l, i, stored, kept, s.rows, s.columns, center);
        }
    free(loader);
    int ready = heed_model_ready(r->model, &r->error);
    judge(r, ready, "a model that is ready or an error");
    return ready;
}

/* Gives an encoder–decoder a source, as far as its context allows; others refuse it. */
static void source(run *r) {
    int n = 1 + (r->n_taps + heed_position(r->session)) % TINY_CONTEXT;
    judge(r, heed_source(r->session, tiny_ids(), n, &r->error), "a source or an error");
}

static int open_session(run *r) {
    input *in = r->in;
    r->context = below(in, 8)
                     ? 1 + below(in, r->config.context_length < MOST_CONTEXT ? r->config.context_length : MOST_CONTEXT)
                     : any_int(in);
    r->batch = below(in, 8) ? 1 + below(in, 20) : any_int(in);
    int maps = below(in, 2), cache = below(in, 16) ? below(in, 2) : any_int(in);
    int threads = r->pool ? 1 + 3 : 1;
    size_t bytes = heed_session_bytes(r->model, r->context, r->batch, maps, cache, threads, &r->error);
    judge(r, bytes > 0, "a size of a session or an error");
    if (!bytes || bytes > LARGEST) return 0;
    r->is_i16 = cache == HEED_CACHE_I16;
    r->session = heed_session_create(tiny_memory(bytes), bytes, r->model, r->context, r->batch, maps, cache,
                                     heed_kernels_get(HEED_KERNELS_SCALAR), r->pool, &r->error);
    judge(r, r->session != NULL, "a session or an error");
    if (r->session) source(r);
    return r->session != NULL;
}

static int position(const run *r) { return heed_position(r->session); }

static void forward(run *r, int in_parts) {
    int32_t ids[32];
    int n = below(r->in, 16) ? 1 + below(r->in, 20) : any_int(r->in), before = position(r);
    for (int i = 0; i < 32; i++) ids[i] = below(r->in, r->config.vocabulary + 1) - (i == 31);
    if (n > 32 && n <= r->batch) return;
    if (in_parts) {
        judge(r, heed_forward_begin(r->session, ids, n, &r->error), "a pass that begins or an error");
        need(position(r) == before, "a pass that has begun changes nothing");
        return;
    }
    int done = heed_forward(r->session, ids, n, &r->error);
    need(position(r) == before + (done ? n : 0), "the position after a pass");
    judge(r, done, "a pass or an error");
}

static void choose(run *r, int step) {
    input *in = r->in;
    heed_sampling p = {.temperature = any_float(in), .top_p = 1, .repeat_penalty = 1, .top_k = any_int(in)};
    if (below(in, 2)) p.top_p = any_float(in), p.min_p = any_float(in), p.repeat_penalty = any_float(in);
    p.seed_low = byte(in);
    int n_top = below(in, 4) ? 0 : any_int(in), V = r->config.vocabulary;
    enum { MOST = 4 };
    heed_candidate chosen[MOST], *top = malloc(MOST * (size_t)V * sizeof *top);
    int before = position(r), done;
    int32_t ids[MOST] = {step ? below(in, V + 1) : 0};
    if (step) {
        int n = below(in, 4) ? 1 : below(in, MOST + 1);
        for (int i = 1; i < n; i++) ids[i] = below(in, V + 1);
        done = heed_step(r->session, ids, n, &p, chosen, top, n_top, &r->error);
    } else {
        done = heed_sample(r->session, &p, chosen, top, n_top, &r->error);
    }
    need(position(r) == before + (step ? done : 0), "the position after a choice");
    for (int i = 0; i < done; i++) need(chosen[i].id >= 0 && chosen[i].id < V, "an id of the vocabulary");
    for (int i = 0; i < done * n_top; i++) need(top[i].id >= 0 && top[i].id < V, "a candidate of the vocabulary");
    judge(r, done, "a choice or an error");
    free(top);
}

/* Reads every number of a result. */
static void read(const float *numbers, int rows, int columns) {
    static volatile float sink;
    for (int i = 0; numbers && i < rows * columns; i++) sink = numbers[i];
    (void)sink;
}

/* Values and copies have exactly the size of the tap. */
static void link(run *r) {
    input *in = r->in;
    if (r->n_taps == MOST_TAPS) return;
    heed_tap_request *tap = malloc(sizeof *tap);
    *tap =
        (heed_tap_request){.hook = below(in, HEED_HOOK_COUNT + 1), .layer = below(in, 5) - 1, .head = below(in, 6) - 1};
    tap->from = below(in, MOST_CONTEXT), tap->to = tap->from + below(in, MOST_CONTEXT) - below(in, 8) / 7;
    tap->scale = any_float(in), tap->width = any_int(in), tap->copy_columns = any_int(in);
    size_t rows = tap->to > tap->from ? (size_t)(tap->to - tap->from) : 0;
    tap->normalize = below(in, 8) == 0, tap->activation = below(in, 2);
    tap->repeat = below(in, 2), tap->project = below(in, 8) == 0;
    if (below(in, 2)) tap->column = any_int(in), tap->columns = any_int(in);
    int edits = below(in, 2), copies = below(in, 2);
    float *values = NULL, *copy = NULL;
    if (edits && tap->width < 4096)
        values = calloc(rows * (tap->width > 0 ? (size_t)tap->width : 0) + 1, sizeof *values);
    size_t planes = tap->head < 0 ? (size_t)r->config.heads : 1;
    if (copies && tap->copy_columns < 4096)
        copy = malloc((planes * rows * (tap->copy_columns > 0 ? (size_t)tap->copy_columns : 0) + 1) * sizeof *copy);
    tap->values = values, tap->copy = copy;
    int done = heed_tap_link(r->session, tap, &r->error);
    judge(r, done, "a tap or an error");
    if (done && below(in, 4) == 0) judge(r, heed_tap_link(r->session, tap, &r->error), "a tap that is linked twice");
    if (done) {
        r->taps[r->n_taps++] = tap;
        return;
    }
    free((void *)tap->values), free(tap->copy), free(tap);
}

/* Plausible numbers, or random bits. */
static float *random_floats(input *in, size_t n) {
    float *x = malloc((n + 1) * sizeof *x), any = any_float(in);
    for (size_t i = 0; i < n; i++) x[i] = below(in, 16) ? (float)(i % 7) / 7 : any;
    return x;
}

/* A metric over rows of n positions, with exactly the numbers that it needs. */
static heed_metric random_metric(run *r, int n, float **weights, int32_t **targets) {
    input *in = r->in;
    heed_metric m = {.first = below(in, 4) ? below(in, n > 0 ? n : 1) : any_int(in), .rows = 1 + below(in, 8)};
    if (below(in, 8) == 0) m.rows = any_int(in);
    size_t rows = m.rows > 0 && m.rows < 64 ? (size_t)m.rows : 0, V = (size_t)r->config.vocabulary;
    *weights = NULL, *targets = NULL;
    int both = below(in, 16);
    if (rows && (below(in, 2) || both == 0)) m.weights = *weights = random_floats(in, rows * V);
    if (rows && (!m.weights || both == 0)) {
        *targets = malloc(rows * sizeof **targets);
        for (size_t i = 0; i < rows; i++) (*targets)[i] = below(in, r->config.vocabulary + 2) - 1;
        m.targets = *targets;
    }
    return m;
}

static void measure(run *r) {
    float *weights, value = 0;
    int32_t *targets;
    heed_metric m = random_metric(r, position(r), &weights, &targets);
    judge(r, heed_measure(r->session, &m, &value, &r->error), "a metric or an error");
    free(weights), free(targets);
}

/* A whole run, or a part of one. */
static void differentiate(run *r) {
    int32_t ids[16], *targets;
    int n = below(r->in, 16) ? 1 + below(r->in, 16) : any_int(r->in), before = position(r);
    for (int i = 0; i < 16; i++) ids[i] = below(r->in, r->config.vocabulary + 1) - (i == 15);
    float *weights, value = 0;
    heed_metric m = random_metric(r, n, &weights, &targets);
    size_t bytes = heed_gradient_bytes(r->session, n, &r->error);
    judge(r, bytes > 0, "a size of gradients or an error");
    if (bytes && bytes <= 16 * LARGEST && n <= 16) {
        void *memory = tiny_memory(bytes);
        size_t given = below(r->in, 16) ? bytes : bytes / 2;
        heed_gradient *g = heed_gradient_create(memory, given, r->session, ids, n, &m, &r->error);
        judge(r, g != NULL, "gradients or an error");
        heed_forward_state state = g ? HEED_FORWARD_MORE : HEED_FORWARD_FAILED;
        for (int left = below(r->in, 8) ? 64 : 3; state == HEED_FORWARD_MORE && left > 0; left--) {
            state = heed_gradient_next(g, &value, &r->error);
            judge(r, state != HEED_FORWARD_FAILED, "a part of a gradient or an error");
        }
        free(memory);
    }
    need(position(r) == before, "gradients change nothing");
    free(weights), free(targets);
}

static void forward_from(run *r) {
    int32_t ids[8];
    int n = below(r->in, 16) ? 1 + below(r->in, 8) : any_int(r->in);
    for (int i = 0; i < 8; i++) ids[i] = below(r->in, r->config.vocabulary + 1) - (i == 7);
    if (n > 8 && n <= r->batch) return;
    free(r->residual);
    r->residual = random_floats(r->in, (size_t)(8 * r->config.d_model));
    int layer = below(r->in, 4) ? below(r->in, 3) : any_int(r->in);
    int rows = below(r->in, 4) ? 1 + below(r->in, 8) : any_int(r->in);
    judge(r, heed_forward_from(r->session, ids, n, layer, r->residual, rows, &r->error), "a later block or an error");
}

static void unembed(run *r) {
    int rows = below(r->in, 8) ? 1 + below(r->in, HEED_LOGIT_ROWS) : any_int(r->in);
    float *x = random_floats(r->in, (size_t)(HEED_LOGIT_ROWS * r->config.d_model));
    const float *logits = heed_unembed(r->session, x, rows, below(r->in, 2), &r->error);
    read(logits, rows, r->config.vocabulary);
    judge(r, logits != NULL, "logits of a residual or an error");
    int n_top = below(r->in, 8) ? below(r->in, r->config.vocabulary + 1) : any_int(r->in);
    size_t fits = n_top > 0 && n_top <= r->config.vocabulary ? (size_t)n_top : 1;
    heed_candidate *top = calloc(fits, sizeof *top);
    if (logits) judge(r, heed_rank(r->session, logits, top, n_top, &r->error), "ranked logits or an error");
    free(top), free(x);
}

/* Copies a row of the cache out and back, into memory of exactly its size; then the text begins again with other ids.
 * Takes nothing of the input, so that stored inputs keep their meaning. */
static void copy_cache(run *r, int layer, heed_cached_kind kind, int position_of) {
    const heed_config *c = &r->config;
    int n = position(r), heads = kind == HEED_CACHED_QUERIES ? c->heads : c->kv_heads;
    size_t bytes = (size_t)heads * ((size_t)c->d_head * (r->is_i16 ? 2 : 4) + (r->is_i16 ? 4 : 0));
    char *row = malloc(bytes);
    int32_t *ids = calloc((size_t)n + 1, sizeof *ids);
    int saved = heed_cached(r->session, layer, kind, position_of, 1, row, &r->error);
    judge(r, saved, "a row of the cache or an error");
    if (saved) judge(r, heed_cached(r->session, layer, kind, position_of, 0, row, &r->error), "the same row");
    judge(r, heed_restore(r->session, ids, n, &r->error), "the same positions");
    need(position(r) == n, "a restored text has its positions");
    free(ids), free(row);
}

static void read_weight(run *r) {
    int layer = below(r->in, 4) ? below(r->in, 5) - 1 : any_int(r->in), slot = below(r->in, 20), rows = 0, columns = 0;
    int done = heed_weight_shape(r->session, layer, slot, &rows, &columns, &r->error);
    judge(r, done, "the shape of a weight or an error");
    int first = below(r->in, 4) ? below(r->in, rows + 1) : any_int(r->in);
    int count = below(r->in, 4) ? 1 + below(r->in, rows + 1) : any_int(r->in);
    int fits = count > 0 && count <= rows;
    float *y = malloc(((size_t)(fits ? count : 0) * (size_t)columns + 1) * sizeof *y);
    done = heed_weight_read(r->session, layer, slot, first, count, y, &r->error);
    if (done) read(y, count, columns);
    judge(r, done, "rows of a weight or an error");
    free(y);
    copy_cache(r, layer, slot % 4 - slot / 16, first);
}

static void call(run *r) {
    input *in = r->in;
    switch (below(in, 17)) {
    case 0: forward(r, 0); break;
    case 1: forward(r, 1); break;
    case 2: judge(r, heed_forward_next(r->session, &r->error), "a block or an error"); break;
    case 3: choose(r, 0); break;
    case 4:
    case 5: choose(r, 1); break;
    case 6: {
        int first = any_int(in), rows = any_int(in);
        const float *logits = heed_logits(r->session, first, rows, &r->error);
        read(logits, rows, r->config.vocabulary);
        judge(r, logits != NULL, "logits or an error");
        break;
    }
    case 7: {
        int from = any_int(in), to = below(in, 4) ? position(r) : any_int(in);
        const float *map =
            heed_map(r->session, below(in, 4), below(in, 8), (heed_map_kind)below(in, 3), from, to, &r->error);
        read(map, to - from * (map != NULL), position(r));
        judge(r, map != NULL, "a map or an error");
        break;
    }
    case 8: {
        int to = below(in, 2) ? below(in, position(r) + 1) : any_int(in);
        judge(r, heed_rewind(r->session, to, &r->error), "a rewind or an error");
        source(r);
        break;
    }
    case 9: link(r); break;
    case 10: heed_tap_end(r->session); break;
    case 11: heed_tap_clear(r->session); break;
    case 12: measure(r); break;
    case 13: differentiate(r); break;
    case 14: forward_from(r); break;
    case 15: unembed(r); break;
    case 16: read_weight(r); break;
    }
}

void fuzz_session(input *in) {
    /* Two bytes are the seed of the model, so that programs can be short. */
    uint8_t dice[DICE];
    uint32_t state = (uint32_t)byte(in) << 8;
    state |= (uint32_t)byte(in);
    for (int i = 0; i < DICE; i++) dice[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
    input thrown = {dice, dice + DICE};
    run r = {.in = &thrown, .config = random_config(&thrown)};
    /* The pool has no helper threads: the caller does their parts, in the order of the parts. */
    if (below(&thrown, 3) == 0) r.pool = heed_pool_create(tiny_memory(heed_pool_bytes()), 4, &r.error);
    if (build(&r) && open_session(&r))
        for (r.in = in; is_left(in);) call(&r);
    for (int i = 0; i < r.n_taps; i++) free((void *)r.taps[i]->values), free(r.taps[i]->copy), free(r.taps[i]);
    free(r.session), free(r.model), free(r.pool), free(r.residual);
}
