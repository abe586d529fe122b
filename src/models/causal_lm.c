/* The forward pass of every family: embedding, blocks, final norm, head. */
#include "models/causal_lm.h"
#include "models/weights.h"
#include "ops/learn.h"

#include <string.h>

/* A weight of the model, or the encoder's own of an encoder–decoder. */
#define OWN(m, encodes, name) ((encodes) ? &(m)->weights.enc_##name : &(m)->weights.name)

static heed_tensor *optional_norm(heed_context *c, const heed_model *m, heed_tensor *x, const heed_tensor *w,
                                  const heed_tensor *b) {
    return heed_has(w) ? heed_config_norm(c, &m->config, x, w, b) : x;
}

static heed_tensor *embedding_norm(heed_context *c, const heed_model *m, heed_tensor *x, int encodes) {
    return optional_norm(c, m, x, OWN(m, encodes, token_embd_norm), OWN(m, encodes, token_embd_norm_bias));
}

/* Rows of the token embedding, or of a picture: the class token and products of patches (Dosovitskiy et al. 2021). */
static heed_tensor *embed_ids(heed_context *c, const heed_model *m, const int32_t *ids, int n) {
    const heed_config *config = &m->config;
    if (!config->patch) return heed_embed(c, &m->weights.token_embd, ids, n);
    if (!m->picture) {
        heed_fail(c->error, HEED_ERROR_ARGUMENT, "the model has no picture; give it one first, by look");
        return NULL;
    }
    heed_context constant = *c;
    constant.tape = NULL; /* a picture has no gradient */
    int P = config->patch;
    heed_tensor picture = {HEED_F32, config->vocabulary, P, (size_t)P, (void *)(uintptr_t)m->picture, NULL};
    heed_tensor *y = heed_linear(c, heed_embed(&constant, &picture, ids, n), HEED_WITH_BIAS(m->weights.patch_embd));
    for (int t = 0; y && t < n; t++)
        if (ids[t] == 0) memcpy(heed_row(y, t), m->weights.token_embd.data, (size_t)y->columns * sizeof(float));
    return y;
}

static const int32_t zero = 0; /* static, because a record of the tape keeps the address of its ids */

/* Embedding of ids [batch][n], plus learned positions, and segment 0 or the segments of a pair: -> [batch·n][D].  The
 * norm of an encoder or an encoder–decoder reads the sum.
 * - encodes: the ids are the source of an encoder–decoder */
static heed_tensor *embed(heed_context *c, const heed_model *m, const int32_t *ids, int batch, int n, int first,
                          int encodes) {
    int normalizes_sum = m->config.bidirectional || m->config.encoder_layers;
    heed_tensor *x = embed_ids(c, m, ids, batch * n);
    x = heed_scaled(c, x, m->config.embedding_scale);
    if (!normalizes_sum) x = embedding_norm(c, m, x, encodes);
    x = heed_tap(c, HEED_HOOK_EMBED, x);
    if (m->config.position == HEED_POSITION_LEARNED) {
        heed_tensor *p = heed_tap(c, HEED_HOOK_POS_EMBED, heed_positions(c, OWN(m, encodes, position_embd), first, n));
        x = batch == 1 ? heed_add(c, x, p) : x && p ? heed_add_repeated(c, x, p) : NULL;
    }
    if (heed_has(&m->weights.token_types)) {
        int is_pair = batch == 1 && n == m->n_pair && !memcmp(ids, m->pair, (size_t)n * sizeof *ids);
        heed_tensor *segment = heed_embed(c, &m->weights.token_types, is_pair ? m->segments : &zero, is_pair ? n : 1);
        x = is_pair ? heed_add(c, x, segment) : x && segment ? heed_add_repeated(c, x, segment) : NULL;
    }
    return normalizes_sum ? embedding_norm(c, m, x, encodes) : x;
}

