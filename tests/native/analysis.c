/* Gradients, metrics, weights and logits of residuals, and their errors. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { V = TINY_VOCABULARY, N = TINY_PROMPT };

/* Runs a gradient to its end.  1 when done. */
static int differentiate(tiny *t, int n, const heed_metric *metric, float *value) {
    size_t bytes = heed_gradient_bytes(t->session, n, &t->error);
    void *memory = bytes ? tiny_memory(bytes) : NULL;
    heed_gradient *g =
        memory ? heed_gradient_create(memory, bytes, t->session, tiny_ids(), n, metric, &t->error) : NULL;
    heed_forward_state state = g ? HEED_FORWARD_MORE : HEED_FORWARD_FAILED;
    while (state == HEED_FORWARD_MORE) state = heed_gradient_next(g, value, &t->error);
    free(memory);
    return state == HEED_FORWARD_DONE;
}

/* The metric of an edited run. */
static float measured(tiny *t, heed_tap_request *edit, const heed_metric *metric) {
    float logits[V], value = NAN;
    heed_rewind(t->session, 0, &t->error);
    if (edit) edit->to = N; /* the rewind has clipped the edit */
    if (edit) heed_tap_link(t->session, edit, &t->error);
    tiny_forward(t, N, N, logits);
    heed_measure(t->session, metric, &value, &t->error);
    heed_tap_end(t->session);
    return value;
}

/* The squared gradient at a hook is the derivative of the metric along the gradient. */
static void derivative(tiny *t, tiny_family family, int hook, int layer, const heed_metric *metric, const char *what) {
    const heed_config *c = &t->config;
    int is_map = hook == HEED_HOOK_PATTERN, planes = is_map ? c->heads : 1;
    int width = is_map ? N : hook == HEED_HOOK_V ? c->kv_heads * c->d_head : c->d_model;
    size_t numbers = (size_t)planes * N * (size_t)width;
    float *gradient = calloc(numbers, sizeof *gradient), value = NAN;
    heed_tap_request tap = {
        .hook = hook, .layer = layer, .head = -1, .to = N, .scale = 1, .copy = gradient, .copy_columns = width};
    heed_tap_link(t->session, &tap, &t->error);
    int done = differentiate(t, N, metric, &value);
    heed_tap_clear(t->session);
    if (is_map) numbers = N * (size_t)width; /* the step changes head 0 alone, and edits skip hidden keys */
    for (int p = 0; is_map && p < N; p++)
        for (int j = 0; j < N; j++)
            if (j > p || (c->window && j <= p - c->window)) gradient[p * N + j] = 0; /* the layer is local */
    double length = 0;
    for (size_t i = 0; i < numbers; i++) length += (double)gradient[i] * (double)gradient[i];
    float step = (float)(2e-3 / sqrt(length));
    heed_tap_request edit = {
        .hook = hook, .layer = layer, .head = is_map ? 0 : -1, .to = N, .scale = 1, .values = gradient, .width = width};
    float reached[2];
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j < numbers; j++) gradient[j] *= step;
        reached[i] = measured(t, &edit, metric);
        for (size_t j = 0; j < numbers; j++) gradient[j] /= step;
        step = -step;
    }
    double numeric = ((double)reached[0] - (double)reached[1]) / (2 * (double)step);
    int close = fabs(numeric - length) <= 0.03 * length + 1e-6;
    if (!close) printf("# %g along the gradient, whose square is %g\n", numeric, length);
    check(done && close, "%s: the gradient at %s is the derivative", tiny_family_name[family], what);
    float clean = measured(t, NULL, metric);
    check(fabsf(clean - value) <= 1e-3f * (1 + fabsf(clean)),
          "%s: the metric of a gradient run is that of a forward pass", tiny_family_name[family]);
    free(gradient);
}

static void gradients(tiny_family family) {
    tiny t = tiny_run(family, HEED_F32, 1, HEED_CACHE_F32);
    float weights[2 * V] = {0};
    weights[3] = 1, weights[7] = -1, weights[V + 9] = 0.5f;
    int32_t targets[N];
    for (int i = 0; i < N; i++) targets[i] = i + 1 < N ? tiny_ids()[i + 1] : -1;
    heed_metric weighted = {.first = N - 2, .rows = 2, .weights = weights}, entropy = {.rows = N, .targets = targets};
    derivative(&t, family, HEED_HOOK_EMBED, -1, &weighted, "the embedding");
    derivative(&t, family, HEED_HOOK_V, 1, &weighted, "values");
    derivative(&t, family, HEED_HOOK_PATTERN, 0, &entropy, "a pattern");
    derivative(&t, family, HEED_HOOK_RESID_POST, 0, &entropy, "a residual");
    tiny_free(&t);
}

