/* Loading, passes, maps and training give the same bits on several threads and on one.  Runs under the thread
 * sanitizer. */
#include "check.h"
#include "crew.h"
#include "tiny.h"

#include "heed_lab.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, STEPS = 3 };

/* Logits of a prompt in one batch and of a token after it, and every map of the prompt. */
static void run(const tiny *t, heed_cache_type cache, heed_pool *pool, int threads, float *results) {
    heed_error e = {0};
    int V = t->config.vocabulary, H = t->config.heads;
    size_t bytes = heed_session_bytes(t->model, TINY_CONTEXT, TINY_BATCH, 1, cache, threads, &e);
    heed_session *s = heed_session_create(tiny_memory(bytes), bytes, t->model, TINY_CONTEXT, TINY_BATCH, 1, cache,
                                          heed_kernels_get(HEED_KERNELS_SCALAR), pool, &e);
    heed_forward(s, tiny_ids(), TINY_PROMPT, &e);
    const float *logits = heed_logits(s, TINY_PROMPT - 1, 1, &e);
    if (logits) memcpy(results, logits, (size_t)V * sizeof *logits);
    for (int i = 0; i < t->config.layers * H; i++) {
        const float *map = heed_map(s, i / H, i % H, HEED_MAP_PATTERN, 0, TINY_PROMPT, &e);
        if (map) memcpy(results + 2 * V + i * TINY_PROMPT * TINY_PROMPT, map, TINY_PROMPT * TINY_PROMPT * sizeof *map);
    }
    heed_forward(s, tiny_ids() + TINY_PROMPT, 1, &e);
    logits = heed_logits(s, 0, 1, &e);
    if (logits) memcpy(results + V, logits, (size_t)V * sizeof *logits);
    check(!e.code, "a session on %d threads runs%s%s", threads, e.code ? ": " : "", e.message);
    free(s);
}

/* Wide enough that threads share every product. */
static void passes(tiny_family family, heed_dtype dtype, heed_cache_type cache) {
    heed_config c = tiny_config(family);
    c.d_model = 256, c.d_ff = 256;
    tiny t = tiny_model_of(family, c, dtype);
    size_t n = (size_t)(2 * c.vocabulary + c.layers * c.heads * TINY_PROMPT * TINY_PROMPT);
    float *one = calloc(n, sizeof *one), *several = calloc(n, sizeof *several);
    run(&t, cache, NULL, 1, one);
    heed_pool *pool = crew_start(THREADS);
    run(&t, cache, pool, THREADS, several);
    crew_end(pool);
    check(tiny_same(one, several, n), "%s of type %d: %d threads give the same bits as one", tiny_family_name[family],
          (int)dtype, THREADS);
    free(one), free(several), tiny_free(&t);
}

/* Threads have the scores of some rows at a time, of a prompt with more rows. */
static void bands(void) {
    tiny t = tiny_model(TINY_LLAMA, HEED_F32);
    float logits[2][TINY_VOCABULARY] = {{0}};
    for (int i = 0; i < 2; i++) {
        heed_pool *pool = i ? crew_start(THREADS) : NULL;
        size_t bytes = heed_session_bytes(t.model, TINY_CONTEXT, TINY_CONTEXT, 0, HEED_CACHE_F32, 1 + 2 * i, &t.error);
        t.session = heed_session_create(tiny_memory(bytes), bytes, t.model, TINY_CONTEXT, TINY_CONTEXT, 0,
                                        HEED_CACHE_F32, heed_kernels_get(HEED_KERNELS_SCALAR), pool, &t.error);
        tiny_forward(&t, TINY_CONTEXT, TINY_CONTEXT, logits[i]);
        if (pool) crew_end(pool);
        free(t.session);
    }
    t.session = NULL;
    check(!t.error.code && tiny_same(logits[0], logits[1], TINY_VOCABULARY), "a long prompt on several threads: %s",
          t.error.message);
    size_t one = heed_session_bytes(t.model, 8192, 512, 0, HEED_CACHE_F32, 1, &t.error);
    size_t most = heed_session_bytes(t.model, 8192, 512, 0, HEED_CACHE_F32, 16, &t.error);
    check(one > 0 && most == one, "the scores of 16 threads take no more memory than those of a tapped head");
    tiny_free(&t);
}

