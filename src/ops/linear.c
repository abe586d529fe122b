/* Linear layers: y = x·Wᵀ + b for float weights and panels, with their backward. */
#include "ops/gradients.h"
#include "ops/ops.h"
#include "ops/parallel.h"

#include "kernels/formats/traits.h"

#include <string.h>

typedef struct quantization {
    const heed_kernels *kernels;
    const heed_tensor *x;
    heed_block_q8 *q;
} quantization;

static void quantize_row(const void *operands, int t) {
    const quantization *a = operands;
    int K = a->x->columns;
    a->kernels->quantize_q8(a->q + (size_t)t * (size_t)(K / HEED_BLOCK), heed_row(a->x, t), K);
}

/* The blocks of x; quantized once for all products that read x. */
static const heed_block_q8 *quantized(heed_context *c, heed_tensor *x) {
    if (x->q8) return x->q8;
    size_t blocks = (size_t)x->rows * (size_t)(x->columns / HEED_BLOCK);
    quantization a = {c->kernels, x, heed_arena_take(c->arena, blocks, sizeof *a.q)};
    if (!a.q) return heed_out_of_memory(c);
    heed_parallel_rows(c, x->rows, x->columns, quantize_row, &a);
    return x->q8 = a.q;
}

/* Rows of a weight in one unit of work: whole cache lines of y, and whole tiles when x has several rows. */
static int grain_of(const heed_tensor *x) { return x->rows > 1 ? 32 : 16; }

/* With at least this many rows per thread, a thread keeps the same rows from operation to operation.  Its input is then
 * in its own cache. */
enum { ROWS_OF_GROUP = 32, TILE_ROWS = 4 };

static int groups_of(const heed_context *c, const heed_tensor *x) {
    int threads = heed_pool_threads(c->pool);
    return x->rows >= threads * ROWS_OF_GROUP ? threads : 1;
}

/* Parts of a group; the last are a sixteenth of it, or less. */
enum { PARTS_OF_GROUP = 8 };

static int grains(const heed_tensor *w, int grain) { return (w->rows + grain - 1) / grain; }

/* Products of one x, divided by groups of its rows, and by rows of all weights. */
typedef struct products {
    const heed_kernels *kernels;
    heed_guard *guard;
    const heed_tensor *x;
    const heed_block_q8 *q; /* x as products with quantized weights read it */
    const heed_projection *projections;
    int grain, grains; /* of all weights */
    int groups;
} products;

/* Rows t .. t + T - 1 of x by rows from .. to - 1 of one weight. */
static void multiply(const products *p, const heed_kernels *k, const heed_projection *one, int t, int T, int from,
                     int to) {
    const heed_tensor *w = one->w;
    int O = to - from, K = w->columns;
    size_t stride = one->y->stride;
    float *y = heed_row(one->y, t) + from;
    const heed_block_q8 *q8 = p->q ? p->q + (size_t)t * (size_t)(K / HEED_BLOCK) : NULL;
    heed_activations x = {heed_row(p->x, t), p->x->stride, q8};
    const void *rows = (const char *)w->data + heed_matrix_bytes(w->dtype, from, K);
    heed_format_of(w->dtype)->matmul(k, y, stride, &x, rows, T, O, K);
    if (!heed_has(one->b)) return;
    const float *b = (const float *)one->b->data + from;
    for (int i = 0; i < T; i++, y += stride) k->add_f32(y, y, b, (size_t)O);
}

/* The first grain of part `part` of a group.  Each part takes a third of the remaining grains.  Every part packs x
 * again, so the first are large; the last are small, so that threads end together. */
static int begin_of(int grains, int part, int parts) {
    int left = part < parts ? grains : 0;
    for (; part > 0; part--) left -= (left + 2) / 3;
    return grains - left;
}

/* Parts of one group have two thirds and one third of a share in turns.  A long part reads memory fast, and another
 * thread may take the short one.  This is the size of the first `parts` parts. */
static int thirds_of(int parts) { return (3 * parts + 1) / 2; }

static void multiply_part(void *argument, int part, int parts, int thread) {
    const products *p = argument;
    const heed_kernels *k = p->q ? heed_guarded(p->guard, p->kernels, thread) : p->kernels;
    int T = p->x->rows, groups = p->groups, of_group = parts / groups, group = part / of_group;
    int first = heed_part_begin(T, group, groups, TILE_ROWS), end = heed_part_begin(T, group + 1, groups, TILE_ROWS);
    int from, to;
    part %= of_group;
    if (groups > 1) {
        from = begin_of(p->grains, part, of_group), to = begin_of(p->grains, part + 1, of_group);
    } else {
        int thirds = thirds_of(of_group);
        from = heed_part_begin(p->grains, thirds_of(part), thirds, 1);
        to = heed_part_begin(p->grains, thirds_of(part + 1), thirds, 1);
    }
    for (const heed_projection *one = p->projections; from < to && to > 0; one++) {
        int rows = one->w->rows, n = grains(one->w, p->grain);
        if (from < n)
            multiply(p, k, one, first, end - first, from > 0 ? from * p->grain : 0, to < n ? to * p->grain : rows);
        from -= n, to -= n;
    }
}

