/* Encoder–decoders: the first pass reads the source, and cross-attention sees all of it. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { T = 9, S = TINY_SOURCE, V = TINY_VOCABULARY };

/* The blocks of the first layer of the decoder. */
static int self_block(const tiny *t) { return t->config.encoder_layers; }
static int cross_block(const tiny *t) { return t->config.encoder_layers + 1; }

/* Whether the rows of a map sum to 1, and only keys after the query are masked, or none. */
static int rows_sum(tiny *t, int layer, int queries, int keys, int causal) {
    int ok = 1;
    for (int h = 0; h < t->config.heads; h++) {
        const float *map = heed_map(t->session, layer, h, HEED_MAP_PATTERN, 0, queries, &t->error);
        for (int i = 0; map && i < queries; i++) {
            float sum = 0;
            for (int j = 0; j < keys; j++) {
                float p = map[i * keys + j];
                sum += p;
                ok &= causal && j > i ? p == 0 : p > 0;
            }
            ok &= fabsf(sum - 1) < 1e-5f;
        }
        ok &= map != NULL;
    }
    return ok;
}

static void run(tiny_family family, heed_dtype dtype, heed_cache_type cache) {
    const char *name = tiny_family_name[family];
    float whole[V], parts[V], blocks[V];
    tiny t = tiny_run(family, dtype, 1, cache);
    check(t.error.code == HEED_ERROR_NONE && tiny_forward(&t, T, T, whole), "%s: it runs", name);
    check(rows_sum(&t, 0, S, S, 0), "%s: the encoder sees the whole source", name);
    check(rows_sum(&t, self_block(&t), T, T, 1), "%s: the decoder sees the text before", name);
    check(rows_sum(&t, cross_block(&t), T, S, 0), "%s: cross-attention sees the whole source", name);
    check(!heed_map(t.session, cross_block(&t), 0, HEED_MAP_SCORES, 0, T + 1, &t.error), "%s: no query follows", name);
    t.error.code = HEED_ERROR_NONE;
    check(!heed_map(t.session, 0, 0, HEED_MAP_SCORES, 0, S + 1, &t.error), "%s: the source has an end", name);
    t.error.code = HEED_ERROR_NONE;

    check(heed_rewind(t.session, 2, &t.error) && tiny_forward(&t, T, 1, parts) && tiny_same(whole, parts, V),
          "%s: one id at a time has the same bits", name);
    heed_rewind(t.session, 0, &t.error);
    heed_forward_state state = HEED_FORWARD_MORE;
    int steps = 0, begun = heed_forward_begin(t.session, tiny_ids(), T, &t.error);
    for (; begun && state == HEED_FORWARD_MORE; steps++) state = heed_forward_next(t.session, &t.error);
    const float *logits = heed_logits(t.session, T - 1, 1, &t.error);
    if (logits) memcpy(blocks, logits, sizeof blocks);
    check(logits && steps == t.config.layers && tiny_same(whole, blocks, V), "%s: block by block, too", name);

    heed_rewind(t.session, 0, &t.error);
    check(heed_source(t.session, tiny_ids() + 5, 4, &t.error) && tiny_forward(&t, T, T, parts) &&
              !tiny_same(whole, parts, V),
          "%s: another source gives other logits", name);
    heed_rewind(t.session, 0, &t.error);
    check(heed_source(t.session, tiny_source(), S, &t.error) && tiny_forward(&t, T, 2, parts) &&
              tiny_same(whole, parts, V),
          "%s: the first source gives the first logits", name);
    tiny_free(&t);
}

/* Taps of all parts, of their own lengths; an edit of the encoder changes the text. */
static void taps(tiny_family family) {
    const char *name = tiny_family_name[family];
    tiny t = tiny_run(family, HEED_F32, 1, HEED_CACHE_F32);
    int H = t.config.heads, KV = t.config.kv_heads * t.config.d_head, cross = cross_block(&t);
    float whole[V], cut[V], *keys = calloc((size_t)(S * KV), sizeof *keys),
                            *pattern = calloc((size_t)(H * T * S), sizeof *pattern);
    tiny_forward(&t, T, T, whole);
    heed_rewind(t.session, 0, &t.error);
    heed_tap_request of_keys = {
        .hook = HEED_HOOK_K, .layer = cross, .head = -1, .to = S, .scale = 1, .copy = keys, .copy_columns = KV};
    heed_tap_request of_pattern = {
        .hook = HEED_HOOK_PATTERN, .layer = cross, .head = -1, .to = T, .scale = 1, .copy = pattern, .copy_columns = S};
    heed_tap_request edit = {.hook = HEED_HOOK_PATTERN, .layer = 0, .head = 1, .from = S - 2, .to = S, .scale = 0};
    heed_tap_link(t.session, &of_keys, &t.error);
    heed_tap_link(t.session, &of_pattern, &t.error);
    heed_tap_link(t.session, &edit, &t.error);
    check(tiny_forward(&t, T, T, cut) && !tiny_same(whole, cut, V), "%s: an edit of the encoder changes the text",
          name);
    heed_tap_end(t.session);
    const float *map = heed_map(t.session, cross, 2, HEED_MAP_PATTERN, 0, T, &t.error);
    check(map && tiny_same(map, pattern + 2 * T * S, (size_t)(T * S)), "%s: a map has the bits of the pass", name);
    check(keys[0] != 0 && keys[S * KV - 1] != 0, "%s: keys of the source are tapped", name);
    map = heed_map(t.session, 0, 1, HEED_MAP_PATTERN, 0, S, &t.error);
    int is_cut = map && map[0] > 0;
    for (int j = 0; map && j < 2 * S; j++) is_cut &= map[(S - 2) * S + j] == 0;
    check(is_cut, "%s: a map of the source shows its edit", name);
    heed_rewind(t.session, 3, &t.error);
    map = heed_map(t.session, 0, 1, HEED_MAP_PATTERN, S - 1, S, &t.error);
    check(map && map[0] == 0, "%s: a rewind of the text keeps the edit of the source", name);
    free(keys);
    free(pattern);
    tiny_free(&t);
}

