/* Encoders: queries see keys on both sides, and a call is a whole sequence. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { T = TINY_PROMPT };

/* The number of logits of a row. */
static int outputs(const tiny *t) { return t->config.labels ? t->config.labels : t->config.vocabulary; }

/* Rows of maps sum to 1 over keys on both sides; local layers see window / 2 keys on either side. */
static void maps(tiny *t, const char *name) {
    int whole = 1, sums = 1, local = 1, window = t->config.window;
    for (int l = 0; l < t->config.layers; l++)
        for (int h = 0; h < t->config.heads; h++) {
            const float *map = heed_map(t->session, l, h, HEED_MAP_PATTERN, 0, T, &t->error);
            int is_local = window && l % t->config.global_every != t->config.global_first;
            for (int i = 0; map && i < T; i++) {
                float sum = 0;
                for (int j = 0; j < T; j++) {
                    float p = map[i * T + j];
                    sum += p;
                    if (is_local && abs(i - j) > window / 2)
                        local &= p == 0;
                    else
                        whole &= p > 0;
                }
                sums &= fabsf(sum - 1) < 1e-5f;
            }
            whole &= map != NULL;
        }
    check(whole, "%s: every query sees keys before and after it", name);
    check(sums, "%s: rows of a map sum to 1", name);
    check(local, "%s: local layers see half a window on either side", name);
}

/* A tap copies the map that heed_map computes, and an edit reaches keys after the query. */
static void taps(tiny_family family, heed_cache_type cache) {
    tiny t = tiny_run(family, HEED_F32, 1, cache);
    float *copy = calloc((size_t)(t.config.heads * T * T), sizeof *copy);
    heed_tap_request cut = {
        .hook = HEED_HOOK_PATTERN, .layer = 0, .head = 1, .to = 1, .scale = 0, .column = 2, .columns = 1};
    heed_tap_request read = {
        .hook = HEED_HOOK_PATTERN, .layer = 0, .head = -1, .to = T, .scale = 1, .copy = copy, .copy_columns = T};
    heed_tap_link(t.session, &read, &t.error);
    heed_tap_link(t.session, &cut, &t.error);
    heed_forward(t.session, tiny_ids(), T, &t.error);
    heed_tap_end(t.session);
    const float *map = heed_map(t.session, 0, 1, HEED_MAP_PATTERN, 0, T, &t.error);
    check(map && tiny_same(map, copy + T * T, T * T), "%s: a map has the bits of the pass", tiny_family_name[family]);
    check(map && map[2] == 0 && map[1] > 0, "%s: a key after the query is cut", tiny_family_name[family]);
    free(copy);
    tiny_free(&t);
}

/* The metric of labels or words is the logit that it names. */
static void measured(tiny *t, const char *name) {
    float *weights = calloc((size_t)outputs(t), sizeof *weights), value = 0;
    heed_metric one = {.first = 0, .rows = 1, .weights = weights};
    int ok = 1;
    for (int i = 0; i < 3; i++) {
        weights[i] = 1;
        const float *logits = heed_logits(t->session, 0, 1, &t->error);
        float wanted = logits ? logits[i] : NAN;
        ok &= heed_measure(t->session, &one, &value, &t->error) && fabsf(value - wanted) <= 1e-5f * fabsf(wanted);
        weights[i] = 0;
    }
    check(ok, "%s: a metric reads its logits", name);
    int32_t beyond = outputs(t);
    heed_metric none = {.first = 0, .rows = 1, .targets = &beyond};
    check(!heed_measure(t->session, &none, &value, &t->error), "%s: a target past the logits is refused", name);
    t->error.code = HEED_ERROR_NONE;
    free(weights);
}

static void run(tiny_family family) {
    const char *name = tiny_family_name[family];
    tiny t = tiny_run(family, HEED_F32, 1, HEED_CACHE_F32);
    check(heed_forward(t.session, tiny_ids(), T, &t.error), "%s: it runs", name);
    maps(&t, name);
    measured(&t, name);
    check(!heed_forward(t.session, tiny_ids(), 1, &t.error) && strstr(t.error.message, "whole sequence"),
          "%s: a second call is refused", name);
    t.error.code = HEED_ERROR_NONE;
    check(!heed_rewind(t.session, 3, &t.error) && strstr(t.error.message, "shortened"),
          "%s: a sequence cannot be shortened", name);
    t.error.code = HEED_ERROR_NONE;
    check(heed_rewind(t.session, T, &t.error) && heed_rewind(t.session, 0, &t.error) &&
              heed_forward(t.session, tiny_ids() + 1, 1, &t.error),
          "%s: an empty session runs another text, of one token", name);
    tiny_free(&t);
}

