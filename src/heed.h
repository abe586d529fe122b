/* heed: decoders, encoders and encoder–decoders on the CPU, and their attention maps.  The public C API for
 * inference. heed_lab.h is the API for training.
 *
 * Axes: L layers, H heads, Hk key/value heads, D model, Dh head, F feed-forward, V vocabulary, T positions of a call,
 * C context.  Matrices are row-major, slowest axis first: a weight is [rows = outputs][columns = inputs].
 * All sizes are in bytes, all counts in elements.
 *
 * Memory belongs to the caller: no function allocates, prints or exits.  A function *_bytes returns the size of an
 * object, and *_create makes the object in memory of that size.  Free the memory to delete the object; an object
 * must not outlive the objects that it was made from.
 *
 * Errors: a function that fails returns 0 or NULL and fills `error` with a code and a sentence.  `error` may be NULL.
 * An error that is filled already stays as it is, so clear it (code = HEED_ERROR_NONE) between calls.  Every function
 * checks its sizes, indices, ranges and states in 64 bits before it touches memory.  Pointers must point to as much
 * memory as the function says; where NULL is allowed, the text says so. */
#ifndef HEED_H
#define HEED_H

#include <stddef.h>
#include <stdint.h>

/* Functions that a WebAssembly module exports.  With 64-bit memory it exports functions around them
 * (tools/build/numbers-64.js). */
#ifdef __wasm32__
#define HEED_API __attribute__((used, visibility("default")))
#else
#define HEED_API
#endif

/* Lists below are X macros: X(NAME, "text", …) per entry.  Enumerations, structs and heed_abi() use them. */
#define HEED_WORD(name, text) " " text

/* Error codes.  JavaScript's HeedError has the same codes by text. */
#define HEED_ERROR_CODES(X)                                                                                            \
    X(NONE, "none")                                                                                                    \
    X(CONFIG, "bad-config")      /* an invalid configuration */                                                        \
    X(TENSOR, "bad-tensor")      /* a weight has the wrong shape or type, is duplicate or missing */                   \
    X(MEMORY, "out-of-memory")   /* the memory is too small */                                                         \
    X(ADDRESSES, "needs-memory") /* more bytes than size_t counts: 32-bit memory is too small */                       \
    X(CONTEXT, "context-full")   /* the session has no room for these positions */                                     \
    X(NUMBER, "not-finite")      /* a result is infinite or NaN */                                                     \
    X(ARGUMENT, "bad-argument")  /* an id, layer, head or range that does not exist */
#define X(name, text) HEED_ERROR_##name,
typedef enum heed_error_code { HEED_ERROR_CODES(X) } heed_error_code;
#undef X
#define HEED_ERROR_BYTES 256
typedef struct heed_error {
    heed_error_code code;
    char message[HEED_ERROR_BYTES - 4]; /* without capital and full stop; ends with a zero */
} heed_error;

/* Types of stored numbers, with GGML's numbers (GGUF specification, ggml_type). */
#define HEED_DTYPES(X)                                                                                                 \
    X(F32, 0, "f32")                                                                                                   \
    X(F16, 1, "f16")                                                                                                   \
    X(Q4_0, 2, "q4_0")                                                                                                 \
    X(Q4_1, 3, "q4_1")                                                                                                 \
    X(Q5_0, 6, "q5_0")                                                                                                 \
    X(Q5_1, 7, "q5_1")                                                                                                 \
    X(Q8_0, 8, "q8_0")                                                                                                 \
    X(Q2_K, 10, "q2_k")                                                                                                \
    X(Q3_K, 11, "q3_k")                                                                                                \
    X(Q4_K, 12, "q4_k")                                                                                                \
    X(Q5_K, 13, "q5_k")                                                                                                \
    X(Q6_K, 14, "q6_k")                                                                                                \
    X(IQ4_NL, 20, "iq4_nl")                                                                                            \
    X(IQ4_XS, 23, "iq4_xs")                                                                                            \
    X(BF16, 30, "bf16")
#define X(name, number, text) HEED_##name = number,
typedef enum heed_dtype { HEED_DTYPES(X) } heed_dtype;
#undef X

#define HEED_NORM_KINDS(X) X(LAYERNORM, "layernorm") X(RMSNORM, "rmsnorm")
/* ROPE_ADJACENT rotates elements 2i and 2i + 1 of a head together (GGML: NORM; "interleaved").  ROPE_HALVES rotates
 * elements i and i + rope_dims / 2 (GGML: NEOX; "rotate_half" in Hugging Face's transformers).  ALIBI adds
 * -slope·distance to scores (Press et al. 2022). */
#define HEED_POSITION_KINDS(X)                                                                                         \
    X(POSITION_NONE, "none")                                                                                           \
    X(POSITION_LEARNED, "learned")                                                                                     \
    X(ROPE_ADJACENT, "rope_adjacent")                                                                                  \
    X(ROPE_HALVES, "rope_halves")                                                                                      \
    X(ALIBI, "alibi")
/* A model's feed-forward network has one of the first five. */
#define HEED_ACTIVATION_KINDS(X)                                                                                       \
    X(GELU_TANH, "gelu_tanh")                                                                                          \
    X(GELU_ERF, "gelu_erf")                                                                                            \
    X(SILU, "silu")                                                                                                    \
    X(RELU, "relu")                                                                                                    \
    X(QUICK_GELU, "quick_gelu")                                                                                        \
    X(TANH, "tanh")                                                                                                    \
    X(SIGMOID, "sigmoid")
#define X(name, text) HEED_##name,
typedef enum heed_norm_kind { HEED_NORM_KINDS(X) } heed_norm_kind;
typedef enum heed_position_kind { HEED_POSITION_KINDS(X) } heed_position_kind;
typedef enum heed_activation_kind { HEED_ACTIVATION_KINDS(X) } heed_activation_kind;
#undef X

/* The norm of queries and keys before their rotation: of each head, or of all heads together. */
#define HEED_QK_NORM_KINDS(X) X(QK_NORM_NONE, "none") X(QK_NORM_HEAD, "head") X(QK_NORM_ALL, "all")
#define X(name, text) HEED_##name,
typedef enum heed_qk_norm_kind { HEED_QK_NORM_KINDS(X) } heed_qk_norm_kind;
#undef X

