/* Makes a model: checks its configuration, allocates weights, connects fused and tied ones. */
#include "models/causal_lm.h"
#include "models/weights.h"

#include <math.h>
#include <string.h>

enum {
    MAX_ATTENTION_WIDTH = 1 << 18, /* heads·d_head */
    MAX_WINDOW = 1 << 24,
    MAX_PERIOD = 1024,
    MAX_TYPES = 1024,
    MAX_LABELS = 1 << 22,
    MAX_PATCH = 1 << 18,
    MAX_REACH = 1 << 14,
    MAX_SHARED = 1 << 20,
};

static int in_range(heed_error *error, const char *name, int value, int low, int high) {
    return heed_in_range(error, HEED_ERROR_CONFIG, name, value, low, high);
}

static int finite_positive(heed_error *error, const char *name, float value) {
    if (value > 0 && value < INFINITY) return 1;
    return heed_fail(error, HEED_ERROR_CONFIG, "%s must be a positive number", name);
}

static int finite_from_0(heed_error *error, const char *name, float value) {
    if (value >= 0 && value < INFINITY) return 1;
    return heed_fail(error, HEED_ERROR_CONFIG, "%s must be a number from 0", name);
}

/* Fields of a configuration that 0 leaves out. */
#define FACTORS(X)                                                                                                     \
    X(local_theta)                                                                                                     \
    X(rope_magnitude)                                                                                                  \
    X(alibi)                                                                                                           \
    X(embedding_scale)                                                                                                 \
    X(attention_scale)                                                                                                 \
    X(attention_softcap)                                                                                               \
    X(residual_scale)                                                                                                  \
    X(logit_scale)                                                                                                     \
    X(logit_softcap)

