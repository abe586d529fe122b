/* heed: decoder-only transformers on the CPU, and what they attend to.  The public C API.
 *
 * Axes: L layers, H heads, Hk key/value heads, D model, Dh head, F feed-forward, V vocabulary, T positions of a call,
 * C context.  Matrices are row-major, slowest axis first: a weight [rows = outputs][columns = inputs].
 * Memory is the caller's; nothing here allocates, prints or exits.  A call that fails fills `error` with a code and a
 * sentence, and returns 0 or NULL.
 *
 * Every function checks its sizes, indices, ranges and states, in 64 bits: a wrong number is refused and touches no
 * memory.  Pointers must be NULL where that is allowed, or point to as much memory as the call says. */
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
    X(NUMBER, "not-finite")     /* a result that is no number */                                                       \
    X(ARGUMENT, "bad-argument") /* an id, layer, head or range that does not exist */
#define X(name, text) HEED_ERROR_##name,
typedef enum heed_error_code { HEED_ERROR_CODES(X) } heed_error_code;
#undef X
typedef struct heed_error {
    heed_error_code code;
    char message[252];
} heed_error;

/* Types of stored numbers, numbered as GGML numbers them (GGUF specification, ggml_type). */
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

typedef enum heed_norm_kind { HEED_LAYERNORM, HEED_RMSNORM } heed_norm_kind;
typedef enum heed_position_kind {
    HEED_POSITION_NONE,
    HEED_POSITION_LEARNED,
    HEED_ROPE_ADJACENT,
    HEED_ROPE_HALVES
} heed_position_kind;
typedef enum heed_activation_kind {
    HEED_GELU_TANH,
    HEED_GELU_ERF,
    HEED_SILU,
    HEED_RELU,
    HEED_TANH,
    HEED_SIGMOID
} heed_activation_kind;

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

/* Weights by GGUF's names: X(name, text, rows, columns, needed).  rows 1 = a vector.  Those of a block stand in the
 * file as blk.<layer>.<text>.  q, k and v come as three or as one attn_qkv; without output.weight the head is
 * token_embd. */
#define HEED_MODEL_SLOTS(X)                                                                                            \
    X(token_embd, "token_embd.weight", c->vocabulary, c->d_model, 1)                                                   \
    X(position_embd, "position_embd.weight", c->context_length, c->d_model, c->position == HEED_POSITION_LEARNED)      \
    X(rope_freqs, "rope_freqs.weight", 1, c->rope_dims / 2, 0) /* divisors of the RoPE frequencies (Llama 3) */        \
    X(output_norm, "output_norm.weight", 1, c->d_model, 1)                                                             \
    X(output_norm_bias, "output_norm.bias", 1, c->d_model, 0)                                                          \
    X(output, "output.weight", c->vocabulary, c->d_model, 0)
#define HEED_BLOCK_SLOTS(X)                                                                                            \
    X(attn_norm, "attn_norm.weight", 1, c->d_model, 1)                                                                 \
    X(attn_norm_bias, "attn_norm.bias", 1, c->d_model, 0)                                                              \
    X(attn_qkv, "attn_qkv.weight", (c->heads + 2 * c->kv_heads) * c->d_head, c->d_model, 0)                            \
    X(attn_qkv_bias, "attn_qkv.bias", 1, (c->heads + 2 * c->kv_heads) * c->d_head, 0)                                  \
    X(attn_q, "attn_q.weight", c->heads * c->d_head, c->d_model, 0)                                                    \
    X(attn_q_bias, "attn_q.bias", 1, c->heads * c->d_head, 0)                                                          \
    X(attn_k, "attn_k.weight", c->kv_heads * c->d_head, c->d_model, 0)                                                 \
    X(attn_k_bias, "attn_k.bias", 1, c->kv_heads * c->d_head, 0)                                                       \
    X(attn_v, "attn_v.weight", c->kv_heads * c->d_head, c->d_model, 0)                                                 \
    X(attn_v_bias, "attn_v.bias", 1, c->kv_heads * c->d_head, 0)                                                       \
    X(attn_output, "attn_output.weight", c->d_model, c->heads * c->d_head, 1)                                          \
    X(attn_output_bias, "attn_output.bias", 1, c->d_model, 0)                                                          \
    X(ffn_norm, "ffn_norm.weight", 1, c->d_model, 1)                                                                   \
    X(ffn_norm_bias, "ffn_norm.bias", 1, c->d_model, 0)                                                                \
    X(ffn_gate, "ffn_gate.weight", c->d_ff, c->d_model, c->gated)                                                      \
    X(ffn_gate_bias, "ffn_gate.bias", 1, c->d_ff, 0)                                                                   \
    X(ffn_up, "ffn_up.weight", c->d_ff, c->d_model, 1)                                                                 \
    X(ffn_up_bias, "ffn_up.bias", 1, c->d_ff, 0)                                                                       \
    X(ffn_down, "ffn_down.weight", c->d_model, c->d_ff, 1)                                                             \
    X(ffn_down_bias, "ffn_down.bias", 1, c->d_model, 0)
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