/* The configuration of a model: X(type, name, names of an enumeration or ""), every field four bytes, in this order.
 * From `parallel` on, 0 means that the model does not have it, except in global_rope.  Global layers are global_first
 * and every global_every-th after it; the others are local.  In the decoder of an encoder–decoder, every second block
 * has cross-attention, without window, ALiBi and relative biases.  The other blocks do not have a feed-forward network.
 */
#define HEED_CONFIG_FIELDS(X)                                                                                          \
    X(int, layers, "")                                                                                                 \
    X(int, heads, "")                                                                                                  \
    X(int, kv_heads, "") /* divides heads */                                                                           \
    X(int, d_model, "")                                                                                                \
    X(int, d_head, "")                                                                                                 \
    X(int, d_ff, "")                                                                                                   \
    X(int, vocabulary, "")                                                                                             \
    X(int, context_length, "") /* positions of the model's training */                                                 \
    X(int, norm, HEED_NORM_KINDS(HEED_WORD))                                                                           \
    X(float, norm_eps, "")                                                                                             \
    X(int, position, HEED_POSITION_KINDS(HEED_WORD))                                                                   \
    X(float, rope_theta, "") /* base of the frequencies; this and the next two only with RoPE */                       \
    X(int, rope_dims, "")    /* leading elements of a head that rotate; even, <= d_head; 0 without RoPE */             \
    X(float, rope_scale, "") /* positions are divided by it; 1 in most models */                                       \
    X(int, window, "")       /* keys that a query sees, its own included; 0: no limit */                               \
    X(int, activation, HEED_ACTIVATION_KINDS(HEED_WORD))                                                               \
    X(int, gated, " no yes")    /* feed-forward: activation(gate)·up, or activation(up) */                            \
    X(int, parallel, " no yes") /* attention and feed-forward read the same residual; without ffn_norm, one norm */    \
    X(int, qk_norm, HEED_QK_NORM_KINDS(HEED_WORD)) /* RMSNorm */                                                       \
    X(int, global_every, "")                       /* 0: no global layers; global layers have no window */             \
    X(int, global_first, "")                                                                                           \
    X(int, global_rope, " yes no")  /* no: global layers have no positions */                                          \
    X(float, local_theta, "")       /* base of the frequencies of local layers, without scale and divisors */          \
    X(float, rope_magnitude, "")    /* factor of cosines and sines */                                                  \
    X(float, alibi, "")             /* slopes: 2^(-alibi·(h + 1) / H) if H is a power of 2, see alibi_slope() */      \
    X(float, embedding_scale, "")   /* factor of embeddings */                                                         \
    X(float, attention_scale, "")   /* factor of q·k, instead of 1/√Dh */                                           \
    X(float, attention_softcap, "") /* scores become cap·tanh(scores / cap) */                                        \
    X(float, residual_scale, "")    /* factor of outputs of attention and feed-forward */                              \
    X(float, logit_scale, "")                                                                                          \
    X(float, logit_softcap, "")                                                                                        \
    X(int, bidirectional, " no yes") /* an encoder: queries see all keys, or window / 2 on either side */              \
    X(int, token_types, "")          /* rows of the embedding of segments; row 0 is added, except to pairs */          \
    X(int, labels, "")               /* rows of output.weight, instead of the vocabulary: a classifier */              \
    X(int, cls_activation, HEED_ACTIVATION_KINDS(HEED_WORD)) /* between cls.weight and output.weight */                \
    X(int, patch, "")          /* numbers of a patch of a picture: id 0 is the class token, id i + 1 is patch i */     \
    X(int, encoder_layers, "") /* of an encoder–decoder: its first blocks */                                         \
    X(int, relative_reach, "") /* scores get a bias by distance, up to this one on either side (Raffel et al. 2020) */ \
    X(int, experts, "")        /* a mixture of experts: feed-forward networks of a block, each with d_ff */            \
    X(int, experts_used, "")   /* by a token: those with the largest weights, 1 .. experts */                          \
    X(int, expert_norm, " no yes") /* whether their weights are divided by their sum */                                \
    X(int, d_shared, "")           /* width of one more network, which every token uses; 0: none */
#define X(type, name, names) type name;
typedef struct heed_config {
    HEED_CONFIG_FIELDS(X)
} heed_config;
#undef X
/* Largest values of a configuration; the smallest is 1.  They exceed every published dense model several times, and
 * keep products of two sizes far from overflow. */
#define HEED_CONFIG_LIMITS(X)                                                                                          \
    X(layers, 1024)                                                                                                    \
    X(heads, 1024)                                                                                                     \
    X(kv_heads, 1024)                                                                                                  \
    X(d_model, 262144)                                                                                                 \
    X(d_head, 4096)                                                                                                    \
    X(d_ff, 1048576)                                                                                                   \
    X(vocabulary, 4194304)                                                                                             \
    X(context_length, 16777216)

/* Most experts of a block. */
#define HEED_MAX_EXPERTS 512

/* Sizes of weights, and whether a model needs one, by the configuration c: X(name).  In a block of a mixture, d_ff is
 * d_shared. */
