/* Adapters of low rank, and a loaded model in a lab: gradients, batches, and refusals. */
#include "check.h"
#include "tiny.h"

#include "heed_lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 3, T = 6, BATCH = 2, N = BATCH * T, V = TINY_VOCABULARY };

static heed_error error;

/* Numbers of an adapter and their gradients, for the largest matrix of the tests. */
static float a[RANK * 96], b[96 * RANK], a_grad[RANK * 96], b_grad[96 * RANK], norm[64], norm_grad[64];

/* The mean cross-entropy of the next ids of `batch` sequences; with its backward if `learn`. */
static float loss_of(const heed_model *m, const int32_t *ids, int batch, int learn) {
    size_t bytes = heed_lab_bytes() + heed_lab_model_bytes(m, batch, T) + (1 << 16);
    void *memory = tiny_memory(bytes);
    heed_lab *lab = heed_lab_create(memory, bytes, heed_kernels_get(HEED_KERNELS_SCALAR), NULL);
    heed_lab_record(lab, learn);
    int n = batch * T;
    int32_t *inputs = heed_lab_take(lab, (size_t)n * sizeof *inputs, &error);
    int32_t *targets = heed_lab_take(lab, (size_t)n * sizeof *targets, &error);
    memcpy(inputs, ids, (size_t)n * sizeof *ids);
    memcpy(targets, ids + 1, (size_t)n * sizeof *ids);
    heed_tensor **scores = heed_lab_take(lab, 2 * sizeof *scores, &error);
    heed_call run = {.n.at = {batch}, .ids = inputs, .n_ids = n, .model = m, .n_list = 2};
    run.list = (heed_tensor_list)scores;
    heed_tensor *logits = heed_operation(lab, HEED_OPERATION_CAUSAL_LM, &run, &error);
    for (int l = 0; l < 2; l++) {
        heed_call copy = {.inputs = {scores[l]}};
        heed_operation(lab, HEED_OPERATION_COPY, &copy, &error);
        check(copy.rows == batch * 4 * T && copy.columns == T && copy.data[1] == -INFINITY, "scores of block %d", l);
    }
    check(logits && run.rows == n && run.columns == V, "logits of a batch: %s", error.message);
    heed_call measure = {.inputs = {logits}, .n.at = {-1}, .f.at = {0, 1}, .ids = targets, .n_ids = n};
    heed_tensor *loss = heed_operation(lab, HEED_OPERATION_CROSS_ENTROPY, &measure, &error);
    float value = loss ? *measure.data : NAN;
    if (learn) check(heed_lab_backward(lab, loss, &error), "backward: %s", error.message);
    free(memory);
    return value;
}

/* The change of the loss along a gradient is its squared norm. */
static void derivative(const heed_model *m, const char *family, const char *what, float *x, const float *grad, int n) {
    double squared = 0;
    for (int i = 0; i < n; i++) squared += (double)grad[i] * (double)grad[i];
    float step = 1e-2f / (float)sqrt(squared);
    for (int i = 0; i < n; i++) x[i] += step * grad[i];
    float above = loss_of(m, tiny_ids(), BATCH, 0);
    for (int i = 0; i < n; i++) x[i] -= 2 * step * grad[i];
    float below = loss_of(m, tiny_ids(), BATCH, 0);
    for (int i = 0; i < n; i++) x[i] += step * grad[i];
    double slope = (double)(above - below) / (2 * (double)step);
    check(squared > 0 && fabs(slope - squared) <= 2e-2 * squared, "%s, %s: slope %g, gradient %g", family, what, slope,
          squared);
}

static void adapt(heed_model *m, int slot, const heed_adapter *adapter) {
    check(heed_model_adapt(m, 0, slot, adapter, &error), "adapted: %s", error.message);
}

