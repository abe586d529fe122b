/* The guard of whole bytes: a product becomes wrong during a run, and logits keep the bits of scalar.  Native builds
 * have no relaxed set.  So the sets here are scalar kernels, one of them with such a product. */
#include "check.h"
#include "crew.h"
#include "tiny.h"

#include "kernels/kernels.h"
#include "kernels/whole_bytes.h"

#include <stdlib.h>
#include <string.h>

/* The remaining exact products. */
static atomic_int left;

static void matmul_q8_0(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q8_0 *w, int T, int O,
                        int K) {
    heed_matmul_q8_0_scalar(y, y_stride, x, w, T, O, K);
    if (atomic_fetch_sub(&left, 1) <= 0)
        for (int t = 0; t < T; t++) y[(size_t)t * y_stride] += 1;
}

#define KERNEL(result, name, ...) .name = heed_##name##_scalar,
const heed_kernels heed_kernels_relaxed = {
#include "kernels/list.h"
};
#undef KERNEL
/* The scalar set with the product above. */
#define heed_matmul_q8_0_scalar matmul_q8_0
#define KERNEL(result, name, ...) .name = heed_##name##_scalar,
const heed_kernels heed_kernels_relaxed_u8 = {
#include "kernels/list.h"
};
#undef KERNEL
#undef heed_matmul_q8_0_scalar

enum { THREADS = 3, PIECE = 6, PIECES = 2, TOKENS = 3, ROWS = PIECES + TOKENS };

static heed_session *session_of(const tiny *t, heed_pool *pool, const heed_kernels *kernels, heed_error *e) {
    size_t bytes = heed_session_bytes(t->model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_I16, pool ? THREADS : 1, e);
    return heed_session_create(tiny_memory(bytes), bytes, t->model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_I16,
                               kernels, pool, e);
}

/* Logits after two pieces of a prompt, one block by block and one in a whole pass, and after each of some tokens. */
static const heed_kernels *run(const tiny *t, heed_pool *pool, const heed_kernels *kernels, int exact, float *logits) {
    heed_error e = {0};
    size_t V = TINY_VOCABULARY;
    heed_session *s = session_of(t, pool, kernels, &e);
    memset(logits, 0, ROWS * V * sizeof *logits);
    atomic_store(&left, exact);
    for (int i = 0, at = 0; i < ROWS && !e.code; i++) {
        int n = i < PIECES ? PIECE : 1;
        if (i == 0) {
            heed_forward_begin(s, tiny_ids() + at, n, &e);
            while (heed_forward_next(s, &e) == HEED_FORWARD_MORE) {}
        } else {
            heed_forward(s, tiny_ids() + at, n, &e);
        }
        const float *row = heed_logits(s, n - 1, 1, &e);
        if (row) memcpy(logits + (size_t)i * V, row, V * sizeof *row);
        at += n;
    }
    const heed_kernels *last = *heed_session_kernels(s);
    if (e.code) check(0, "a session on a set of whole bytes runs: %s", e.message);
    free(s);
    return last;
}

/* `step`: the distance between tested positions of the first wrong product. */
static void change_at_any_moment(heed_config c, heed_pool *pool, int step) {
    const heed_kernels *u8 = &heed_kernels_relaxed_u8;
    const char *threads = pool ? "several threads" : "one thread";
    tiny t = tiny_model_of(TINY_LLAMA, c, HEED_Q8_0);
    enum { N = ROWS * TINY_VOCABULARY, ENOUGH = 1 << 20 };
    float expected[N], found[N];
    run(&t, NULL, &heed_kernels_relaxed, ENOUGH, expected);
    check(run(&t, pool, u8, ENOUGH, found) == u8 && tiny_same(expected, found, N),
          "%s: an exact product keeps its set and gives the bits of scalar", threads);
    int products = ENOUGH - atomic_load(&left), same = 1, replaced = 1;
    check(products > 100, "%s: %d products, including products of the guard", threads, products);
    for (int exact = 0; exact < products; exact += step) {
        /* Threads without parts ask for no product of the guard, so a run may have fewer products. */
        const heed_kernels *last = run(&t, pool, u8, exact, found);
        replaced &= last == (atomic_load(&left) < 0 ? &heed_kernels_relaxed : u8);
        same &= tiny_same(expected, found, N);
    }
    check(replaced, "%s: a product that becomes wrong is replaced", threads);
    check(same, "%s: the logits keep their bits", threads);
    tiny_free(&t);
}

/* Logits of a pass from block 1, whose input differs from the output of block 0. */
static const heed_kernels *run_from_block(const tiny *t, const heed_kernels *kernels, int exact, float *logits) {
    heed_error e = {0};
    heed_session *s = session_of(t, NULL, kernels, &e);
    size_t n = (size_t)(PIECE * t->config.d_model);
    float *residual = malloc(n * sizeof *residual);
    for (size_t i = 0; i < n; i++) residual[i] = (float)(i % 7) - 3;
    atomic_store(&left, 1 << 20);
    heed_forward(s, tiny_ids(), PIECE, &e);
    heed_rewind(s, 0, &e);
    atomic_store(&left, exact);
    heed_forward_from(s, tiny_ids(), PIECE, 1, residual, 2, &e);
    while (heed_forward_next(s, &e) == HEED_FORWARD_MORE) {}
    const float *rows = heed_logits(s, 0, 2, &e);
    check(rows != NULL, "a pass from a block runs: %s", e.message);
    if (rows) memcpy(logits, rows, 2 * TINY_VOCABULARY * sizeof *rows);
    const heed_kernels *last = *heed_session_kernels(s);
    free(residual), free(s);
    return last;
}

static void change_in_a_pass_from_a_block(void) {
    tiny t = tiny_model(TINY_LLAMA, HEED_Q8_0);
    enum { N = 2 * TINY_VOCABULARY, ENOUGH = 1 << 20 };
    float expected[N], found[N];
    run_from_block(&t, &heed_kernels_relaxed_u8, ENOUGH, expected);
    int products = ENOUGH - atomic_load(&left), same = 1, replaced = 1;
    for (int exact = 0; exact < products; exact++) {
        replaced &= run_from_block(&t, &heed_kernels_relaxed_u8, exact, found) == &heed_kernels_relaxed;
        same &= tiny_same(expected, found, N);
    }
    check(products > 10 && replaced, "a pass from a block: each of %d wrong products is found", products);
    check(same, "a pass from a block starts again from the caller's residual");
    tiny_free(&t);
}

void test_whole_bytes(void) {
    heed_config c = tiny_config(TINY_LLAMA);
    change_in_a_pass_from_a_block();
    change_at_any_moment(c, NULL, 1);
    c.d_model = 256, c.d_ff = 256; /* wide enough for several threads in every product */
    heed_pool *pool = crew_start(THREADS);
    change_at_any_moment(c, pool, 37);
    crew_end(pool);
    check(heed_session_kernels(NULL) == NULL, "no session, no kernels");
}