#define HEED_SIZE_NO 0
#define HEED_SIZE_ONE 1
#define HEED_SIZE_WORDS (c->patch ? 1 : c->vocabulary)
#define HEED_SIZE_PATCH c->patch
#define HEED_SIZE_C c->context_length
#define HEED_SIZE_D c->d_model
#define HEED_SIZE_F c->d_ff
#define HEED_SIZE_PAIRS (c->rope_dims / 2)
#define HEED_SIZE_Q (c->heads * c->d_head)
#define HEED_SIZE_KV (c->kv_heads * c->d_head)
#define HEED_SIZE_QKV (HEED_SIZE_Q + 2 * HEED_SIZE_KV)
#define HEED_SIZE_Q_NORM (c->qk_norm == HEED_QK_NORM_HEAD ? c->d_head : HEED_SIZE_Q)
#define HEED_SIZE_K_NORM (c->qk_norm == HEED_QK_NORM_HEAD ? c->d_head : HEED_SIZE_KV)
#define HEED_SIZE_LEARNED (c->position == HEED_POSITION_LEARNED)
#define HEED_SIZE_DENSE (c->d_ff > 0)
#define HEED_SIZE_GATED (c->gated && HEED_SIZE_DENSE)
#define HEED_SIZE_EXPERTS c->experts
#define HEED_SIZE_SHARED c->d_shared
#define HEED_SIZE_TYPES c->token_types
#define HEED_SIZE_OUT (c->labels ? c->labels : HEED_SIZE_WORDS)
#define HEED_SIZE_NORMED (c->qk_norm != HEED_QK_NORM_NONE)
#define HEED_SIZE_RELATIVE ((2 * c->relative_reach + 1) * c->heads)
#define HEED_SIZE_NEAR (c->relative_reach > 0)
#define HEED_SIZE_ENC_LEARNED (c->encoder_layers && HEED_SIZE_LEARNED)
#define HEED_SIZE_ENC_NEAR (c->encoder_layers && HEED_SIZE_NEAR)
#define HEED_SIZES(X)                                                                                                  \
    X(NO)                                                                                                              \
    X(ONE)                                                                                                             \
    X(WORDS)                                                                                                           \
    X(PATCH)                                                                                                           \
    X(RELATIVE)                                                                                                        \
    X(NEAR)                                                                                                            \
    X(ENC_LEARNED)                                                                                                     \
    X(ENC_NEAR)                                                                                                        \
    X(DENSE)                                                                                                           \
    X(EXPERTS)                                                                                                         \
    X(SHARED)                                                                                                          \
    X(C) X(D) X(F) X(PAIRS) X(Q) X(KV) X(QKV) X(Q_NORM) X(K_NORM) X(LEARNED) X(GATED) X(NORMED) X(TYPES) X(OUT)

/* Weights by GGUF's names: X(name, text, rows, columns, needed), the last three of HEED_SIZES.  rows ONE = a vector.
 * - A file names the weights of a block blk.<layer>.<text>.
 * - q, k and v are three weights or one attn_qkv.
 * - A model without output.weight uses token_embd for the head.
 * - cls is a layer before the head: output·norm(activation(cls·x)), for the words or labels of an encoder.
 * - A block has a norm before attention and feed-forward, or after them, or both.
 * - Or a block normalizes the sums (attn_output_norm, layer_output_norm), and the model has no output_norm.
 * - The first block of an encoder may have no attn_norm, because embeddings have a norm.
 * - With `parallel`, ffn_norm may be missing.
 * - An encoder–decoder shares the token embedding.  Its encoder has weights enc.*; the others are its decoder's.
 * - Of a mixture, expert e of block l is block layers + l·experts + e, which has ffn_gate, ffn_up and ffn_down.  The
 *   block itself has ffn_gate_inp, and the same three of the shared expert. */
#define HEED_MODEL_SLOTS(X)                                                                                            \
    X(token_embd, "token_embd.weight", WORDS, D, ONE)                                                                  \
    X(patch_embd, "patch_embd.weight", D, PATCH, PATCH)                                                                \
    X(patch_embd_bias, "patch_embd.bias", ONE, D, NO)                                                                  \
    X(token_embd_norm, "token_embd_norm.weight", ONE, D, NO)                                                           \
    X(token_embd_norm_bias, "token_embd_norm.bias", ONE, D, NO)                                                        \
    X(position_embd, "position_embd.weight", C, D, LEARNED)                                                            \
    X(token_types, "token_types.weight", TYPES, D, TYPES)                                                              \
    X(rope_freqs, "rope_freqs.weight", ONE, PAIRS, NO) /* divisors of RoPE frequencies (Llama 3) */                    \
    X(output_norm, "output_norm.weight", ONE, D, NO)                                                                   \
    X(output_norm_bias, "output_norm.bias", ONE, D, NO)                                                                \
    X(cls, "cls.weight", D, D, NO)                                                                                     \
    X(cls_bias, "cls.bias", ONE, D, NO)                                                                                \
    X(cls_norm, "cls.norm.weight", ONE, D, NO)                                                                         \
    X(cls_norm_bias, "cls.norm.bias", ONE, D, NO)                                                                      \
    X(output, "output.weight", OUT, D, NO)                                                                             \
    X(output_bias, "output.bias", ONE, OUT, NO)                                                                        \
    X(relative, "attn_rel_b.weight", ONE, RELATIVE, NEAR) /* of each head: from -relative_reach on, key - query */     \
    X(enc_token_embd_norm, "enc.token_embd_norm.weight", ONE, D, NO)                                                   \
    X(enc_token_embd_norm_bias, "enc.token_embd_norm.bias", ONE, D, NO)                                                \
    X(enc_position_embd, "enc.position_embd.weight", C, D, ENC_LEARNED)                                                \
    X(enc_output_norm, "enc.output_norm.weight", ONE, D, NO)                                                           \
    X(enc_relative, "enc.attn_rel_b.weight", ONE, RELATIVE, ENC_NEAR)
