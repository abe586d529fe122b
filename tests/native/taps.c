/* Taps: copies and edits of activations. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Taps exist for every activation, a copy has no effect, and an edit changes only its target. */
static void taps(tiny_family family) {
    tiny t = tiny_run(family, HEED_F32, 1, HEED_CACHE_F32);
    size_t V = (size_t)t.config.vocabulary;
    float plain[TINY_VOCABULARY], tapped[TINY_VOCABULARY];
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, plain);
    heed_rewind(t.session, 0, &t.error);

    int widest = t.config.d_ff, heads = t.config.heads, count = 0, written = 1;
    heed_tap_request *requests = calloc((size_t)HEED_HOOK_COUNT * 2, sizeof *requests);
    static const int per_layer[] = {
#define X(name, text, per_layer, axes) per_layer,
        HEED_HOOKS(X)
#undef X
    };
    for (int hook = 0; hook < HEED_HOOK_COUNT; hook++)
        for (int l = per_layer[hook] ? 0 : -1; l < (per_layer[hook] ? t.config.layers : 0); l++) {
            heed_tap_request *r = &requests[count++];
            int planes = hook == HEED_HOOK_ATTN_SCORES || hook == HEED_HOOK_PATTERN ? heads : 1;
            *r = (heed_tap_request){.hook = hook, .layer = l, .head = -1, .to = TINY_PROMPT, .scale = 1};
            r->copy = calloc((size_t)planes * TINY_PROMPT * (size_t)widest, sizeof(float));
            r->copy_columns = widest;
            heed_tap_link(t.session, r, &t.error);
        }
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, tapped);
    heed_tap_end(t.session);
    check(tiny_same(plain, tapped, V), "%s: copying every activation changes nothing", tiny_family_name[family]);
    int rope = t.config.position == HEED_ROPE_ADJACENT || t.config.position == HEED_ROPE_HALVES;
    for (int i = 0; i < count; i++) {
        int hook = requests[i].hook, absent = 0;
        absent |= hook == HEED_HOOK_POS_EMBED && t.config.position != HEED_POSITION_LEARNED;
        absent |= (hook == HEED_HOOK_ROT_Q || hook == HEED_HOOK_ROT_K) && !rope;
        absent |= hook == HEED_HOOK_MLP_PRE_LINEAR && !t.config.gated;
        absent |= hook == HEED_HOOK_RESID_MID && t.config.parallel;
        absent |= hook == HEED_HOOK_EXPERT_WEIGHTS && !t.config.experts;
        absent |= (hook == HEED_HOOK_LN1 || hook == HEED_HOOK_LN2) && family == TINY_OLMO; /* norms of outputs only */
        int found = requests[i].copy[0] != 0;
        if (found == absent) printf("# hook %d of layer %d: %s\n", hook, requests[i].layer, found ? "there" : "silent");
        written &= found != absent;
    }
    check(written, "%s: every activation of the family is tapped", tiny_family_name[family]);

    /* With zeros as outputs of attention and feed-forward, the residual stream stays the embedding. */
    float *before = requests[0].copy, *after = NULL;
    int D = t.config.d_model, edits = 0;
    heed_tap_request edit[8], start, end;
    heed_rewind(t.session, 0, &t.error);
    for (int l = 0; l < t.config.layers; l++)
        for (int i = 0; i < 2; i++) {
            int hook = i ? HEED_HOOK_MLP_OUT : HEED_HOOK_ATTN_OUT;
            edit[edits] = (heed_tap_request){.hook = hook, .layer = l, .head = -1, .to = TINY_PROMPT};
            heed_tap_link(t.session, &edit[edits++], &t.error);
        }
    start = (heed_tap_request){.hook = HEED_HOOK_RESID_PRE, .head = -1, .to = TINY_PROMPT, .scale = 1};
    end = (heed_tap_request){
        .hook = HEED_HOOK_RESID_POST, .layer = t.config.layers - 1, .head = -1, .to = TINY_PROMPT, .scale = 1};
    start.copy_columns = end.copy_columns = D;
    start.copy = before = malloc((size_t)(TINY_PROMPT * D) * sizeof(float));
    end.copy = after = malloc((size_t)(TINY_PROMPT * D) * sizeof(float));
    heed_tap_link(t.session, &start, &t.error);
    heed_tap_link(t.session, &end, &t.error);
    int done = heed_forward(t.session, tiny_ids(), TINY_PROMPT, &t.error);
    heed_tap_end(t.session);
    check(done && tiny_same(before, after, (size_t)(TINY_PROMPT * D)),
          "%s: with zero outputs of blocks the residual stream stays", tiny_family_name[family]);

    /* scale·x + values, on one head and two positions only. */
    int Dh = t.config.d_head;
    float *values = malloc((size_t)(2 * Dh) * sizeof(float)), *z = malloc((size_t)(TINY_PROMPT * D) * sizeof(float));
    for (int i = 0; i < 2 * Dh; i++) values[i] = (float)i;
    heed_tap_request change = {
        .hook = HEED_HOOK_Z, .layer = 1, .head = 2, .from = 4, .to = 6, .values = values, .width = Dh};
    heed_tap_request watch = {
        .hook = HEED_HOOK_Z, .layer = 1, .head = -1, .to = TINY_PROMPT, .scale = 1, .copy = z, .copy_columns = D};
    heed_rewind(t.session, 0, &t.error);
    heed_tap_link(t.session, &watch, &t.error); /* the last linked tap acts first */
    heed_tap_link(t.session, &change, &t.error);
    done = heed_forward(t.session, tiny_ids(), TINY_PROMPT, &t.error);
    heed_tap_end(t.session);
    int exact = done;
    const float *original = NULL;
    for (int i = 0; i < count; i++)
        if (requests[i].hook == HEED_HOOK_Z && requests[i].layer == 1) original = requests[i].copy;
    for (int p = 0; done && p < TINY_PROMPT; p++)
        for (int i = 0; i < D; i++) {
            int chosen = (p == 4 || p == 5) && i / Dh == 2;
            exact &= z[p * D + i] == (chosen ? values[(p - 4) * Dh + i % Dh] : original[p * widest + i]);
        }
    check(exact, "%s: an edit changes its head and positions only", tiny_family_name[family]);

    /* Edits of a pattern leave out later keys, and a normalized row sums to 1. */
    heed_tap_request doubled = {.hook = HEED_HOOK_PATTERN, .layer = 1, .head = 1, .from = 2, .to = 5, .scale = 2};
    heed_tap_request shifted = doubled, divided = doubled;
    float one = 1;
    shifted.scale = 1, shifted.values = &one, shifted.width = 1, shifted.repeat = 1;
    shifted.column = TINY_PROMPT - 1, shifted.columns = 1;
    divided.scale = 1, divided.normalize = 1;
    heed_rewind(t.session, 0, &t.error);
    heed_tap_link(t.session, &shifted, &t.error);
    heed_tap_link(t.session, &doubled, &t.error);
    done = heed_forward(t.session, tiny_ids(), TINY_PROMPT, &t.error);
    heed_tap_end(t.session);
    const float *map = heed_map(t.session, 1, 1, HEED_MAP_PATTERN, 0, TINY_PROMPT, &t.error);
    int causal = done && map;
    for (int p = 0; causal && p < TINY_PROMPT; p++) {
        float sum = 0;
        for (int j = 0; j <= p; j++) sum += map[p * TINY_PROMPT + j];
        causal &= fabsf(sum - (p >= 2 && p < 5 ? 2 : 1)) < 1e-5f;
        for (int j = p + 1; j < TINY_PROMPT; j++) causal &= map[p * TINY_PROMPT + j] == 0;
    }
    check(causal, "%s: an edit of a pattern leaves out later keys", tiny_family_name[family]);
    heed_rewind(t.session, 0, &t.error);
    heed_tap_link(t.session, &divided, &t.error);
    heed_tap_link(t.session, &doubled, &t.error);
    done = heed_forward(t.session, tiny_ids(), TINY_PROMPT, &t.error);
    heed_tap_end(t.session);
    map = heed_map(t.session, 1, 1, HEED_MAP_PATTERN, 3, 4, &t.error);
    float sum = 0;
    for (int j = 0; done && map && j < TINY_PROMPT; j++) sum += map[j];
    check(fabsf(sum - 1) < 1e-5f, "%s: a normalized row of a pattern sums to 1", tiny_family_name[family]);
    divided.hook = HEED_HOOK_Z;
    check(!heed_tap_link(t.session, &divided, &t.error), "%s: only patterns are normalized", tiny_family_name[family]);
    t.error = (heed_error){0};

    for (int i = 0; i < count; i++) free(requests[i].copy);
    free(requests), free(before), free(after), free(values), free(z);
    tiny_free(&t);
}

