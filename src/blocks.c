/* The transformer block: norms, attention, feed-forward network, residual connections. */
#include "blocks.h"

#include "ops/learn.h"

#include <string.h>

/* The last rows of x, as a view with its gradient; x for 0. */
static heed_tensor *last_rows(heed_context *c, heed_tensor *x, int rows) {
    if (!x || !rows) return x;
    heed_tensor *y = heed_arena_take(c->arena, 1, sizeof *y);
    if (!y) return heed_out_of_memory(c);
    int first = x->rows - rows;
    *y = (heed_tensor){HEED_F32, rows, x->columns, x->stride, heed_row(x, first)};
    if (x->grad) y->grad = heed_grad(x, first);
    return y;
}

/* x with rows of another length, as a view with its gradient. */
static heed_tensor *with_columns(heed_context *c, heed_tensor *x, int columns) {
    heed_tensor *y = x ? heed_arena_take(c->arena, 1, sizeof *y) : NULL;
    if (!y) return x ? heed_out_of_memory(c) : NULL;
    *y = (heed_tensor){HEED_F32, x->rows * x->columns / columns, columns, (size_t)columns, x->data, .grad = x->grad};
    return y;
}

/* In place, because no backward reads scores. */
static heed_tensor *finished(heed_tensor *scores, const heed_config *config, heed_score_rules rules, int T, int past) {
    for (int row = 0; scores && row < scores->rows; row++)
        heed_finish_scores(heed_row(scores, row), scores->columns, rules, row / T % config->heads, config->heads,
                           past + row % T);
    return scores;
}

/* Attention of whole sequences by operations that have a backward: scores and pattern are [batch·H·T][T]. */
static heed_tensor *whole_attention(heed_context *c, const heed_block_run *r, heed_tensor *q, const heed_tensor *k,
                                    const heed_tensor *v) {
    q = last_rows(c, q, r->last);
    if (!q || !k || !v) return NULL;
    const heed_config *config = r->config;
    int past = k->rows - q->rows;
    heed_heads h = {.batch = r->batch,
                    config->heads,
                    config->kv_heads,
                    .joined = 1,
                    .causal = !r->rules.bidirectional,
                    .past = past};
    heed_tensor *s = heed_softcap(c, heed_scores(c, q, k, h, heed_attention_scale(config)), r->rules.softcap);
    s = heed_tap(c, HEED_HOOK_ATTN_SCORES, finished(s, config, r->rules, q->rows / r->batch, past));
    heed_tensor *p = s ? heed_tap(c, HEED_HOOK_PATTERN, heed_softmax(c, s, h)) : NULL;
    return p ? heed_attend_values(c, p, v, h) : NULL;
}

static heed_tensor *cached_attention(heed_context *c, const heed_block_run *r, const heed_tensor *q,
                                     const heed_tensor *k, const heed_tensor *v) {
    heed_queries queries;
    if (!q || (!r->source && (!k || !v)) || !heed_cache_write(c, r->cache, q, k, v, r->first, &queries)) return NULL;
    int rows = r->last ? r->last : q->rows;
    queries = heed_queries_row(&queries, r->cache, q->rows - rows);
    heed_kv_view kv = {r->cache, r->source ? r->source : r->first + q->rows, r->rules};
    return heed_attention(c, &queries, rows, &kv);
}

/* The norm of queries or keys, of each head or of all together; x without. */
static heed_tensor *head_norm(heed_context *c, const heed_config *config, heed_tensor *x, const heed_tensor *w) {
    if (!x || !heed_has(w)) return x;
    heed_tensor *heads = with_columns(c, x, w->columns);
    return with_columns(c, heed_norm(c, heads, w, NULL, HEED_RMSNORM, config->norm_eps), x->columns);
}