/* Visible outside the module; everything else is not. */
#ifdef __wasm__
#define HEED_API __attribute__((used, visibility("default")))
#else
#define HEED_API
#endif

struct heed_kernels;
typedef struct heed_model heed_model;
typedef struct heed_session heed_session;
typedef struct heed_pool heed_pool;
typedef struct heed_loader heed_loader;
typedef struct heed_tensor heed_tensor;
typedef struct heed_lab heed_lab;

/* The names of this header as text, a line each, for other languages: `field <struct> <name> <type> [names]` in the
 * order of the struct, `dtype <name> <number>`, `slot <text>`, `block <text>`, `hook <text> <per layer>`, `error
 * <name>`, `enum <name> <values from 0>`, `limit <name> <number>`, and `kernels` with all their names. */
HEED_API const char *heed_abi(void);

/* The kernels of an engine: 0 scalar, 1 simd128, 2 relaxed; NULL where this build has no such set. */
HEED_API const struct heed_kernels *heed_kernels_get(int engine);

/* A model: first its configuration and tables, then each weight, then ready.
 * memory must be aligned to 64 bytes and hold heed_model_bytes(config) plus, for each weight, heed_weight_bytes(). */
HEED_API size_t heed_model_bytes(const heed_config *config, heed_error *error);
HEED_API heed_model *heed_model_create(void *memory, size_t bytes, const heed_config *config, heed_error *error);
/* Room that a weight takes that is kept as `kept`.  SIZE_MAX: no weight of this shape can be. */
HEED_API size_t heed_weight_bytes(heed_dtype kept, int rows, int columns);

/* Weights come one after another, each in pieces, and every piece is turned into what the kernels read before the next
 * one comes: no weight is ever held whole in another form.
 * memory: aligned to 64 bytes, heed_loader_bytes(model, pool); it may be used for something else when the weights are
 * there.  pool: the threads that share a piece; NULL: the caller alone. */
HEED_API size_t heed_loader_bytes(const heed_model *model, const heed_pool *pool);
HEED_API heed_loader *heed_loader_create(void *memory, heed_model *model, const struct heed_kernels *kernels,
                                         heed_pool *pool);
/* Begins a weight; layer -1 for those of the whole model.  rows 1 = a vector, which becomes f32.  stored: its type in
 * the file; kept: the same, or F32, Q8_0 or Q4_0 to turn it into.  transposed: the file has it [columns][rows]. Returns
 * the bytes of each line that the file must deliver, a row or where it is transposed a column: a file may hold more of
 * them than memory does of the weight.  0: the shape or type does not fit. */
HEED_API size_t heed_loader_begin(heed_loader *loader, int layer, int slot, heed_dtype stored, heed_dtype kept,
                                  int rows, int columns, int transposed, heed_error *error);
/* Takes in what was delivered last, and says where the next *n_bytes of the file go.  NULL after the last, and when
 * numbers are not finite. */
HEED_API void *heed_loader_next(heed_loader *loader, uint32_t *n_bytes, heed_error *error);
/* Checks that nothing is missing or half loaded, and ties q, k and v, and the head: 1 when the model can run.  A model
 * that is ready takes no more weights. */
HEED_API int heed_model_ready(heed_model *model, heed_error *error);

/* Threads that share one memory.  Whoever creates the pool is its part 0; each other thread calls heed_pool_work with
 * its own part, 1 .. threads - 1, and stays there until the pool is closed. */