/* Rotations of positions first .. first + n - 1: [n][rope_dims]. */
static heed_tensor *rotations(heed_context *c, const heed_model *m, int first, int n, float theta, float scale,
                              const heed_tensor *divisors) {
    heed_context constant = *c;
    constant.tape = NULL;
    heed_tensor *angles = heed_rope_angles(&constant, first, n, m->config.rope_dims, theta, scale, divisors);
    return heed_scaled(&constant, angles, m->config.rope_magnitude);
}

/* The rotations of a pass.  Returns whether there was memory for them. */
static int rope_angles(heed_context *c, const heed_model *m, int n, heed_pass *p) {
    const heed_config *config = &m->config;
    if (!heed_has_rope(config)) return 1;
    int both = config->local_theta == 0, global = config->global_every && config->global_rope == 0;
    heed_tensor *angles = rotations(c, m, p->first, n, config->rope_theta, config->rope_scale, &m->weights.rope_freqs);
    p->angles[0] = both ? angles : rotations(c, m, p->first, n, config->local_theta, 1, NULL);
    p->angles[1] = global ? angles : NULL;
    return angles && p->angles[0];
}

heed_score_rules heed_causal_lm_rules(const heed_model *m, int layer) {
    const heed_config *config = &m->config;
    heed_score_rules rules = {.softcap = config->attention_softcap, .bidirectional = heed_sees_all(config, layer)};
    if (heed_is_cross(config, layer)) return rules; /* positions of a text and of its source have no distance */
    rules.window = heed_is_global(config, layer) ? 0 : config->window;
    rules.alibi = config->alibi;
    rules.reach = config->relative_reach;
    rules.relative = OWN(m, heed_in_encoder(config, layer), relative)->data;
    return rules;
}

/* Costs little compared with the products of a block, and names the block that failed. */
static heed_tensor *checked(heed_context *c, heed_tensor *x) {
    for (int t = 0; x && t < x->rows; t++)
        if (!heed_all_finite(HEED_F32, heed_row(x, t), (size_t)x->columns)) {
            heed_fail(c->error, HEED_ERROR_NUMBER,
                      "block %d computed infinity or NaN: its weights, or the values of an edit, are too large",
                      c->layer);
            return NULL;
        }
    return x;
}

/* Block l in place: its other tensors lie above the mark of the arena and are released.  With a tape they stay for its
 * backward. */
static heed_tensor *block(heed_context *c, const heed_model *m, const heed_cache *caches, const heed_pass *p) {
    int l = p->layer;
    heed_tensor *x = p->x;
    const heed_tensor *angles = p->angles[heed_is_global(&m->config, l)];
    heed_block_run run = {&m->config,
                          &m->blocks[l],
                          angles,
                          caches ? &caches[l] : NULL,
                          p->first,
                          heed_causal_lm_rules(m, l),
                          .batch = p->batch,
                          .experts = m->blocks + m->config.layers + l * m->config.experts};
    if (l == m->config.layers - 1) run.last = p->last;
    if (heed_is_cross(&m->config, l)) run.source = p->source.n, run.memory = p->memory;
    c->layer = l;
    c->end = heed_in_encoder(&m->config, l) ? p->source.n : p->first + p->ids.n;
    heed_tensor *y = checked(c, heed_decoder_block(c, &run, x));
    c->layer = HEED_NO_LAYER;
    if (c->tape) return y;
    if (y) x->rows = y->rows;
    return heed_keep(c, p->mark, x, y);
}

heed_tensor *heed_causal_lm_norm(heed_context *c, const heed_model *m, heed_tensor *x) {
    return optional_norm(c, m, x, HEED_WITH_BIAS(m->weights.output_norm));
}

static heed_tensor *final_norm(heed_context *c, const heed_model *m, heed_tensor *x) {
    if (!heed_has(&m->weights.output_norm)) return x;
    return heed_tap(c, HEED_HOOK_FINAL_NORM, heed_causal_lm_norm(c, m, x));
}