/* Weight types stored as rows and as panels, and every length; of an encoder–decoder, longer than its source or not. */
static void lengths(tiny_family family) {
    static const heed_dtype types[] = {HEED_F32, HEED_F16, HEED_Q8_0, HEED_Q4_0, HEED_Q5_1};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        tiny t = tiny_run(family, types[i], 1, HEED_CACHE_I16);
        int done = 1;
        for (int n = 1; n <= TINY_CONTEXT; n += 5) {
            float weights[V] = {1}, value = NAN;
            done &= differentiate(&t, n, &(heed_metric){.first = n - 1, .rows = 1, .weights = weights}, &value);
            done &= value - value == 0;
        }
        check(done, "%s: gradients of texts of every length fit into their memory, type %d", tiny_family_name[family],
              types[i]);
        tiny_free(&t);
    }
}

/* A pass from a block on gives the bits of the whole pass. */
static void passes_from_a_block(heed_cache_type cache) {
    tiny t = tiny_run(TINY_LLAMA, HEED_Q8_0, 1, cache);
    size_t D = (size_t)t.config.d_model;
    float whole[V], *residual = malloc(N * D * sizeof *residual);
    heed_tap_request tap = {.hook = HEED_HOOK_RESID_PRE,
                            .layer = 1,
                            .head = -1,
                            .to = N,
                            .scale = 1,
                            .copy = residual,
                            .copy_columns = (int)D};
    heed_tap_link(t.session, &tap, &t.error);
    tiny_forward(&t, N, N, whole);
    heed_tap_end(t.session);
    for (int rows = 1; rows <= N; rows += N - 1) {
        heed_rewind(t.session, 0, &t.error);
        int begun = heed_forward_from(t.session, tiny_ids(), N, 1, residual, rows, &t.error);
        heed_forward_state state = begun ? HEED_FORWARD_MORE : HEED_FORWARD_FAILED;
        while (state == HEED_FORWARD_MORE) state = heed_forward_next(t.session, &t.error);
        const float *logits = state == HEED_FORWARD_DONE ? heed_logits(t.session, rows - 1, 1, &t.error) : NULL;
        check(logits && tiny_same(logits, whole, V), "the last %d rows of a pass from block 1 have their bits", rows);
        check(heed_position(t.session) == N && !heed_logits(t.session, rows, 1, &t.error),
              "a pass of %d rows has no more logits, and all positions", rows);
        t.error.code = HEED_ERROR_NONE;
    }
    free(residual);
    tiny_free(&t);
}

static void columns_and_directions(void) {
    tiny t = tiny_run(TINY_LLAMA, HEED_F32, 1, HEED_CACHE_F32);
    int D = t.config.d_model;
    float *v = calloc((size_t)D, sizeof *v), *x = calloc(N * (size_t)D, sizeof *x), logits[V];
    for (int i = 0; i < D; i++) v[i] = (float)(i % 5) - 2;
    heed_tap_request tap = {.hook = HEED_HOOK_RESID_MID,
                            .head = -1,
                            .to = N,
                            .scale = 1,
                            .values = v,
                            .width = D,
                            .repeat = 1,
                            .project = 1,
                            .copy = x,
                            .copy_columns = D};
    heed_tap_request zero = {.hook = HEED_HOOK_RESID_PRE, .layer = 1, .head = -1, .to = N, .column = 3, .columns = 2};
    heed_tap_request copy = {.hook = HEED_HOOK_RESID_PRE,
                             .layer = 1,
                             .head = -1,
                             .to = N,
                             .scale = 1,
                             .column = 2,
                             .columns = 4,
                             .copy = x,
                             .copy_columns = 4};
    heed_tap_link(t.session, &tap, &t.error);
    tiny_forward(&t, N, N, logits);
    heed_tap_end(t.session);
    double most = 0;
    for (int p = 0; p < N; p++) {
        double along = 0;
        for (int i = 0; i < D; i++) along += (double)x[p * D + i] * (double)v[i];
        most = fabs(along) > most ? fabs(along) : most;
    }
    check(most < 1e-4, "a projected activation has no part along the direction");

    heed_rewind(t.session, 0, &t.error);
    heed_tap_link(t.session, &copy, &t.error);
    heed_tap_link(t.session, &zero, &t.error);
    tiny_forward(&t, N, N, logits);
    heed_tap_end(t.session);
    int right = 1;
    for (int p = 0; p < N; p++)
        for (int i = 0; i < 4; i++) right &= (x[p * 4 + i] == 0) == (i == 1 || i == 2);
    check(right, "an edit and a copy of columns touch these columns alone");
    free(v), free(x);
    tiny_free(&t);
}

