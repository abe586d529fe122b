/* A matrix, and the context in which operations run. */
#ifndef HEED_TENSOR_H
#define HEED_TENSOR_H

#include "arena.h"
#include "error.h"
#include "kernels/whole_bytes.h"
#include "threads.h"

/* [rows][columns].  Activations are f32 and may be a view with stride > columns; weights have any type and no gaps,
 * quantized ones are panels (kernels.h).  A tensor without data is a weight that the model does not have. */
struct heed_tensor {
    heed_dtype dtype;
    int rows, columns;
    size_t stride; /* elements between rows */
    void *data;
    heed_block_q8 *q8; /* data in blocks [rows][columns / 32], made by the first quantized product; NULL before */
    float *grad;       /* derivative of the loss by each element, laid out as data; NULL without */
    const heed_adapter *adapter; /* of a weight: a learned addition to its products; NULL without */
};

/* Called with every named activation of c->layer.  Returns the activation with which the model continues: the same
 * tensor, which it may have changed in place, or another one.  With a tape, earlier records may read the tensor, so a
 * change makes another one.  NULL: it failed.
 * - head: HEED_ALL_HEADS when the tensor holds every head */
typedef struct heed_context heed_context;
typedef heed_tensor *heed_listener(heed_context *c, heed_hook hook, int head, heed_tensor *activation);
enum { HEED_NO_LAYER = -1, HEED_ALL_HEADS = -1 };

/* Operations take the context first and return a tensor in its arena.  They return NULL when an argument is NULL or
 * when they fail; a failure fills `error`, once. */
struct heed_context {
    heed_arena *arena;
    const heed_kernels *kernels;
    heed_guard *guard; /* of products of whole bytes; NULL: no guard */
    heed_pool *pool;   /* NULL: one thread */
    heed_error *error;
    heed_listener *listener; /* NULL: taps do nothing */
    void *user;              /* of the listener */
    int layer;               /* of the activations that are tapped now, or HEED_NO_LAYER */
    int end;                 /* position after the last row of these activations */
    struct heed_tape *tape;  /* NULL: operations are not recorded (tape.h) */
};

/* Longest row of a weight: 1 GB of floats, so that 32 bits count its bytes. */
#define HEED_MAX_COLUMNS (1 << 28)

/* Bytes of one row of n elements in a file.  0 when n is out of range or not a multiple of the block, or when the type
 * is unknown. */
size_t heed_row_bytes(heed_dtype dtype, int n);
/* Bytes of a matrix in memory: rows as in the file, or panels.  Never less than in the file.  0 when its rows are not
 * valid, SIZE_MAX when it is too large.  Also the offset of row `rows` in a larger matrix; of panels, `rows` must be a
 * multiple of HEED_PANEL. */
size_t heed_matrix_bytes(heed_dtype dtype, int rows, int columns);

/* Most elements of a tensor: an int holds their count, also rounded up to whole parts. */
#define HEED_MAX_NUMBERS (1 << 30)

/* Records that the arena is too small.  Returns NULL. */
void *heed_out_of_memory(heed_context *c);

/* A new f32 tensor without gaps, not initialized; with a tape, its gradient is zeros. */
heed_tensor *heed_tensor_new(heed_context *c, int rows, int columns);

/* Gives a tensor without gaps a gradient of zeros; NULL when the arena is full. */
float *heed_grad_new(heed_context *c, heed_tensor *t);

/* Ends a scope of the arena: copies `from` into `into` and releases everything above the mark.  `into` has the same
 * shape and lies below the mark.  Returns `into`. */
heed_tensor *heed_keep(heed_context *c, size_t mark, heed_tensor *into, const heed_tensor *from);

/* Bytes of the arena for heed_tensor_new, and for the blocks of a tensor. */
uint64_t heed_tensor_bytes(int rows, int columns);
uint64_t heed_blocks_bytes(int rows, int columns);

static inline float *heed_grad(const heed_tensor *t, int row) { return t->grad + (size_t)row * t->stride; }
static inline float *heed_row(const heed_tensor *t, int row) { return (float *)t->data + (size_t)row * t->stride; }
static inline int heed_has(const heed_tensor *t) { return t && t->data; }

/* Every named activation of c->layer passes through a tap. */
static inline heed_tensor *heed_tap_head(heed_context *c, heed_hook hook, int head, heed_tensor *t) {
    return c->listener && t ? c->listener(c, hook, head, t) : t;
}
static inline heed_tensor *heed_tap(heed_context *c, heed_hook hook, heed_tensor *t) {
    return heed_tap_head(c, hook, HEED_ALL_HEADS, t);
}

#endif
