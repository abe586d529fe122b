/* Results of a session, for every family and every type of weight. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const heed_dtype DTYPES[] = {HEED_F32,  HEED_F16,  HEED_BF16, HEED_Q8_0,  HEED_Q4_0,
                                    HEED_Q4_1, HEED_Q5_0, HEED_Q5_1, HEED_IQ4_NL};
enum { N_DTYPES = sizeof DTYPES / sizeof *DTYPES };

static const char *dtype_name(heed_dtype dtype) {
    switch (dtype) {
#define X(name, number, text)                                                                                          \
    case number: return text;
        HEED_DTYPES(X)
#undef X
    }
    return "unknown";
}

/* The name of a weight type and cache; valid until the next call. */
static const char *numbers_name(heed_dtype dtype, heed_cache_type cache) {
    static char name[32];
    snprintf(name, sizeof name, "%s, %s cache", dtype_name(dtype), cache == HEED_CACHE_I16 ? "int16" : "f32");
    return name;
}

/* Rows do not depend on the rows that run with them: batches, pieces, single ids and rewinding give the same bits. */
static void batches(tiny_family family, heed_dtype dtype, heed_cache_type cache) {
    tiny t = tiny_run(family, dtype, 1, cache);
    size_t V = (size_t)t.config.vocabulary;
    float whole[TINY_VOCABULARY], other[TINY_VOCABULARY];
    const char *f = tiny_family_name[family], *d = numbers_name(dtype, cache);
    int finite = tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, whole);
    for (size_t i = 0; i < V; i++) finite = finite && isfinite(whole[i]);
    check(finite, "%s %s: a prompt of %d gives finite logits (%s)", f, d, TINY_PROMPT, t.error.message);

    heed_rewind(t.session, 0, &t.error);
    check(tiny_forward(&t, TINY_PROMPT, 4, other) && tiny_same(whole, other, V), "%s %s: the same in pieces of 4", f,
          d);
    heed_rewind(t.session, 0, &t.error);
    check(tiny_forward(&t, TINY_PROMPT, 1, other) && tiny_same(whole, other, V), "%s %s: the same token by token", f,
          d);
    heed_rewind(t.session, 6, &t.error);
    check(tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, other) && tiny_same(whole, other, V),
          "%s %s: the same after a rewind to 6", f, d);
    tiny_free(&t);

    t = tiny_run(family, dtype, 0, cache);
    check(tiny_forward(&t, TINY_PROMPT, 4, other) && tiny_same(whole, other, V), "%s %s: the same without maps", f, d);
    tiny_free(&t);
}

/* A map from the cache equals the pattern of the forward pass.  Its rows are the softmax of its scores, and causal. */
static void maps(tiny_family family, heed_dtype dtype, heed_cache_type cache) {
    tiny t = tiny_run(family, dtype, 1, cache);
    int heads = t.config.heads, exact = 1, sums = 1, causal = 1, softmax = 1;
    size_t plane = (size_t)TINY_PROMPT * TINY_PROMPT;
    heed_tap_request *taps = calloc((size_t)t.config.layers, sizeof *taps);
    for (int l = 0; l < t.config.layers; l++) {
        taps[l] = (heed_tap_request){.hook = HEED_HOOK_PATTERN, .layer = l, .head = -1, .to = TINY_PROMPT, .scale = 1};
        taps[l].copy = malloc((size_t)heads * plane * sizeof(float));
        taps[l].copy_columns = TINY_PROMPT;
        heed_tap_link(t.session, &taps[l], &t.error);
    }
    int done = heed_forward(t.session, tiny_ids(), TINY_PROMPT, &t.error);
    heed_tap_end(t.session);
    float pattern[TINY_PROMPT * TINY_PROMPT], scores[TINY_PROMPT * TINY_PROMPT];
    for (int l = 0; done && l < t.config.layers; l++) {
        int every = t.config.global_every, is_global = every && l % every == t.config.global_first;
        int window = is_global ? 0 : t.config.window;
        for (int h = 0; h < heads; h++) {
            const float *map = heed_map(t.session, l, h, HEED_MAP_PATTERN, 0, TINY_PROMPT, &t.error);
            done = done && map;
            if (!map) break;
            memcpy(pattern, map, sizeof pattern);
            map = heed_map(t.session, l, h, HEED_MAP_SCORES, 0, TINY_PROMPT, &t.error);
            memcpy(scores, map, sizeof scores);
            exact &= tiny_same(pattern, taps[l].copy + (size_t)h * plane, plane);
            for (int q = 0; q < TINY_PROMPT; q++) {
                int from = window && q >= window ? q + 1 - window : 0;
                double sum = 0, total = 0;
                for (int k = from; k <= q; k++) total += exp((double)scores[q * TINY_PROMPT + k]);
                for (int k = 0; k < TINY_PROMPT; k++) {
                    double p = (double)pattern[q * TINY_PROMPT + k];
                    int seen = k >= from && k <= q;
                    sum += p;
                    if (!seen) causal &= p == 0 && scores[q * TINY_PROMPT + k] == -INFINITY;
                    /* exp in f32 of scores below 8: a few units in the last place */
                    else
                        softmax &= fabs(p - exp((double)scores[q * TINY_PROMPT + k]) / total) < 1e-6;
                }
                sums &= fabs(sum - 1) < 1e-6;
            }
        }
    }
    const char *f = tiny_family_name[family], *d = numbers_name(dtype, cache);
    check(done && exact, "%s %s: maps have the bits of the forward pass (%s)", f, d, t.error.message);
    check(done && sums && causal, "%s %s: rows sum to 1 and are causal", f, d);
    check(done && softmax, "%s %s: a pattern is the softmax of its scores", f, d);
    const float *rows = heed_map(t.session, 1, 2, HEED_MAP_PATTERN, 9, 12, &t.error);
    check(rows && tiny_same(rows, taps[1].copy + 2 * plane + 9 * TINY_PROMPT, 3 * TINY_PROMPT),
          "%s %s: a range of rows has the same bits", f, d);
    for (int l = 0; l < t.config.layers; l++) free(taps[l].copy);
    free(taps);
    tiny_free(&t);
}