static heed_lab *lab;
static heed_error error;

static heed_tensor *operate(heed_operation_kind kind, heed_call call, heed_call *result) {
    heed_tensor *y = heed_operation(lab, kind, &call, &error);
    if (result) *result = call;
    return y;
}

static heed_tensor *weights(int rows, int columns, float *numbers[], int *count) {
    heed_call made;
    heed_tensor *w = operate(HEED_OPERATION_TENSOR, (heed_call){.n.at = {rows, columns, 1}}, &made);
    for (int i = 0; i < rows * columns; i++) made.data[i] = (float)((i * 31 + rows) % 17 - 8) / 40;
    numbers[(*count)++] = made.data;
    return w;
}

/* One block of causal attention and a feed-forward on two sequences: forward, backward and a step of AdamW. */
enum { BATCH = 2, T = 24, D = 32, HEADS = 2, CLASSES = 40, MATRICES = 8 };
static void train(heed_pool *pool, float *results) {
    size_t bytes = 8 << 20;
    void *memory = tiny_memory(bytes);
    lab = heed_lab_create(memory, bytes, heed_kernels_get(HEED_KERNELS_SCALAR), pool);
    error = (heed_error){0};
    float *numbers[MATRICES * 3];
    int count = 0;
    static const int sizes[MATRICES][2] = {{CLASSES, D}, {D, D},     {D, D}, {D, D},
                                           {2 * D, D},   {D, 2 * D}, {1, D}, {CLASSES, D}};
    heed_tensor *w[MATRICES], *m[MATRICES], *v[MATRICES];
    for (int i = 0; i < MATRICES; i++) w[i] = weights(sizes[i][0], sizes[i][1], numbers, &count);
    for (int i = 0; i < MATRICES; i++) {
        heed_call state = {.n.at = {sizes[i][0], sizes[i][1], 0}};
        m[i] = operate(HEED_OPERATION_TENSOR, state, NULL), v[i] = operate(HEED_OPERATION_TENSOR, state, NULL);
    }
    for (int step = 0; step < STEPS; step++) {
        size_t mark = heed_lab_mark(lab);
        heed_lab_record(lab, 1);
        int32_t *ids = heed_lab_take(lab, BATCH * T * sizeof *ids, &error);
        for (int i = 0; i < BATCH * T; i++) ids[i] = (i * 7 + step) % CLASSES;
        heed_tensor *x =
            operate(HEED_OPERATION_EMBEDDING,
                    (heed_call){.inputs = {w[0]}, .n.at = {BATCH * T}, .ids = ids, .n_ids = BATCH * T}, NULL);
        heed_tensor *n = operate(HEED_OPERATION_NORM,
                                 (heed_call){.inputs = {x, w[6]}, .n.at = {HEED_RMSNORM}, .f.at = {1e-5f}}, NULL);
        heed_tensor *qkv[3];
        for (int i = 0; i < 3; i++) qkv[i] = operate(HEED_OPERATION_LINEAR, (heed_call){.inputs = {n, w[1 + i]}}, NULL);
        heed_call heads = {.inputs = {qkv[0], qkv[1]}, .n.at = {BATCH, HEADS, HEADS, 1, 1}, .f.at = {0.25f}};
        heads.inputs[0] = operate(HEED_OPERATION_SCORES, heads, NULL);
        heads.inputs[0] = operate(HEED_OPERATION_SOFTMAX, heads, NULL), heads.inputs[1] = qkv[2];
        x = operate(HEED_OPERATION_ADD, (heed_call){.inputs = {x, operate(HEED_OPERATION_ATTEND_VALUES, heads, NULL)}},
                    NULL);
        heed_tensor *h = operate(HEED_OPERATION_LINEAR, (heed_call){.inputs = {x, w[4]}}, NULL);
        h = operate(HEED_OPERATION_ACTIVATION, (heed_call){.inputs = {h}, .n.at = {HEED_SILU}}, NULL);
        h = operate(HEED_OPERATION_DROPOUT, (heed_call){.inputs = {h}, .n.at = {step}, .f.at = {0.1f}}, NULL);
        h = operate(HEED_OPERATION_LINEAR, (heed_call){.inputs = {h, w[5]}}, NULL);
        x = operate(HEED_OPERATION_LINEAR, (heed_call){.inputs = {h, w[7]}}, NULL);
        heed_call loss;
        heed_tensor *y =
            operate(HEED_OPERATION_CROSS_ENTROPY,
                    (heed_call){.inputs = {x}, .n.at = {-1}, .f.at = {0, 1}, .ids = ids, .n_ids = BATCH * T}, &loss);
        heed_lab_backward(lab, y, &error);
        heed_lab_record(lab, 0);
        for (int i = 0; i < MATRICES; i++)
            operate(HEED_OPERATION_ADAMW,
                    (heed_call){.inputs = {w[i], m[i], v[i]}, .f.at = {0.01f, 0.9f, 0.99f, 1e-8f, 0, 0.1f, 0.01f}},
                    NULL);
        *results++ = *loss.data;
        heed_lab_release(lab, mark);
    }
    check(!error.code, "training runs%s%s", error.code ? ": " : "", error.message);
    for (int i = 0; i < MATRICES; i++)
        for (int j = 0; j < sizes[i][0] * sizes[i][1]; j++) *results++ = numbers[i][j];
    free(memory);
}