static int valid(const heed_config *c, heed_error *e) {
    if (!heed_is_address(c, 1, e)) return 0;
#define X(name, limit)                                                                                                 \
    if (!in_range(e, #name, c->name, 1, limit)) return 0;
    HEED_CONFIG_LIMITS(X)
#undef X
    if (!in_range(e, "kv_heads", c->kv_heads, 1, c->heads) ||
        !in_range(e, "d_head", c->d_head, 1, MAX_ATTENTION_WIDTH / c->heads) ||
        !in_range(e, "norm", c->norm, HEED_LAYERNORM, HEED_RMSNORM) ||
        !in_range(e, "position", c->position, HEED_POSITION_NONE, HEED_ALIBI) ||
        !in_range(e, "activation", c->activation, HEED_GELU_TANH, HEED_QUICK_GELU) ||
        !in_range(e, "gated", c->gated, 0, 1) || !in_range(e, "window", c->window, 0, MAX_WINDOW) ||
        !finite_positive(e, "norm_eps", c->norm_eps) || !in_range(e, "parallel", c->parallel, 0, 1) ||
        !in_range(e, "qk_norm", c->qk_norm, HEED_QK_NORM_NONE, HEED_QK_NORM_ALL) ||
        !in_range(e, "global_every", c->global_every, 0, MAX_PERIOD) ||
        !in_range(e, "global_first", c->global_first, 0, MAX_PERIOD) ||
        !in_range(e, "global_rope", c->global_rope, 0, 1) ||
        !in_range(e, "bidirectional", c->bidirectional, 0, !c->encoder_layers) ||
        !in_range(e, "token_types", c->token_types, 0, MAX_TYPES) ||
        !in_range(e, "labels", c->labels, 0, c->encoder_layers ? 0 : MAX_LABELS) ||
        !in_range(e, "cls_activation", c->cls_activation, HEED_GELU_TANH, HEED_SIGMOID) ||
        !in_range(e, "patch", c->patch, 0, c->encoder_layers ? 0 : MAX_PATCH) ||
        !in_range(e, "encoder_layers", c->encoder_layers, 0, c->layers - 1) ||
        !in_range(e, "relative_reach", c->relative_reach, 0, MAX_REACH) ||
        !in_range(e, "experts", c->experts, 0, c->encoder_layers ? 0 : HEED_MAX_EXPERTS) ||
        !in_range(e, "experts_used", c->experts_used, c->experts > 0, c->experts) ||
        !in_range(e, "expert_norm", c->expert_norm, 0, 1) ||
        !in_range(e, "d_shared", c->d_shared, 0, c->experts ? MAX_SHARED : 0))
        return 0;
    if (c->encoder_layers && (c->layers - c->encoder_layers) % 2)
        return heed_fail(e, HEED_ERROR_CONFIG, "%d decoder blocks are not pairs of self- and cross-attention",
                         c->layers - c->encoder_layers);
#define X(name)                                                                                                        \
    if (!finite_from_0(e, #name, c->name)) return 0;
    FACTORS(X)
#undef X
    if (c->heads % c->kv_heads)
        return heed_fail(e, HEED_ERROR_CONFIG, "%d heads cannot share %d key/value heads evenly", c->heads,
                         c->kv_heads);
    if (!heed_has_rope(c)) return in_range(e, "rope_dims", c->rope_dims, 0, 0);
    if (c->rope_dims % 2) return heed_fail(e, HEED_ERROR_CONFIG, "rope_dims is %d; it must be even", c->rope_dims);
    return in_range(e, "rope_dims", c->rope_dims, 2, c->d_head) && finite_positive(e, "rope_theta", c->rope_theta) &&
           finite_positive(e, "rope_scale", c->rope_scale);
}

size_t heed_model_bytes(const heed_config *config, heed_error *error) {
    if (!valid(config, error)) return 0;
    return heed_aligned(sizeof(heed_model)) + heed_aligned((size_t)heed_blocks(config) * sizeof(heed_block_weights));
}

heed_model *heed_model_create(void *memory, size_t bytes, const heed_config *config, heed_error *error) {
    if (!valid(config, error) || !heed_is_address(memory, HEED_ALIGN, error)) return NULL;
    heed_arena arena = {memory, bytes, 0};
    heed_model *model = heed_arena_take(&arena, 1, sizeof *model);
    heed_block_weights *blocks = heed_arena_take(&arena, (size_t)heed_blocks(config), sizeof *blocks);
    if (!model || !blocks) {
        heed_fail(error, HEED_ERROR_MEMORY, "the model's tables do not fit into %u bytes", bytes);
        return NULL;
    }
    memset(model, 0, sizeof *model);
    memset(blocks, 0, (size_t)heed_blocks(config) * sizeof *blocks);
    model->config = *config;
    model->arena = arena;
    model->blocks = blocks;
    return model;
}

typedef struct slot_shape {
    const char *name;
    int rows, columns, needed;
} slot_shape;

#define X(name) SIZE_##name,
enum { HEED_SIZES(X) };
#undef X
#define X(name, text, rows, columns, needed) {text, SIZE_##rows, SIZE_##columns, SIZE_##needed},
static const struct {
    const char *name;
    uint8_t rows, columns, needed;
} slots[] = {HEED_MODEL_SLOTS(X) HEED_BLOCK_SLOTS(X)};
#undef X

/* layer -1: a slot of the model */
static slot_shape shape_of(const heed_config *config, int layer, int slot) {
    heed_config of = *config, *c = &of;
    if (c->experts && layer < c->layers) c->d_ff = c->d_shared;
#define X(name) HEED_SIZE_##name,
    const int size[] = {HEED_SIZES(X)};
#undef X
    int i = layer < 0 ? slot : HEED_MODEL_SLOT_COUNT + slot;
    return (slot_shape){slots[i].name, size[slots[i].rows], size[slots[i].columns], size[slots[i].needed]};
}

size_t heed_weight_bytes(heed_dtype kept, int rows, int columns) {
    size_t bytes = rows < 1 || columns < 1 ? 0 : heed_matrix_bytes(heed_dtype_in_memory(kept, rows), rows, columns);
    return bytes == 0 ? SIZE_MAX : heed_aligned(bytes);
}

static int is_slot(const heed_config *c, int layer, int slot) {
    if (layer < 0) return layer == -1 && slot >= 0 && slot < HEED_MODEL_SLOT_COUNT;
    if (layer < c->layers) return slot >= 0 && slot < HEED_BLOCK_SLOT_COUNT;
    return layer < heed_blocks(c) && slot >= HEED_SLOT_ffn_gate && slot <= HEED_SLOT_ffn_down_bias; /* of an expert */
}

/* The place of a weight that is not loaded; NULL when the model has no weight of this shape. */
static heed_tensor *place_of(heed_model *model, int layer, int slot, int rows, int columns, heed_error *error) {
    const heed_config *c = &model->config;
    if (model->ready) {
        heed_fail(error, HEED_ERROR_ARGUMENT, "the model is ready");
        return NULL;
    }
    slot_shape want = is_slot(c, layer, slot) ? shape_of(c, layer, slot) : (slot_shape){0};
    if (want.rows < 1 || want.columns < 1) {
        heed_fail(error, HEED_ERROR_TENSOR, "the model has no weight in slot %d of layer %d", slot, layer);
        return NULL;
    }
    heed_tensor *w = layer < 0 ? &model->weights.slot[slot] : &model->blocks[layer].slot[slot];
    if (rows != want.rows || columns != want.columns) {
        heed_fail(error, HEED_ERROR_TENSOR, "%s is [%d][%d]; the configuration requires [%d][%d]", want.name, rows,
                  columns, want.rows, want.columns);
        return NULL;
    }
    if (w->data) {
        heed_fail(error, HEED_ERROR_TENSOR, "%s occurs twice", want.name);
        return NULL;
    }
    return w;
}

heed_tensor *heed_model_weight(heed_model *model, int layer, int slot, heed_dtype stored, heed_dtype held, int rows,
                               int columns, heed_error *error) {
    heed_tensor *w = place_of(model, layer, slot, rows, columns, error);
    if (!w) return NULL;
    const char *name = heed_slot_name(layer, slot);
    if (!heed_can_convert(stored, held, rows, columns)) {
        heed_fail(error, HEED_ERROR_TENSOR, "%s: rows of %d cannot have data type %d and be held as %d", name, columns,
                  (int)stored, (int)held);
        return NULL;
    }
    size_t bytes = heed_weight_bytes(held, rows, columns);
    uint8_t *data = bytes == SIZE_MAX ? NULL : heed_arena_take(&model->arena, 1, bytes);
    if (!data) {
        heed_fail(error, HEED_ERROR_MEMORY, "%s does not fit into the %u bytes of the model", name, model->arena.size);
        return NULL;
    }
    *w = (heed_tensor){held, rows, columns, (size_t)columns, data, NULL};
    return w;
}

/* Whether a backward adds to the gradient of a weight. */
static int can_learn(const heed_config *c, int layer, int slot) {
    if (layer >= 0) return 1;
    int is_of_picture =
        slot == HEED_SLOT_token_embd || slot == HEED_SLOT_patch_embd || slot == HEED_SLOT_patch_embd_bias;
    return slot != HEED_SLOT_rope_freqs && slot != HEED_SLOT_relative && !(c->patch && is_of_picture);
}

int heed_model_share(heed_model *model, int layer, int slot, int rows, int columns, float *data, float *grad,
                     heed_error *error) {
    if (!heed_is_address(model, 1, error) || !heed_is_address(data, sizeof *data, error)) return 0;
    heed_tensor *w = place_of(model, layer, slot, rows, columns, error);
    if (!w) return 0;
    if (grad && !can_learn(&model->config, layer, slot))
        return heed_fail(error, HEED_ERROR_TENSOR, "%s cannot learn; share it without a gradient",
                         heed_slot_name(layer, slot));
    *w = (heed_tensor){HEED_F32, rows, columns, (size_t)columns, data, .grad = grad};
    return 1;
}

int heed_model_picture(heed_model *model, const float *patches, heed_error *error) {
    if (!heed_is_address(model, 1, error) || (patches && !heed_is_address(patches, sizeof *patches, error))) return 0;
    if (!model->config.patch) return heed_fail(error, HEED_ERROR_ARGUMENT, "the model reads no pictures");
    model->picture = patches;
    return 1;
}

int heed_model_pair(heed_model *model, const int32_t *ids, const int32_t *segments, int n, heed_error *error) {
    if (!heed_is_address(model, 1, error)) return 0;
    const heed_config *c = &model->config;
    if (!heed_in_range(error, HEED_ERROR_ARGUMENT, "the number of ids", n, 0, c->token_types ? c->context_length : 0))
        return 0;
    if (n && (!heed_is_address(ids, sizeof *ids, error) || !heed_is_address(segments, sizeof *segments, error)))
        return 0;
    for (int i = 0; i < n; i++)
        if (!heed_in_range(error, HEED_ERROR_ARGUMENT, "a segment", segments[i], 0, c->token_types - 1)) return 0;
    model->pair = ids;
    model->segments = segments;
    model->n_pair = n;
    return 1;
}

/* Matrices that a block multiplies its activations by. */
static int is_adaptable(int slot) {
    switch (slot) {
    case HEED_SLOT_attn_q:
    case HEED_SLOT_attn_k:
    case HEED_SLOT_attn_v:
    case HEED_SLOT_attn_output:
    case HEED_SLOT_ffn_gate:
    case HEED_SLOT_ffn_up:
    case HEED_SLOT_ffn_down: return 1;
    default: return 0;
    }
}

int heed_model_adapt(heed_model *model, int layer, int slot, const heed_adapter *adapter, heed_error *error) {
    if (!heed_is_address(model, 1, error)) return 0;
    heed_tensor *w =
        layer >= 0 && layer < model->config.layers && is_adaptable(slot) ? &model->blocks[layer].slot[slot] : NULL;
    if (!heed_has(w) || !model->ready)
        return heed_fail(error, HEED_ERROR_ARGUMENT, "there is no matrix to adapt in slot %d of block %d", slot, layer);
    if (adapter &&
        (!heed_in_range(error, HEED_ERROR_ARGUMENT, "the rank", adapter->rank, 1, HEED_MAX_RANK) ||
         !heed_is_address(adapter->a, sizeof(float), error) || !heed_is_address(adapter->b, sizeof(float), error)))
        return 0;
    if (adapter && !(adapter->scale - adapter->scale == 0))
        return heed_fail(error, HEED_ERROR_ARGUMENT, "the scale of an adapter must be finite");
    w->adapter = adapter;
    return 1;
}

const char *heed_slot_name(int layer, int slot) { return slots[layer < 0 ? slot : HEED_MODEL_SLOT_COUNT + slot].name; }

/* Views of one fused projection as three: its rows are q, then k, then v. */
static int split_qkv(const heed_config *c, heed_block_weights *w, int layer, heed_error *error) {
    int q = c->heads * c->d_head, kv = c->kv_heads * c->d_head;
    if (heed_is_panels(w->attn_qkv.dtype) && (q % HEED_PANEL || kv % HEED_PANEL))
        return heed_fail(
            error, HEED_ERROR_TENSOR,
            "attn_qkv.weight of block %d cannot be quantized: q, k and v have %d and %d rows, not multiples of %d",
            layer, q, kv, HEED_PANEL);
    w->attn_q = heed_weight_view(&w->attn_qkv, 0, q);
    w->attn_k = heed_weight_view(&w->attn_qkv, q, kv);
    w->attn_v = heed_weight_view(&w->attn_qkv, q + kv, kv);
    w->attn_q_bias = heed_weight_view(&w->attn_qkv_bias, 0, q);
    w->attn_k_bias = heed_weight_view(&w->attn_qkv_bias, q, kv);
    w->attn_v_bias = heed_weight_view(&w->attn_qkv_bias, q + kv, kv);
    return 1;
}

static int present(const heed_tensor *w, slot_shape shape, int layer, heed_error *error) {
    if (w->data || !shape.needed) return 1;
    if (layer < 0) return heed_fail(error, HEED_ERROR_TENSOR, "%s is missing", shape.name);
    return heed_fail(error, HEED_ERROR_TENSOR, "%s of block %d is missing", shape.name, layer);
}

static int all_present(const heed_model *model, int layer, int from, int to, heed_error *error) {
    for (int s = from; s < to; s++)
        if (!present(&model->blocks[layer].slot[s], shape_of(&model->config, layer, s), layer, error)) return 0;
    return 1;
}

int heed_model_ready(heed_model *model, heed_error *error) {
    if (!heed_is_address(model, 1, error)) return 0;
    if (model->ready) return 1;
    if (model->arriving) return heed_fail(error, HEED_ERROR_TENSOR, "%d weights are incomplete", model->arriving);
    const heed_config *c = &model->config;
    slot_shape output_norm = shape_of(c, -1, HEED_SLOT_output_norm);
    output_norm.needed = 1;
    for (int s = 0; s < HEED_MODEL_SLOT_COUNT; s++)
        if (!present(&model->weights.slot[s], shape_of(c, -1, s), -1, error)) return 0;
    for (int l = 0; l < c->layers; l++) {
        heed_block_weights *w = &model->blocks[l];
        int is_part = heed_in_decoder(c, l) && !heed_is_cross(c, l); /* without a feed-forward network */
        if (!all_present(model, l, 0, is_part ? HEED_SLOT_ffn_norm : HEED_BLOCK_SLOT_COUNT, error)) return 0;
        slot_shape attn_norm = shape_of(c, l, HEED_SLOT_attn_norm), ffn_norm = shape_of(c, l, HEED_SLOT_ffn_norm);
        int normalizes_sums = w->attn_output_norm.data && (is_part || w->layer_output_norm.data);
        attn_norm.needed = !w->post_attention_norm.data && !normalizes_sums && !(c->bidirectional && l == 0);
        ffn_norm.needed = !w->post_ffw_norm.data && !normalizes_sums && !c->parallel && !is_part;
        output_norm.needed &= !normalizes_sums;
        if (!present(&w->attn_norm, attn_norm, l, error) || !present(&w->ffn_norm, ffn_norm, l, error)) return 0;
        int parts = (w->attn_q.data != NULL) + (w->attn_k.data != NULL) + (w->attn_v.data != NULL);
        if (parts != (w->attn_qkv.data ? 0 : 3))
            return heed_fail(error, HEED_ERROR_TENSOR, "block %d needs attn_q, attn_k and attn_v, or attn_qkv alone",
                             l);
        if (w->attn_qkv.data && !split_qkv(c, w, l, error)) return 0;
    }
    for (int l = c->layers; l < heed_blocks(c); l++)
        if (!all_present(model, l, HEED_SLOT_ffn_gate, HEED_SLOT_ffn_down + 1, error)) return 0;
    if (!present(&model->weights.output_norm, output_norm, -1, error)) return 0;
    if (!model->weights.output.data && c->labels)
        return heed_fail(error, HEED_ERROR_TENSOR, "output.weight of a classifier is missing");
    if (!model->weights.output.data) model->weights.output = model->weights.token_embd;
    return model->ready = 1;
}