/* A pass of one block per call gives the same bits, also with maps computed in between.  An aborted pass changes
 * nothing. */
static void blocks(tiny_family family, heed_cache_type cache) {
    enum { HELD = 4, MORE = TINY_PROMPT - HELD };
    tiny t = tiny_run(family, HEED_Q8_0, 1, cache);
    const int32_t *more = tiny_ids() + HELD;
    const char *f = tiny_family_name[family], *d = numbers_name(HEED_Q8_0, cache);
    float whole[TINY_VOCABULARY], other[TINY_VOCABULARY], map[HELD * HELD];
    size_t V = (size_t)t.config.vocabulary;
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, whole);

    heed_rewind(t.session, HELD, &t.error);
    memcpy(map, heed_map(t.session, 1, 2, HEED_MAP_PATTERN, 0, HELD, &t.error), sizeof map);
    int begun = heed_forward_begin(t.session, more, MORE, &t.error), same = 1, counted = 1;
    for (int left = t.config.layers; begun && left > 0; left--) {
        const float *between = heed_map(t.session, 1, 2, HEED_MAP_PATTERN, 0, HELD, &t.error);
        same &= between && tiny_same(between, map, HELD * HELD) && heed_position(t.session) == HELD;
        counted &= heed_forward_next(t.session, &t.error) == (left > 1 ? HEED_FORWARD_MORE : HEED_FORWARD_DONE);
    }
    check(begun && counted && heed_position(t.session) == TINY_PROMPT, "%s %s: one block per call, to the last (%s)", f,
          d, t.error.message);
    check(same, "%s %s: until then the session and its maps are unchanged", f, d);
    const float *logits = heed_logits(t.session, MORE - 1, 1, &t.error);
    check(logits && tiny_same(whole, logits, V), "%s %s: the same block by block", f, d);

    heed_rewind(t.session, HELD, &t.error);
    heed_forward_begin(t.session, more, MORE, &t.error);
    heed_forward_next(t.session, &t.error);
    check(tiny_forward(&t, TINY_PROMPT, 4, other) && tiny_same(whole, other, V),
          "%s %s: the same after an aborted pass", f, d);
    tiny_free(&t);
}

/* Before the first global layer, all layers are local. */
static void first_global_layer(void) {
    heed_config c = tiny_config(TINY_GEMMA);
    c.layers = 4;
    c.global_first = 3;
    tiny t = tiny_run_of(TINY_GEMMA, c, HEED_F32, 1, HEED_CACHE_F32);
    float logits[TINY_VOCABULARY];
    int right = tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, logits);
    for (int l = 0; l < c.layers; l++) {
        const float *map = heed_map(t.session, l, 0, HEED_MAP_PATTERN, TINY_PROMPT - 1, TINY_PROMPT, &t.error);
        right &= map && (map[0] > 0) == (l == c.global_first);
    }
    check(right, "with the period 2, layer 3 can be the first global one");
    tiny_free(&t);
}

void test_runs(void) {
    first_global_layer();
    for (int family = 0; family < TINY_FAMILIES; family++)
        for (int i = 0; i < N_DTYPES; i++) {
            for (int cache = HEED_CACHE_F32; cache <= HEED_CACHE_I16; cache++) {
                batches((tiny_family)family, DTYPES[i], (heed_cache_type)cache);
                maps((tiny_family)family, DTYPES[i], (heed_cache_type)cache);
            }
        }
    for (int family = 0; family < TINY_FAMILIES; family++)
        for (int cache = HEED_CACHE_F32; cache <= HEED_CACHE_I16; cache++)
            blocks((tiny_family)family, (heed_cache_type)cache);
}