/* Gradients of adapters of every matrix; they do not depend on the type of the weights. */
static void gradients(tiny_family family) {
    static const struct {
        int slot;
        const char *name;
    } slots[] = {{HEED_SLOT_attn_q, "attn_q"},           {HEED_SLOT_attn_k, "attn_k"},     {HEED_SLOT_attn_v, "attn_v"},
                 {HEED_SLOT_attn_output, "attn_output"}, {HEED_SLOT_ffn_gate, "ffn_gate"}, {HEED_SLOT_ffn_up, "ffn_up"},
                 {HEED_SLOT_ffn_down, "ffn_down"}};
    tiny t = tiny_model(family, HEED_F32);
    heed_adapter adapter = {RANK, 0.5f, a, b, a_grad, b_grad};
    float plain = loss_of(t.model, tiny_ids(), BATCH, 0);
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (slots[i].slot == HEED_SLOT_ffn_gate && !t.config.gated) continue;
        uint32_t state = 7;
        tiny_fill(a, HEED_F32, RANK, 96, 0, &state);
        tiny_fill(b, HEED_F32, 96, RANK, 0, &state);
        memset(a_grad, 0, sizeof a_grad);
        memset(b_grad, 0, sizeof b_grad);
        adapt(t.model, slots[i].slot, &adapter);
        float loss = loss_of(t.model, tiny_ids(), BATCH, 1);
        check(loss != plain, "an adapter of %s changes the loss", slots[i].name);
        derivative(t.model, tiny_family_name[family], slots[i].name, a, a_grad, RANK * 64);
        derivative(t.model, tiny_family_name[family], slots[i].name, b, b_grad, 32 * RANK);
        memset(b, 0, sizeof b);
        check(loss_of(t.model, tiny_ids(), BATCH, 0) == plain, "B of zeros changes no bit");
        adapt(t.model, slots[i].slot, NULL);
    }
    check(loss_of(t.model, tiny_ids(), BATCH, 0) == plain, "a removed adapter changes no bit");
    float each = (loss_of(t.model, tiny_ids(), 1, 0) + loss_of(t.model, tiny_ids() + T, 1, 0)) / 2;
    check(fabsf(each - plain) < 1e-5f, "the loss of a batch is the mean of its sequences: %g, %g", each, plain);
    check(loss_of(t.model, tiny_ids(), BATCH, 1) == plain, "recording changes no bit");
    tiny_free(&t);
}

/* An adapted model runs a prompt as in one call, in pieces and in a lab. */
static void runs(heed_dtype dtype) {
    tiny t = tiny_run(TINY_LLAMA, dtype, 1, HEED_CACHE_F32);
    uint32_t state = 3;
    tiny_fill(a, HEED_F32, RANK, 96, 0, &state);
    tiny_fill(b, HEED_F32, 96, RANK, 0, &state);
    heed_adapter adapter = {RANK, 0.5f, a, b, NULL, NULL};
    float plain[V], whole[V], pieces[V], before[64], after[64];
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, plain);
    heed_weight_read(t.session, 0, HEED_SLOT_attn_q, 5, 1, before, &error);
    adapt(t.model, HEED_SLOT_attn_q, &adapter);
    adapt(t.model, HEED_SLOT_ffn_down, &adapter);
    heed_rewind(t.session, 0, &error);
    tiny_forward(&t, TINY_PROMPT, TINY_PROMPT, whole);
    heed_rewind(t.session, 0, &error);
    tiny_forward(&t, TINY_PROMPT, 1, pieces);
    check(!tiny_same(plain, whole, V) && tiny_same(whole, pieces, V), "an adapted prompt in one call and in pieces");
    heed_weight_read(t.session, 0, HEED_SLOT_attn_q, 5, 1, after, &error);
    float most = 0;
    for (int k = 0; k < 64; k++) {
        float change = 0;
        for (int r = 0; r < RANK; r++) change += 0.5f * b[5 * RANK + r] * a[r * 64 + k];
        most = fmaxf(most, fabsf(after[k] - before[k] - change));
    }
    check(most < 1e-6f, "a weight is read with its adapter: off by %g", most);
    tiny_free(&t);
}

/* Weights of the caller, with a gradient. */
static void shared(void) {
    heed_config c = tiny_config(TINY_GPT2);
    size_t bytes = heed_model_bytes(&c, &error), rows[] = {(size_t)c.vocabulary, (size_t)c.context_length};
    heed_model *m = heed_model_create(tiny_memory(bytes), bytes, &c, &error);
    static float numbers[2 * 96 * 192];
    uint32_t state = 5;
    tiny_fill(numbers, HEED_F32, 96, 192, 0, &state);
    for (int i = 0; i < 64; i++) norm[i] = 1 + 0.1f * (float)(i % 3);
    struct {
        int layer, slot, rows, columns;
    } weights[] = {{-1, HEED_SLOT_token_embd, (int)rows[0], 64},
                   {-1, HEED_SLOT_position_embd, (int)rows[1], 64},
                   {0, HEED_SLOT_attn_norm, 1, 64},
                   {0, HEED_SLOT_attn_qkv, 192, 64},
                   {0, HEED_SLOT_attn_output, 64, 64},
                   {0, HEED_SLOT_ffn_norm, 1, 64},
                   {0, HEED_SLOT_ffn_up, 96, 64},
                   {0, HEED_SLOT_ffn_down, 64, 96},
                   {1, HEED_SLOT_attn_norm, 1, 64},
                   {1, HEED_SLOT_attn_qkv, 192, 64},
                   {1, HEED_SLOT_attn_output, 64, 64},
                   {1, HEED_SLOT_ffn_norm, 1, 64},
                   {1, HEED_SLOT_ffn_up, 96, 64},
                   {1, HEED_SLOT_ffn_down, 64, 96}};
    check(heed_model_share(m, -1, HEED_SLOT_output_norm, 1, 64, norm, norm_grad, &error), "shared: %s", error.message);
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        check(heed_model_share(m, weights[i].layer, weights[i].slot, weights[i].rows, weights[i].columns, numbers, NULL,
                               &error),
              "shared: %s", error.message);
    check(!heed_model_share(m, -1, HEED_SLOT_output_norm, 1, 64, norm, NULL, &error), "refused: a weight twice");
    error.code = HEED_ERROR_NONE;
    check(!heed_model_share(m, -1, HEED_SLOT_output_norm_bias, 1, 64, NULL, NULL, &error), "refused: no numbers");
    error.code = HEED_ERROR_NONE;
    check(!heed_model_share(m, -1, HEED_SLOT_token_types, 0, 64, norm, NULL, &error), "refused: a weight of no size");
    error.code = HEED_ERROR_NONE;
    check(heed_model_ready(m, &error), "ready: %s", error.message);
    loss_of(m, tiny_ids(), BATCH, 1);
    derivative(m, "GPT-2", "a shared norm", norm, norm_grad, 64);
    free(m);
}