HEED_API size_t heed_pool_bytes(void);
HEED_API heed_pool *heed_pool_create(void *memory, int threads, heed_error *error);
HEED_API void heed_pool_work(heed_pool *pool, int part);
HEED_API void heed_pool_close(heed_pool *pool);

/* What a session remembers queries, keys and values in: as they were computed, or 14-bit codes with a scale for each
 * vector, which take half of the memory and less time. */
typedef enum heed_cache_type { HEED_CACHE_F32, HEED_CACHE_I16 } heed_cache_type;
/* A run of one sequence.  context: positions it can hold; batch: most ids of one call; maps: keep the queries; cache: a
 * heed_cache_type.  What it takes is known before the model has its weights. */
HEED_API size_t heed_session_bytes(const heed_model *model, int context, int batch, int maps, int cache, int threads,
                                   heed_error *error);
/* pool: the threads it runs on, as many as its bytes were asked for; NULL: the caller's alone. */
HEED_API heed_session *heed_session_create(void *memory, size_t bytes, const heed_model *model, int context, int batch,
                                           int maps, int cache, const struct heed_kernels *kernels, heed_pool *pool,
                                           heed_error *error);
/* Runs ids [n] after what the session holds, 1 <= n <= batch.  1 when done; on an error the session is as before. */
HEED_API int heed_forward(heed_session *session, const int32_t *ids, int n, heed_error *error);
/* The same pass, one block a call: for callers that do other work between blocks, or abort.  heed_forward_begin embeds
 * the ids [n] (1 when done).  Then call heed_forward_next until it returns HEED_FORWARD_DONE; the session is unchanged
 * until that.  heed_map may be called in between; heed_logits, heed_rewind and another forward pass end this one. */
#define HEED_FORWARD_STATES(X) X(FAILED, "failed") X(MORE, "more") X(DONE, "done")
#define X(name, text) HEED_FORWARD_##name,
typedef enum heed_forward_state { HEED_FORWARD_STATES(X) } heed_forward_state;
#undef X
HEED_API int heed_forward_begin(heed_session *session, const int32_t *ids, int n, heed_error *error);
HEED_API heed_forward_state heed_forward_next(heed_session *session, heed_error *error);
/* Logits of rows first .. first + rows - 1 of the last heed_forward: [rows][V], rows <= HEED_LOGIT_ROWS; valid until
 * the next call. */
#define HEED_LOGIT_ROWS 8
HEED_API const float *heed_logits(heed_session *session, int first, int rows, heed_error *error);
HEED_API int heed_position(const heed_session *session);
/* Forgets what came after the first `position` ids.  1 when done. */
HEED_API int heed_rewind(heed_session *session, int position, heed_error *error);
/* What queries [from, to) of one head attend to: [to - from][keys] with keys = heed_position, recomputed from the cache
 * by the code that the forward pass used; to - from <= batch; valid until the next call.  Patterns have rows that sum
 * to 1, with 0 where masked; scores have -inf there. */
#define HEED_MAP_KINDS(X) X(PATTERN, "pattern") X(SCORES, "scores")
#define X(name, text) HEED_MAP_##name,
typedef enum heed_map_kind { HEED_MAP_KINDS(X) } heed_map_kind;
#undef X
HEED_API const float *heed_map(heed_session *session, int layer, int head, heed_map_kind kind, int from, int to,
                               heed_error *error);

/* When the temperature divides the logits: after the cuts, which then see the model's probabilities (the order of
 * llama.cpp), or before them (that of Hugging Face's transformers). */
typedef enum heed_sampler_order { HEED_TEMPERATURE_LAST, HEED_TEMPERATURE_FIRST } heed_sampler_order;
/* How the next id is chosen, in this order: repeat penalty (Keskar et al. 2019: logit / p, or · p below zero) on every
 * id of the session; temperature, if `order` says first; the top_k likeliest; the smallest set with probability >=
 * top_p (Holtzman et al. 2020); those with probability >= min_p · the largest; temperature, if last.  1, 0, 1, 0 switch
 * penalty and cuts off; temperature 0 takes the likeliest. */
#define HEED_SAMPLING_FIELDS(X)                                                                                        \
    X(float, temperature)                                                                                              \
    X(float, top_p)                                                                                                    \
    X(float, min_p)                                                                                                    \
    X(float, repeat_penalty)                                                                                           \
    X(int, top_k)                                                                                                      \
    X(int, order)    /* heed_sampler_order */                                                                          \
    X(int, seed_low) /* the draw depends on the seed, 64 bits in two halves, and on the position only */               \
    X(int, seed_high)
