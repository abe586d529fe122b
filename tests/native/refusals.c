/* Every way to refuse: a code, a sentence, and nothing changed. */
#include "check.h"
#include "tiny.h"

#include "kernels/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const heed_sampling GREEDY = {.temperature = 0, .top_p = 1, .min_p = 0, .repeat_penalty = 1};

/* A call must fail with this code and a sentence; the error is cleared for the next. */
static void refused(int failed, tiny *t, heed_error_code code, const char *what) {
    check(failed && t->error.code == code && t->error.message[0], "%s: %s", what, t->error.message);
    memset(&t->error, 0, sizeof t->error);
}

static void refused_calls(void) {
    tiny t = tiny_run(TINY_GPT2, HEED_F32, 1, HEED_CACHE_F32);
    heed_session *s = t.session;
    heed_error *e = &t.error;
    const int32_t *ids = tiny_ids(), low = -1, high = t.config.vocabulary;
    heed_candidate chosen;
    refused(!heed_forward(s, &low, 1, e), &t, HEED_ERROR_ARGUMENT, "an id below the vocabulary");
    refused(!heed_forward(s, &high, 1, e), &t, HEED_ERROR_ARGUMENT, "an id above it");
    refused(!heed_forward(s, ids, 0, e), &t, HEED_ERROR_ARGUMENT, "no ids");
    refused(!heed_forward(s, ids, TINY_BATCH + 1, e), &t, HEED_ERROR_ARGUMENT, "more ids than a batch");
    refused(!heed_logits(s, 0, 1, e), &t, HEED_ERROR_ARGUMENT, "logits before any call");
    refused(!heed_sample(s, &GREEDY, &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT, "a sample before any call");
    refused(!heed_map(s, 0, 0, 0, 0, 1, e), &t, HEED_ERROR_ARGUMENT, "a map of an empty session");

    heed_forward(s, ids, TINY_BATCH, e);
    int rest = TINY_CONTEXT - TINY_BATCH;
    refused(!heed_forward(s, ids, rest + 1, e), &t, HEED_ERROR_CONTEXT, "more than the context");
    check(heed_position(s) == TINY_BATCH, "a refused call leaves the session as it was");
    check(heed_forward(s, ids, rest, e) && heed_position(s) == TINY_CONTEXT, "the context to its last position");
    refused(!heed_forward(s, ids, 1, e), &t, HEED_ERROR_CONTEXT, "one more");
    refused(!heed_logits(s, 0, rest + 1, e), &t, HEED_ERROR_ARGUMENT, "logits of a row that was not there");
    refused(!heed_logits(s, -1, 1, e), &t, HEED_ERROR_ARGUMENT, "logits of a row below 0");
    refused(!heed_logits(s, 0, HEED_LOGIT_ROWS + 1, e), &t, HEED_ERROR_ARGUMENT, "too many rows of logits");

    struct {
        int layer, head, from, to;
    } wrong[] = {{2, 0, 0, 1}, {-1, 0, 0, 1}, {0, 4, 0, 1},  {0, -1, 0, 1},
                 {0, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 0, 17}, {0, 0, 20, 25}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(!heed_map(s, wrong[i].layer, wrong[i].head, 0, wrong[i].from, wrong[i].to, e), &t, HEED_ERROR_ARGUMENT,
                "a map that does not exist");
    refused(!heed_rewind(s, TINY_CONTEXT + 1, e), &t, HEED_ERROR_ARGUMENT, "going back to where it was not");
    refused(!heed_rewind(s, -1, e), &t, HEED_ERROR_ARGUMENT, "going back before the start");

    heed_sampling cases[6];
    for (int i = 0; i < 6; i++) cases[i] = GREEDY;
    cases[0].temperature = -1;
    cases[1].temperature = NAN;
    cases[2].top_p = 0;
    cases[3].min_p = 2;
    cases[4].repeat_penalty = 0;
    cases[5].top_k = -1;
    for (int i = 0; i < 6; i++)
        refused(!heed_sample(s, &cases[i], &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT,
                "a sampling that means nothing");
    refused(!heed_sample(s, &GREEDY, &chosen, NULL, t.config.vocabulary + 1, e), &t, HEED_ERROR_ARGUMENT,
            "more candidates than ids");

    heed_tap_request tap = {.hook = HEED_HOOK_COUNT, .head = -1, .to = 1, .scale = 1};
    refused(!heed_tap_link(s, &tap, e), &t, HEED_ERROR_ARGUMENT, "a hook that does not exist");
    tap.hook = HEED_HOOK_Z, tap.layer = t.config.layers;
    refused(!heed_tap_link(s, &tap, e), &t, HEED_ERROR_ARGUMENT, "a tap on a layer that does not exist");
    tap.layer = 0, tap.head = t.config.heads;
    refused(!heed_tap_link(s, &tap, e), &t, HEED_ERROR_ARGUMENT, "a tap on a head that does not exist");
    tiny_free(&t);

    tiny blind = tiny_run(TINY_LLAMA, HEED_Q8_0, 0, HEED_CACHE_F32);
    heed_forward(blind.session, ids, TINY_PROMPT, &blind.error);
    refused(!heed_map(blind.session, 0, 0, 0, 0, 1, &blind.error), &blind, HEED_ERROR_ARGUMENT,
            "a map without queries");
    tiny_free(&blind);
}

static void refused_sessions(void) {
    tiny t = tiny_model(TINY_GPT2, HEED_F32);
    const heed_kernels *scalar = heed_kernels_get(0);
    size_t bytes = heed_session_bytes(t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, 1, &t.error);
    void *memory = tiny_memory(bytes);
    refused(!heed_session_create(memory, bytes - 1, t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, scalar, NULL,
                                 &t.error),
            &t, HEED_ERROR_MEMORY, "a byte too few for a session");
    refused(
        !heed_session_create(memory, bytes, t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, NULL, NULL, &t.error),
        &t, HEED_ERROR_ARGUMENT, "an engine that this build has not");
    refused(!heed_session_bytes(t.model, TINY_CONTEXT + 1, 1, 1, HEED_CACHE_F32, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "more positions than were learned");
    refused(!heed_session_bytes(t.model, 0, 1, 1, HEED_CACHE_F32, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "a session of nothing");
    refused(!heed_session_bytes(t.model, 1, 0, 1, HEED_CACHE_F32, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "batches of nothing");
    refused(!heed_session_bytes(t.model, 1, 1, 1, 2, 1, &t.error), &t, HEED_ERROR_ARGUMENT, "a cache of no type");
    check(heed_kernels_get(1) == NULL && heed_kernels_get(-1) == NULL, "there is no other engine in this build");
    free(memory);
    tiny_free(&t);
}

/* Each field of a configuration, with a value that no model can have. */
static void refused_configurations(void) {
    tiny t = {.config = tiny_config(TINY_LLAMA)};
#define CASE(field, value)                                                                                             \
    {                                                                                                                  \
        heed_config wrong = t.config;                                                                                  \
        wrong.field = value;                                                                                           \
        refused(!heed_model_bytes(&wrong, &t.error), &t, HEED_ERROR_CONFIG, #field " = " #value);                      \
    }
    CASE(layers, 0)
    CASE(layers, 1 << 30)
    CASE(heads, 0)
    CASE(heads, -4)
    CASE(kv_heads, 3)
    CASE(kv_heads, 8)
    CASE(d_model, 0)
    CASE(d_model, 1 << 30)
    CASE(d_head, 1 << 30)
    CASE(d_ff, -1)
    CASE(vocabulary, 0)
    CASE(vocabulary, 1 << 30)
    CASE(context_length, 0)
    CASE(norm, 2)
    CASE(norm_eps, NAN)
    CASE(norm_eps, 0)
    CASE(position, 9)
    CASE(rope_theta, 0)
    CASE(rope_theta, INFINITY)
    CASE(rope_dims, 3)
    CASE(rope_dims, 18)
    CASE(rope_scale, -1)
    CASE(window, -1)
    CASE(activation, -1)
    CASE(gated, 2)
#undef CASE
    char small[8];
    refused(!heed_model_create(small, sizeof small, &t.config, &t.error), &t, HEED_ERROR_MEMORY, "no room for a model");
}

static void refused_weights(void) {
    tiny t = {.config = tiny_config(TINY_LLAMA)};
    heed_error *e = &t.error;
    int V = t.config.vocabulary, D = t.config.d_model;
    size_t tables = heed_model_bytes(&t.config, e), bytes = tables + heed_weight_bytes(HEED_F32, V, D);
    t.model = heed_model_create(tiny_memory(bytes), bytes, &t.config, e);
    uint32_t n = 0;
    refused(!heed_model_weight(t.model, 2, 0, HEED_F32, 1, D, &n, e), &t, HEED_ERROR_TENSOR, "a block too many");
    refused(!heed_model_weight(t.model, -1, HEED_MODEL_SLOT_COUNT, HEED_F32, 1, D, &n, e), &t, HEED_ERROR_TENSOR,
            "a weight that does not exist");
    refused(!heed_model_weight(t.model, -1, 0, HEED_F32, V, D + 1, &n, e), &t, HEED_ERROR_TENSOR, "a wrong shape");
    refused(!heed_model_weight(t.model, -1, 0, (heed_dtype)99, V, D, &n, e), &t, HEED_ERROR_TENSOR, "a type unknown");
    refused(!heed_model_weight(t.model, -1, HEED_SLOT_output_norm, HEED_Q8_0, 1, D, &n, e), &t, HEED_ERROR_TENSOR,
            "a quantised vector");
    check(heed_model_weight(t.model, -1, 0, HEED_F32, V, D, &n, e) != NULL && n == (uint32_t)(V * D) * 4,
          "a weight that fits says how many bytes it wants");
    memset((char *)t.model + tables, 0, n);
    refused(!heed_model_weight(t.model, -1, 0, HEED_F32, V, D, &n, e), &t, HEED_ERROR_TENSOR, "the same weight again");
    refused(!heed_model_weight(t.model, -1, HEED_SLOT_output, HEED_F32, V, D, &n, e), &t, HEED_ERROR_MEMORY,
            "a weight beyond the memory");
    refused(!heed_model_ready(t.model, e), &t, HEED_ERROR_TENSOR, "a model with weights missing");
    refused(!heed_session_bytes(t.model, 8, 8, 1, HEED_CACHE_F32, 1, e), &t, HEED_ERROR_ARGUMENT,
            "a session of a model that is not ready");
    check(heed_weight_bytes((heed_dtype)99, 1 << 20, 1 << 20) == SIZE_MAX, "an unknown type has no size");
    check(heed_weight_bytes(HEED_Q8_0, 4, 33) == SIZE_MAX, "blocks do not break inside a row");
    check(heed_weight_bytes(HEED_Q4_K, 4, 576) == SIZE_MAX && heed_weight_bytes(HEED_Q4_K, 9, 512) == 2 * 2 * 1184,
          "blocks of 256 divide a row");
    tiny_free(&t);
}

/* A number that is none, in a weight of each type, is found before it runs. */
static void poisoned_weights(void) {
    const heed_dtype dtypes[] = {HEED_F32, HEED_F16, HEED_BF16, HEED_Q8_0, HEED_Q4_0};
    for (int i = 0; i < (int)(sizeof dtypes / sizeof *dtypes); i++) {
        heed_dtype dtype = dtypes[i];
        tiny t = {.config = tiny_config(TINY_LLAMA)};
        int V = t.config.vocabulary, D = t.config.d_model;
        size_t bytes = heed_model_bytes(&t.config, &t.error) + heed_weight_bytes(dtype, V, D);
        t.model = heed_model_create(tiny_memory(bytes), bytes, &t.config, &t.error);
        uint32_t n = 0, state = 9;
        unsigned char *weight = heed_model_weight(t.model, -1, 0, dtype, V, D, &n, &t.error);
        tiny_fill(weight, dtype, V, D, 0, &state);
        /* All-ones exponents in the last number, or in the scale of the last block. */
        size_t at = dtype == HEED_Q8_0   ? n - sizeof(heed_block_q8_0)
                    : dtype == HEED_Q4_0 ? n - sizeof(heed_block_q4_0)
                                         : n - 2;
        weight[at] = 0xff, weight[at + 1] = 0x7f;
        int ready = heed_model_ready(t.model, &t.error);
        check(!ready && strstr(t.error.message, "token_embd"), "a NaN in type %d: %s", (int)dtype, t.error.message);
        tiny_free(&t);
    }
}

/* The same in either half precision number of the last block, of a format of blocks. */
static void poisoned_scale(heed_dtype dtype, size_t from_end) {
    tiny t = {.config = tiny_config(TINY_LLAMA)};
    int V = t.config.vocabulary, D = t.config.d_model = 256;
    size_t bytes = heed_model_bytes(&t.config, &t.error) + heed_weight_bytes(dtype, V, D);
    t.model = heed_model_create(tiny_memory(bytes), bytes, &t.config, &t.error);
    uint32_t n = 0, state = 9;
    unsigned char *weight = heed_model_weight(t.model, -1, 0, dtype, V, D, &n, &t.error);
    tiny_fill(weight, dtype, V, D, 0, &state);
    weight[n - from_end] = 0x00, weight[n - from_end + 1] = 0xfc; /* -inf */
    int ready = heed_model_ready(t.model, &t.error);
    check(!ready && strstr(t.error.message, "token_embd"), "an infinity in type %d: %s", (int)dtype, t.error.message);
    tiny_free(&t);
}

static void poisoned_scales(void) {
#define FORMAT(NAME, name, minima)                                                                                     \
    poisoned_scale(HEED_##NAME, sizeof(heed_block_##name) - offsetof(heed_block_##name, d));                           \
    poisoned_scale(HEED_##NAME, sizeof(heed_block_##name) - offsetof(heed_block_##name, d) - minima * sizeof(uint16_t));
#define X(NAME, name, elements, bits, scales, minima, zero) FORMAT(NAME, name, minima)
    HEED_STEP_FORMATS(X)
#undef X
#define X(NAME, name, elements) FORMAT(NAME, name, 0)
    HEED_IQ4_FORMATS(X)
#undef X
#undef FORMAT
}

void test_refusals(void) {
    refused_calls();
    refused_sessions();
    refused_configurations();
    refused_weights();
    poisoned_weights();
    poisoned_scales();
}