static void reading(void) {
    tiny t = tiny_run(TINY_GPT2, HEED_Q8_0, 1, HEED_CACHE_I16);
    int rows = -1, columns = -1;
    size_t D = (size_t)t.config.d_model;
    float logits[V], *x = calloc(D, sizeof *x);
    int got = heed_weight_shape(t.session, 0, 0, &rows, &columns, &t.error);
    float *w = calloc((size_t)rows * (size_t)columns, sizeof *w);
    check(got && heed_weight_read(t.session, 0, 0, 0, rows, w, &t.error), "a weight is read whole");
    tiny_forward(&t, N, N, logits);
    heed_tap_request last = {.hook = HEED_HOOK_RESID_POST,
                             .layer = t.config.layers - 1,
                             .head = -1,
                             .from = N - 1,
                             .to = N,
                             .scale = 1,
                             .copy = x,
                             .copy_columns = (int)D};
    heed_rewind(t.session, 0, &t.error);
    heed_tap_link(t.session, &last, &t.error);
    tiny_forward(&t, N, N, logits);
    heed_tap_end(t.session);
    const float *again = heed_unembed(t.session, x, 1, 1, &t.error);
    check(again && tiny_same(again, logits, V), "logits of the last residual are those of the model");
    free(w), free(x);
    tiny_free(&t);
}

static void refused(int is_refused, tiny *t, const char *what) {
    check(is_refused && t->error.code != HEED_ERROR_NONE, "refused: %s (%s)", what, t->error.message);
    t->error.code = HEED_ERROR_NONE;
}