int heed_source_keys(heed_context *c, const heed_config *config, const heed_block_weights *w, heed_tensor *memory,
                     heed_tensor **k, heed_tensor **v) {
    heed_projection kv[] = {{HEED_WITH_BIAS(w->attn_k)}, {HEED_WITH_BIAS(w->attn_v)}};
    heed_project(c, memory, kv, 2);
    *k = head_norm(c, config, heed_tap(c, HEED_HOOK_K, kv[0].y), &w->attn_k_norm);
    *v = heed_tap(c, HEED_HOOK_V, kv[1].y);
    return *k && *v;
}

/* Rotation is in place.  With a tape it rotates a copy, so that both activations keep their gradients. */
static heed_tensor *rotated(heed_context *c, const heed_block_run *r, heed_tensor *x, int heads) {
    if (!r->angles) return x;
    return heed_rope(c, x && c->tape ? heed_copied(c, x) : x, r->angles, heads, r->config->position);
}

/* Keys and values of cross-attention are of the encoder.  A cache has them already, and their tensors are NULL. */
static heed_tensor *attention(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_config *config = r->config;
    const heed_block_weights *w = r->weights;
    /* For a fused weight, the tape records q last: backward then adds its rows in order, as one product does. */
    int first = c->tape && !r->source && heed_has(&w->attn_qkv) ? 2 : 0;
    heed_projection qkv[3];
    qkv[first] = (heed_projection){HEED_WITH_BIAS(w->attn_q)};
    qkv[1] = (heed_projection){HEED_WITH_BIAS(w->attn_k)};
    qkv[2 - first] = (heed_projection){HEED_WITH_BIAS(w->attn_v)};
    heed_project(c, x, qkv, r->source ? 1 : 3);
    heed_tensor *q = heed_tap(c, HEED_HOOK_Q, qkv[first].y);
    heed_tensor *k = heed_tap(c, HEED_HOOK_K, qkv[1].y);
    heed_tensor *v = heed_tap(c, HEED_HOOK_V, qkv[2 - first].y);
    q = head_norm(c, config, q, &w->attn_q_norm);
    k = head_norm(c, config, k, &w->attn_k_norm);
    if (heed_has_rope(config)) {
        q = heed_tap(c, HEED_HOOK_ROT_Q, rotated(c, r, q, config->heads));
        k = heed_tap(c, HEED_HOOK_ROT_K, rotated(c, r, k, config->kv_heads));
    }
    if (r->memory) heed_source_keys(c, config, w, r->memory, &k, &v);
    heed_tensor *z = r->cache ? cached_attention(c, r, q, k, v) : whole_attention(c, r, q, k, v);
    return heed_linear(c, heed_tap(c, HEED_HOOK_Z, z), HEED_WITH_BIAS(w->attn_output));
}

static heed_tensor *feed_forward(heed_context *c, const heed_config *config, const heed_block_weights *w,
                                 heed_tensor *x) {
    heed_projection in[] = {{HEED_WITH_BIAS(w->ffn_gate)}, {HEED_WITH_BIAS(w->ffn_up)}};
    heed_project(c, x, config->gated ? in : in + 1, config->gated ? 2 : 1);
    heed_tensor *gate = in[0].y, *up = in[1].y, *y;
    if (config->gated) {
        gate = heed_tap(c, HEED_HOOK_MLP_PRE, gate);
        up = heed_tap(c, HEED_HOOK_MLP_PRE_LINEAR, up);
        y = heed_mul(c, heed_activation(c, gate, config->activation), up);
    } else {
        y = heed_activation(c, heed_tap(c, HEED_HOOK_MLP_PRE, up), config->activation);
    }
    return heed_linear(c, heed_tap(c, HEED_HOOK_MLP_POST, y), HEED_WITH_BIAS(w->ffn_down));
}