typedef struct input_gradient {
    const heed_kernels *kernels;
    const heed_tensor *x, *w, *y;
    int first, end; /* rows of dy that are not zeros: a metric of one position has few in the last block */
} input_gradient;

/* A part of W is PART_ROWS × FLOAT_COLUMNS floats or PART_ROWS × CODE_COLUMNS codes.  A part of dy is DY_ROWS ×
 * PART_ROWS codes.  Each is 64 KB on the stack of a thread.  Products are added to dx for BAND rows at a time. */
enum { PART_ROWS = HEED_READ_ROWS, FLOAT_COLUMNS = 128, CODE_COLUMNS = 256, DY_ROWS = 256, BAND = 32 };

static int at_most(int n, int limit) { return n < limit ? n : limit; }

/* Columns [from, to) of dx = dy·W, where W is 16-bit floats. */
static void add_columns_by_floats(const void *work, int from, int to) {
    const input_gradient *g = work;
    const heed_tensor *x = g->x, *w = g->w, *y = g->y;
    float part[PART_ROWS][FLOAT_COLUMNS];
    for (int columns; from < to; from += columns) {
        columns = at_most(to - from, FLOAT_COLUMNS);
        for (int o = 0, n; o < w->rows; o += n) {
            n = at_most(w->rows - o, PART_ROWS);
            for (int i = 0; i < n; i++)
                heed_format_read(part[i], w->dtype, w->data, o + i, w->columns, from, columns, g->kernels);
            g->kernels->gemm_f32(heed_grad(x, g->first) + from, x->stride, heed_grad(y, g->first) + o, y->stride, 1,
                                 part[0], FLOAT_COLUMNS, 1, g->end - g->first, columns, n, 1, 1);
        }
    }
}

/* Rows [first, first + rows) of dy as codes, at the outputs of a part of W.  `depth` is their number, rounded up to
 * whole panels. */
typedef struct dy_codes {
    int first, rows, depth;
    float d[DY_ROWS];
    int16_t codes[DY_ROWS * PART_ROWS]; /* [rows][depth], zeros after the last output */
} dy_codes;

/* Adds products of dy by outputs [o, o + depth) of W to columns [from, from + columns) of dx. */
static void add_products(const input_gradient *g, const dy_codes *dy, int o, int from, int columns) {
    const heed_kernels *k = g->kernels;
    const heed_tensor *w = g->w;
    float part[CODE_COLUMNS * (PART_ROWS / 2 + 1)], products[BAND * CODE_COLUMNS];
    heed_codes *codes = (heed_codes *)part;
    heed_format_read_codes(codes, w->dtype, w->data, o, dy->depth, w->columns, from, columns, k);
    for (int t = 0, rows; t < dy->rows; t += rows) {
        rows = at_most(dy->rows - t, BAND);
        k->scores_i16(products, (size_t)columns, dy->codes + t * dy->depth, (size_t)dy->depth, dy->d + t, 1, codes, 1,
                      1, rows, columns, dy->depth);
        for (int i = 0; i < rows; i++) {
            float *dx = heed_grad(g->x, dy->first + t + i) + from;
            k->add_f32(dx, dx, products + i * columns, (size_t)columns);
        }
    }
}

/* The same where W is panels.  Both factors become codes of 16 bits with exact sums, as queries and keys do. */
static void add_columns_by_codes(const void *work, int from, int to) {
    const input_gradient *g = work;
    dy_codes dy;
    for (int o = 0, n; o < g->w->rows; o += n) {
        n = at_most(g->w->rows - o, PART_ROWS);
        dy.depth = (n + HEED_PANEL - 1) / HEED_PANEL * HEED_PANEL;
        for (dy.first = g->first; dy.first < g->end; dy.first += dy.rows) {
            dy.rows = at_most(g->end - dy.first, DY_ROWS);
            for (int i = 0; i < dy.rows; i++) {
                int16_t *codes = dy.codes + i * dy.depth;
                dy.d[i] = g->kernels->quantize_i16(codes, heed_grad(g->y, dy.first + i) + o, n);
                for (int j = n; j < dy.depth; j++) codes[j] = 0;
            }
            for (int column = from; column < to; column += CODE_COLUMNS)
                add_products(g, &dy, o, column, at_most(to - column, CODE_COLUMNS));
        }
    }
}