heed_tensor *heed_causal_lm(heed_context *c, const heed_model *m, const heed_cache *caches, heed_text ids, int first,
                            heed_text source) {
    heed_pass p = heed_causal_lm_begin(c, m, ids, first, source);
    while (p.x && p.layer < m->config.layers) heed_causal_lm_next(c, m, caches, &p);
    return final_norm(c, m, p.x);
}

heed_tensor *heed_causal_lm_logits(heed_context *c, const heed_model *m, heed_tensor *products) {
    return heed_softcap(c, heed_scaled(c, products, m->config.logit_scale), m->config.logit_softcap);
}

heed_tensor *heed_causal_lm_cls(heed_context *c, const heed_model *m, heed_tensor *x) {
    if (!heed_has(&m->weights.cls)) return x;
    heed_tensor *y = heed_linear(c, x, HEED_WITH_BIAS(m->weights.cls));
    return optional_norm(c, m, heed_activation(c, y, m->config.cls_activation), HEED_WITH_BIAS(m->weights.cls_norm));
}

heed_tensor *heed_causal_lm_head(heed_context *c, const heed_model *m, heed_tensor *x) {
    x = heed_causal_lm_cls(c, m, x);
    return heed_causal_lm_logits(c, m, heed_linear(c, x, HEED_WITH_BIAS(m->weights.output)));
}

/* The rotations of n positions.  The blocks of the pass then use the arena above its mark. */
static void set_mark(heed_context *c, const heed_model *m, heed_pass *p, int n) {
    if (!rope_angles(c, m, n, p)) p->x = NULL;
    p->mark = heed_arena_mark(c->arena);
}

/* Embeds the ids of a pass, or its source.  `encodes` as in embed. */
static void begin(heed_context *c, const heed_model *m, heed_pass *p, int encodes) {
    heed_text text = encodes ? p->source : p->ids;
    p->start = heed_arena_mark(c->arena);
    p->layer = encodes ? 0 : m->config.encoder_layers;
    c->end = p->first + text.n;
    p->x = embed(c, m, text.ids, p->batch, text.n, p->first, encodes);
    set_mark(c, m, p, text.n);
}

heed_pass heed_causal_lm_begin(heed_context *c, const heed_model *m, heed_text ids, int first, heed_text source) {
    heed_pass p = {.first = first, .batch = 1, .ids = ids, .source = source};
    int encodes = m->config.encoder_layers && first == 0;
    heed_context silent = *c; /* hooks without a layer are of the decoder */
    silent.listener = NULL;
    if (encodes && !source.n)
        heed_fail(c->error, HEED_ERROR_ARGUMENT, "the encoder has no source yet");
    else
        begin(encodes ? &silent : c, m, &p, encodes);
    return p;
}

/* Writes keys and values of the encoder's output x to the caches of cross-attention. */
static int write_source(heed_context *c, const heed_model *m, const heed_cache *caches, heed_tensor *x) {
    size_t mark = heed_arena_mark(c->arena);
    int ok = 1;
    c->end = x->rows;
    for (c->layer = m->config.encoder_layers + 1; ok && c->layer < m->config.layers; c->layer += 2) {
        heed_tensor *k, *v;
        ok = heed_source_keys(c, &m->config, &m->blocks[c->layer], x, &k, &v) &&
             heed_cache_write(c, &caches[c->layer], NULL, k, v, 0, NULL);
        heed_arena_release(c->arena, mark);
        x->q8 = NULL; /* the quantized copy was above the mark */
    }
    c->layer = HEED_NO_LAYER;
    return ok;
}

heed_tensor *heed_causal_lm_batch(heed_context *c, const heed_model *m, const int32_t *ids, int batch, int n) {
    heed_pass p = {.batch = batch, .ids = {ids, n}};
    begin(c, m, &p, 0);
    while (p.layer < m->config.layers) heed_causal_lm_next(c, m, NULL, &p);
    heed_tensor *x = final_norm(c, m, p.x);
    return x ? heed_causal_lm_head(c, m, x) : NULL;
}

