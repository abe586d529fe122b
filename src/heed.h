/* heed: decoder-only transformers on the CPU, and what they attend to.  The public C API.
 *
 * Axes: L layers, H heads, Hk key/value heads, D model, Dh head, F feed-forward, V vocabulary, T positions of a call,
 * C context.  Matrices are row-major, slowest axis first: a weight [rows = outputs][columns = inputs].
 * Memory is the caller's; nothing here allocates, prints or exits.  A call that fails fills `error` with a code and a
 * sentence, and returns 0 or NULL. */
#ifndef HEED_H
#define HEED_H

#include <stddef.h>
#include <stdint.h>

/* What went wrong.  JavaScript's HeedError has the same codes by name. */
#define HEED_ERROR_CODES(X)                                                                                            \
    X(NONE, "none")                                                                                                    \
    X(CONFIG, "bad-config")     /* a configuration that no model can have */                                           \
    X(TENSOR, "bad-tensor")     /* a weight of the wrong shape or type, twice there or missing */                      \
    X(MEMORY, "out-of-memory")  /* the memory given is too small */                                                    \
    X(CONTEXT, "context-full")  /* more positions than the session holds */                                            \
    X(ARGUMENT, "bad-argument") /* an id, layer, head or range that does not exist */
#define X(name, text) HEED_ERROR_##name,
typedef enum heed_error_code { HEED_ERROR_CODES(X) } heed_error_code;
#undef X
typedef struct heed_error {
    heed_error_code code;
    char message[252];
} heed_error;

/* Types of stored numbers, numbered as GGML numbers them (GGUF specification, ggml_type). */
#define HEED_DTYPES(X) X(F32, 0, "f32") X(F16, 1, "f16") X(Q4_0, 2, "q4_0") X(Q8_0, 8, "q8_0") X(BF16, 30, "bf16")
#define X(name, number, text) HEED_##name = number,
typedef enum heed_dtype { HEED_DTYPES(X) } heed_dtype;
#undef X

typedef enum heed_norm_kind { HEED_LAYERNORM, HEED_RMSNORM } heed_norm_kind;
typedef enum heed_position_kind { HEED_POSITION_NONE, HEED_POSITION_LEARNED, HEED_ROPE_ADJACENT, HEED_ROPE_HALVES } heed_position_kind;
typedef enum heed_activation_kind { HEED_GELU_TANH, HEED_GELU_ERF, HEED_SILU, HEED_RELU } heed_activation_kind;

/* The configuration: X(type, name, names of an enumeration or ""), every field four bytes, in this order. */
#define HEED_CONFIG_FIELDS(X)                                                                                          \
    X(int, layers, "")                                                                                                 \
    X(int, heads, "")                                                                                                  \
    X(int, kv_heads, "") /* divides heads */                                                                           \
    X(int, d_model, "")                                                                                                \
    X(int, d_head, "")                                                                                                 \
    X(int, d_ff, "")                                                                                                   \
    X(int, vocabulary, "")                                                                                             \
    X(int, context_length, "") /* positions the model was made for */                                                  \
    X(int, norm, "layernorm rmsnorm")                                                                                  \
    X(float, norm_eps, "")                                                                                             \
    X(int, position, "none learned rope_adjacent rope_halves")                                                         \
    X(float, rope_theta, "")                                                                                           \
    X(int, rope_dims, "")    /* leading elements of a head that turn; even, <= d_head */                               \
    X(float, rope_scale, "") /* positions are divided by it; 1 as a rule */                                            \
    X(int, window, "")       /* keys a query sees, itself included; 0 = all before it */                               \
    X(int, activation, "gelu_tanh gelu_erf silu relu")                                                                 \
    X(int, gated, "no yes") /* feed-forward: activation(gate)·up, or activation(up) */
#define X(type, name, names) type name;
typedef struct heed_config {
    HEED_CONFIG_FIELDS(X)
} heed_config;
#undef X

/* Weights by GGUF's names: X(name, text, rows, columns, needed).  rows 1 = a vector.  Those of a block stand in the file as
 * blk.<layer>.<text>.  q, k and v come as three or as one attn_qkv; without output.weight the head is token_embd. */
#define HEED_MODEL_SLOTS(X)                                                                                            \
    X(TOKEN_EMBD, "token_embd.weight", c->vocabulary, c->d_model, 1)                                                   \
    X(POSITION_EMBD, "position_embd.weight", c->context_length, c->d_model, c->position == HEED_POSITION_LEARNED)      \
    X(ROPE_FREQS, "rope_freqs.weight", 1, c->rope_dims / 2, 0) /* divisors of the RoPE frequencies (Llama 3) */        \
    X(OUTPUT_NORM, "output_norm.weight", 1, c->d_model, 1)                                                             \
    X(OUTPUT_NORM_BIAS, "output_norm.bias", 1, c->d_model, 0)                                                          \
    X(OUTPUT, "output.weight", c->vocabulary, c->d_model, 0)
