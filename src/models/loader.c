/* Loads weights in pieces: returns the place of the next piece, and converts the last piece. */
#include "models/causal_lm.h"
#include "models/weights.h"
#include "threads.h"

#include <string.h>

struct heed_loader {
    heed_model *model;
    const heed_kernels *kernels;
    heed_pool *pool;
    uint8_t *stage; /* a piece of the file */
    size_t stage_bytes;
    uint8_t *scratch; /* of the conversion, per thread */
    size_t scratch_bytes;
    int finite[HEED_MAX_THREADS]; /* per thread: whether its numbers of the piece are */
    /* The current weight arrives in lines: rows, columns of a transposed matrix, or numbers of a vector. */
    heed_tensor w; /* data NULL: no weight is loading; a vector is a matrix of one column */
    int layer, slot;
    heed_dtype stored;
    int transposed, lines, done, requested;
    size_t line_bytes;
};

/* Bytes of a piece: large enough to hide the cost of calls, small enough for the cache. */
enum { PIECE = 1 << 19 };

static int larger(int a, int b) { return a > b ? a : b; }

/* Most numbers in a line of a matrix. */
static int widest(const heed_config *c) {
    int qkv = (c->heads + 2 * c->kv_heads) * c->d_head;
    return larger(larger(c->d_model, qkv), larger(heed_widest_network(c), c->patch));
}

static size_t stage_bytes(const heed_config *c) {
    size_t least = HEED_COLUMNS_PER_PIECE * heed_row_bytes(HEED_F32, widest(c));
    return least > PIECE ? least : PIECE;
}

static size_t scratch_bytes(const heed_config *c) { return heed_aligned(heed_convert_scratch(widest(c))); }

size_t heed_loader_bytes(const heed_model *model, const heed_pool *pool) {
    if (!model) return 0;
    const heed_config *c = &model->config;
    return heed_aligned(sizeof(heed_loader)) + heed_aligned(stage_bytes(c)) +
           scratch_bytes(c) * (size_t)heed_pool_threads(pool);
}

heed_loader *heed_loader_create(void *memory, heed_model *model, const heed_kernels *kernels, heed_pool *pool) {
    if (!heed_is_address(memory, HEED_ALIGN, NULL) || !model || !kernels) return NULL;
    heed_arena arena = {memory, heed_loader_bytes(model, pool), 0};
    heed_loader *l = heed_arena_take(&arena, 1, sizeof *l);
    const heed_config *c = &model->config;
    *l = (heed_loader){.model = model, .kernels = kernels, .pool = pool};
    l->stage = heed_arena_take(&arena, 1, l->stage_bytes = stage_bytes(c));
    l->scratch_bytes = scratch_bytes(c);
    l->scratch = heed_arena_take(&arena, (size_t)heed_pool_threads(pool), l->scratch_bytes);
    return l;
}

size_t heed_loader_begin(heed_loader *l, int layer, int slot, heed_dtype stored, heed_dtype kept, int rows, int columns,
                         int transposed, heed_error *error) {
    if (!heed_is_address(l, 1, error)) return 0;
    l->w.data = NULL;
    l->done = l->requested = 0;
    if (transposed && (!heed_is_float(stored) || rows > widest(&l->model->config))) {
        heed_fail(error, HEED_ERROR_TENSOR, "a matrix of %d rows of data type %d cannot be transposed", rows,
                  (int)stored);
        return 0;
    }
    const heed_tensor *w =
        heed_model_weight(l->model, layer, slot, stored, heed_dtype_in_memory(kept, rows), rows, columns, error);
    if (!w) return 0;
    l->model->arriving++;
    l->w = *w;
    l->layer = layer, l->slot = slot, l->stored = stored, l->transposed = transposed && rows > 1;
    if (rows == 1) l->w.rows = columns, l->w.columns = 1; /* it may be longer than the stage */
    l->lines = l->transposed ? columns : l->w.rows;
    l->line_bytes = heed_row_bytes(stored, l->transposed ? rows : l->w.columns);
    return heed_row_bytes(stored, transposed ? rows : columns);
}