static void training(void) {
    enum { MOST = 1 << 14 };
    float *one = calloc(MOST, sizeof *one), *several = calloc(MOST, sizeof *several);
    train(NULL, one);
    heed_pool *pool = crew_start(THREADS);
    train(pool, several);
    crew_end(pool);
    check(tiny_same(one, several, MOST), "%d training steps on %d threads give the same bits as on one", STEPS,
          THREADS);
    free(one), free(several);
}

/* The gradient of a product of rows with the rows after them: both factors are views of one tensor. */
static void product(heed_pool *pool, float *gradient) {
    enum { ROWS = 513 };
    size_t bytes = 1 << 22;
    void *memory = tiny_memory(bytes);
    lab = heed_lab_create(memory, bytes, heed_kernels_get(HEED_KERNELS_SCALAR), pool);
    heed_lab_record(lab, 1);
    heed_call x;
    heed_tensor *of = operate(HEED_OPERATION_TENSOR, (heed_call){.n.at = {ROWS, 2 * D, 1}}, &x);
    for (int i = 0; i < ROWS * 2 * D; i++) x.data[i] = (float)(i % 7);
    heed_call factors = {.inputs = {of}}, rows = {.inputs = {of}, .n.at = {0, ROWS - 1, 2 * D, 2 * D}};
    factors.inputs[0] = operate(HEED_OPERATION_VIEW, rows, NULL);
    rows.n.at[0] = 2 * D;
    factors.inputs[1] = operate(HEED_OPERATION_VIEW, rows, NULL);
    heed_call sum = {.inputs = {operate(HEED_OPERATION_MUL, factors, NULL)}, .n.at = {ROWS - 1, 1}, .f.at = {1}};
    check(heed_lab_backward(lab, operate(HEED_OPERATION_SUM, sum, NULL), &error), "a product of views has a gradient");
    memcpy(gradient, x.grad, ROWS * 2 * D * sizeof *gradient);
    free(memory);
}

static void overlapping(void) {
    static float one[1 << 16], several[1 << 16];
    product(NULL, one);
    heed_pool *pool = crew_start(THREADS);
    product(pool, several);
    crew_end(pool);
    check(one[0] != 0 && tiny_same(one, several, 1 << 16), "a product of overlapping views has one gradient");
}

void test_threads(void) {
    bands();
    overlapping();
    passes(TINY_LLAMA, HEED_F32, HEED_CACHE_F32);
    passes(TINY_GPT2, HEED_Q8_0, HEED_CACHE_I16);
    training();
}