#define HEED_BLOCK_SLOTS(X)                                                                                            \
    X(attn_norm, "attn_norm.weight", ONE, D, NO)                                                                       \
    X(attn_norm_bias, "attn_norm.bias", ONE, D, NO)                                                                    \
    X(attn_qkv, "attn_qkv.weight", QKV, D, NO)                                                                         \
    X(attn_qkv_bias, "attn_qkv.bias", ONE, QKV, NO)                                                                    \
    X(attn_q, "attn_q.weight", Q, D, NO)                                                                               \
    X(attn_q_bias, "attn_q.bias", ONE, Q, NO)                                                                          \
    X(attn_k, "attn_k.weight", KV, D, NO)                                                                              \
    X(attn_k_bias, "attn_k.bias", ONE, KV, NO)                                                                         \
    X(attn_v, "attn_v.weight", KV, D, NO)                                                                              \
    X(attn_v_bias, "attn_v.bias", ONE, KV, NO)                                                                         \
    X(attn_q_norm, "attn_q_norm.weight", ONE, Q_NORM, NORMED)                                                          \
    X(attn_k_norm, "attn_k_norm.weight", ONE, K_NORM, NORMED)                                                          \
    X(attn_output, "attn_output.weight", D, Q, ONE)                                                                    \
    X(attn_output_bias, "attn_output.bias", ONE, D, NO)                                                                \
    X(post_attention_norm, "post_attention_norm.weight", ONE, D, NO)                                                   \
    X(attn_output_norm, "attn_output_norm.weight", ONE, D, NO)                                                         \
    X(attn_output_norm_bias, "attn_output_norm.bias", ONE, D, NO)                                                      \
    X(ffn_norm, "ffn_norm.weight", ONE, D, NO)                                                                         \
    X(ffn_norm_bias, "ffn_norm.bias", ONE, D, NO)                                                                      \
    X(ffn_gate_inp, "ffn_gate_inp.weight", EXPERTS, D, EXPERTS)                                                        \
    X(ffn_gate_inp_shexp, "ffn_gate_inp_shexp.weight", ONE, D, SHARED) /* sigmoid: factor of the shared expert */      \
    X(ffn_gate, "ffn_gate.weight", F, D, GATED)                                                                        \
    X(ffn_gate_bias, "ffn_gate.bias", ONE, F, NO)                                                                      \
    X(ffn_up, "ffn_up.weight", F, D, DENSE)                                                                            \
    X(ffn_up_bias, "ffn_up.bias", ONE, F, NO)                                                                          \
    X(ffn_down, "ffn_down.weight", D, F, DENSE)                                                                        \
    X(ffn_down_bias, "ffn_down.bias", ONE, D, NO)                                                                      \
    X(post_ffw_norm, "post_ffw_norm.weight", ONE, D, NO)                                                               \
    X(layer_output_norm, "layer_output_norm.weight", ONE, D, NO)                                                       \
    X(layer_output_norm_bias, "layer_output_norm.bias", ONE, D, NO)
#define X(name, text, rows, columns, needed) HEED_SLOT_##name,
typedef enum heed_slot { HEED_MODEL_SLOTS(X) HEED_MODEL_SLOT_COUNT } heed_slot;
typedef enum heed_block_slot { HEED_BLOCK_SLOTS(X) HEED_BLOCK_SLOT_COUNT } heed_block_slot;
#undef X

/* Activations by TransformerLens's names: X(name, text, per layer, axes).  A hook of a layer is named
 * blocks.<layer>.<text>.  In a gated network, hook_pre (of mlp) is the gate's side, hook_pre_linear the up side.
 * The output of a norm is tapped with weight and bias applied (hook_normalized).  In a mixture of experts, hook_pre,
 * hook_pre_linear and hook_post are of the shared expert; hook_expert_weights is before the choice of experts. */
#define HEED_AXES_D_MODEL "position d_model"
#define HEED_AXES_HEADS "position head d_head"
#define HEED_AXES_KV_HEADS "position kv_head d_head"
#define HEED_AXES_KEYS "head query key" /* tapped once per head */
#define HEED_AXES_D_MLP "position d_mlp"
#define HEED_AXES_EXPERTS "position expert"
#define HEED_HOOKS(X)                                                                                                  \
    X(EMBED, "hook_embed", 0, D_MODEL)                                                                                 \
    X(POS_EMBED, "hook_pos_embed", 0, D_MODEL)                                                                         \
    X(RESID_PRE, "hook_resid_pre", 1, D_MODEL)                                                                         \
    X(LN1, "ln1.hook_normalized", 1, D_MODEL)                                                                          \
    X(Q, "attn.hook_q", 1, HEADS)                                                                                      \
    X(K, "attn.hook_k", 1, KV_HEADS)                                                                                   \
    X(V, "attn.hook_v", 1, KV_HEADS)                                                                                   \
    X(ROT_Q, "attn.hook_rot_q", 1, HEADS)                                                                              \
    X(ROT_K, "attn.hook_rot_k", 1, KV_HEADS)                                                                           \
    X(ATTN_SCORES, "attn.hook_attn_scores", 1, KEYS)                                                                   \
    X(PATTERN, "attn.hook_pattern", 1, KEYS)                                                                           \
    X(Z, "attn.hook_z", 1, HEADS)                                                                                      \
    X(ATTN_OUT, "hook_attn_out", 1, D_MODEL)                                                                           \
    X(RESID_MID, "hook_resid_mid", 1, D_MODEL)                                                                         \
    X(LN2, "ln2.hook_normalized", 1, D_MODEL)                                                                          \
    X(EXPERT_WEIGHTS, "mlp.hook_expert_weights", 1, EXPERTS)                                                           \
    X(MLP_PRE, "mlp.hook_pre", 1, D_MLP)                                                                               \
    X(MLP_PRE_LINEAR, "mlp.hook_pre_linear", 1, D_MLP)                                                                 \
    X(MLP_POST, "mlp.hook_post", 1, D_MLP)                                                                             \
    X(MLP_OUT, "hook_mlp_out", 1, D_MODEL)                                                                             \
    X(RESID_POST, "hook_resid_post", 1, D_MODEL)                                                                       \
    X(FINAL_NORM, "ln_final.hook_normalized", 0, D_MODEL)
#define X(name, text, per_layer, axes) HEED_HOOK_##name,
typedef enum heed_hook { HEED_HOOKS(X) HEED_HOOK_COUNT } heed_hook;
#undef X

struct heed_kernels;
typedef struct heed_model heed_model;
typedef struct heed_session heed_session;
typedef struct heed_pool heed_pool;
typedef struct heed_loader heed_loader;
typedef struct heed_tensor heed_tensor;

/* The lists of heed.h and heed_lab.h as text, one entry per line, for other languages:
 * - field <struct> <name> <type> <count> [names]: fields in order; count: words of four bytes
 * - dtype <name> <number>
 * - slot <text>: a weight of the model; block <text>: a weight of a block
 * - hook <text> <per layer> <axes>
 * - operation <name>
 * - error <text>
 * - enum <name> <names>: of the values 0, 1, …
 * - limit <name> <number>
 * - kernels <names>: in the order of struct heed_kernels */