/* Whether a weight of the model can be shared with a gradient, and without. */
static void shares(heed_config c, int slot, int columns, int learns) {
    size_t bytes = heed_model_bytes(&c, &error);
    heed_model *m = heed_model_create(tiny_memory(bytes), bytes, &c, &error);
    int rows = slot == HEED_SLOT_patch_embd ? c.d_model : 1;
    static float numbers[96 * 64];
    check(heed_model_share(m, -1, slot, rows, columns, numbers, numbers, &error) == learns && (learns || error.code),
          "slot %d %s: %s", slot, learns ? "learns" : "has no gradient", error.message);
    error = (heed_error){0};
    check(learns || heed_model_share(m, -1, slot, rows, columns, numbers, NULL, &error), "slot %d is constant", slot);
    free(m);
}

/* Weights without a backward are refused with a gradient, which would stay zeros or be wrong. */
static void constants(void) {
    heed_config c = tiny_config(TINY_LLAMA);
    shares(c, HEED_SLOT_output_norm, 64, 1);
    shares(c, HEED_SLOT_rope_freqs, c.rope_dims / 2, 0);
    c.relative_reach = 3;
    shares(c, HEED_SLOT_relative, 7 * c.heads, 0);
    c = tiny_config(TINY_VIT);
    shares(c, HEED_SLOT_token_embd, 64, 0);
    shares(c, HEED_SLOT_patch_embd, c.patch, 0);
    shares(c, HEED_SLOT_patch_embd_bias, 64, 0);
}

/* A lab of exactly heed_lab_model_bytes runs a model and the loss of its logits. */
static void fits(tiny_family family, heed_config c) {
    tiny t = tiny_model_of(family, c, HEED_F32);
    size_t ids_bytes = 128, bytes = heed_lab_bytes() + ids_bytes + heed_lab_model_bytes(t.model, BATCH, T);
    void *memory = tiny_memory(bytes);
    heed_lab *lab = heed_lab_create(memory, bytes, heed_kernels_get(HEED_KERNELS_SCALAR), NULL);
    heed_lab_record(lab, 1);
    int32_t *ids = heed_lab_take(lab, N * sizeof *ids, &error);
    for (int i = 0; i < N; i++) ids[i] = i;
    heed_call run = {.n.at = {BATCH}, .ids = ids, .n_ids = N, .model = t.model};
    heed_call measure = {.inputs = {heed_operation(lab, HEED_OPERATION_CAUSAL_LM, &run, &error)},
                         .n.at = {-1},
                         .f.at = {0, 1},
                         .ids = ids,
                         .n_ids = N};
    check(heed_operation(lab, HEED_OPERATION_CROSS_ENTROPY, &measure, &error) != NULL,
          "%s with %d labels fits into its bytes: %s", tiny_family_name[family], c.labels, error.message);
    error = (heed_error){0};
    free(memory);
    tiny_free(&t);
}

static void sizes(void) {
    heed_config c = tiny_config(TINY_LLAMA);
    c.vocabulary = 3000;
    fits(TINY_LLAMA, c);
    c.logit_scale = 2;
    c.logit_softcap = 5;
    fits(TINY_LLAMA, c);
    c = tiny_config(TINY_MODERN_BERT);
    c.labels = 3000;
    fits(TINY_MODERN_BERT, c);
    tiny t = tiny_model(TINY_LLAMA, HEED_F32);
    check(heed_lab_model_bytes(t.model, 1, 1 << 14) && !heed_lab_model_bytes(t.model, 1, 1 << 30),
          "scores of more than 2^30 numbers have no size");
    tiny_free(&t);
}