/* The gradient at keys of cross-attention has a row for each id of the source.  It is the derivative by them, a change
 * of the source during the run does not matter, and the session keeps its text. */
static void gradients(tiny_family family) {
    const char *name = tiny_family_name[family];
    tiny t = tiny_run(family, HEED_F32, 1, HEED_CACHE_F32);
    int KV = t.config.kv_heads * t.config.d_head;
    size_t numbers = (size_t)(S * KV);
    float whole[V], after[V], weights[V] = {0, 1, -1}, value, *gradient = calloc(numbers, sizeof *gradient);
    heed_tap_request tap = {.hook = HEED_HOOK_K,
                            .layer = cross_block(&t),
                            .head = -1,
                            .to = S,
                            .scale = 1,
                            .copy = gradient,
                            .copy_columns = KV};
    heed_metric metric = {.first = T - 1, .rows = 1, .weights = weights};
    int32_t source[S];
    memcpy(source, tiny_source(), sizeof source);
    heed_source(t.session, source, S, &t.error);
    tiny_forward(&t, T, T, whole);
    heed_tap_link(t.session, &tap, &t.error);
    size_t bytes = heed_gradient_bytes(t.session, T, &t.error);
    void *memory = tiny_memory(bytes);
    heed_gradient *g = heed_gradient_create(memory, bytes, t.session, tiny_ids(), T, &metric, &t.error);
    heed_forward_state state = g ? HEED_FORWARD_MORE : HEED_FORWARD_FAILED;
    while (state == HEED_FORWARD_MORE) {
        source[0] = V - 1;
        state = heed_gradient_next(g, &value, &t.error);
    }
    source[0] = *tiny_source();
    heed_tap_clear(t.session);
    check(state == HEED_FORWARD_DONE && heed_position(t.session) == T, "%s: a gradient keeps the session", name);
    check(fabsf(value - (whole[1] - whole[2])) <= 1e-4f * (1 + fabsf(value)), "%s: its metric is the run's", name);

    double square = 0;
    for (size_t i = 0; i < numbers; i++) square += (double)gradient[i] * (double)gradient[i];
    float step = (float)(2e-3 / sqrt(square)), reached[2];
    for (int i = 0; i < 2; i++, step = -step) {
        heed_tap_request edit = tap;
        edit.copy = NULL;
        edit.values = gradient;
        edit.width = KV;
        for (size_t j = 0; j < numbers; j++) gradient[j] *= step;
        heed_rewind(t.session, 0, &t.error);
        heed_tap_link(t.session, &edit, &t.error);
        tiny_forward(&t, T, T, after);
        heed_measure(t.session, &metric, &reached[i], &t.error);
        heed_tap_clear(t.session);
        for (size_t j = 0; j < numbers; j++) gradient[j] /= step;
    }
    double slope = ((double)reached[0] - (double)reached[1]) / (2 * (double)step);
    check(square > 0 && fabs(slope - square) <= 0.03 * square, "%s: slope %g, square %g", name, slope, square);
    free(memory);
    free(gradient);
    tiny_free(&t);
}

/* Whether a configuration is refused with this word. */
static int refused(heed_config c, const char *word) {
    heed_error error = {HEED_ERROR_NONE, ""};
    return !heed_model_bytes(&c, &error) && strstr(error.message, word) != NULL;
}