/* The weights of a row's experts: the largest of p; the others become 0.  Of equal ones, the first is larger. */
static void choose(float *weights, const float *p, const heed_config *config) {
    int E = config->experts;
    float sum = 0;
    for (int e = 0; e < E; e++) {
        int larger = 0;
        for (int i = 0; i < E; i++) larger += p[i] > p[e] || (p[i] == p[e] && i < e);
        weights[e] = larger < config->experts_used ? p[e] : 0;
        sum += weights[e];
    }
    for (int e = 0; config->expert_norm && sum != 0 && e < E; e++) weights[e] /= sum;
}

/* For chosen experts, dp += dw, or dp += (dw - Σ dw·w) / Σp with the norm, where Σp is p / w. */
static void choose_backward(heed_context *c, const heed_record *r) {
    (void)c;
    for (int t = 0; t < r->y->rows; t++) {
        const float *p = heed_row(r->x[0], t), *w = heed_row(r->y, t), *dw = heed_grad(r->y, t);
        float *dp = heed_grad(r->x[0], t), along = 0;
        for (int e = 0; r->n[0] && e < r->y->columns; e++) along += dw[e] * w[e];
        for (int e = 0; e < r->y->columns; e++)
            if (w[e] != 0) dp[e] += (dw[e] - along) * (w[e] / p[e]);
    }
}

/* y[rows[i]] += w[rows[i]][e]·f[i]: df = w·dy, dw = dy·f. */
static void expert_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *f = r->x[0], *weights = r->x[1];
    int e = r->n[0];
    for (int i = 0; i < f->rows; i++) {
        int t = r->ids[i];
        const float *dy = heed_grad(r->y, t), *from = heed_row(f, i);
        c->kernels->add_scaled_f32(heed_grad(f, i), dy, heed_row(weights, t)[e], (size_t)f->columns);
        float sum = 0;
        for (int d = 0; d < f->columns; d++) sum += dy[d] * from[d];
        heed_grad(weights, t)[e] += sum;
    }
}

/* Adds the output of expert e to the rows of y where its weight is not 0.  Returns 0 and an error if the arena is
 * full. */
static int add_expert(heed_context *c, const heed_block_run *r, const heed_tensor *x, const heed_tensor *weights,
                      heed_tensor *y, int e) {
    int32_t *rows = heed_arena_take(c->arena, (size_t)x->rows, sizeof *rows);
    if (!rows) return heed_out_of_memory(c) != NULL;
    int n = 0;
    for (int t = 0; t < x->rows; t++)
        if (heed_row(weights, t)[e] != 0) rows[n++] = t;
    if (n == 0) return 1;
    const heed_tensor *f = feed_forward(c, r->config, &r->experts[e], heed_gather(c, x, rows, n));
    for (int i = 0; f && i < n; i++)
        c->kernels->add_scaled_f32(heed_row(y, rows[i]), heed_row(f, i), heed_row(weights, rows[i])[e],
                                   (size_t)y->columns);
    heed_record added = {.name = "expert", .backward = expert_backward, .x = {f, weights}, .n = {e}, .ids = rows};
    return f && heed_tape_push(c, y, added);
}

/* A mixture of experts (Shazeer et al. 2017; Fedus et al. 2022): weights by softmax(router·x), and the sum of the
 * experts with the largest, in the order of the experts.  x [T][D] -> [T][D]. */