static void refusals(void) {
    tiny t = tiny_run(TINY_LLAMA, HEED_F32, 1, HEED_CACHE_F32);
    heed_session *s = t.session;
    heed_error *e = &t.error;
    float weights[V] = {0}, value, x[8] = {0}, logits[V];
    int32_t bad[] = {V}, none[] = {-1}, rows, columns;
    static const char *const what[] = {"a metric before the first row",   "a metric of no rows",
                                       "a metric past the end",           "a metric of nothing",
                                       "a metric of weights and targets", "a target outside the vocabulary",
                                       "a metric without a target"};
    const heed_metric metrics[] = {{-1, 1, weights, NULL}, {0, 0, weights, NULL}, {2, 1, weights, NULL},
                                   {0, 1, NULL, NULL},     {0, 1, weights, none}, {0, 1, NULL, bad},
                                   {0, 1, NULL, none}};
    size_t bytes = heed_gradient_bytes(s, 2, e);
    void *memory = tiny_memory(bytes);
    tiny_forward(&t, 2, 2, logits);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        refused(!heed_gradient_create(memory, bytes, s, tiny_ids(), 2, &metrics[i], e), &t, what[i]);
        refused(!heed_measure(s, &metrics[i], &value, e), &t, what[i]);
    }
    heed_metric good = {0, 1, weights, NULL};
    refused(!heed_gradient_bytes(NULL, 2, e), &t, "bytes of a session that is NULL");
    refused(!heed_gradient_bytes(s, 0, e), &t, "gradients of no ids");
    refused(!heed_gradient_bytes(s, TINY_CONTEXT + 1, e), &t, "gradients of more ids than positions");
    enum { LONG = 1 << 15 };
    tiny far = tiny_model(TINY_LLAMA, HEED_F32);
    size_t needed = heed_session_bytes(far.model, LONG, 1, 0, HEED_CACHE_I16, 1, e);
    far.session = heed_session_create(tiny_memory(needed), needed, far.model, LONG, 1, 0, HEED_CACHE_I16,
                                      heed_kernels_get(HEED_KERNELS_SCALAR), NULL, e);
    check(!heed_gradient_bytes(far.session, LONG, e) && e->code == HEED_ERROR_ADDRESSES,
          "scores of more than 2^30 numbers have no gradients: %s", e->message);
    *e = (heed_error){0};
    tiny_free(&far);
    refused(!heed_gradient_create(memory, bytes - 1, s, tiny_ids(), 2, &good, e), &t, "memory that is too small");
    refused(!heed_gradient_create((char *)memory + 1, bytes, s, tiny_ids(), 2, &good, e), &t, "memory not aligned");
    refused(!heed_gradient_create(memory, bytes, s, NULL, 2, &good, e), &t, "ids that are NULL");
    refused(!heed_gradient_create(memory, bytes, s, tiny_ids(), 2, NULL, e), &t, "a metric that is NULL");
    refused(!heed_gradient_create(memory, bytes, s, (int32_t[]){0, V}, 2, &good, e), &t,
            "an id outside the vocabulary");
    refused(heed_gradient_next(NULL, &value, e) == HEED_FORWARD_FAILED, &t, "a gradient that is NULL");
    heed_gradient *g = heed_gradient_create(memory, bytes, s, tiny_ids(), 2, &good, e);
    refused(heed_gradient_next(g, NULL, e) == HEED_FORWARD_FAILED, &t, "a value that is NULL");
    refused(!heed_measure(NULL, &good, &value, e), &t, "a metric of a session that is NULL");
    refused(!heed_measure(s, &good, NULL, e), &t, "a metric into NULL");
    refused(!heed_unembed(NULL, x, 1, 1, e), &t, "logits of a session that is NULL");
    refused(!heed_unembed(s, NULL, 1, 1, e), &t, "residuals that are NULL");
    refused(!heed_unembed(s, x, HEED_LOGIT_ROWS + 1, 1, e), &t, "too many residuals");
    heed_candidate top[1];
    refused(!heed_bias(NULL, logits, e), &t, "a bias of a session that is NULL");
    refused(!heed_bias(s, (const float *)((const char *)logits + 1), e), &t, "a bias at an odd address");
    refused(!heed_rank(NULL, logits, top, 1, e), &t, "candidates of a session that is NULL");
    refused(!heed_rank(s, NULL, top, 1, e), &t, "candidates of logits that are NULL");
    refused(!heed_rank(s, logits, NULL, 1, e), &t, "candidates into NULL");
    refused(!heed_rank(s, logits, top, -1, e), &t, "a negative number of candidates");
    refused(!heed_rank(s, logits, top, V + 1, e), &t, "more candidates than the vocabulary");
    refused(!heed_forward_from(s, tiny_ids(), 2, 9, x, 2, e), &t, "a pass from a block that does not exist");
    refused(!heed_forward_from(s, tiny_ids(), 2, 0, NULL, 2, e), &t, "a pass from a residual that is NULL");
    for (int n = 0; n <= 3; n += 3)
        refused(!heed_forward_from(s, tiny_ids(), 2, 0, x, n, e), &t,
                "a pass that gives more rows than it has, or none");
    refused(!heed_weight_shape(s, 9, 0, &rows, &columns, e), &t, "a weight of a layer that does not exist");
    refused(!heed_weight_shape(s, -1, 99, &rows, &columns, e), &t, "a weight that does not exist");
    refused(!heed_weight_shape(s, -1, 0, NULL, &columns, e), &t, "a shape into NULL");
    refused(!heed_weight_read(s, -1, 0, 0, V + 1, x, e), &t, "more rows than a weight has");
    refused(!heed_weight_read(s, -1, 0, -1, 1, x, e), &t, "a row before the first");
    refused(!heed_weight_read(s, -1, 0, 0, 0, x, e), &t, "0 rows of a weight");
    refused(!heed_weight_shape(NULL, -1, 0, &rows, &columns, e), &t, "a weight of a session that is NULL");
    refused(!heed_weight_shape(s, -1, 0, &rows, NULL, e), &t, "columns into NULL");
    refused(!heed_weight_read(s, -1, 0, 0, 1, NULL, e), &t, "a weight into NULL");
    heed_tap_request huge = {.hook = HEED_HOOK_EMBED,
                             .layer = -1,
                             .head = -1,
                             .to = 2,
                             .scale = 1,
                             .values = x,
                             .width = 8,
                             .column = 1 << 30};
    refused(!heed_tap_link(s, &huge, e), &t, "a column past every activation");

    /* An overflowing edit is detected in the value or in a block. */
    heed_tap_request overflow = {.hook = HEED_HOOK_EMBED, .layer = -1, .head = -1, .to = 2, .scale = 3e38f};
    heed_tap_link(s, &overflow, e);
    refused(!differentiate(&t, 2, &good, &value), &t, "a run that overflows");
    heed_tap_clear(s);
    heed_tap_clear(NULL);
    free(memory);
    tiny_free(&t);
}

void test_analysis(void) {
    for (tiny_family family = 0; family < TINY_FAMILIES; family++) gradients(family);
    lengths(TINY_LLAMA), lengths(TINY_MIXTURE), lengths(TINY_T5), lengths(TINY_BART);
    passes_from_a_block(HEED_CACHE_I16);
    passes_from_a_block(HEED_CACHE_F32);
    columns_and_directions();
    reading();
    refusals();
}
