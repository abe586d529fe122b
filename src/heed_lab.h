/* heed_lab: tensors, operations on them, and their gradients.  The public C API for training.
 * heed.h states the conventions for memory, errors and axes.
 *
 * A lab has one arena.  Every operation takes its result from the arena; heed_lab_release returns everything that was
 * taken after a mark.  While the lab records, results have gradients, and heed_lab_backward fills them. */
#ifndef HEED_LAB_H
#define HEED_LAB_H

#include "heed.h"

typedef struct heed_lab heed_lab;

/* The operations: X(NAME, name, inputs that are required, integers, floats).
 * - TENSOR: zeros [rows][columns], with a gradient or without
 * - VIEW of x: rows of x's numbers, from number `first` on, stride >= columns
 * - COPY of x
 * - LINEAR: x·wᵀ + b of x [T][K], w [O][K], [b [O]]
 * - MATMUL: a·b, each transposed or not
 * - EMBEDDING: rows of a table [V][D], by ids [n]
 * - GATHER: rows of x, by ids [n]; zeros for -1
 * - NORM of x by w, [b]; kind: heed_norm_kind.  RMSNorm has no b
 * - ACTIVATION of x; kind: heed_activation_kind
 * - ADD, MUL of a and b: rows of b repeat, and its column when it has one
 * - AFFINE: x·scale + shift
 * - CONCAT of a list: columns of matrices with the same rows, side by side
 * - SUM: `rows` rows of x become one, and all columns one if over_columns; times scale
 * - SOFTMAX: each row of x, over the keys that its query sees when causal
 * - SCORES: scale·q·kᵀ of every head, -inf where a causal query does not see the key
 * - PAIRS: q[i] + k[j] of every head
 * - MASK: masked scores become -inf, in place; inputs scores, [m]; [ids [batch]: number of keys]
 * - ATTEND_VALUES: p·v of every head
 * - ROPE of x: row t has position first + t mod period; kind: heed_position_kind
 * - SINUSOIDAL: positions first .. first + rows - 1 (Vaswani et al. 2017)
 * - DROPOUT of x
 * - GRU: inputs gates of the input, gates of the state, h; [ids [rows]: lengths]
 * - CROSS_ENTROPY of logits; ids [rows]: targets, of which `ignored` counts nothing; mean: divides by the count
 * - ADAMW: updates w by state m, v; returns w; correction_1 and _2: 1 - beta^t
 * - SGD: updates w by [velocity]; returns w
 * - CAUSAL_LM: logits [batch·T][V] of `model` after ids [batch][T].  Weights and adapters with gradients learn.
 *   Fails for an encoder–decoder.  [list [L]] receives the scores of each block
 * - SQUARED_NORM: the sum of squares of the gradient of x, [1][1]
 * - SCALE_GRADIENT: multiplies the gradient of x, in place; returns x
 *
 * A matrix is [rows][columns]; [x] marks an input that may be NULL.  Matrices of a batch hold heads joined,
 * [batch·T][heads·Dh], or apart, [batch·heads·T][Dh].  With `causal`, query t sees keys 0 .. past + t.
 * In the list, (none) is an empty list of names. */
#define HEED_OPERATIONS(X)                                                                                             \
    X(TENSOR, tensor, 0, (rows, columns, requires_grad), (none))                                                       \
    X(VIEW, view, 1, (first, rows, columns, stride), (none))                                                           \
    X(COPY, copy, 1, (none), (none))                                                                                   \
    X(LINEAR, linear, 2, (none), (none))                                                                               \
    X(MATMUL, matmul, 2, (a_transposed, b_transposed), (none))                                                         \
    X(EMBEDDING, embedding, 1, (n), (none))                                                                            \
    X(GATHER, gather, 1, (n), (none))                                                                                  \
    X(NORM, norm, 2, (kind), (eps))                                                                                    \
    X(ACTIVATION, activation, 1, (kind), (none))                                                                       \
    X(ADD, add, 2, (none), (none))                                                                                     \
    X(MUL, mul, 2, (none), (none))                                                                                     \
    X(AFFINE, affine, 1, (none), (scale, shift))                                                                       \
    X(CONCAT, concat, 0, (none), (none))                                                                               \
    X(SUM, sum, 1, (rows, over_columns), (scale))                                                                      \
    X(SOFTMAX, softmax, 1, (batch, heads, unused_kv_heads, unused_joined, causal, past), (none))                       \
    X(SCORES, scores, 2, (batch, heads, kv_heads, joined, causal, past), (scale))                                      \
    X(PAIRS, pairs, 2, (batch, heads, kv_heads, joined), (none))                                                       \
    X(MASK, mask, 1, (batch, heads, causal, past, m_batch, m_heads, m_rows, boolean), (none))                          \
    X(ATTEND_VALUES, attend_values, 2, (batch, heads, kv_heads, joined, causal, past), (none))                         \
    X(ROPE, rope, 1, (first, period, heads, dims, kind), (theta))                                                      \
    X(SINUSOIDAL, sinusoidal, 0, (first, rows, columns), (none))                                                       \
    X(DROPOUT, dropout, 1, (seed_low, seed_high, counter_low, counter_high), (probability))                            \
    X(GRU, gru, 3, (step), (none))                                                                                     \
    X(CROSS_ENTROPY, cross_entropy, 1, (ignored), (smoothing, mean))                                                   \
    X(ADAMW, adamw, 3, (none), (rate, beta_1, beta_2, eps, decay, correction_1, correction_2))                         \
    X(SGD, sgd, 1, (none), (rate, momentum, decay))                                                                    \
    X(CAUSAL_LM, causal_lm, 0, (batch), (none))                                                                        \
    X(SQUARED_NORM, squared_norm, 1, (none), (none))                                                                   \
    X(SCALE_GRADIENT, scale_gradient, 1, (none), (factor))