/* A request that maps still apply is in a list, so another list cannot take it. */
static void kept_requests(void) {
    tiny t = tiny_run(TINY_LLAMA, HEED_F32, 1, HEED_CACHE_F32);
    heed_tap_request edits[2];
    heed_forward(t.session, tiny_ids(), TINY_PROMPT, &t.error);
    for (int i = 0; i < 2; i++) {
        edits[i] = (heed_tap_request){.hook = HEED_HOOK_PATTERN, .layer = i, .head = -1, .to = TINY_PROMPT, .scale = 2};
        heed_tap_link(t.session, &edits[i], &t.error);
    }
    heed_tap_end(t.session);
    check(!t.error.code && !heed_tap_link(t.session, &edits[0], &t.error) && t.error.code == HEED_ERROR_ARGUMENT &&
              strstr(t.error.message, "until heed_tap_end"),
          "a kept edit is not linked: %s", t.error.message);
    t.error = (heed_error){0};
    for (int layer = 0; layer < 2; layer++) {
        const float *map = heed_map(t.session, layer, 0, HEED_MAP_PATTERN, 0, 1, &t.error);
        check(map && map[0] == 2, "a map of layer %d applies its kept edit", layer);
    }
    heed_tap_end(t.session);
    check(heed_tap_link(t.session, &edits[0], &t.error), "an edit whose use has ended is linked again");
    heed_tap_end(t.session);
    heed_rewind(t.session, 0, &t.error);
    check(heed_tap_link(t.session, &edits[0], &t.error), "an edit of a text that was dropped is linked again");
    tiny_free(&t);
}

