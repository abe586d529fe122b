#define _POSIX_C_SOURCE 200112L /* posix_memalign */
#include "tiny.h"

#include "kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

const char *const tiny_family_name[TINY_ALL] = {"GPT-2",   "Llama", "Qwen2",      "Mistral", "Gemma", "Bloom", "OLMo",
                                                "mixture", "BERT",  "ModernBERT", "ViT",     "T5",    "BART"};

heed_config tiny_config(tiny_family family) {
    heed_config c = {.layers = 2,
                     .heads = 4,
                     .kv_heads = 2,
                     .d_model = 64,
                     .d_head = 16,
                     .d_ff = 96,
                     .vocabulary = TINY_VOCABULARY,
                     .context_length = TINY_CONTEXT,
                     .norm = HEED_RMSNORM,
                     .norm_eps = 1e-5f,
                     .position = HEED_ROPE_ADJACENT,
                     .rope_theta = 10000,
                     .rope_dims = 16,
                     .rope_scale = 1,
                     .activation = HEED_SILU,
                     .gated = 1};
    switch (family) {
    case TINY_GPT2:
        c.kv_heads = c.heads;
        c.norm = HEED_LAYERNORM;
        c.position = HEED_POSITION_LEARNED;
        c.rope_dims = 0;
        c.activation = HEED_GELU_TANH;
        c.gated = 0;
        break;
    case TINY_QWEN2: c.position = HEED_ROPE_HALVES; break;
    case TINY_MISTRAL: c.window = 5; break;
    case TINY_GEMMA:
        c.position = HEED_ROPE_HALVES;
        c.activation = HEED_GELU_TANH;
        c.qk_norm = HEED_QK_NORM_HEAD;
        c.window = 5;
        c.global_every = 2;
        c.global_first = 1;
        c.local_theta = 100;
        c.embedding_scale = 8;
        c.attention_scale = 0.2f;
        c.attention_softcap = 3;
        c.logit_softcap = 5;
        break;
    case TINY_BLOOM:
        c.kv_heads = c.heads;
        c.norm = HEED_LAYERNORM;
        c.position = HEED_ALIBI;
        c.alibi = 8;
        c.rope_dims = 0;
        c.activation = HEED_GELU_ERF;
        c.gated = 0;
        c.parallel = 1;
        break;
    case TINY_OLMO:
        c.position = HEED_ROPE_HALVES;
        c.qk_norm = HEED_QK_NORM_ALL;
        c.global_every = 2;
        c.global_rope = 1;
        c.rope_magnitude = 1.1f;
        c.residual_scale = 0.5f;
        c.logit_scale = 0.25f;
        break;
    case TINY_MIXTURE:
        c.experts = 4;
        c.experts_used = 2;
        c.expert_norm = 1;
        c.d_shared = 128;
        break;
    case TINY_BERT:
        c.kv_heads = c.heads;
        c.norm = HEED_LAYERNORM;
        c.position = HEED_POSITION_LEARNED;
        c.rope_dims = 0;
        c.activation = HEED_GELU_ERF;
        c.gated = 0;
        c.bidirectional = 1;
        c.token_types = 2;
        c.cls_activation = HEED_GELU_ERF;
        break;
    case TINY_MODERN_BERT:
        c.norm = HEED_LAYERNORM;
        c.position = HEED_ROPE_HALVES;
        c.activation = HEED_GELU_ERF;
        c.bidirectional = 1;
        c.window = 4;
        c.global_every = 2;
        c.local_theta = 100;
        c.labels = 3;
        c.cls_activation = HEED_TANH;
        break;
    case TINY_VIT:
        c.norm = HEED_LAYERNORM;
        c.position = HEED_POSITION_LEARNED;
        c.context_length = c.vocabulary;
        c.rope_dims = 0;
        c.activation = HEED_GELU_ERF;
        c.gated = 0;
        c.bidirectional = 1;
        c.labels = TINY_VOCABULARY + 10;
        c.patch = 96;
        break;
    case TINY_T5:
        c.layers = 6;
        c.encoder_layers = 2;
        c.position = HEED_POSITION_NONE;
        c.rope_dims = 0;
        c.activation = HEED_GELU_TANH;
        c.attention_scale = 1;
        c.relative_reach = 4;
        break;
    case TINY_BART:
        c.layers = 5;
        c.encoder_layers = 1;
        c.kv_heads = c.heads;
        c.norm = HEED_LAYERNORM;
        c.position = HEED_POSITION_LEARNED;
        c.rope_dims = 0;
        c.activation = HEED_GELU_ERF;
        c.gated = 0;
        break;
    default: break;
    }
    return c;
}