static void refused(const heed_model *m, heed_call call, const char *what) {
    size_t bytes = 1 << 20;
    void *memory = tiny_memory(bytes);
    heed_lab *lab = heed_lab_create(memory, bytes, heed_kernels_get(HEED_KERNELS_SCALAR), NULL);
    int32_t *ids = heed_lab_take(lab, 128, &error);
    for (int i = 0; i < 32; i++) ids[i] = call.f.at[0] > 0 ? V : 1;
    call.model = m;
    if (call.n_ids) call.ids = ids;
    if (call.n_list) call.list = (heed_tensor_list)(void *)ids;
    check(!heed_operation(lab, HEED_OPERATION_CAUSAL_LM, &call, &error) && error.code == HEED_ERROR_ARGUMENT,
          "refused: %s", what);
    error.code = HEED_ERROR_NONE;
    free(memory);
}

static void hostile(void) {
    tiny t = tiny_model(TINY_GPT2, HEED_F32);
    heed_adapter adapter = {RANK, 1, a, b, NULL, NULL};
    size_t bytes = heed_model_bytes(&t.config, &error);
    heed_model *empty = heed_model_create(tiny_memory(bytes), bytes, &t.config, &error);
    check(!heed_model_adapt(empty, 0, HEED_SLOT_attn_q, &adapter, &error), "refused: a model that is not ready");
    error.code = HEED_ERROR_NONE;
    refused(empty, (heed_call){.n.at = {1}, .n_ids = 4}, "a model that is not ready");
    free(empty);
    static const int slots[] = {HEED_SLOT_attn_qkv, HEED_SLOT_attn_norm, -1, 1000};
    for (int i = 0; i < 4; i++) {
        check(!heed_model_adapt(t.model, 0, slots[i], &adapter, &error), "refused: an adapter in slot %d", slots[i]);
        error.code = HEED_ERROR_NONE;
    }
    for (int layer = -1; layer <= 2; layer += 3) {
        check(!heed_model_adapt(t.model, layer, HEED_SLOT_attn_q, &adapter, &error), "refused: block %d", layer);
        error.code = HEED_ERROR_NONE;
    }
    const heed_adapter wrong[] = {{0, 1, a, b, NULL, NULL},
                                  {HEED_MAX_RANK + 1, 1, a, b, NULL, NULL},
                                  {RANK, NAN, a, b, NULL, NULL},
                                  {RANK, 1, NULL, b, NULL, NULL},
                                  {RANK, 1, a, NULL, NULL, NULL}};
    for (int i = 0; i < 5; i++) {
        check(!heed_model_adapt(t.model, 0, HEED_SLOT_attn_q, &wrong[i], &error), "refused: adapter %d", i);
        error.code = HEED_ERROR_NONE;
    }
    refused(NULL, (heed_call){.n.at = {1}, .n_ids = 4}, "no model");
    refused(t.model, (heed_call){.n.at = {1}}, "no ids");
    refused(t.model, (heed_call){.n.at = {0}, .n_ids = 4}, "no sequences");
    refused(t.model, (heed_call){.n.at = {3}, .n_ids = 4}, "sequences of different lengths");
    refused(t.model, (heed_call){.n.at = {1}, .n_ids = TINY_CONTEXT + 1}, "a sequence longer than the positions");
    refused(t.model, (heed_call){.n.at = {1}, .n_ids = 4, .f.at = {1}}, "ids outside of the vocabulary");
    refused(t.model, (heed_call){.n.at = {1}, .n_ids = 4, .n_list = 3}, "scores of three blocks");
    check(!heed_lab_model_bytes(NULL, 1, 1) && !heed_lab_model_bytes(t.model, 0, 1) &&
              !heed_lab_model_bytes(t.model, 1, 0),
          "no bytes of nothing");
    check(!heed_lab_model_bytes(t.model, 1 << 16, 1 << 16), "no bytes of more rows than 32 bits count");
    tiny_free(&t);
    t = tiny_model(TINY_T5, HEED_F32);
    refused(t.model, (heed_call){.n.at = {1}, .n_ids = 4}, "an encoder–decoder");
    check(strstr(error.message, "encoder–decoder") != NULL, "the message names the encoder–decoder");
    tiny_free(&t);
}

void test_adapters(void) {
    for (tiny_family family = 0; family < TINY_MIXTURE; family++) gradients(family);
    runs(HEED_F32);
    runs(HEED_Q8_0);
    shared();
    constants();
    sizes();
    hostile();
}