/* Whether the file holds rows as the kernels read them, so that they are read into place. */
static int is_in_place(const heed_loader *l) {
    return l->stored == l->w.dtype && !l->transposed && !heed_is_panels(l->w.dtype);
}

static void convert_part(void *argument, int part, int parts, int thread) {
    heed_loader *l = argument;
    int from = heed_part_begin(l->requested, part, parts, HEED_PANEL),
        to = heed_part_begin(l->requested, part + 1, parts, HEED_PANEL);
    const uint8_t *rows = l->stage + (size_t)from * l->line_bytes;
    uint8_t *scratch = l->scratch + (size_t)thread * l->scratch_bytes;
    l->finite[thread] &= heed_convert_rows(&l->w, l->done + from, to - from, l->stored, rows, l->kernels, scratch);
}

/* Threads divide the panels of a piece. */
static int convert_rows(heed_loader *l) {
    int threads = heed_pool_threads(l->pool), all_finite = 1;
    double cost = (double)l->requested * l->w.columns;
    for (int i = 0; i < threads; i++) l->finite[i] = 1;
    heed_pool_run(l->pool, convert_part, l,
                  heed_pool_parts(l->pool, (l->requested + HEED_PANEL - 1) / HEED_PANEL, cost), cost);
    for (int i = 0; i < threads; i++) all_finite &= l->finite[i];
    return all_finite;
}

static int convert(heed_loader *l) {
    if (is_in_place(l)) {
        const uint8_t *at = (uint8_t *)l->w.data + (size_t)l->done * l->line_bytes;
        return heed_all_finite(l->stored, at, (size_t)l->requested * (size_t)l->w.columns);
    }
    if (l->transposed)
        return heed_convert_columns(&l->w, l->done, l->requested, l->stored, l->stage, l->kernels, l->scratch);
    int past = (HEED_PANEL - l->requested % HEED_PANEL) % HEED_PANEL;
    memset(l->stage + (size_t)l->requested * l->line_bytes, 0, (size_t)past * l->line_bytes);
    return convert_rows(l);
}

/* Lines of the next piece: whole panels. */
static int piece(const heed_loader *l) {
    int left = l->lines - l->done;
    if (left == 0) return 0;
    int fit = (int)(l->stage_bytes / l->line_bytes);
    int lines = l->transposed ? HEED_COLUMNS_PER_PIECE : fit / HEED_PANEL * HEED_PANEL;
    return lines < left ? lines : left;
}

static void fail_not_finite(const heed_loader *l, heed_error *error) {
    const char *name = heed_slot_name(l->layer, l->slot);
    int quantized = heed_is_panels(l->w.dtype) && l->w.dtype != heed_format_of(l->stored)->held;
    const char *problem =
        quantized ? "holds infinities, NaN, or numbers too large to quantize" : "holds infinities or NaN";
    if (l->layer < 0)
        heed_fail(error, HEED_ERROR_TENSOR, "%s %s", name, problem);
    else
        heed_fail(error, HEED_ERROR_TENSOR, "%s of block %d %s", name, l->layer, problem);
}

void *heed_loader_next(heed_loader *l, uint32_t *n_bytes, heed_error *error) {
    if (!n_bytes) return NULL;
    *n_bytes = 0;
    if (!l || !l->w.data) return NULL;
    if (l->requested && !convert(l)) {
        fail_not_finite(l, error);
        l->w.data = NULL;
        return NULL;
    }
    l->done += l->requested;
    l->requested = piece(l);
    if (!l->requested) {
        l->w.data = NULL;
        l->model->arriving--;
        return NULL;
    }
    *n_bytes = (uint32_t)((size_t)l->requested * l->line_bytes);
    return is_in_place(l) ? (uint8_t *)l->w.data + (size_t)l->done * l->line_bytes : l->stage;
}
