/* Every error of the API: its code, its message, and an unchanged object. */
#include "check.h"
#include "tiny.h"

#include "kernels/kernels.h"
#include "tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const heed_sampling GREEDY = {.temperature = 0, .top_p = 1, .min_p = 0, .repeat_penalty = 1};

/* Checks that a call failed with this code and a message, and clears the error. */
static void refused(int failed, tiny *t, heed_error_code code, const char *what) {
    check(failed && t->error.code == code && t->error.message[0], "%s: %s", what, t->error.message);
    memset(&t->error, 0, sizeof t->error);
}

static void refused_tap(tiny *t, heed_tap_request tap, const char *what) {
    refused(!heed_tap_link(t->session, &tap, &t->error), t, HEED_ERROR_ARGUMENT, what);
}

/* Taps on layers and heads that an activation does not have. */
static void refused_taps(tiny *t) {
    heed_tap_request tap = {.hook = HEED_HOOK_Z, .head = -1, .to = 1, .scale = 1};
    heed_tap_request of_model = tap, of_layer = tap, headless = tap;
    of_model.hook = HEED_HOOK_EMBED;
    refused_tap(t, of_model, "a tap on an activation of the whole model at layer 0");
    of_layer.layer = -1;
    refused_tap(t, of_layer, "a tap on an activation of a layer without one");
    headless.hook = HEED_HOOK_RESID_POST, headless.head = 1;
    refused_tap(t, headless, "a tap on a head of the residual stream");
#define CASE(member, number)                                                                                           \
    {                                                                                                                  \
        heed_tap_request wrong = tap;                                                                                  \
        wrong.member = number;                                                                                         \
        refused_tap(t, wrong, "a tap with " #member " = " #number);                                                    \
    }
    float one = 1, copied;
    tap.values = &one, tap.width = 1, tap.copy = &copied, tap.copy_columns = 1;
    CASE(hook, -1)
    CASE(head, -2)
    CASE(from, -1)
    CASE(from, 2)
    CASE(column, -1)
    CASE(columns, -1)
    CASE(width, 0)
    CASE(copy_columns, 0)
    CASE(normalize, 1)
#undef CASE
    tap.values = NULL, tap.copy = NULL;
    refused(!heed_tap_link(t->session, NULL, &t->error), t, HEED_ERROR_ARGUMENT, "a tap that is NULL");
    refused(!heed_tap_link(NULL, &tap, &t->error), t, HEED_ERROR_ARGUMENT, "a tap on a session that is NULL");
    heed_tap_link(t->session, &tap, &t->error);
    refused(!heed_tap_link(t->session, &tap, &t->error), t, HEED_ERROR_ARGUMENT, "the same tap again");
    heed_tap_end(t->session);

    /* Keys of a Llama have fewer heads than its queries. */
    tiny few = tiny_run(TINY_LLAMA, HEED_F32, 0, HEED_CACHE_F32);
    heed_tap_request key = {.hook = HEED_HOOK_K, .head = few.config.kv_heads, .to = TINY_PROMPT};
    refused_tap(&few, key, "a tap on a head of keys that only queries have");
    check(heed_forward(few.session, tiny_ids(), TINY_PROMPT, &few.error), "a refused tap leaves the session usable");
    heed_tap_end(NULL);
    tiny_free(&few);
}

static void refused_calls(void) {
    tiny t = tiny_run(TINY_GPT2, HEED_F32, 1, HEED_CACHE_F32);
    heed_session *s = t.session;
    heed_error *e = &t.error;
    const int32_t *ids = tiny_ids(), low = -1, high = t.config.vocabulary;
    heed_candidate chosen;
    refused(!heed_forward(s, &low, 1, e), &t, HEED_ERROR_ARGUMENT, "an id below the vocabulary");
    refused(!heed_forward(s, &high, 1, e), &t, HEED_ERROR_ARGUMENT, "an id above the vocabulary");
    refused(!heed_forward(s, ids, 0, e), &t, HEED_ERROR_ARGUMENT, "0 ids");
    refused(!heed_forward(s, ids, TINY_BATCH + 1, e), &t, HEED_ERROR_ARGUMENT, "more ids than a batch");
    refused(!heed_logits(s, 0, 1, e), &t, HEED_ERROR_ARGUMENT, "logits before any call");
    refused(!heed_sample(s, &GREEDY, &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT, "a sample before any call");
    refused(!heed_map(s, 0, 0, HEED_MAP_PATTERN, 0, 1, e), &t, HEED_ERROR_ARGUMENT, "a map of an empty session");

    heed_forward(s, ids, TINY_BATCH, e);
    int rest = TINY_CONTEXT - TINY_BATCH;
    refused(!heed_forward(s, ids, rest + 1, e), &t, HEED_ERROR_CONTEXT, "more than the context");
    check(heed_position(s) == TINY_BATCH, "a refused call leaves the session unchanged");
    check(heed_forward(s, ids, rest, e) && heed_position(s) == TINY_CONTEXT,
          "the context can be filled to its last position");
    refused(!heed_forward(s, ids, 1, e), &t, HEED_ERROR_CONTEXT, "one id more than the context");
    refused(!heed_logits(s, 0, rest + 1, e), &t, HEED_ERROR_ARGUMENT, "logits of a row past the last");
    refused(!heed_logits(s, -1, 1, e), &t, HEED_ERROR_ARGUMENT, "logits of a row below 0");
    refused(!heed_logits(s, 0, HEED_LOGIT_ROWS + 1, e), &t, HEED_ERROR_ARGUMENT, "too many rows of logits");
    refused(!heed_logits(s, INT32_MAX, 1, e), &t, HEED_ERROR_ARGUMENT, "logits of a row whose end passes 32 bits");
    refused(!heed_forward(s, NULL, 1, e), &t, HEED_ERROR_ARGUMENT, "ids that are NULL");
    refused(!heed_map(s, 0, 0, (heed_map_kind)2, 0, 1, e), &t, HEED_ERROR_ARGUMENT, "a map of an unknown kind");
    refused(!heed_sample(s, &GREEDY, NULL, NULL, 0, e), &t, HEED_ERROR_ARGUMENT, "a sample whose result is NULL");
    refused(!heed_sample(s, &GREEDY, &chosen, NULL, 1, e), &t, HEED_ERROR_ARGUMENT, "candidates whose array is NULL");
    refused(!heed_sample(s, NULL, &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT, "sampling settings that are NULL");
    refused(!heed_forward(NULL, ids, 1, e), &t, HEED_ERROR_ARGUMENT, "a pass of a session that is NULL");
    refused(!heed_forward_next(NULL, e), &t, HEED_ERROR_ARGUMENT, "a block of a session that is NULL");
    refused(!heed_logits(NULL, 0, 1, e), &t, HEED_ERROR_ARGUMENT, "logits of a session that is NULL");
    refused(!heed_map(NULL, 0, 0, HEED_MAP_PATTERN, 0, 1, e), &t, HEED_ERROR_ARGUMENT,
            "a map of a session that is NULL");
    refused(!heed_rewind(NULL, 0, e), &t, HEED_ERROR_ARGUMENT, "a rewind of a session that is NULL");
    refused(!heed_step(NULL, ids, 1, &GREEDY, &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT,
            "a step of a session that is NULL");

    struct {
        int layer, head, from, to;
    } wrong[] = {{2, 0, 0, 1}, {-1, 0, 0, 1}, {0, 4, 0, 1},  {0, -1, 0, 1},
                 {0, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 0, 17}, {0, 0, 20, 25}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(!heed_map(s, wrong[i].layer, wrong[i].head, HEED_MAP_PATTERN, wrong[i].from, wrong[i].to, e), &t,
                HEED_ERROR_ARGUMENT, "a map that does not exist");
    refused(!heed_rewind(s, TINY_CONTEXT + 1, e), &t, HEED_ERROR_ARGUMENT, "a rewind past the position");
    refused(!heed_rewind(s, -1, e), &t, HEED_ERROR_ARGUMENT, "a rewind to a negative position");
    refused(!heed_forward_next(s, e), &t, HEED_ERROR_ARGUMENT, "a block without a pass");
    heed_rewind(s, TINY_CONTEXT - 2, e);
    heed_forward_begin(s, ids, 2, e);
    heed_rewind(s, TINY_CONTEXT - 2, e);
    refused(!heed_forward_next(s, e), &t, HEED_ERROR_ARGUMENT, "a block of a pass that was ended");
    heed_forward(s, ids, 2, e);

    heed_sampling cases[7];
    for (int i = 0; i < 7; i++) cases[i] = GREEDY;
    cases[0].temperature = -1;
    cases[1].temperature = NAN;
    cases[2].top_p = 0;
    cases[3].min_p = 2;
    cases[4].repeat_penalty = 0;
    cases[5].top_k = -1;
    cases[6].order = 2;
    int position = heed_position(s);
    for (int i = 0; i < 7; i++) {
        refused(!heed_sample(s, &cases[i], &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT,
                "sampling settings out of range");
        refused(!heed_step(s, ids, 1, &cases[i], &chosen, NULL, 0, e), &t, HEED_ERROR_ARGUMENT,
                "a step with sampling settings out of range");
    }
    check(heed_position(s) == position, "refused calls leave the session unchanged");
    refused(!heed_step(s, ids, 1, &GREEDY, &chosen, NULL, 0, e), &t, HEED_ERROR_CONTEXT, "a step beyond the context");
    heed_rewind(s, position - 1, e);
    heed_tap_request lost = {
        .hook = HEED_HOOK_RESID_POST, .layer = t.config.layers - 1, .to = TINY_CONTEXT, .scale = NAN};
    lost.head = -1;
    heed_tap_link(s, &lost, e);
    refused(!heed_step(s, ids, 1, &GREEDY, &chosen, NULL, 0, e), &t, HEED_ERROR_NUMBER,
            "a step whose logits are not finite");
    heed_tap_end(s);
    check(heed_position(s) == position - 1, "a failed step leaves the session unchanged");
    heed_rewind(s, position - 2, e);
    heed_step(s, ids, 1, &GREEDY, &chosen, NULL, 0, e);
    int32_t guess[] = {ids[0], chosen.id};
    heed_candidate two[2];
    lost = (heed_tap_request){
        .hook = HEED_HOOK_FINAL_NORM, .layer = -1, .head = -1, .from = position - 1, .to = TINY_CONTEXT, .scale = NAN};
    heed_rewind(s, position - 2, e);
    heed_tap_link(s, &lost, e);
    check(heed_step(s, guess, 2, &GREEDY, two, NULL, 0, e) == 1 && heed_position(s) == position - 1,
          "a step ends before the first row whose logits are not finite");
    refused(!heed_step(s, &guess[1], 1, &GREEDY, two, NULL, 0, e), &t, HEED_ERROR_NUMBER, "the step of that row");
    heed_tap_end(s);
    refused(!heed_sample(s, &GREEDY, &chosen, NULL, t.config.vocabulary + 1, e), &t, HEED_ERROR_ARGUMENT,
            "more candidates than ids");

    heed_tap_request tap = {.hook = HEED_HOOK_COUNT, .head = -1, .to = 1, .scale = 1};
    refused(!heed_tap_link(s, &tap, e), &t, HEED_ERROR_ARGUMENT, "a hook that does not exist");
    tap.hook = HEED_HOOK_Z, tap.layer = t.config.layers;
    refused(!heed_tap_link(s, &tap, e), &t, HEED_ERROR_ARGUMENT, "a tap on a layer that does not exist");
    tap.layer = 0, tap.head = t.config.heads;
    refused(!heed_tap_link(s, &tap, e), &t, HEED_ERROR_ARGUMENT, "a tap on a head that does not exist");
    refused_taps(&t);
    tiny_free(&t);

    tiny blind = tiny_run(TINY_LLAMA, HEED_Q8_0, 0, HEED_CACHE_F32);
    heed_forward(blind.session, ids, TINY_PROMPT, &blind.error);
    refused(!heed_map(blind.session, 0, 0, HEED_MAP_PATTERN, 0, 1, &blind.error), &blind, HEED_ERROR_ARGUMENT,
            "a map without queries");
    tiny_free(&blind);
}

static void refused_sessions(void) {
    tiny t = tiny_model(TINY_GPT2, HEED_F32);
    heed_loader *late = tiny_loader(t.model);
    refused(!heed_loader_begin(late, -1, HEED_SLOT_output, HEED_F32, HEED_F32, TINY_VOCABULARY, t.config.d_model, 0,
                               &t.error),
            &t, HEED_ERROR_ARGUMENT, "a weight of a model that is ready");
    check(heed_model_ready(t.model, &t.error), "a model that is ready stays so");
    free(late);
    const heed_kernels *scalar = heed_kernels_get(HEED_KERNELS_SCALAR);
    size_t bytes = heed_session_bytes(t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, 1, &t.error);
    void *memory = tiny_memory(bytes);
    refused(!heed_session_create(memory, bytes - 1, t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, scalar, NULL,
                                 &t.error),
            &t, HEED_ERROR_MEMORY, "a byte too few for a session");
    refused(
        !heed_session_create(memory, bytes, t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, NULL, NULL, &t.error),
        &t, HEED_ERROR_ARGUMENT, "a kernel set that this build does not have");
    refused(!heed_session_bytes(t.model, TINY_CONTEXT + 1, 1, 1, HEED_CACHE_F32, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "more positions than the model has");
    refused(!heed_session_bytes(t.model, 0, 1, 1, HEED_CACHE_F32, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "a session of 0 positions");
    refused(!heed_session_bytes(t.model, 1, 0, 1, HEED_CACHE_F32, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "batches of 0 ids");
    refused(!heed_session_bytes(t.model, 1, 1, 1, 2, 1, &t.error), &t, HEED_ERROR_ARGUMENT, "an unknown type of cache");
    refused(!heed_session_bytes(t.model, 1, 1, 1, 0, 17, &t.error), &t, HEED_ERROR_ARGUMENT, "too many threads");
    refused(!heed_session_bytes(t.model, 1, 1, 1, 0, 0, &t.error), &t, HEED_ERROR_ARGUMENT, "0 threads");
    refused(!heed_session_bytes(NULL, 1, 1, 1, 0, 1, &t.error), &t, HEED_ERROR_ARGUMENT,
            "a session of a model that is NULL");
    refused(!heed_session_create((char *)memory + 8, bytes, t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32,
                                 scalar, NULL, &t.error),
            &t, HEED_ERROR_ARGUMENT, "memory that is not aligned");
    check(heed_kernels_get(HEED_KERNELS_SIMD128) == NULL && heed_kernels_get((heed_kernel_set)-1) == NULL,
          "this build has the scalar kernel set only");
    free(memory);
    tiny_free(&t);
}

/* Every field of a configuration, with an invalid value. */
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
    CASE(parallel, 2)
    CASE(qk_norm, 3)
    CASE(global_every, -1)
    CASE(global_first, -1)
    CASE(global_rope, 2)
    CASE(local_theta, -1)
    CASE(rope_magnitude, NAN)
    CASE(alibi, -1)
    CASE(embedding_scale, INFINITY)
    CASE(attention_scale, -1)
    CASE(attention_softcap, NAN)
    CASE(residual_scale, -1)
    CASE(logit_scale, INFINITY)
    CASE(logit_softcap, -1)
#undef CASE
    _Alignas(64) char small[72];
    refused(!heed_model_create(small, 8, &t.config, &t.error), &t, HEED_ERROR_MEMORY, "memory too small for a model");
    refused(!heed_model_create(small + 8, 64, &t.config, &t.error), &t, HEED_ERROR_ARGUMENT,
            "a model in memory that is not aligned");
    heed_config none = {0};
    refused(!heed_model_create(small, 64, &none, &t.error), &t, HEED_ERROR_CONFIG, "a model without a configuration");
    refused(!heed_model_bytes(NULL, &t.error), &t, HEED_ERROR_ARGUMENT, "a configuration that is NULL");
}

static void refused_weights(void) {
    tiny t = {.config = tiny_config(TINY_LLAMA)};
    heed_error *e = &t.error;
    int V = t.config.vocabulary, D = t.config.d_model;
    size_t tables = heed_model_bytes(&t.config, e), bytes = tables + heed_weight_bytes(HEED_F32, V, D);
    t.model = heed_model_create(tiny_memory(bytes), bytes, &t.config, e);
    heed_loader *l = tiny_loader(t.model);
    const heed_dtype f32 = HEED_F32, unknown = (heed_dtype)99;
    int norm = HEED_SLOT_output_norm;
    refused(!heed_loader_begin(l, 2, 0, f32, f32, 1, D, 0, e), &t, HEED_ERROR_TENSOR, "a block too many");
    refused(!heed_loader_begin(l, -1, HEED_MODEL_SLOT_COUNT, f32, f32, 1, D, 0, e), &t, HEED_ERROR_TENSOR,
            "a weight that does not exist");
    refused(!heed_loader_begin(l, -1, 0, f32, f32, V, D + 1, 0, e), &t, HEED_ERROR_TENSOR, "a wrong shape");
    refused(!heed_loader_begin(l, -1, 0, unknown, unknown, V, D, 0, e), &t, HEED_ERROR_TENSOR, "an unknown type");
    refused(!heed_loader_begin(l, -1, 0, f32, unknown, V, D, 0, e), &t, HEED_ERROR_TENSOR, "an unknown type in memory");
    refused(!heed_loader_begin(l, -1, 0, f32, HEED_F16, V, D, 0, e), &t, HEED_ERROR_TENSOR,
            "a type that weights are not converted to");
    refused(!heed_loader_begin(l, -1, norm, HEED_Q8_0, HEED_Q8_0, 1, D, 0, e), &t, HEED_ERROR_TENSOR,
            "a quantized vector");
    refused(!heed_loader_begin(l, -1, 0, HEED_Q8_0, HEED_Q8_0, V, D, 1, e), &t, HEED_ERROR_TENSOR,
            "a transposed matrix of a block format");
    refused(!heed_loader_begin(l, -1, 0, f32, f32, 1 << 20, D, 1, e), &t, HEED_ERROR_TENSOR,
            "lines longer than the memory of the loader");
    uint32_t n = 1;
    check(!heed_loader_next(l, &n, e) && n == 0, "heed_loader_next returns NULL before a weight was begun");
    check(heed_loader_begin(l, -1, 0, f32, f32, V, D, 0, e) == (size_t)D * 4,
          "heed_loader_begin returns the bytes of a row");
    refused(!heed_loader_begin(l, -1, 0, f32, f32, V, D, 0, e), &t, HEED_ERROR_TENSOR,
            "a weight that is loaded already");
    refused(!heed_loader_begin(l, -1, HEED_SLOT_output, f32, f32, V, D, 0, e), &t, HEED_ERROR_MEMORY,
            "a weight that exceeds the memory");
    refused(!heed_model_ready(t.model, e), &t, HEED_ERROR_TENSOR, "a model with an incomplete weight");
    refused(!heed_loader_begin(l, -2, 0, f32, f32, V, D, 0, e), &t, HEED_ERROR_TENSOR, "a block below the first");
    refused(!heed_loader_begin(NULL, -1, 0, f32, f32, V, D, 0, e), &t, HEED_ERROR_ARGUMENT, "a loader that is NULL");
    check(!heed_loader_next(l, &n, e) && !heed_loader_next(NULL, &n, e) && !heed_loader_next(l, NULL, e),
          "heed_loader_next returns NULL after a refused weight");
    check(!heed_loader_create((char *)l + 8, t.model, heed_kernels_get(HEED_KERNELS_SCALAR), NULL) &&
              !heed_loader_create(l, t.model, NULL, NULL) && !heed_loader_bytes(NULL, NULL),
          "heed_loader_create refuses memory not aligned, no kernels, and no model");
    free(l);
    refused(!heed_model_ready(NULL, e), &t, HEED_ERROR_ARGUMENT, "a model that is NULL");
    heed_model *empty = heed_model_create(tiny_memory(tables), tables, &t.config, e);
    refused(!heed_model_ready(empty, e), &t, HEED_ERROR_TENSOR, "a model with weights missing");
    free(empty);
    size_t wanted = heed_session_bytes(t.model, 8, 8, 1, HEED_CACHE_F32, 1, e);
    check(wanted > 0 && !e->code, "heed_session_bytes needs no weights");
    void *session = tiny_memory(wanted);
    refused(!heed_session_create(session, wanted, t.model, 8, 8, 1, HEED_CACHE_F32,
                                 heed_kernels_get(HEED_KERNELS_SCALAR), NULL, e),
            &t, HEED_ERROR_ARGUMENT, "a session of a model that is not ready");
    free(session);
    check(heed_weight_bytes((heed_dtype)99, 1 << 20, 1 << 20) == SIZE_MAX, "an unknown type has no size");
    check(heed_weight_bytes(HEED_F32, 1, (1 << 30) + 1) == SIZE_MAX, "a row of more than 4 GB has no size");
    check(heed_weight_bytes(HEED_Q8_0, 4, 33) == SIZE_MAX, "a row is a multiple of the block");
    check(heed_weight_bytes(HEED_Q4_K, 4, 576) == SIZE_MAX && heed_weight_bytes(HEED_Q4_K, 9, 512) == 2 * 2 * 1184,
          "a row is a multiple of a block of 256");
    tiny_free(&t);
}

/* Loads token_embd with two of its bytes, `from_end`, replaced. */
static void poisoned(heed_dtype dtype, heed_dtype kept, size_t from_end, uint8_t low, uint8_t high) {
    tiny t = {.config = tiny_config(TINY_LLAMA)};
    int V = t.config.vocabulary, D = t.config.d_model = 256;
    size_t bytes = heed_model_bytes(&t.config, &t.error) + heed_weight_bytes(kept, V, D);
    t.model = heed_model_create(tiny_memory(bytes), bytes, &t.config, &t.error);
    uint32_t state = 9;
    size_t n = (size_t)V * heed_row_bytes(dtype, D);
    uint8_t *weight = malloc(n);
    tiny_fill(weight, dtype, V, D, 0, &state);
    weight[n - from_end] = low, weight[n - from_end + 1] = high;
    int loaded = tiny_load(&t, -1, 0, dtype, kept, V, D, 0, weight);
    check(!loaded && t.error.code == HEED_ERROR_TENSOR && strstr(t.error.message, "token_embd"),
          "a number not finite in type %d, kept as type %d: %s", (int)dtype, (int)kept, t.error.message);
    free(weight);
    tiny_free(&t);
}

/* Loading finds infinities and NaN in every type.  They are in the last number, or in the scale of the last block. */
static void poisoned_weights(void) {
    const heed_dtype floats[] = {HEED_F32, HEED_F16, HEED_BF16};
    for (int i = 0; i < 3; i++) {
        poisoned(floats[i], floats[i], 2, 0xff, 0x7f);
        poisoned(floats[i], HEED_F32, 2, 0xff, 0x7f);
        poisoned(floats[i], HEED_Q8_0, 2, 0xff, 0x7f);
        poisoned(floats[i], HEED_Q4_0, 2, 0xff, 0x7f);
    }
    poisoned(HEED_Q8_0, HEED_Q8_0, sizeof(heed_block_q8_0), 0xff, 0x7f);
    poisoned(HEED_Q8_0, HEED_Q4_0, sizeof(heed_block_q8_0), 0xff, 0x7f);
    poisoned(HEED_Q4_0, HEED_Q4_0, sizeof(heed_block_q4_0), 0xff, 0x7f);
    poisoned(HEED_F32, HEED_Q8_0, 2, 0x7f, 0x7f); /* finite, but its scale is not in half precision */
}

/* The same in both half-precision numbers of the last block of a block format. */
static void poisoned_scales(void) {
#define NUMBER(NAME, kept, name, minima)                                                                               \
    poisoned(HEED_##NAME, kept, sizeof(heed_block_##name) - offsetof(heed_block_##name, d) - minima * 2, 0x00, 0xfc);
#define FORMAT(NAME, name, minima)                                                                                     \
    NUMBER(NAME, HEED_##NAME, name, 0)                                                                                 \
    NUMBER(NAME, HEED_##NAME, name, minima)                                                                            \
    NUMBER(NAME, HEED_Q4_0, name, minima)                                                                              \
    NUMBER(NAME, HEED_F32, name, 0)
#define X(NAME, name, elements, bits, scales, minima, zero) FORMAT(NAME, name, minima)
    HEED_AFFINE_FORMATS(X)
#undef X
#define X(NAME, name, elements) FORMAT(NAME, name, 0)
    HEED_IQ4_FORMATS(X)
#undef X
#undef FORMAT
#undef NUMBER
}

void test_refusals(void) {
    refused_calls();
    refused_sessions();
    refused_configurations();
    refused_weights();
    poisoned_weights();
    poisoned_scales();
}