HEED_API const char *heed_abi(void);

/* A kernel set: one implementation of every kernel. */
#define HEED_KERNEL_SETS(X)                                                                                            \
    X(SCALAR, "scalar")                                                                                                \
    X(SIMD128, "simd128")                                                                                              \
    X(RELAXED, "relaxed")                                                                                              \
    X(RELAXED_U8, "relaxed-u8")                                                                                        \
    X(RELAXED_S8, "relaxed-s8")
#define X(name, text) HEED_KERNELS_##name,
typedef enum heed_kernel_set { HEED_KERNEL_SETS(X) } heed_kernel_set;
#undef X
/* The kernels of a set; NULL when this build does not have the set. */
HEED_API const struct heed_kernels *heed_kernels_get(heed_kernel_set set);

/* Sets how products of one row of activations read quantized weights.  many = 1, the default: as several streams far
 * apart, in turns.  many = 0: only as the one to three streams that they multiply together.  The results are the same
 * bits; which one is faster depends on the processor (js/engine/streams.js).  The setting is of the whole program, all
 * models and sessions.  No other call may run meanwhile, in any thread. */
HEED_API void heed_set_streams(int many);

/* A thread pool.  Its creator is thread 0; every other thread calls heed_pool_work.
 * - memory: heed_pool_bytes(), aligned to 64 bytes
 * - threads: 1 .. 16
 *
 * Fails with HEED_ERROR_ARGUMENT. */
HEED_API size_t heed_pool_bytes(void);
HEED_API heed_pool *heed_pool_create(void *memory, int threads, heed_error *error);
/* Works for the pool as thread 1 .. threads - 1; returns when the pool is closed. */
HEED_API void heed_pool_work(heed_pool *pool, int thread);
/* Ends the threads of the pool.  A helper that failed calls it, too: a call that waits for this helper traps. */
HEED_API void heed_pool_close(heed_pool *pool);

/* A model is made in three steps: create it, load every weight, heed_model_ready.
 * - memory: aligned to 64 bytes, heed_model_bytes(config) plus heed_weight_bytes() of every weight
 *
 * Both fail with HEED_ERROR_CONFIG; create also with HEED_ERROR_MEMORY. */
HEED_API size_t heed_model_bytes(const heed_config *config, heed_error *error);
HEED_API heed_model *heed_model_create(void *memory, size_t bytes, const heed_config *config, heed_error *error);
/* Bytes of a weight [rows][columns] in memory, held as type `kept`.  SIZE_MAX: no weight has this shape and type. */
HEED_API size_t heed_weight_bytes(heed_dtype kept, int rows, int columns);

/* Gives a model of pictures (config.patch) its picture: patches [vocabulary][patch], row by row.  Row 0 stands for the
 * class token and is ignored.  The numbers of a patch have the order of patch_embd's columns.  The model reads them in
 * every later pass, so they stay with the caller until the next picture.  NULL removes the picture, and passes fail.
 * Returns 1. Fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_model_picture(heed_model *model, const float *patches, heed_error *error);

/* Gives an encoder with segments the ids [n] of a pair of texts, and the segment of each.  A pass of exactly these ids
 * adds these rows of token_types; other passes add row 0.  The caller keeps both arrays.  n 0: no pair.  Returns 1.
 * Fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_model_pair(heed_model *model, const int32_t *ids, const int32_t *segments, int n, heed_error *error);

/* A loader converts weights to the layout of the kernels, piece by piece, so that no weight is ever held twice.
 * - memory: aligned to 64 bytes, heed_loader_bytes(model, pool); free after the last weight
 * - pool: threads that share the work; NULL: the caller alone
 *
 * Returns NULL when another argument is NULL, or memory is not aligned. */
HEED_API size_t heed_loader_bytes(const heed_model *model, const heed_pool *pool);
HEED_API heed_loader *heed_loader_create(void *memory, heed_model *model, const struct heed_kernels *kernels,
                                         heed_pool *pool);
/* Begins a weight.
 * - layer: -1 for weights of the whole model
 * - slot: heed_slot or heed_block_slot
 * - stored: type in the file
 * - kept: type in memory: `stored`, or F32, Q8_0 or Q4_0 to convert; vectors become f32
 * - rows, columns: of the weight; rows 1 = a vector
 * - transposed: 1 when the file holds [columns][rows]
 *
 * Returns the bytes of one line of the file: a row, or a column of a transposed matrix.
 * Fails with HEED_ERROR_TENSOR when shape or type do not fit, HEED_ERROR_MEMORY when the model's memory is full. */
HEED_API size_t heed_loader_begin(heed_loader *loader, int layer, int slot, heed_dtype stored, heed_dtype kept,
                                  int rows, int columns, int transposed, heed_error *error);
/* Converts the piece that the caller wrote last.  Returns where to write the next *n_bytes of the file; NULL after the
 * last piece.  Fails with HEED_ERROR_TENSOR when numbers are not finite. */
HEED_API void *heed_loader_next(heed_loader *loader, uint32_t *n_bytes, heed_error *error);
/* Checks that no weight is missing or incomplete, and connects fused q, k, v and a tied head.  Returns 1 when the model
 * can run; it then takes no more weights.  Fails with HEED_ERROR_TENSOR. */
HEED_API int heed_model_ready(heed_model *model, heed_error *error);

/* Number format of a session's cache of queries, keys and values.  F32: as computed.  I16: 14-bit codes with one scale
 * per vector, which take half the memory and less time. */
#define HEED_CACHE_TYPES(X) X(F32, "f32") X(I16, "int16")
#define X(name, text) HEED_CACHE_##name,
typedef enum heed_cache_type { HEED_CACHE_TYPES(X) } heed_cache_type;
#undef X
/* A session runs one sequence.  The model needs no weights for heed_session_bytes.
 * - context: positions that it can hold
 * - batch: most ids of one call, at most 4096
 * - maps: 1 to keep queries in the cache, for heed_map; 0 not to
 * - threads: of the pool
 *
 * Fails with HEED_ERROR_ARGUMENT, or HEED_ERROR_ADDRESSES when the address space is too small. */