static heed_tensor *mixture(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_config *config = r->config;
    const heed_block_weights *w = r->weights;
    heed_tensor *logits = heed_linear(c, x, &w->ffn_gate_inp, NULL);
    heed_tensor *p = logits ? heed_softmax(c, logits, (heed_heads){0}) : NULL;
    p = heed_tap(c, HEED_HOOK_EXPERT_WEIGHTS, p);
    heed_tensor *weights = p ? heed_tensor_new(c, p->rows, p->columns) : NULL;
    heed_tensor *y = weights ? heed_tensor_new(c, x->rows, x->columns) : NULL;
    if (!y) return NULL;
    memset(y->data, 0, (size_t)y->rows * (size_t)y->columns * sizeof(float));
    for (int t = 0; t < x->rows; t++) choose(heed_row(weights, t), heed_row(p, t), config);
    heed_record chosen = {.name = "choose", .backward = choose_backward, .x = {p}, .n = {config->expert_norm}};
    int ok = heed_tape_push(c, weights, chosen) != NULL;
    heed_listener *listener = c->listener;
    c->listener = NULL; /* whose activations have a row for each position */
    size_t mark = heed_arena_mark(c->arena);
    for (int e = 0; ok && e < config->experts; e++) {
        ok = add_expert(c, r, x, weights, y, e);
        if (!c->tape) heed_arena_release(c->arena, mark);
    }
    c->listener = listener;
    if (!ok || !config->d_shared) return ok ? y : NULL;
    heed_tensor *gate = heed_activation(c, heed_linear(c, x, &w->ffn_gate_inp_shexp, NULL), HEED_SIGMOID);
    heed_tensor *shared = feed_forward(c, config, w, x);
    return gate && shared ? heed_add(c, y, heed_mul_repeated(c, shared, gate)) : NULL;
}

/* A norm, or x when the block does not have it. */
static heed_tensor *norm(heed_context *c, const heed_block_run *r, heed_tensor *x, const heed_tensor *w,
                         const heed_tensor *b) {
    return heed_has(w) ? heed_config_norm(c, r->config, x, w, b) : x;
}

/* A norm of the residual, tapped. */
static heed_tensor *tapped_norm(heed_context *c, const heed_block_run *r, heed_hook hook, heed_tensor *x,
                                const heed_tensor *w, const heed_tensor *b) {
    heed_tensor *y = norm(c, r, x, w, b);
    return heed_has(w) ? heed_tap(c, hook, y) : y;
}

/* The addend of attention or feed-forward: normalized, scaled, tapped. */
static heed_tensor *addend(heed_context *c, const heed_block_run *r, heed_hook hook, heed_tensor *x,
                           const heed_tensor *w) {
    return heed_tap(c, hook, heed_scaled(c, norm(c, r, x, w, NULL), r->config->residual_scale));
}

heed_tensor *heed_decoder_block(heed_context *c, const heed_block_run *r, heed_tensor *x) {
    const heed_block_weights *w = r->weights;
    int parallel = r->config->parallel, one_norm = parallel && !heed_has(&w->ffn_norm);
    const heed_tensor *ffn_norm = one_norm ? &w->attn_norm : &w->ffn_norm;
    const heed_tensor *ffn_norm_bias = one_norm ? &w->attn_norm_bias : &w->ffn_norm_bias;
    x = heed_tap(c, HEED_HOOK_RESID_PRE, x);
    heed_tensor *n = tapped_norm(c, r, HEED_HOOK_LN1, x, HEED_WITH_BIAS(w->attn_norm));
    heed_tensor *a = addend(c, r, HEED_HOOK_ATTN_OUT, attention(c, r, n), &w->post_attention_norm);
    x = last_rows(c, x, r->last);
    heed_tensor *mid = heed_add(c, x, a);
    if (!parallel) mid = heed_tap(c, HEED_HOOK_RESID_MID, mid);
    mid = tapped_norm(c, r, HEED_HOOK_LN1, mid, HEED_WITH_BIAS(w->attn_output_norm));
    int is_mixture = heed_has(&w->ffn_gate_inp);
    if (!is_mixture && !heed_has(&w->ffn_up)) return mid;
    n = tapped_norm(c, r, HEED_HOOK_LN2, parallel ? x : mid, ffn_norm, ffn_norm_bias);
    heed_tensor *m = is_mixture ? mixture(c, r, n) : feed_forward(c, r->config, w, n);
    m = addend(c, r, HEED_HOOK_MLP_OUT, m, &w->post_ffw_norm);
    x = heed_tap(c, HEED_HOOK_RESID_POST, heed_add(c, mid, m));
    return tapped_norm(c, r, HEED_HOOK_LN2, x, HEED_WITH_BIAS(w->layer_output_norm));
}