heed_pass heed_causal_lm_from(heed_context *c, const heed_model *m, heed_text ids, int first, int layer,
                              const float *residual) {
    heed_tensor *x = heed_tensor_new(c, ids.n, m->config.d_model);
    if (x) memcpy(x->data, residual, (size_t)ids.n * (size_t)m->config.d_model * sizeof *residual);
    heed_pass p = {.x = x, .first = first, .layer = layer, .batch = 1, .ids = ids, .from = layer, .residual = residual};
    set_mark(c, m, &p, ids.n);
    return p;
}

void heed_causal_lm_next(heed_context *c, const heed_model *m, const heed_cache *caches, heed_pass *p) {
    p->x = block(c, m, caches, p);
    p->layer++;
    if (!p->x || p->layer != m->config.encoder_layers) return;
    p->x = optional_norm(c, m, p->x, &m->weights.enc_output_norm, NULL);
    if (!caches) {
        p->memory = p->x;
    } else {
        if (p->x && !write_source(c, m, caches, p->x)) p->x = NULL;
        heed_arena_release(c->arena, p->start);
    }
    if (p->x) begin(c, m, p, 0);
}

heed_tensor *heed_causal_lm_end(heed_context *c, const heed_model *m, const heed_pass *p) {
    return final_norm(c, m, p->x);
}

/* The sum of all tensors of a pass between two releases of the arena.  An upper bound: architectures without some of
 * these tensors need less. */
size_t heed_causal_lm_bytes(const heed_config *c, int batch, int context, int threads) {
    int q = c->heads * c->d_head, kv = c->kv_heads * c->d_head;
    uint64_t outside = 8 * heed_tensor_bytes(batch, c->d_model) + 2 * heed_tensor_bytes(batch, c->rope_dims);
    uint64_t attention = (c->qk_norm ? 5 : 2) * (heed_tensor_bytes(batch, q) + heed_tensor_bytes(batch, kv)) +
                         heed_attention_bytes(c->heads, batch, context, threads) + heed_blocks_bytes(batch, q) +
                         heed_queries_bytes(c, batch);
    int F = heed_widest_network(c);
    uint64_t feed_forward = 4 * heed_tensor_bytes(batch, F) + heed_blocks_bytes(batch, F);
    if (c->experts)
        feed_forward += 3 * heed_tensor_bytes(batch, c->experts) + 3 * heed_tensor_bytes(batch, 1) +
                        6 * heed_tensor_bytes(batch, c->d_model) + heed_blocks_bytes(batch, c->d_model);
    uint64_t residual = 10 * heed_tensor_bytes(batch, c->d_model) + 2 * heed_blocks_bytes(batch, c->d_model) +
                        heed_aligned_64(sizeof(heed_tensor));
    if (c->token_types) outside += 2 * heed_tensor_bytes(batch, c->d_model);
    uint64_t patches = c->patch ? heed_tensor_bytes(batch, c->patch) + heed_blocks_bytes(batch, c->patch) : 0;
    uint64_t total = outside + patches + attention + feed_forward + residual;
    return total > SIZE_MAX ? SIZE_MAX : (size_t)total;
}

int heed_causal_lm_can_record(const heed_config *c, int batch, int n) {
    uint64_t rows = (uint64_t)batch * (uint64_t)n;
    return rows <= HEED_MAX_NUMBERS / (uint64_t)(c->experts_used + 1) &&
           rows * (uint64_t)n <= HEED_MAX_NUMBERS / (uint64_t)c->heads;
}

uint64_t heed_causal_lm_logits_copies(const heed_config *c) {
    return c->logit_scale != 0 || c->logit_softcap != 0 ? 11 : 3;
}

