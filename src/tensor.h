/* A matrix, and the context in which operations run. */
#ifndef HEED_TENSOR_H
#define HEED_TENSOR_H

#include "arena.h"
#include "error.h"
#include "kernels/kernels.h"
#include "threads.h"

/* [rows][columns].  Activations are f32 and may be a view with stride > columns; weights have any type and no gaps,
 * quantised ones are panels (kernels.h).
 * A tensor without data stands for a weight that the model does not have. */
struct heed_tensor {
    heed_dtype dtype;
    int rows, columns;
    size_t stride; /* elements between rows */
    void *data;
    heed_block_q8 *q8; /* [rows][columns / 32], made by the first product that wants it */
    float *grad;       /* NULL, or the derivative of the loss by each number, laid out as data */
};

/* Called with every named activation; may copy it or change it in place.  layer: HEED_NO_LAYER for activations of the
 * whole model; head: HEED_ALL_HEADS when the tensor holds every head. */
typedef void heed_listener(void *user, heed_hook hook, int layer, int head, heed_tensor *activation);
enum { HEED_NO_LAYER = -1, HEED_ALL_HEADS = -1 };

/* Operations take the context first and return a tensor in its arena.  They return NULL when an argument is NULL or
 * when they fail; a failure fills `error`, once. */
typedef struct heed_context {
    heed_arena *arena;
    const heed_kernels *kernels;
    heed_pool *pool; /* NULL: one thread */
    heed_error *error;
    heed_listener *listener; /* NULL: taps do nothing */
    void *user;              /* the listener's first argument */
    int layer;               /* of the activations that are tapped now, or HEED_NO_LAYER */
    struct heed_tape *tape;  /* NULL: operations are not recorded (tape.h) */
} heed_context;

/* Longest row of a weight: 1 GB of floats, which 32 bits count. */
#define HEED_MAX_COLUMNS (1 << 28)

/* Bytes of one row of n elements in a file, or 0: n is out of range or no whole number of blocks, or the type is
 * unknown. */
size_t heed_row_bytes(heed_dtype dtype, int n);
/* Bytes of a matrix as products read it: its rows one after another, as in a file, or panels.  Never less than in the
 * file; 0 when its rows cannot be, SIZE_MAX when it is too large.  So also where row `rows` of a larger one begins, of
 * panels a multiple of HEED_PANEL. */
size_t heed_matrix_bytes(heed_dtype dtype, int rows, int columns);

/* Most numbers of a tensor.  An int holds their count, and the count rounded up to whole parts. */
#define HEED_MAX_NUMBERS (1 << 30)

/* Records that the arena is too small.  Returns NULL. */
void *heed_out_of_memory(heed_context *c);

/* A new f32 tensor without gaps, its numbers not set; while a tape records, with a gradient of zeros. */
heed_tensor *heed_tensor_new(heed_context *c, int rows, int columns);

/* Gives a tensor without gaps a gradient of zeros; NULL when there is no memory for it. */
float *heed_grad_new(heed_context *c, heed_tensor *t);

/* Ends a scope of the arena: `from` is copied into `into`, of the same shape and older than the mark, and all after the
 * mark is released.  Returns `into`. */
heed_tensor *heed_keep(heed_context *c, size_t mark, heed_tensor *into, const heed_tensor *from);

/* The bytes of the arena that heed_tensor_new takes; of blocks made from it for quantised products. */
uint64_t heed_tensor_bytes(int rows, int columns);
uint64_t heed_blocks_bytes(int rows, int columns);

static inline float *heed_grad(const heed_tensor *t, int row) { return t->grad + (size_t)row * t->stride; }
static inline float *heed_row(const heed_tensor *t, int row) { return (float *)t->data + (size_t)row * t->stride; }
static inline int heed_has(const heed_tensor *t) { return t && t->data; }

/* Every named activation of c->layer passes through a tap. */
static inline heed_tensor *heed_tap_head(heed_context *c, heed_hook hook, int head, heed_tensor *t) {
    if (c->listener && t) c->listener(c->user, hook, c->layer, head, t);
    return t;
}
static inline heed_tensor *heed_tap(heed_context *c, heed_hook hook, heed_tensor *t) {
    return heed_tap_head(c, hook, HEED_ALL_HEADS, t);
}

#endif
