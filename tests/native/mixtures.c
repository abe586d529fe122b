/* Mixtures of experts: the feed-forward network is a weighted sum of the experts that a token chooses. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { T = 9, V = TINY_VOCABULARY, D = 64, E = 4 };

static float *copies(int columns) { return calloc((size_t)(T * columns), sizeof(float)); }

static heed_tap_request reading(heed_hook hook, float *copy, int columns) {
    return (heed_tap_request){
        .hook = hook, .layer = 1, .head = -1, .to = T, .scale = 1, .copy = copy, .copy_columns = columns};
}

/* y += factor·W_down·(silu(W_gate·x)·(W_up·x)) of a block, in float64. */
static void add_network(tiny *t, int block, int F, const float *x, double factor, double *y) {
    float *gate = calloc((size_t)(F * D), sizeof *gate), *up = calloc((size_t)(F * D), sizeof *up),
          *down = calloc((size_t)(D * F), sizeof *down);
    heed_weight_read(t->session, block, HEED_SLOT_ffn_gate, 0, F, gate, &t->error);
    heed_weight_read(t->session, block, HEED_SLOT_ffn_up, 0, F, up, &t->error);
    heed_weight_read(t->session, block, HEED_SLOT_ffn_down, 0, D, down, &t->error);
    for (int f = 0; f < F; f++) {
        double g = 0, u = 0;
        for (int d = 0; d < D; d++)
            g += (double)gate[f * D + d] * (double)x[d], u += (double)up[f * D + d] * (double)x[d];
        double post = g / (1 + exp(-g)) * u;
        for (int d = 0; d < D; d++) y[d] += factor * (double)down[d * F + f] * post;
    }
    free(gate), free(up), free(down);
}

/* The weights of the router, before the choice: softmax(router·x). */
static void route(const float *router, const float *x, double *p) {
    double sum = 0;
    for (int e = 0; e < E; e++) {
        p[e] = 0;
        for (int d = 0; d < D; d++) p[e] += (double)router[e * D + d] * (double)x[d];
        sum += p[e] = exp(p[e]);
    }
    for (int e = 0; e < E; e++) p[e] /= sum;
}

/* The output at every token is the sum of the two experts with the largest weights, and of the shared expert. */
static void equals_the_sum(int norm, int d_shared) {
    heed_config c = tiny_config(TINY_MIXTURE);
    c.expert_norm = norm;
    c.d_shared = d_shared;
    tiny t = tiny_model_of(TINY_MIXTURE, c, HEED_F32);
    size_t bytes = heed_session_bytes(t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32, 1, &t.error);
    t.session = heed_session_create(tiny_memory(bytes), bytes, t.model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_F32,
                                    heed_kernels_get(HEED_KERNELS_SCALAR), NULL, &t.error);
    float *x = copies(D), *weights = copies(E), *out = copies(D), router[E * D], factor[D];
    heed_tap_request taps[] = {reading(HEED_HOOK_LN2, x, D), reading(HEED_HOOK_EXPERT_WEIGHTS, weights, E),
                               reading(HEED_HOOK_MLP_OUT, out, D)};
    for (int i = 0; i < 3; i++) heed_tap_link(t.session, &taps[i], &t.error);
    int done = heed_forward(t.session, tiny_ids(), T, &t.error), routed = 1, close = 1, chosen[E] = {0};
    heed_tap_end(t.session);
    heed_weight_read(t.session, 1, HEED_SLOT_ffn_gate_inp, 0, E, router, &t.error);
    if (d_shared) heed_weight_read(t.session, 1, HEED_SLOT_ffn_gate_inp_shexp, 0, 1, factor, &t.error);
    for (int i = 0; i < T; i++) {
        double p[E], y[D] = {0}, gate = 0;
        route(router, x + i * D, p);
        int first = 0, second = -1;
        for (int e = 0; e < E; e++) {
            routed &= fabs(p[e] - (double)weights[i * E + e]) < 1e-6;
            if (p[e] > p[first]) first = e;
        }
        for (int e = 0; e < E; e++)
            if (e != first && (second < 0 || p[e] > p[second])) second = e;
        double sum = norm ? p[first] + p[second] : 1;
        add_network(&t, c.layers + E + first, c.d_ff, x + i * D, p[first] / sum, y);
        add_network(&t, c.layers + E + second, c.d_ff, x + i * D, p[second] / sum, y);
        chosen[first] = chosen[second] = 1;
        for (int d = 0; d_shared && d < D; d++) gate += (double)factor[d] * (double)x[i * D + d];
        if (d_shared) add_network(&t, 1, d_shared, x + i * D, 1 / (1 + exp(-gate)), y);
        for (int d = 0; d < D; d++) close &= fabs(y[d] - (double)out[i * D + d]) < 1e-5;
    }
    check(done && routed, "mixture: weights are softmax(router·x) (%s)", t.error.message);
    check(close, "mixture: the output is the weighted sum of two experts%s%s", norm ? ", weights sum to 1" : "",
          d_shared ? ", and of the shared expert" : "");
    check(chosen[0] + chosen[1] + chosen[2] + chosen[3] > 2, "mixture: tokens choose different experts");
    free(x), free(weights), free(out);
    tiny_free(&t);
}