HEED_API size_t heed_session_bytes(const heed_model *model, int context, int batch, int maps, heed_cache_type cache,
                                   int threads, heed_error *error);
/* - memory: heed_session_bytes(), aligned to 64 bytes
 * - model: ready
 * - pool: NULL for the caller's thread alone */
HEED_API heed_session *heed_session_create(void *memory, size_t bytes, const heed_model *model, int context, int batch,
                                           int maps, heed_cache_type cache, const struct heed_kernels *kernels,
                                           heed_pool *pool, heed_error *error);

/* Gives a session of an encoder–decoder its source: ids [n], 1 <= n <= batch and context.  The session must be empty.
 * The first pass after it reads the source; taps of the encoder's layers see it.  The caller keeps the ids.
 * heed_forward_from is not for encoder–decoders.  Returns 1.  Fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_source(heed_session *session, const int32_t *ids, int n, heed_error *error);
/* Appends ids [n], 1 <= n <= batch, to the sequence and runs the model on them.  An encoder reads a whole sequence in
 * one call, so its session must be empty.  Returns 1; on an error the session is unchanged.
 * - HEED_ERROR_CONTEXT: the positions do not fit
 * - HEED_ERROR_ARGUMENT: an id outside the vocabulary, or a model without its source or picture
 * - HEED_ERROR_NUMBER: a block computes infinity or NaN */
HEED_API int heed_forward(heed_session *session, const int32_t *ids, int n, heed_error *error);
/* The same pass, one block per call, so that callers can do other work in between, or abort.  heed_forward_begin
 * embeds ids [n] and returns 1.  Call heed_forward_next until it returns HEED_FORWARD_DONE; until then the session is
 * unchanged.  In between, heed_map may be called.  Another forward pass ends this one, and so do heed_logits,
 * heed_sample, heed_step, heed_measure, heed_unembed, heed_source, heed_rewind and heed_restore. */
#define HEED_FORWARD_STATES(X) X(FAILED, "failed") X(MORE, "more") X(DONE, "done")
#define X(name, text) HEED_FORWARD_##name,
typedef enum heed_forward_state { HEED_FORWARD_STATES(X) } heed_forward_state;
#undef X
HEED_API int heed_forward_begin(heed_session *session, const int32_t *ids, int n, heed_error *error);
HEED_API heed_forward_state heed_forward_next(heed_session *session, heed_error *error);

/* Begins a pass like heed_forward_begin, at block `layer` of 0 .. L - 1, whose input is residual [n][D].  The session
 * must hold the results of the blocks before it for the same ids at the same positions: heed_rewind after a pass.  The
 * caller keeps the residual unchanged until the pass ends, because whole bytes may start it again.
 * - rows: the last rows of the pass, 1 .. n, whose logits are needed.  heed_logits and heed_measure count from the
 *   first of them.  The last block leaves out scores and later activations of other rows; queries, keys and values are
 *   complete. */
HEED_API int heed_forward_from(heed_session *session, const int32_t *ids, int n, int layer, const float *residual,
                               int rows, heed_error *error);

/* Logits after rows first .. first + rows - 1 of the last forward pass: [rows][V], 1 <= rows <= HEED_LOGIT_ROWS; of a
 * classifier [rows][labels].
 * Valid until the next call.  Fails with HEED_ERROR_ARGUMENT, HEED_ERROR_NUMBER. */
#define HEED_LOGIT_ROWS 8
HEED_API const float *heed_logits(heed_session *session, int first, int rows, heed_error *error);
/* Where the session keeps its kernels, so that callers can watch them; NULL for NULL.  RELAXED replaces a set of whole
 * bytes when its known product is wrong (kernels/whole_bytes.h).  Results stay exact. */
HEED_API const struct heed_kernels *const *heed_session_kernels(const heed_session *session);
/* Positions that the session holds. */
HEED_API int heed_position(const heed_session *session);
/* Drops every position from `position` on.  In an encoder, `position` must be 0 or heed_position().  Returns 1; fails
 * with HEED_ERROR_ARGUMENT. */
HEED_API int heed_rewind(heed_session *session, int position, heed_error *error);

/* The vectors that a session keeps of each position. */
typedef enum heed_cached_kind { HEED_CACHED_KEYS, HEED_CACHED_VALUES, HEED_CACHED_QUERIES } heed_cached_kind;
/* Copies keys, values or queries of one position of a layer to `row` (save 1), or from it (save 0).  A row has the
 * vectors of the heads one after another: floats [Dh], or of I16 its scale, a float, and codes [Dh].  Rows do not
 * depend on capacity, kernels or threads.  Only a session with maps keeps queries.  The caller restores rows into an
 * empty session, then calls heed_restore.  Returns 1.  Fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_cached(heed_session *session, int layer, heed_cached_kind kind, int position, int save, void *row,
                         heed_error *error);
/* Makes ids [n], whose positions are restored, the text of an empty session.  A text of an encoder–decoder needs its
 * source (heed_source).  Returns 1.  Fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_restore(heed_session *session, const int32_t *ids, int n, heed_error *error);

/* The attention map of one head, for at most `batch` queries from .. to - 1: [to - from][heed_position()].  In an
 * encoder–decoder, queries and keys of the encoder, and keys of cross-attention, are of the source.  The map is
 * computed from the cache by the code of the forward pass, so it has the same bits.  Valid until the next call.
 * - HEED_MAP_PATTERN: softmax of scores; rows sum to 1; 0 where masked
 * - HEED_MAP_SCORES: q·k / √Dh (or attention_scale·q·k), with soft cap, ALiBi and relative biases; -inf where masked
 *
 * Fails with HEED_ERROR_ARGUMENT, also when the session was made without maps. */