static uint32_t next(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

/* Uniform in [-1, 1). */
static float uniform(uint32_t *state) { return (float)(next(state) >> 8) * 0x1p-23f - 1; }

void tiny_fill(void *bytes, heed_dtype dtype, int rows, int columns, float center, uint32_t *state) {
    size_t n = (size_t)rows * (size_t)columns;
    uint8_t *at = bytes; /* a narrow vector need not be aligned */
    float value;
    uint16_t half;
    switch (dtype) {
    case HEED_F32:
        for (size_t i = 0; i < n; i++, at += 4) value = center + 0.2f * uniform(state), memcpy(at, &value, 4);
        break;
    case HEED_F16: /* sign and mantissa at random, exponent of 1/16; 0x3c00 is 1 */
        for (size_t i = 0; i < n; i++, at += 2) {
            half = center == 0 ? (uint16_t)(0x2c00 | (next(state) >> 16 & 0x83ff)) : 0x3c00;
            memcpy(at, &half, 2);
        }
        break;
    case HEED_BF16:
        for (size_t i = 0; i < n; i++, at += 2) {
            value = center + 0.2f * uniform(state);
            uint32_t bits;
            memcpy(&bits, &value, 4);
            half = (uint16_t)(bits >> 16);
            memcpy(at, &half, 2);
        }
        break;
    case HEED_Q8_0:
        for (size_t b = 0; b < n / HEED_BLOCK; b++) {
            heed_block_q8_0 *block = (heed_block_q8_0 *)bytes + b;
            block->d = 0x1400; /* 2^-10 */
            for (int i = 0; i < HEED_BLOCK; i++) block->q[i] = (int8_t)(next(state) >> 24);
        }
        break;
    case HEED_Q4_0:
        for (size_t b = 0; b < n / HEED_BLOCK; b++) {
            heed_block_q4_0 *block = (heed_block_q4_0 *)bytes + b;
            block->d = 0x2400; /* 2^-6 */
            for (int i = 0; i < HEED_BLOCK / 2; i++) block->q[i] = (uint8_t)(next(state) >> 24);
        }
        break;
#define FORMAT(NAME, name, elements, minima) /* random codes and scales; d and m, its neighbor, 2^-9 or 2^-13 */       \
    case HEED_##NAME:                                                                                                  \
        for (size_t b = 0; b < n / elements; b++) {                                                                    \
            heed_block_##name *block = (heed_block_##name *)bytes + b;                                                 \
            for (size_t i = 0; i < sizeof *block; i++) ((uint8_t *)block)[i] = (uint8_t)(next(state) >> 24);           \
            block->d = elements == HEED_BLOCK ? 0x1800 : 0x0800;                                                       \
            (&block->d)[minima] = block->d;                                                                            \
        }                                                                                                              \
        break;
#define X(NAME, name, elements, bits, scales, minima, zero) FORMAT(NAME, name, elements, minima)
        HEED_AFFINE_FORMATS(X)
#undef X
#define X(NAME, name, elements) FORMAT(NAME, name, elements, 0)
        HEED_IQ4_FORMATS(X)
#undef X
#undef FORMAT
    }
}

void *tiny_memory(size_t bytes) {
    void *memory = NULL;
    return posix_memalign(&memory, 64, bytes) ? NULL : memory;
}

typedef struct slot {
    const char *text;
    int rows, columns, needed;
} slot;

static int begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* The optional weights of a family. */
static int has(tiny_family family, const char *text) {
    int bias = strstr(text, ".bias") != NULL, fused = begins(text, "attn_qkv.");
    int qkv = fused || begins(text, "attn_q.") || begins(text, "attn_k.") || begins(text, "attn_v.");
    int one_matrix =
        family == TINY_GPT2 || family == TINY_BLOOM || family == TINY_BERT || family == TINY_VIT || family == TINY_BART;
    int sums = family == TINY_BERT || family == TINY_BART;
    int is_encoder = family == TINY_BERT || family == TINY_MODERN_BERT;
    int of_sums = begins(text, "attn_output_norm.") || begins(text, "layer_output_norm.");
    int before = begins(text, "attn_norm.") || begins(text, "ffn_norm.");
    if (strcmp(text, "rope_freqs.weight") == 0) return family == TINY_MISTRAL;
    if (strcmp(text, "output.weight") == 0)
        return family == TINY_LLAMA || family == TINY_BLOOM || family == TINY_MODERN_BERT || family == TINY_VIT;
    if (begins(text, "cls.")) return is_encoder;
    if (of_sums) return sums;
    if (begins(text, "enc.token_embd_norm.")) return family == TINY_BART;
    if (strcmp(text, "enc.output_norm.weight") == 0) return family == TINY_T5;
    if (begins(text, "enc.") || begins(text, "attn_rel_b.")) return 0; /* unless it is needed */
    if (sums && (before || begins(text, "output_norm."))) return 0;
    if (begins(text, "output.")) return sums || family == TINY_BLOOM || family == TINY_BERT || family == TINY_VIT;
    if (begins(text, "patch_embd.")) return family == TINY_VIT;
    if (begins(text, "token_types.") || begins(text, "ffn_gate_inp")) return 0; /* unless it is needed */
    if (begins(text, "token_embd_norm.")) return family == TINY_BLOOM || family == TINY_BART || is_encoder;
    if (begins(text, "post_")) return family == TINY_GEMMA || family == TINY_OLMO;
    if (begins(text, "attn_norm.") && family == TINY_OLMO) return 0;
    if (begins(text, "ffn_norm.") && (family == TINY_OLMO || family == TINY_BLOOM)) return 0;
    if (qkv && fused != one_matrix) return 0;
    if (strcmp(text, "ffn_gate.bias") == 0) return family == TINY_MISTRAL;
    return !bias || one_matrix || (family == TINY_QWEN2 && qkv);
}

#define X(name, text, rows, columns, needed) {text, HEED_SIZE_##rows, HEED_SIZE_##columns, HEED_SIZE_##needed},
static slot slot_of(const heed_config *config, int layer, int i) {
    const heed_config of = tiny_sizes(config, layer), *c = &of;
    const slot of_model[] = {HEED_MODEL_SLOTS(X)}, of_block[] = {HEED_BLOCK_SLOTS(X)};
    return layer < 0 ? of_model[i] : of_block[i];
}
#undef X

static int slots(int layer) { return layer < 0 ? (int)HEED_MODEL_SLOT_COUNT : (int)HEED_BLOCK_SLOT_COUNT; }

heed_config tiny_sizes(const heed_config *c, int layer) {
    heed_config sizes = *c;
    if (c->experts && layer < c->layers) sizes.d_ff = c->d_shared;
    return sizes;
}

int tiny_blocks(const heed_config *c) { return c->layers * (1 + c->experts); }

int tiny_has_slot(const heed_config *c, int layer, int slot) {
    return layer < c->layers || slot == HEED_SLOT_ffn_gate || slot == HEED_SLOT_ffn_up || slot == HEED_SLOT_ffn_down;
}

/* Blocks of a decoder's self-attention have no feed-forward network if the next block has cross-attention. */
static int loads(tiny_family family, const heed_config *c, int layer, int i) {
    if (!tiny_has_slot(c, layer, i)) return 0;
    slot s = slot_of(c, layer, i);
    if (s.rows < 1 || s.columns < 1) return 0;
    int is_part = layer >= c->encoder_layers && (layer - c->encoder_layers) % 2 == 0;
    if (c->encoder_layers && is_part && (begins(s.text, "ffn_") || begins(s.text, "layer_"))) return 0;
    return s.needed || has(family, s.text);
}

/* Vectors are stored as F16 or BF16 with such matrices, to test widening. */
static heed_dtype stored(heed_dtype dtype, int rows) {
    return rows > 1 || dtype == HEED_F16 || dtype == HEED_BF16 ? dtype : HEED_F32;
}

int tiny_load(tiny *t, int layer, int slot, heed_dtype stored, heed_dtype kept, int rows, int columns, int transposed,
              const void *bytes) {
    heed_loader *loader = tiny_loader(t->model);
    size_t line = heed_loader_begin(loader, layer, slot, stored, kept, rows, columns, transposed, &t->error);
    size_t left = line * (size_t)(transposed ? columns : rows);
    uint32_t n = 0;
    void *into;
    for (const uint8_t *at = bytes; left && (into = heed_loader_next(loader, &n, &t->error)); at += n, left -= n)
        memcpy(into, at, n);
    int done = left == 0 && !heed_loader_next(loader, &n, &t->error) && t->error.code == HEED_ERROR_NONE;
    free(loader);
    return done;
}

heed_loader *tiny_loader(heed_model *model) {
    return heed_loader_create(tiny_memory(heed_loader_bytes(model, NULL)), model, heed_kernels_get(HEED_KERNELS_SCALAR),
                              NULL);
}

tiny tiny_model(tiny_family family, heed_dtype dtype) { return tiny_model_of(family, tiny_config(family), dtype); }

/* Without one weight; layer < -1: with all. */
static tiny build(tiny_family family, heed_config config, heed_dtype dtype, int layer, int without) {
    tiny t = {.config = config};
    const heed_config *c = &t.config;
    size_t bytes = heed_model_bytes(c, &t.error);
    for (int l = -1; l < tiny_blocks(c); l++)
        for (int i = 0; i < slots(l); i++) {
            slot s = slot_of(c, l, i);
            if (loads(family, c, l, i)) bytes += heed_weight_bytes(stored(dtype, s.rows), s.rows, s.columns);
        }
    t.model = heed_model_create(tiny_memory(bytes), bytes, c, &t.error);
    uint32_t state = 1 + (uint32_t)family;
    for (int l = -1; l < tiny_blocks(c); l++)
        for (int i = 0; i < slots(l); i++) {
            slot s = slot_of(c, l, i);
            if (!loads(family, c, l, i) || (l == layer && i == without)) continue;
            heed_dtype kind = stored(dtype, s.rows);
            float center = strstr(s.text, "norm.weight") || strstr(s.text, "rope_freqs") ? 1 : 0;
            void *bytes = malloc((size_t)s.rows * (size_t)s.columns * sizeof(float)); /* or less */
            tiny_fill(bytes, kind, s.rows, s.columns, center, &state);
            tiny_load(&t, l, i, kind, kind, s.rows, s.columns, 0, bytes);
            free(bytes);
        }
    heed_model_ready(t.model, &t.error);
    if (config.patch && t.error.code == HEED_ERROR_NONE) {
        t.picture = malloc((size_t)config.vocabulary * (size_t)config.patch * sizeof *t.picture);
        tiny_fill(t.picture, HEED_F32, config.vocabulary, config.patch, 0, &state);
        heed_model_picture(t.model, t.picture, &t.error);
    }
    return t;
}

tiny tiny_model_of(tiny_family family, heed_config config, heed_dtype dtype) {
    return build(family, config, dtype, -2, 0);
}

tiny tiny_model_without(tiny_family family, int layer, int slot) {
    return build(family, tiny_config(family), HEED_F32, layer, slot);
}

tiny tiny_run(tiny_family family, heed_dtype dtype, int maps, heed_cache_type cache) {
    return tiny_run_of(family, tiny_config(family), dtype, maps, cache);
}

tiny tiny_run_of(tiny_family family, heed_config config, heed_dtype dtype, int maps, heed_cache_type cache) {
    tiny t = tiny_model_of(family, config, dtype);
    size_t bytes = heed_session_bytes(t.model, TINY_CONTEXT, TINY_BATCH, maps, cache, 1, &t.error);
    t.session = heed_session_create(tiny_memory(bytes), bytes, t.model, TINY_CONTEXT, TINY_BATCH, maps, cache,
                                    heed_kernels_get(HEED_KERNELS_SCALAR), NULL, &t.error);
    if (t.config.encoder_layers) heed_source(t.session, tiny_source(), TINY_SOURCE, &t.error);
    return t;
}

const int32_t *tiny_source(void) {
    static const int32_t ids[TINY_SOURCE] = {4, 30, 8, 8, 41, 0, 49, 17, 2, 26, 5};
    return ids;
}

const int32_t *tiny_ids(void) {
    static const int32_t ids[TINY_CONTEXT + 1] = {7,  3,  49, 0, 12, 7,  3,  21, 48, 1, 1, 30, 17,
                                                  25, 42, 3,  9, 33, 40, 11, 2,  49, 5, 6, 44};
    return ids;
}

int tiny_forward(tiny *t, int n, int step, float *logits) {
    for (int i = heed_position(t->session); i < n;) {
        int m = n - i < step ? n - i : step;
        if (!heed_forward(t->session, tiny_ids() + i, m, &t->error)) return 0;
        i += m;
        const float *row = heed_logits(t->session, m - 1, 1, &t->error);
        if (!row) return 0;
        memcpy(logits, row, (size_t)t->config.vocabulary * sizeof *logits);
    }
    return 1;
}

int tiny_same(const float *a, const float *b, size_t n) { return memcmp(a, b, n * sizeof *a) == 0; }

/* A session and a model begin at the start of their memory. */
void tiny_free(tiny *t) {
    free(t->session);
    free(t->model);
    free(t->picture);
}