#define X(type, name) type name;
typedef struct heed_sampling {
    HEED_SAMPLING_FIELDS(X)
} heed_sampling;
#undef X
/* log-probabilities are the model's own: log softmax of its logits, before penalty, cuts and temperature. */
typedef struct heed_candidate {
    int32_t id;
    float logprob;
} heed_candidate;
/* Chooses an id after the last row of the last forward.  Fills chosen and the n_top likeliest candidates (likeliest
 * first, n_top <= V).  1 when done. */
HEED_API int heed_sample(heed_session *session, const heed_sampling *sampling, heed_candidate *chosen,
                         heed_candidate *top, int n_top, heed_error *error);
/* A token of a generation, forward and choice in one call: runs id after what the session holds, then heed_sample.
 * The session's position after it; 0 on an error, and the session holds what it held before. */
HEED_API int heed_step(heed_session *session, int32_t id, const heed_sampling *sampling, heed_candidate *chosen,
                       heed_candidate *top, int n_top, heed_error *error);

/* A tap on one activation: where rows and head match, x <- scale·x + values (values may be NULL), then a copy of the
 * result. Fill it, keep it in place until heed_tap_end. */
typedef struct heed_tap_request heed_tap_request;
typedef const float *heed_floats;
typedef float *heed_copy;
#define HEED_TAP_FIELDS(X)                                                                                             \
    X(int, hook)                                                                                                       \
    X(int, layer) /* -1 for hooks of the whole model */                                                                \
    X(int, head)  /* -1 = every head; Q, rot_q, z, scores and pattern have H heads, k, v and rot_k Hk, others none */  \
    X(int, from)  /* positions [from, to) */                                                                           \
    X(int, to)                                                                                                         \
    X(float, scale)                                                                                                    \
    X(heed_floats, values) /* NULL, or [to - from][width] */                                                           \
    X(int, width)          /* columns of the activation, or of one head's part of it */                                \
    X(heed_copy, copy)     /* NULL, or [to - from][copy_columns], for scores and pattern of every head [H] of these */ \
    X(int, copy_columns)
#define X(type, name) type name;
struct heed_tap_request {
    heed_tap_request *next; /* set by heed_tap_link */
    HEED_TAP_FIELDS(X)
};
#undef X
HEED_API int heed_tap_link(heed_session *session, heed_tap_request *request, heed_error *error);
/* No tap listens to what runs from here.  Requests that edited scores or patterns of positions that the session has
 * stay in use, for heed_map shows the pattern that was run with: keep them until heed_rewind(session, 0). */
HEED_API void heed_tap_end(heed_session *session);

/* Learning: tensors, operations on them, and backwards.  A lab has one arena, which the caller may lengthen at its end
 * and releases to a mark; what an operation returns lies there.  While it records, results have gradients. */