/* The logits of a classifier are of labels: the sampler has no ids, and candidates are labels. */
static void classifier(void) {
    tiny t = tiny_run(TINY_MODERN_BERT, HEED_F32, 0, HEED_CACHE_F32);
    int labels = t.config.labels, ordered = 1;
    heed_forward(t.session, tiny_ids(), T, &t.error);
    const heed_sampling greedy = {.top_p = 1, .repeat_penalty = 1};
    heed_candidate chosen, top[3];
    check(!heed_sample(t.session, &greedy, &chosen, NULL, 0, &t.error) && strstr(t.error.message, "classifier"),
          "a classifier chooses no id");
    t.error.code = HEED_ERROR_NONE;
    /* The address sanitizer finds a read past the last label. */
    float *copy = calloc((size_t)labels, sizeof *copy);
    const float *logits = heed_logits(t.session, 0, 1, &t.error);
    memcpy(copy, logits, (size_t)labels * sizeof *copy);
    int ranked = heed_rank(t.session, copy, top, labels, &t.error);
    for (int i = 1; i < labels; i++) ordered &= copy[top[i - 1].id] >= copy[top[i].id];
    check(ranked && ordered, "the candidates of a classifier are its labels");
    check(!heed_rank(t.session, copy, top, labels + 1, &t.error), "a classifier has no more candidates than labels");
    free(copy);
    tiny_free(&t);
}

/* Settings that no encoder has, and weights that are missing. */
static void refusals(void) {
    heed_error error = {HEED_ERROR_NONE, ""};
    heed_config c = tiny_config(TINY_BERT);
    c.bidirectional = 2;
    check(!heed_model_bytes(&c, &error) && strstr(error.message, "bidirectional"), "bidirectional is 0 or 1");
    error.code = HEED_ERROR_NONE;
    c = tiny_config(TINY_BERT);
    c.labels = -1;
    check(!heed_model_bytes(&c, &error) && strstr(error.message, "labels"), "labels are 0 or more");
    error.code = HEED_ERROR_NONE;
    c = tiny_config(TINY_VIT);
    c.patch = -1;
    check(!heed_model_bytes(&c, &error) && strstr(error.message, "patch"), "numbers of a patch are 0 or more");
    error.code = HEED_ERROR_NONE;
    c = tiny_config(TINY_BERT);
    c.token_types = -1;
    check(!heed_model_bytes(&c, &error) && strstr(error.message, "token_types"), "segments are 0 or more");
    error.code = HEED_ERROR_NONE;
    c = tiny_config(TINY_BERT);
    c.cls_activation = 99;
    check(!heed_model_bytes(&c, &error) && strstr(error.message, "cls_activation"), "the head's activation is known");
    c = tiny_config(TINY_BERT);
    c.labels = 3; /* whose tied head has a row for each word */
    tiny t = tiny_model_of(TINY_BERT, c, HEED_F32);
    check(t.error.code == HEED_ERROR_TENSOR && strstr(t.error.message, "classifier"), "a classifier needs its head");
    tiny_free(&t);
}

/* The embedding of a picture is the class token and a product for each patch, in float64. */
static void pictures(void) {
    tiny t = tiny_run(TINY_VIT, HEED_F32, 1, HEED_CACHE_F32);
    int D = t.config.d_model, P = t.config.patch, ids[] = {0, 3, 9};
    float *weight = calloc((size_t)(D * P), sizeof *weight), bias[64], token[64], copy[3 * 64];
    heed_weight_read(t.session, -1, HEED_SLOT_patch_embd, 0, D, weight, &t.error);
    heed_weight_read(t.session, -1, HEED_SLOT_patch_embd_bias, 0, 1, bias, &t.error);
    heed_weight_read(t.session, -1, HEED_SLOT_token_embd, 0, 1, token, &t.error);
    heed_tap_request read = {
        .hook = HEED_HOOK_EMBED, .layer = -1, .head = -1, .to = 3, .scale = 1, .copy = copy, .copy_columns = D};
    heed_tap_link(t.session, &read, &t.error);
    int done = heed_forward(t.session, ids, 3, &t.error), close = 1;
    heed_tap_end(t.session);
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < D; d++) {
            double sum = (double)bias[d];
            for (int p = 0; p < P; p++) sum += (double)t.picture[ids[i] * P + p] * (double)weight[d * P + p];
            close &= fabs((double)copy[i * D + d] - (ids[i] ? sum : (double)token[d])) < 1e-5;
        }
    check(done && close, "ViT: id 0 is the class token, id i + 1 a product of patch i");
    const float *logits = heed_logits(t.session, 0, 3, &t.error);
    check(logits && isfinite(logits[3 * t.config.labels - 1]), "ViT: there can be more labels than patches");
    check(heed_gradient_bytes(t.session, 3, &t.error) > 0, "ViT: a gradient has a size");
    heed_rewind(t.session, 0, &t.error);
    check(!heed_model_picture(t.model, (const float *)((const char *)t.picture + 1), &t.error),
          "ViT: a picture is aligned");
    t.error.code = HEED_ERROR_NONE;
    heed_model_picture(t.model, NULL, &t.error);
    check(!heed_forward(t.session, ids, 3, &t.error) && strstr(t.error.message, "no picture") &&
              heed_position(t.session) == 0,
          "ViT: a pass needs a picture");
    free(weight);
    tiny_free(&t);

    t = tiny_model(TINY_BERT, HEED_F32);
    float none = 0;
    check(!heed_model_picture(t.model, &none, &t.error) && strstr(t.error.message, "no pictures"),
          "BERT has no pictures");
    t.error.code = HEED_ERROR_NONE;
    check(!heed_model_picture(NULL, &none, &t.error), "a picture belongs to a model");
    tiny_free(&t);
}