/* The adapters' u and its gradient, for `rows` rows. */
static uint64_t adapters_bytes(const heed_model *m, int rows) {
    uint64_t total = 0;
    for (int l = 0; l < m->config.layers; l++)
        for (int s = 0; s < HEED_BLOCK_SLOT_COUNT; s++) {
            const heed_adapter *adapter = m->blocks[l].slot[s].adapter;
            if (adapter) total += 2 * heed_tensor_bytes(rows, adapter->rank) + heed_aligned_64(sizeof(heed_record));
        }
    return total;
}

/* Additional bytes of a block whose feed-forward network is a mixture of experts. */
static uint64_t experts_recorded_bytes(const heed_config *c, int rows) {
    if (!c->experts) return 0;
    int of_experts = rows * c->experts_used;
    uint64_t T = (uint64_t)rows, D = (uint64_t)c->d_model, E = (uint64_t)c->experts;
    /* router, its softmax, weights; sum, output of the shared network, their sum; the shared network, its gate */
    uint64_t numbers = T * (3 * E + 3 * D + 4 * (uint64_t)c->d_shared + 2);
    numbers += (uint64_t)of_experts * (2 * D + 4 * (uint64_t)c->d_ff); /* rows of an expert, its output; its network */
    uint64_t quantized = heed_blocks_bytes(of_experts, c->d_model) + heed_blocks_bytes(of_experts, c->d_ff) +
                         heed_blocks_bytes(rows, c->d_shared);
    uint64_t tensor = heed_aligned_64(sizeof(heed_record)) + 6 * HEED_ALIGN + heed_aligned_64(sizeof(heed_tensor));
    return 2 * numbers * sizeof(float) + quantized + (E + 1) * 10 * tensor + E * heed_aligned_64(T * sizeof(int32_t));
}

/* The sum of all tensors of the pass with their gradients.  An upper bound: models without some of them need less. */
uint64_t heed_causal_lm_recorded_bytes(const heed_model *m, int batch, int n) {
    const heed_config *c = &m->config;
    int q = c->heads * c->d_head, kv = c->kv_heads * c->d_head, rows = batch * n;
    uint64_t T = (uint64_t)rows, H = (uint64_t)c->heads, L = (uint64_t)c->layers, D = (uint64_t)c->d_model;
    /* q and rotated q, z; k and rotated k, v; two residuals, two norms, two outputs; gate, up, activation, product */
    uint64_t numbers = 3 * (uint64_t)q + 3 * (uint64_t)kv + 6 * D + 4 * (uint64_t)c->d_ff + 2 * H * (uint64_t)n;
    if (c->qk_norm) numbers += (uint64_t)q + (uint64_t)kv;
    if (c->attention_softcap != 0) numbers += 3 * H * (uint64_t)n;
    if (c->residual_scale != 0) numbers += 2 * D;
    if (heed_has(&m->blocks->post_attention_norm) || heed_has(&m->blocks->attn_output_norm)) numbers += 2 * D;
    uint64_t quantized =
        heed_blocks_bytes(rows, 2 * c->d_model) + heed_blocks_bytes(rows, q) + heed_blocks_bytes(rows, c->d_ff);
    uint64_t tensor = heed_aligned_64(sizeof(heed_tensor));
    uint64_t tensors = 40 * (heed_aligned_64(sizeof(heed_record)) + 4 * HEED_ALIGN + tensor);
    uint64_t block = 2 * T * numbers * sizeof(float) + quantized + tensors + heed_aligned_64(T * 8) * 2 + 2 * tensor;
    uint64_t outside = 18 * T * D * sizeof(float) + 2 * heed_tensor_bytes(n, c->rope_dims) + tensors;
    if (c->token_types) outside += 4 * T * D * sizeof(float) + 2 * tensor;
    if (c->patch)
        outside += 2 * T * (uint64_t)c->patch * sizeof(float) + heed_blocks_bytes(rows, c->patch) + 2 * tensor;
    if (c->encoder_layers) outside *= 2;
    return L * (block + experts_recorded_bytes(c, rows)) + outside + adapters_bytes(m, rows);
}