static void refusals(void) {
    heed_config c = tiny_config(TINY_T5);
    c.encoder_layers = c.layers;
    check(refused(c, "encoder_layers"), "an encoder–decoder has a decoder");
    c.encoder_layers = 3;
    check(refused(c, "pairs"), "a layer of the decoder has two blocks");
    c = tiny_config(TINY_T5);
    c.bidirectional = 1;
    check(refused(c, "bidirectional"), "its decoder is causal");
    c = tiny_config(TINY_T5);
    c.labels = 3;
    check(refused(c, "labels"), "it has words");
    c = tiny_config(TINY_T5);
    c.patch = 3;
    check(refused(c, "patch"), "it reads texts");
    c = tiny_config(TINY_T5);
    c.relative_reach = -1;
    check(refused(c, "relative_reach"), "distances are 0 or more");

    tiny t = tiny_run(TINY_T5, HEED_F32, 1, HEED_CACHE_F32);
    float residual[64] = {0};
    int32_t wrong = V;
    heed_error *e = &t.error;
    check(!heed_source(NULL, tiny_source(), 1, e), "a source needs a session");
    e->code = HEED_ERROR_NONE;
    check(!heed_source(t.session, NULL, 1, e), "a source needs ids");
    e->code = HEED_ERROR_NONE;
    check(!heed_source(t.session, tiny_source(), 0, e) && strstr(e->message, "0"), "a source has an id");
    e->code = HEED_ERROR_NONE;
    check(!heed_source(t.session, tiny_ids(), TINY_BATCH + 1, e), "a source fits into one call");
    e->code = HEED_ERROR_NONE;
    check(!heed_source(t.session, &wrong, 1, e) && strstr(e->message, "50"), "its ids are in the vocabulary");
    e->code = HEED_ERROR_NONE;
    check(!heed_forward_from(t.session, tiny_ids(), 1, 2, residual, 1, e), "a pass cannot begin at a block");
    e->code = HEED_ERROR_NONE;
    check(!heed_map(t.session, 0, 0, HEED_MAP_PATTERN, 0, 1, e), "before a pass there is no map of the source");
    e->code = HEED_ERROR_NONE;
    check(heed_forward(t.session, tiny_ids(), 2, e), "the session runs after refusals");
    check(!heed_source(t.session, tiny_source(), 1, e), "a session with a text takes no source");
    e->code = HEED_ERROR_NONE;

    tiny_free(&t);

    tiny none = tiny_model(TINY_T5, HEED_F32);
    size_t n = heed_session_bytes(none.model, 4, TINY_BATCH, 1, HEED_CACHE_F32, 1, &none.error);
    none.session = heed_session_create(tiny_memory(n), n, none.model, 4, TINY_BATCH, 1, HEED_CACHE_F32,
                                       heed_kernels_get(HEED_KERNELS_SCALAR), NULL, &none.error);
    check(!heed_forward(none.session, tiny_ids(), 1, &none.error) && strstr(none.error.message, "source"),
          "a pass needs a source");
    none.error.code = HEED_ERROR_NONE;
    float weights[V] = {1}, value = 0;
    heed_metric metric = {.first = 0, .rows = 1, .weights = weights};
    size_t bytes = heed_gradient_bytes(none.session, 2, &none.error);
    void *memory = tiny_memory(bytes);
    heed_gradient *g = heed_gradient_create(memory, bytes, none.session, tiny_ids(), 2, &metric, &none.error);
    check(g && heed_gradient_next(g, &value, &none.error) == HEED_FORWARD_FAILED &&
              strstr(none.error.message, "source"),
          "a gradient needs a source");
    free(memory);
    none.error.code = HEED_ERROR_NONE;
    check(!heed_source(none.session, tiny_source(), 5, &none.error), "a source fits into the session");
    tiny_free(&none);

    tiny decoder = tiny_run(TINY_LLAMA, HEED_F32, 1, HEED_CACHE_F32);
    check(!heed_source(decoder.session, tiny_source(), 1, &decoder.error), "a decoder takes no source");
    tiny_free(&decoder);
}

/* A window and ALiBi are of positions in one text, so they change no score of cross-attention. */
static void distances(void) {
    heed_config c = tiny_config(TINY_T5);
    c.window = 2;
    c.alibi = 8;
    tiny t = tiny_run_of(TINY_T5, c, HEED_F32, 1, HEED_CACHE_F32);
    float logits[V];
    int n = TINY_BATCH, cross = cross_block(&t);
    heed_source(t.session, tiny_source(), 3, &t.error);
    check(tiny_forward(&t, n, n, logits), "a text runs far beyond a source with a window: %s", t.error.message);
    check(rows_sum(&t, cross, n, 3, 0), "cross-attention sees the whole source with a window");
    tiny_free(&t);
}

void test_encoder_decoders(void) {
    distances();
    for (tiny_family family = TINY_T5; family <= TINY_BART; family++) {
        run(family, HEED_F32, HEED_CACHE_F32);
        run(family, HEED_Q8_0, HEED_CACHE_I16);
        taps(family);
        gradients(family);
    }
    refusals();
}