/* Tokens of the second text get row 1 of the embedding of segments, if the pass has exactly the ids of the pair. */
static void pairs(void) {
    tiny t = tiny_run(TINY_BERT, HEED_F32, 1, HEED_CACHE_F32);
    int D = t.config.d_model, V = t.config.vocabulary, segments[T], equal = 1;
    float *rows = calloc((size_t)(2 * D), sizeof *rows);
    float *values = calloc((size_t)D, sizeof *values), *edited = calloc((size_t)V, sizeof *edited);
    heed_weight_read(t.session, -1, HEED_SLOT_token_types, 0, 2, rows, &t.error);
    for (int d = 0; d < D; d++) values[d] = rows[D + d] - rows[d];
    for (int i = 0; i < T; i++) segments[i] = i >= 6;
    /* The same by an edit of the positions, which are added like segments. */
    heed_tap_request add = {.hook = HEED_HOOK_POS_EMBED,
                            .layer = -1,
                            .head = -1,
                            .from = 6,
                            .to = T,
                            .scale = 1,
                            .values = values,
                            .width = D,
                            .repeat = 1};
    heed_tap_link(t.session, &add, &t.error);
    heed_forward(t.session, tiny_ids(), T, &t.error);
    heed_tap_end(t.session);
    memcpy(edited, heed_logits(t.session, 2, 1, &t.error), (size_t)V * sizeof *edited);
    heed_rewind(t.session, 0, &t.error);
    check(heed_model_pair(t.model, tiny_ids(), segments, T, &t.error) &&
              heed_forward(t.session, tiny_ids(), T, &t.error),
          "a pair runs");
    const float *paired = heed_logits(t.session, 2, 1, &t.error);
    for (int i = 0; i < V; i++) equal &= fabsf(paired[i] - edited[i]) < 1e-4f * (1 + fabsf(edited[i]));
    check(equal, "the second text of a pair has segment 1");
    float alone[TINY_VOCABULARY];
    heed_rewind(t.session, 0, &t.error);
    heed_forward(t.session, tiny_ids(), T - 1, &t.error);
    memcpy(alone, heed_logits(t.session, 2, 1, &t.error), sizeof alone);
    heed_model_pair(t.model, NULL, NULL, 0, &t.error);
    heed_rewind(t.session, 0, &t.error);
    heed_forward(t.session, tiny_ids(), T - 1, &t.error);
    check(tiny_same(alone, heed_logits(t.session, 2, 1, &t.error), (size_t)V), "other ids have segment 0");
    segments[3] = 2;
    check(!heed_model_pair(t.model, tiny_ids(), segments, T, &t.error), "a segment that does not exist is refused");
    t.error.code = HEED_ERROR_NONE;
    check(!heed_model_pair(t.model, tiny_ids(), segments, -1, &t.error), "a negative number of ids is refused");
    t.error.code = HEED_ERROR_NONE;
    check(heed_gradient_bytes(t.session, T, &t.error) > 0, "a gradient of a pair has a size");
    heed_sampling greedy = {.top_p = 1, .repeat_penalty = 1};
    heed_candidate chosen[2];
    heed_rewind(t.session, 0, &t.error);
    check(!heed_step(t.session, tiny_ids(), 2, &greedy, chosen, NULL, 0, &t.error) && heed_position(t.session) == 0 &&
              strstr(t.error.message, "encoder"),
          "an encoder has no steps of a generation: %s", t.error.message);
    t.error.code = HEED_ERROR_NONE;
    const int32_t other[T] = {1};
    segments[3] = 0;
    heed_model_pair(t.model, other, segments, T - 1, &t.error);
    heed_rewind(t.session, 0, &t.error);
    heed_forward(t.session, tiny_ids(), T - 1, &t.error);
    check(tiny_same(alone, heed_logits(t.session, 2, 1, &t.error), (size_t)V), "as many other ids have segment 0");
    const void *odd = (const char *)segments + 1;
    check(!heed_model_pair(t.model, tiny_ids(), odd, T, &t.error), "segments are aligned");
    t.error.code = HEED_ERROR_NONE;
    check(!heed_model_pair(t.model, NULL, segments, T, &t.error), "ids of a pair have an address");
    t.error.code = HEED_ERROR_NONE;
    check(!heed_model_pair(NULL, tiny_ids(), segments, T, &t.error), "a pair belongs to a model");
    free(rows), free(values), free(edited);
    tiny_free(&t);
    t = tiny_model(TINY_VIT, HEED_F32);
    check(!heed_model_pair(t.model, tiny_ids(), segments, T, &t.error), "a model without segments has no pairs");
    tiny_free(&t);
}

void test_encoders(void) {
    for (int family = TINY_BERT; family <= TINY_VIT; family++) {
        run((tiny_family)family);
        taps((tiny_family)family, HEED_CACHE_F32);
        taps((tiny_family)family, HEED_CACHE_I16);
    }
    refusals();
    classifier();
    pictures();
    pairs();
}