/* dx = dy·W */
static void add_dx(heed_context *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *y) {
    input_gradient g = {c->kernels, x, w, y, 0, y->rows};
    while (g.first < g.end && heed_grad_is_zero(y, g.first)) g.first++;
    while (g.first < g.end && heed_grad_is_zero(y, g.end - 1)) g.end--;
    int rows = g.end - g.first;
    if (rows == 0) return;
    heed_strided dy = {heed_grad(y, g.first), y->stride, 1};
    if (w->dtype == HEED_F32)
        heed_product(c, heed_grad(x, g.first), x->stride, dy, heed_strided_data(w), rows, x->columns, y->columns, 1);
    else
        heed_parallel_for(c, heed_format_of(w->dtype)->panel_bytes ? add_columns_by_codes : add_columns_by_floats, &g,
                          x->columns, CODE_COLUMNS, HEED_PRODUCTS((double)rows * y->columns * x->columns));
}

/* dx = dy·W, dW = dyᵀ·x, db = Σ_t dy[t]. */
static void linear_backward(heed_context *c, const heed_record *r) {
    const heed_tensor *x = r->x[0], *w = r->x[1], *b = r->x[2], *y = r->y;
    int T = y->rows, O = y->columns, K = x->columns;
    heed_strided dy = heed_strided_grad(y);
    if (heed_requires_grad(x)) add_dx(c, x, w, y);
    if (heed_requires_grad(w))
        heed_product(c, w->grad, w->stride, heed_strided_transpose(dy), heed_strided_data(x), O, K, T, 1);
    if (heed_requires_grad(b)) heed_add_column_sums(c, b->grad, dy, T, O);
}

/* Records the products of a weight, which are in one->y, and adds the products of its adapter. */
static heed_tensor *finished(heed_context *c, const heed_tensor *x, const heed_projection *one) {
    heed_record record = {.name = "linear", .backward = linear_backward, .x = {x, one->w, one->b}};
    heed_tensor *y = heed_tape_push(c, one->y, record);
    return one->w->adapter ? heed_adapt(c, x, y, one->w->adapter) : y;
}

void heed_project(heed_context *c, heed_tensor *x, heed_projection *projections, int n) {
    if (!x) return;
    if (c->tape && heed_requires_grad(projections[0].w)) {
        for (int i = 0; i < n; i++) projections[i].y = heed_linear(c, x, projections[i].w, projections[i].b);
        return;
    }
    products p = {c->kernels, c->guard, x, NULL, projections, grain_of(x), 0, groups_of(c, x)};
    int complete = 1;
    for (int i = 0; i < n; i++) {
        const heed_tensor *w = projections[i].w;
        if (heed_format_of(w->dtype)->panel_bytes) complete &= (p.q = quantized(c, x)) != NULL;
        complete &= (projections[i].y = heed_tensor_new(c, x->rows, w->rows)) != NULL;
        p.grains += grains(w, p.grain);
    }
    if (!complete) {
        for (int i = 0; i < n; i++) projections[i].y = NULL;
        return;
    }
    double cost = HEED_PRODUCTS((double)x->rows * p.grains * p.grain * x->columns);
    int parts = p.groups > 1 ? p.groups * PARTS_OF_GROUP : heed_pool_parts(c->pool, p.grains, cost);
    heed_pool_run(c->pool, multiply_part, &p, parts, cost);
    for (int i = 0; i < n; i++) projections[i].y = finished(c, x, &projections[i]);
}

static void begin_with_bias(const void *operands, int t) {
    const heed_projection *one = operands;
    memcpy(heed_row(one->y, t), one->b->data, (size_t)one->y->columns * sizeof(float));
}

/* A weight that learns uses the product of the backward pass, which is faster for whole batches.  A frozen one gives
 * the bits of inference. */
static heed_tensor *linear_for_training(heed_context *c, const heed_tensor *x, heed_projection *one) {
    heed_tensor *y = one->y = heed_tensor_new(c, x->rows, one->w->rows);
    int has_bias = heed_has(one->b);
    if (y && has_bias) heed_parallel_rows(c, y->rows, y->columns, begin_with_bias, one);
    if (y)
        heed_product(c, y->data, y->stride, heed_strided_data(x), heed_strided_transpose(heed_strided_data(one->w)),
                     y->rows, y->columns, x->columns, has_bias);
    return finished(c, x, one);
}

heed_tensor *heed_linear(heed_context *c, heed_tensor *x, const heed_tensor *w, const heed_tensor *b) {
    heed_projection one = {w, b, NULL};
    if (x && c->tape && heed_requires_grad(w)) return linear_for_training(c, x, &one);
    heed_project(c, x, &one, 1);
    return one.y;
}