#define HEED_MAP_KINDS(X) X(PATTERN, "pattern") X(SCORES, "scores")
#define X(name, text) HEED_MAP_##name,
typedef enum heed_map_kind { HEED_MAP_KINDS(X) } heed_map_kind;
#undef X
HEED_API const float *heed_map(heed_session *session, int layer, int head, heed_map_kind kind, int from, int to,
                               heed_error *error);

/* When the temperature divides the logits.  LAST: after the cuts, which see the model's own probabilities (llama.cpp).
 * FIRST: before the cuts (Hugging Face's transformers). */
#define HEED_SAMPLER_ORDERS(X) X(LAST, "llama.cpp") X(FIRST, "transformers")
#define X(name, text) HEED_TEMPERATURE_##name,
typedef enum heed_sampler_order { HEED_SAMPLER_ORDERS(X) } heed_sampler_order;
#undef X
/* The next id is chosen in this order:
 * 1. The repeat penalty p divides positive logits of ids in the session and multiplies negative ones (Keskar et al.
 * 2019).
 * 2. The temperature divides all logits, if `order` is FIRST.
 * 3. The cuts keep the top_k likeliest ids.
 * 4. Of these, they keep the smallest set whose probability reaches top_p (Holtzman et al. 2020).
 * 5. Of these, they keep ids whose probability is at least min_p times the largest.
 * 6. The temperature divides the logits, if `order` is LAST.
 * 7. One id is drawn.  The draw depends only on the seed (64 bits in two halves) and the position. */
#define HEED_SAMPLING_FIELDS(X)                                                                                        \
    X(float, temperature, "")    /* 0: the likeliest id */                                                             \
    X(float, top_p, "")          /* (0, 1]; 1: off */                                                                  \
    X(float, min_p, "")          /* [0, 1]; 0: off */                                                                  \
    X(float, repeat_penalty, "") /* above 0; 1: off */                                                                 \
    X(int, top_k, "")            /* 0: off */                                                                          \
    X(int, order, HEED_SAMPLER_ORDERS(HEED_WORD))                                                                      \
    X(int, seed_low, "")                                                                                               \
    X(int, seed_high, "")
/* An id with its log-probability: log softmax of the model's logits, before penalty, cuts and temperature. */
#define HEED_CANDIDATE_FIELDS(X) X(int, id, "") X(float, logprob, "")
#define X(type, name, names) type name;
typedef struct heed_sampling {
    HEED_SAMPLING_FIELDS(X)
} heed_sampling;
typedef struct heed_candidate {
    HEED_CANDIDATE_FIELDS(X)
} heed_candidate;
#undef X
/* Chooses the id that follows the last row of the last forward pass.  Fills *chosen, and top [n_top] with the likeliest
 * candidates in order; 0 <= n_top <= V.  Returns 1.  Fails with HEED_ERROR_ARGUMENT, also for a classifier, and
 * HEED_ERROR_NUMBER. */
HEED_API int heed_sample(heed_session *session, const heed_sampling *sampling, heed_candidate *chosen,
                         heed_candidate *top, int n_top, heed_error *error);
/* One step of a generation: heed_forward of ids [n], then heed_sample after each of them while the chosen id is the
 * next of ids.  Ids after the first are a guess of the text (speculative decoding, Leviathan et al. 2023).  A wrong
 * guess takes time, but the choices are the same.  Fills chosen [n] and top [n][n_top] up to the returned number m of
 * choices.  The session ends after m of the ids.  Returns 0 on an error, also for an encoder.  The session then has the
 * same positions as before, and no logits if the pass succeeded. */
HEED_API int heed_step(heed_session *session, const int32_t *ids, int n, const heed_sampling *sampling,
                       heed_candidate *chosen, heed_candidate *top, int n_top, heed_error *error);
/* Adds bias [V] to the logits of heed_sample and heed_step after the repeat penalty.  A number is finite, or -inf,
 * which excludes an id.  If all ids are excluded, or a sum is NaN or inf, these calls fail with HEED_ERROR_ARGUMENT.
 * NULL: none.  The caller keeps the numbers.  Log-probabilities stay the model's.  Returns 1.  Fails with
 * HEED_ERROR_ARGUMENT. */
HEED_API int heed_bias(heed_session *session, const float *bias, heed_error *error);
/* Fills top [n_top] with the likeliest candidates of logits [V], such as a row of heed_unembed, in order; equal ones by
 * id.  Of a classifier, V and ids are of labels.  0 <= n_top <= V.  Returns 1.  Fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_rank(const heed_session *session, const float *logits, heed_candidate *top, int n_top,
                       heed_error *error);

/* A tap reads or edits one activation during a forward pass: at matching rows and columns, x <- scale·x + values, then
 * a copy of the result.  An edit of scores or patterns leaves out keys that the query does not see, so that the run of
 * a decoder is causal.  They are keys after it in a decoder, and keys outside of a window. */
typedef struct heed_tap_request heed_tap_request;
typedef const float *heed_floats;
typedef float *heed_copy;
#define HEED_TAP_FIELDS(X)                                                                                             \
    X(int, hook)                                                                                                       \
    X(int, layer) /* -1 for hooks of the whole model */                                                                \
    X(int, head)  /* of the hook's axis head or kv_head; -1 = all */                                                   \
    X(int, from)  /* positions [from, to) */                                                                           \
    X(int, to)                                                                                                         \
    X(float, scale)                                                                                                    \
    X(heed_floats, values) /* [to - from][width], or NULL */                                                           \
    X(int, width)          /* columns of the activation, or of one head of it */                                       \
    X(int, repeat)         /* 1: values is one row, for every position */                                              \
    X(int, project)        /* 1: x loses its part along values, x <- x - (x·v)/(v·v)·v, instead of the sum */       \
    X(int, column)         /* first column to read or edit, of the head or of all */                                   \
    X(int, columns)        /* their number; 0: all from `column` on */                                                 \
    X(int, normalize)      /* 1: rows of a pattern are divided by their sums, instead of the edit */                   \
    X(heed_copy, copy)     /* [to - from][copy_columns], or NULL; scores and patterns of all heads: [H] of these */    \
    X(int, copy_columns)                                                                                               \
    X(int, activation) /* 1: a gradient copies the activation, too, and not its gradient */