#define HEED_BLOCK_SLOTS(X)                                                                                            \
    X(ATTN_NORM, "attn_norm.weight", 1, c->d_model, 1)                                                                 \
    X(ATTN_NORM_BIAS, "attn_norm.bias", 1, c->d_model, 0)                                                              \
    X(ATTN_QKV, "attn_qkv.weight", (c->heads + 2 * c->kv_heads) * c->d_head, c->d_model, 0)                            \
    X(ATTN_QKV_BIAS, "attn_qkv.bias", 1, (c->heads + 2 * c->kv_heads) * c->d_head, 0)                                  \
    X(ATTN_Q, "attn_q.weight", c->heads *c->d_head, c->d_model, 0)                                                     \
    X(ATTN_Q_BIAS, "attn_q.bias", 1, c->heads *c->d_head, 0)                                                           \
    X(ATTN_K, "attn_k.weight", c->kv_heads *c->d_head, c->d_model, 0)                                                  \
    X(ATTN_K_BIAS, "attn_k.bias", 1, c->kv_heads *c->d_head, 0)                                                        \
    X(ATTN_V, "attn_v.weight", c->kv_heads *c->d_head, c->d_model, 0)                                                  \
    X(ATTN_V_BIAS, "attn_v.bias", 1, c->kv_heads *c->d_head, 0)                                                        \
    X(ATTN_OUTPUT, "attn_output.weight", c->d_model, c->heads *c->d_head, 1)                                           \
    X(ATTN_OUTPUT_BIAS, "attn_output.bias", 1, c->d_model, 0)                                                          \
    X(FFN_NORM, "ffn_norm.weight", 1, c->d_model, 1)                                                                   \
    X(FFN_NORM_BIAS, "ffn_norm.bias", 1, c->d_model, 0)                                                                \
    X(FFN_GATE, "ffn_gate.weight", c->d_ff, c->d_model, c->gated)                                                      \
    X(FFN_UP, "ffn_up.weight", c->d_ff, c->d_model, 1)                                                                 \
    X(FFN_UP_BIAS, "ffn_up.bias", 1, c->d_ff, 0)                                                                       \
    X(FFN_DOWN, "ffn_down.weight", c->d_model, c->d_ff, 1)                                                             \
    X(FFN_DOWN_BIAS, "ffn_down.bias", 1, c->d_model, 0)
#define X(name, text, rows, columns, needed) HEED_SLOT_##name,
typedef enum heed_slot { HEED_MODEL_SLOTS(X) HEED_MODEL_SLOT_COUNT } heed_slot;
typedef enum heed_block_slot { HEED_BLOCK_SLOTS(X) HEED_BLOCK_SLOT_COUNT } heed_block_slot;
#undef X

/* Activations by TransformerLens's names.  Those of a layer are blocks.<layer>.<text>.  Shapes of one tap:
 * resid, attn_out, mlp_out, embed [T][D]; q, z [T][H·Dh]; k, v [T][Hk·Dh]; attn_scores, pattern [T][keys] once a head;
 * mlp.pre (the gate's side where there is one), pre_linear (the up side) and post [T][F]. */
#define HEED_HOOKS(X)                                                                                                  \
    X(EMBED, "hook_embed", 0)                                                                                          \
    X(POS_EMBED, "hook_pos_embed", 0)                                                                                  \
    X(RESID_PRE, "hook_resid_pre", 1)                                                                                  \
    X(LN1, "ln1.hook_normalized", 1)                                                                                   \
    X(Q, "attn.hook_q", 1)                                                                                             \
    X(K, "attn.hook_k", 1)                                                                                             \
    X(V, "attn.hook_v", 1)                                                                                             \
    X(ROT_Q, "attn.hook_rot_q", 1)                                                                                     \
    X(ROT_K, "attn.hook_rot_k", 1)                                                                                     \
    X(ATTN_SCORES, "attn.hook_attn_scores", 1)                                                                         \
    X(PATTERN, "attn.hook_pattern", 1)                                                                                 \
    X(Z, "attn.hook_z", 1)                                                                                             \
    X(ATTN_OUT, "hook_attn_out", 1)                                                                                    \
    X(RESID_MID, "hook_resid_mid", 1)                                                                                  \
    X(LN2, "ln2.hook_normalized", 1)                                                                                   \
    X(MLP_PRE, "mlp.hook_pre", 1)                                                                                      \
    X(MLP_PRE_LINEAR, "mlp.hook_pre_linear", 1)                                                                        \
    X(MLP_POST, "mlp.hook_post", 1)                                                                                    \
    X(MLP_OUT, "hook_mlp_out", 1)                                                                                      \
    X(RESID_POST, "hook_resid_post", 1)                                                                                \
    X(FINAL_NORM, "ln_final.hook_normalized", 0)
#define X(name, text, per_layer) HEED_HOOK_##name,
typedef enum heed_hook { HEED_HOOKS(X) HEED_HOOK_COUNT } heed_hook;
#undef X

#endif