#define X(NAME, name, needed, integers, floats) HEED_OPERATION_##NAME,
typedef enum heed_operation_kind { HEED_OPERATIONS(X) HEED_OPERATION_COUNT } heed_operation_kind;
#undef X

enum { HEED_CALL_INPUTS = 3, HEED_CALL_INTEGERS = 8, HEED_CALL_FLOATS = 7 };
#define HEED_FIELDS(...) __VA_ARGS__
/* The integers and floats of a call: by index, or by the operation's names (n.mask.m_batch). */
typedef union heed_call_integers {
    int at[HEED_CALL_INTEGERS];
#define X(NAME, name, needed, integers, floats)                                                                        \
    struct {                                                                                                           \
        int HEED_FIELDS integers;                                                                                      \
    } name;
    HEED_OPERATIONS(X)
#undef X
} heed_call_integers;
typedef union heed_call_floats {
    float at[HEED_CALL_FLOATS];
#define X(NAME, name, needed, integers, floats)                                                                        \
    struct {                                                                                                           \
        float HEED_FIELDS floats;                                                                                      \
    } name;
    HEED_OPERATIONS(X)
#undef X
} heed_call_floats;

/* One call of an operation: X(type, name, count), count: words of four bytes in wasm32.
 * - inputs, list: tensors of this lab that were not released
 * - ids, list: in the arena of the lab (heed_lab_take), because backward reads them again */
#define HEED_CALL_FIELDS(X)                                                                                            \
    X(heed_tensor_pointers, inputs, 3)                                                                                 \
    X(heed_call_integers, n, 8)                                                                                        \
    X(heed_call_floats, f, 7)                                                                                          \
    X(heed_ids, ids, 1)                                                                                                \
    X(int, n_ids, 1)                                                                                                   \
    X(heed_tensor_list, list, 1)                                                                                       \
    X(int, n_list, 1)                                                                                                  \
    X(heed_model_pointer, model, 1) /* ready; not of this lab */                                                       \
    X(int, rows, 1)                 /* from here on, the result, set by heed_operation */                              \
    X(int, columns, 1)                                                                                                 \
    X(size_t, stride, 1)                                                                                               \
    X(heed_copy, data, 1)                                                                                              \
    X(heed_copy, grad, 1) /* NULL: no gradient */
typedef heed_tensor *heed_tensor_pointers[HEED_CALL_INPUTS];
typedef const heed_tensor *const *heed_tensor_list;
typedef const heed_model *heed_model_pointer;
#define X(type, name, count) type name;
typedef struct heed_call {
    HEED_CALL_FIELDS(X)
} heed_call;
#undef X

/* Creates a lab.  memory: aligned to 64 bytes, heed_lab_bytes() and then the arena.  pool: NULL for one thread.
 * NULL: memory is not aligned or too small, or there are no kernels. */
HEED_API size_t heed_lab_bytes(void);
HEED_API heed_lab *heed_lab_create(void *memory, size_t bytes, const struct heed_kernels *kernels, heed_pool *pool);
/* Lengthens the arena by `bytes`, which must follow it in memory. */
HEED_API void heed_lab_grow(heed_lab *lab, size_t bytes);
/* Turns recording on (1) or off (0).  Returns the previous setting. */
HEED_API int heed_lab_record(heed_lab *lab, int on);
/* A mark: the bytes of the arena in use. */
HEED_API size_t heed_lab_mark(const heed_lab *lab);
/* Releases all tensors and records taken after the mark.  Does nothing for a mark beyond the bytes in use. */
HEED_API void heed_lab_release(heed_lab *lab, size_t mark);
/* Takes memory from the arena.  Fails with HEED_ERROR_MEMORY. */
HEED_API void *heed_lab_take(heed_lab *lab, size_t bytes, heed_error *error);
/* An upper bound of the bytes that CAUSAL_LM and the cross-entropy of its logits take while the lab records.  0: more
 * than the address space, or scores of more than 2^30 numbers. */
HEED_API size_t heed_lab_model_bytes(const heed_model *model, int batch, int n);
/* Runs one operation and fills the result fields of *call.  Returns the result.  A call that fails leaves the lab
 * unchanged: HEED_ERROR_ARGUMENT when shapes, kinds or ids do not fit, HEED_ERROR_MEMORY. */
HEED_API heed_tensor *heed_operation(heed_lab *lab, int operation, heed_call *call, heed_error *error);
/* Adds the derivative of the loss [1][1] to the gradient of every tensor that it depends on, and consumes the records.
 * Returns 1.  Fails with HEED_ERROR_ARGUMENT when the loss has no gradient.  Fails with HEED_ERROR_NUMBER when the loss
 * is not finite; the message names the operation in which NaN first appeared. */
HEED_API int heed_lab_backward(heed_lab *lab, heed_tensor *loss, heed_error *error);
/* Finds the operation that made a gradient infinite or NaN: runs the last backward again and overwrites its gradients.
 * Fails with HEED_ERROR_NUMBER and the name of the operation.  Returns 1 when every gradient is finite, or when the
 * arena no longer holds that backward. */
HEED_API int heed_lab_check_gradients(heed_lab *lab, heed_error *error);

#endif