#define X(type, name) type name;
struct heed_tap_request {
    heed_tap_request *next; /* set by heed_tap_link */
    HEED_TAP_FIELDS(X)
};
#undef X
/* Links a tap to the next forward passes.  The request must stay in place until heed_tap_end.  Returns 1; fails with
 * HEED_ERROR_ARGUMENT, also for a request that is linked, or that heed_map still uses. */
HEED_API int heed_tap_link(heed_session *session, heed_tap_request *request, heed_error *error);
/* Unlinks all taps.  Requests that edited scores or patterns stay in use, because heed_map applies these edits again.
 * Keep them until heed_rewind(session, 0).  A second call of heed_tap_end ends their use, too. */
HEED_API void heed_tap_end(heed_session *session);
/* Unlinks all taps, and keeps the edits of earlier passes. */
HEED_API void heed_tap_clear(heed_session *session);

/* A learned addition of low rank to the products of a weight W (Hu et al. 2021): y = W·x + scale·B·(A·x).
 * X(type, name). */
#define HEED_MAX_RANK 256
#define HEED_ADAPTER_FIELDS(X)                                                                                         \
    X(int, rank) /* r: 1 .. HEED_MAX_RANK */                                                                           \
    X(float, scale)                                                                                                    \
    X(heed_floats, a)    /* A [r][columns of W] */                                                                     \
    X(heed_floats, b)    /* B [rows of W][r] */                                                                        \
    X(heed_copy, a_grad) /* their gradients, laid out as they are; NULL: they are constants */                         \
    X(heed_copy, b_grad)
#define X(type, name) type name;
typedef struct heed_adapter {
    HEED_ADAPTER_FIELDS(X)
} heed_adapter;
#undef X
/* Adapts a matrix of block `layer`, of any type; NULL removes the adapter.  slot: heed_block_slot; of a fused attn_qkv,
 * its parts attn_q, attn_k and attn_v.  The adapter must stay in place.  Returns 1; fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_model_adapt(heed_model *model, int layer, int slot, const heed_adapter *adapter, heed_error *error);
/* Takes numbers of the caller as a weight [rows][columns] in f32, instead of loading it.
 * - grad: receives its gradient while a lab records; NULL: the weight is a constant.  rope_freqs, attn_rel_b and the
 *   embedding of pictures are always constants
 *
 * Returns 1; fails like heed_loader_begin, and with HEED_ERROR_TENSOR for the gradient of such a constant. */
HEED_API int heed_model_share(heed_model *model, int layer, int slot, int rows, int columns, float *data, float *grad,
                              heed_error *error);

/* A number computed from logits: Σ weights·logits, or the mean cross-entropy of targets. */
typedef const int32_t *heed_ids;
#define HEED_METRIC_FIELDS(X)                                                                                          \
    X(int, first) /* rows [first, first + rows) of the ids */                                                          \
    X(int, rows)                                                                                                       \
    X(heed_floats, weights) /* [rows][V], or NULL */                                                                   \
    X(heed_ids, targets)    /* [rows] ids, -1 for a row without one; or NULL */
#define X(type, name) type name;
typedef struct heed_metric {
    HEED_METRIC_FIELDS(X)
} heed_metric;
#undef X
/* The metric of rows of the last forward pass.  Returns 1; fails with HEED_ERROR_ARGUMENT, HEED_ERROR_NUMBER. */
HEED_API int heed_measure(heed_session *session, const heed_metric *metric, float *value, heed_error *error);
/* Logits of residuals x [rows][D], of any layer (the logit lens, nostalgebraist 2020): the head, after the final norm
 * if `normalize`.  [rows][V], 1 <= rows <= HEED_LOGIT_ROWS.  Valid until the next call.  Fails with
 * HEED_ERROR_ARGUMENT, HEED_ERROR_MEMORY, HEED_ERROR_NUMBER. */
HEED_API const float *heed_unembed(heed_session *session, const float *x, int rows, int normalize, heed_error *error);
/* Rows first .. first + rows - 1 of a weight as floats, with its adapter.
 * - layer: -1 for weights of the whole model
 * - slot: heed_slot or heed_block_slot
 * - y: [rows][columns], of heed_weight_shape
 *
 * Returns 1; fails with HEED_ERROR_ARGUMENT, also when the model does not have the weight. */
HEED_API int heed_weight_read(const heed_session *session, int layer, int slot, int first, int rows, float *y,
                              heed_error *error);
/* Sizes of a weight; *rows = 0 when the model does not have it.  Returns 1; fails with HEED_ERROR_ARGUMENT. */
HEED_API int heed_weight_shape(const heed_session *session, int layer, int slot, int *rows, int *columns,
                               heed_error *error);

typedef struct heed_gradient heed_gradient;
/* The gradient of a metric by the activations of a run of ids [n].  The run starts at position 0 and does not change
 * the session.  Linked taps edit the run; a copy of a tap receives the gradient of its activation, after the edit.
 * Weights are constants.  Rounding of activations to 8 bits has derivative 1.
 * - memory: heed_gradient_bytes() after the taps are linked, aligned to 64 bytes; holds every activation of the run
 * - metric: copied; its weights and targets must stay in place
 *
 * Fails with HEED_ERROR_ARGUMENT, HEED_ERROR_ADDRESSES; create also with HEED_ERROR_MEMORY. */
HEED_API size_t heed_gradient_bytes(const heed_session *session, int n, heed_error *error);
HEED_API heed_gradient *heed_gradient_create(void *memory, size_t bytes, heed_session *session, const int32_t *ids,
                                             int n, const heed_metric *metric, heed_error *error);
/* Runs a block forward or backward, or some rows of the head.  Call it until it returns HEED_FORWARD_DONE; then *value
 * is the metric.  The tap requests must stay in place and unchanged.  heed_tap_clear may unlink them; heed_tap_end and
 * heed_tap_link change requests.  Fails with HEED_ERROR_NUMBER. */
HEED_API heed_forward_state heed_gradient_next(heed_gradient *gradient, float *value, heed_error *error);

#endif