/* Keys that a window hides stay hidden: the map has its zeros with every edit of scores or patterns. */
static void windows(tiny_family family) {
    enum { T = TINY_PROMPT };
    tiny t = tiny_run(family, HEED_F32, 1, HEED_CACHE_F32);
    float plain[T * T], tenths[T], logits[TINY_VOCABULARY];
    for (int j = 0; j < T; j++) tenths[j] = 0.1f;
    for (int edit = 0; edit < 4; edit++) {
        heed_tap_request r = {.hook = edit < 3 ? HEED_HOOK_ATTN_SCORES : HEED_HOOK_PATTERN,
                              .layer = 1,
                              .head = -1,
                              .to = T,
                              .scale = edit == 0   ? 1
                                       : edit == 1 ? -1
                                                   : 0};
        if (edit == 3) r.values = tenths, r.width = T, r.repeat = 1;
        heed_rewind(t.session, 0, &t.error);
        heed_tap_link(t.session, &r, &t.error);
        int done = tiny_forward(&t, T, T, logits), hidden = 0, same = 1;
        heed_tap_end(t.session);
        const float *map = heed_map(t.session, 1, 0, HEED_MAP_PATTERN, 0, T, &t.error);
        if (map && edit == 0) memcpy(plain, map, sizeof plain);
        for (int i = 0; map && i < T * T; i++) {
            same &= (map[i] == 0) == (plain[i] == 0);
            hidden += plain[i] == 0 && i % T < i / T;
        }
        check(done && map && same && hidden, "%s: edit %d shows no key outside of the window: %s",
              tiny_family_name[family], edit, t.error.message);
        t.error = (heed_error){0};
    }
    tiny_free(&t);
}

void test_taps(void) {
    kept_requests();
    windows(TINY_MISTRAL);
    windows(TINY_MODERN_BERT);
    for (int family = 0; family < TINY_FAMILIES; family++) taps((tiny_family)family);
}
