/* The guard of whole bytes: a product becomes wrong at any moment, and logits keep the bits of scalar.  Native builds
 * have no relaxed set.  So its names are scalar kernels here, one of them with such a product. */
#include "check.h"
#include "tiny.h"

#include "kernels/kernels.h"
#include "kernels/whole_bytes.h"

#include <stdlib.h>
#include <string.h>

/* Products that are still exact. */
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
/* The same, with the product above. */
#define heed_matmul_q8_0_scalar matmul_q8_0
#define KERNEL(result, name, ...) .name = heed_##name##_scalar,
const heed_kernels heed_kernels_relaxed_u8 = {
#include "kernels/list.h"
};
#undef KERNEL
#undef heed_matmul_q8_0_scalar

enum { PIECE = 6, PIECES = 2, TOKENS = 3, ROWS = PIECES + TOKENS };

/* Logits after two pieces of a prompt, one by whole passes and one block by block, and after each of some tokens. */
static const heed_kernels *run(const tiny *t, const heed_kernels *kernels, int exact, float *logits) {
    heed_error e = {0};
    size_t V = TINY_VOCABULARY;
    size_t bytes = heed_session_bytes(t->model, TINY_CONTEXT, TINY_BATCH, 1, HEED_CACHE_I16, 1, &e);
    heed_session *s = heed_session_create(tiny_memory(bytes), bytes, t->model, TINY_CONTEXT, TINY_BATCH, 1,
                                          HEED_CACHE_I16, kernels, NULL, &e);
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
    check(!e.code, "a session on a set of whole bytes runs%s%s", e.code ? ": " : "", e.message);
    free(s);
    return last;
}

void test_whole_bytes(void) {
    const heed_kernels *u8 = &heed_kernels_relaxed_u8;
    tiny t = tiny_model(TINY_LLAMA, HEED_Q8_0);
    enum { N = ROWS * TINY_VOCABULARY, ENOUGH = 1 << 20 };
    float expected[N], found[N];
    run(&t, &heed_kernels_relaxed, ENOUGH, expected);
    check(run(&t, u8, ENOUGH, found) == u8 && tiny_same(expected, found, N),
          "an exact product keeps its set and gives the bits of scalar");
    int products = ENOUGH - atomic_load(&left), same = 1, replaced = 1;
    check(products > 100, "%d products, those of the guard included", products);
    for (int exact = 0; exact < products; exact++) {
        replaced &= run(&t, u8, exact, found) == &heed_kernels_relaxed;
        same &= tiny_same(expected, found, N);
    }
    check(replaced, "a product that is wrong from any moment on is replaced");
    check(same, "and the numbers are those of exact products");
    check(heed_session_kernels(NULL) == NULL, "no session, no kernels");
    tiny_free(&t);
}