#define HEED_OPERATIONS(X)                                                                                             \
    /* X(NAME, text): inputs; integers; floats; ids.  [] marks what may be left out (NULL, or no such input). */       \
    X(TENSOR, "tensor") /* rows, columns, learns: zeros, the caller's to fill */                                       \
    X(VIEW, "view")     /* x; first, rows, columns, stride: rows of x's numbers from `first`, stride >= columns */     \
    X(COPY, "copy")     /* x */                                                                                        \
    X(LINEAR, "linear") /* x, w, [b] */                                                                                \
    X(MATMUL, "matmul") /* a, b; whether a, whether b is transposed */                                                 \
    X(EMBEDDING, "embedding")   /* table; n; ids [n] */                                                                \
    X(GATHER, "gather")         /* x; n; ids [n]: rows of x, zeros for -1 */                                           \
    X(NORM, "norm")             /* x, w, [b]; kind; eps */                                                             \
    X(ACTIVATION, "activation") /* x; kind */                                                                          \
    X(ADD, "add")               /* a, b: b's rows repeat, and its column if it has but one */                          \
    X(MUL, "mul")               /* a, b: the same */                                                                   \
    X(AFFINE, "affine")         /* x; scale, shift */                                                                  \
    X(CONCAT, "concat")         /* n; ids [n] addresses of matrices of as many rows: columns side by side */           \
    X(SUM, "sum")               /* x; rows that become one, whether columns become one; scale */                       \
    X(SOFTMAX, "softmax")       /* x; batch, heads, -, -, causal, past: of each row what its query sees, or all */     \
    X(SCORES, "scores")         /* q, k; batch, heads, kv_heads, joined, causal, past; scale */                        \
    X(PAIRS, "pairs")           /* q, k; batch, heads, kv_heads, joined: q[i] + k[j] */                                \
    X(MASK,                                                                                                            \
      "mask") /* s, [m]; batch, heads, causal, past, m's batch, heads and rows, boolean; ids [batch] key lengths: s */ \
    X(COMBINE, "combine")       /* p, v; batch, heads, kv_heads, joined, causal, past */                               \
    X(ROPE, "rope")             /* x; first, period, heads, dims, kind; theta: row t stands at first + t mod period */ \
    X(SINUSOIDAL, "sinusoidal") /* first, rows, columns */                                                             \
    X(DROPOUT, "dropout")       /* x; seed, counter; probability */                                                    \
    X(GRU, "gru")               /* input's and state's gates, h; step; ids [rows] lengths */                           \
    X(CROSS_ENTROPY, "cross_entropy") /* logits; ignored id; smoothing, 1 to divide by the count; ids [rows] */        \
    X(ADAMW, "adamw")     /* w, m, v; rate, beta 1, beta 2, eps, decay, 1 - beta 1^t, 1 - beta 2^t: returns w */       \
    X(SGD, "sgd")         /* w, [velocity]; rate, momentum, decay: returns w */                                        \
    X(SQUARES, "squares") /* x: a matrix of one, the sum of the squares of its gradient */                             \
    X(SHRINK, "shrink")   /* x; factor: its gradient times that, returns x */
#define X(name, text) HEED_OPERATION_##name,
typedef enum heed_operation_kind { HEED_OPERATIONS(X) HEED_OPERATION_COUNT } heed_operation_kind;
#undef X

#define HEED_CALL_INPUTS 3
#define HEED_CALL_INTEGERS 8
#define HEED_CALL_FLOATS 7
/* What an operation gets, and how what it returned lies in memory.  Inputs are tensors of this lab that were not
 * released. */
typedef struct heed_call {
    heed_tensor *inputs[HEED_CALL_INPUTS];
    int integers[HEED_CALL_INTEGERS];
    float floats[HEED_CALL_FLOATS];
    const int32_t *ids; /* in the lab's arena: a backward reads them again */
    int n_ids;
    int rows, columns;
    size_t stride;
    float *data, *grad;
} heed_call;

/* memory: heed_lab_bytes(), then the arena, aligned to 64 bytes.  NULL: it is not aligned or too small, or there are no
 * kernels. */
HEED_API size_t heed_lab_bytes(void);
HEED_API heed_lab *heed_lab_create(void *memory, size_t bytes, const struct heed_kernels *kernels, heed_pool *pool);
/* `bytes` more at the arena's end. */
HEED_API void heed_lab_grow(heed_lab *lab, size_t bytes);
/* Whether operations are recorded from here on; what it was before. */
HEED_API int heed_lab_record(heed_lab *lab, int on);
/* Bytes in use, to be released to: what came after, records too, is forgotten.  A mark beyond them releases nothing. */
HEED_API size_t heed_lab_mark(const heed_lab *lab);
HEED_API void heed_lab_release(heed_lab *lab, size_t mark);
/* Room in the arena. */
HEED_API void *heed_lab_take(heed_lab *lab, size_t bytes, heed_error *error);
/* Runs one operation.  One that fails leaves the lab as it was. */
HEED_API heed_tensor *heed_operation(heed_lab *lab, int operation, heed_call *call, heed_error *error);
/* Adds to every gradient what the loss, a matrix of one, changes by; forgets the records.  1 when done; a loss that is
 * no number is refused with the operation in which a NaN first appeared. */
HEED_API int heed_lab_backward(heed_lab *lab, heed_tensor *loss, heed_error *error);
/* Repeats the last backward, whose gradients it uses up, as far as the operation that gives one that is no finite
 * number, and fails with that operation's name.  1: there is none, or the arena holds that backward no more. */
HEED_API int heed_lab_check_gradients(heed_lab *lab, heed_error *error);

#endif