/* Runs with the weights of block 1 set to these numbers, and reads its output. */
static int with_weights(tiny *t, const float *numbers, float *out) {
    heed_tap_request set = {.hook = HEED_HOOK_EXPERT_WEIGHTS,
                            .layer = 1,
                            .head = -1,
                            .to = T,
                            .scale = 0,
                            .values = numbers,
                            .width = E,
                            .repeat = 1},
                     read = reading(HEED_HOOK_MLP_OUT, out, D);
    heed_rewind(t->session, 0, &t->error);
    heed_tap_link(t->session, &read, &t->error);
    heed_tap_link(t->session, &set, &t->error);
    int done = heed_forward(t->session, tiny_ids(), T, &t->error);
    heed_tap_end(t->session);
    return done;
}

static void edits(void) {
    tiny t = tiny_run(TINY_MIXTURE, HEED_Q8_0, 1, HEED_CACHE_F32);
    float *a = copies(D), *b = copies(D), *hidden = copies(t.config.d_shared);
    const float equal[] = {0.25f, 0.25f, 0.25f, 0.25f}, first[] = {0.5f, 0.5f, 0, 0}, none[] = {0, 0, 0, 0},
                broken[] = {NAN, NAN, NAN, NAN};
    check(with_weights(&t, equal, a) && with_weights(&t, first, b) && tiny_same(a, b, T * D),
          "mixture: of equal weights, the first experts are chosen");
    check(with_weights(&t, none, b) && !tiny_same(a, b, T * D) && b[0] - b[0] == 0,
          "mixture: without weights, only the shared expert is left");
    check(!with_weights(&t, broken, b) && t.error.code == HEED_ERROR_NUMBER,
          "mixture: weights that are NaN end the run");
    t.error.code = HEED_ERROR_NONE;
    heed_tap_request shared = reading(HEED_HOOK_MLP_POST, hidden, t.config.d_shared);
    heed_rewind(t.session, 0, &t.error);
    heed_tap_link(t.session, &shared, &t.error);
    int done = heed_forward(t.session, tiny_ids(), T, &t.error);
    heed_tap_end(t.session);
    check(done && hidden[T * t.config.d_shared - 1] != 0, "mixture: hooks of a network read the shared expert");
    heed_tap_request headed = reading(HEED_HOOK_EXPERT_WEIGHTS, NULL, 0);
    headed.head = 0;
    check(!heed_tap_link(t.session, &headed, &t.error), "mixture: weights of experts have no heads");
    t.error.code = HEED_ERROR_NONE;

    free(a), free(b), free(hidden);
    tiny_free(&t);
}

static void refused(heed_config c, const char *says) {
    heed_error error = {HEED_ERROR_NONE, ""};
    check(!heed_model_bytes(&c, &error) && strstr(error.message, says), "mixture: %s", error.message);
}

static void refusals(void) {
    heed_config c = tiny_config(TINY_MIXTURE);
    c.experts = HEED_MAX_EXPERTS + 1;
    refused(c, "experts is");
    c = tiny_config(TINY_MIXTURE);
    c.experts_used = 5;
    refused(c, "experts_used");
    c.experts_used = 0;
    refused(c, "experts_used");
    c = tiny_config(TINY_MIXTURE);
    c.expert_norm = 2;
    refused(c, "expert_norm");
    c = tiny_config(TINY_LLAMA);
    c.d_shared = 32;
    refused(c, "d_shared");
    c = tiny_config(TINY_T5);
    c.experts = c.experts_used = 2;
    refused(c, "experts is");

    c = tiny_config(TINY_MIXTURE);
    tiny t = {.config = c};
    size_t bytes = heed_model_bytes(&c, &t.error) + (1 << 20);
    t.model = heed_model_create(tiny_memory(bytes), bytes, &c, &t.error);
    float *zeros = calloc(128 * 64, sizeof *zeros);
    const struct {
        int block, slot, rows, columns;
    } wrong[] = {{2, HEED_SLOT_attn_q, 64, 64},
                 {10, HEED_SLOT_ffn_up, 96, 64},
                 {0, HEED_SLOT_ffn_up, 96, 64},
                 {2, HEED_SLOT_ffn_up, 128, 64}};
    for (int i = 0; i < 4; i++) {
        check(!tiny_load(&t, wrong[i].block, wrong[i].slot, HEED_F32, HEED_F32, wrong[i].rows, wrong[i].columns, 0,
                         zeros) &&
                  t.error.code == HEED_ERROR_TENSOR,
              "mixture: %s", t.error.message);
        t.error = (heed_error){0};
    }
    check(tiny_load(&t, 9, HEED_SLOT_ffn_up, HEED_F32, HEED_F32, 96, 64, 0, zeros), "mixture: block 9 is an expert");
    free(zeros);
    tiny_free(&t);
    for (int missing = 0; missing < 2; missing++) {
        t = tiny_model_without(TINY_MIXTURE, missing ? 5 : 1, missing ? HEED_SLOT_ffn_down : HEED_SLOT_ffn_gate_inp);
        check(t.error.code == HEED_ERROR_TENSOR && strstr(t.error.message, "missing"), "mixture: %s", t.error.message);
        tiny_free(&t);
    }
}

void test_mixtures(void) {
    equals_the_sum(1, 128);
    equals_the_sum(0, 0);
    edits();
    refusals();
}
