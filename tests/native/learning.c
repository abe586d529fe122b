/* Every operation of the lab, forward and backward, in memory of exactly the size that it may use. */
#include "check.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>

static heed_lab *lab;
static heed_error error;

static heed_tensor *run(heed_operation_kind kind, heed_call call) {
    heed_tensor *y = heed_operation(lab, kind, &call, &error);
    if (!y) check(0, "operation %d: %s", (int)kind, error.message);
    return y;
}

static heed_tensor *fresh(int rows, int columns) {
    heed_call call = {.integers = {rows, columns, 1}};
    heed_tensor *x = heed_operation(lab, HEED_OPERATION_TENSOR, &call, &error);
    for (int i = 0; i < rows * columns; i++) call.data[i] = (float)((i * 7 + rows) % 11 - 5) / 5;
    return x;
}

static heed_tensor *call_1(heed_operation_kind kind, heed_tensor *x, int a, int b, int c, int d, float f) {
    return run(kind, (heed_call){.inputs = {x}, .integers = {a, b, c, d}, .floats = {f, 1}});
}

static heed_tensor *call_3(heed_operation_kind kind, heed_tensor *x, heed_tensor *y, heed_tensor *z) {
    return run(kind, (heed_call){.inputs = {x, y, z}, .floats = {1e-5f}});
}

/* Two sequences of three rows, in two heads over one, through all that there is. */
static heed_tensor *everything(void) {
    static const int32_t ids[] = {0, 4, 1, -1, 2, 2}, lengths[] = {3, 2}, targets[] = {1, 0, -100, 2, 1, 0};
    static int32_t known[6];
    for (int i = 0; i < 6; i++) known[i] = ids[i] < 0 ? 0 : ids[i];
    heed_tensor *x =
        run(HEED_OPERATION_EMBEDDING, (heed_call){.inputs = {fresh(5, 8)}, .integers = {6}, .ids = known, .n_ids = 6});
    heed_tensor *g =
        run(HEED_OPERATION_GATHER, (heed_call){.inputs = {fresh(5, 8)}, .integers = {6}, .ids = ids, .n_ids = 6});
    x = call_3(HEED_OPERATION_ADD, x, g, NULL);
    x = call_3(HEED_OPERATION_ADD, x, run(HEED_OPERATION_SINUSOIDAL, (heed_call){.integers = {0, 3, 8}}), NULL);
    for (int kind = 0; kind < 2; kind++)
        x = run(HEED_OPERATION_NORM,
                (heed_call){.inputs = {x, fresh(1, 8), fresh(1, 8)}, .integers = {kind}, .floats = {1e-5f}});
    heed_tensor *q = call_3(HEED_OPERATION_LINEAR, x, fresh(8, 8), fresh(1, 8));
    heed_tensor *k = call_3(HEED_OPERATION_LINEAR, x, fresh(4, 8), NULL);
    q = run(HEED_OPERATION_ROPE,
            (heed_call){.inputs = {q}, .integers = {0, 3, 2, 4, HEED_ROPE_HALVES}, .floats = {100}});
    q = run(HEED_OPERATION_ROPE,
            (heed_call){.inputs = {q}, .integers = {0, 3, 2, 2, HEED_ROPE_ADJACENT}, .floats = {100}});
    heed_call heads = {.inputs = {q, k}, .integers = {2, 2, 1, 1}, .floats = {0.5f}};
    heed_call causal = {.inputs = {q, k}, .integers = {2, 2, 1, 1, 1, 1}, .floats = {0.5f}};
    causal.inputs[0] = run(HEED_OPERATION_SCORES, causal);
    causal.inputs[0] = run(HEED_OPERATION_SOFTMAX, causal);
    run(HEED_OPERATION_COMBINE, causal);
    heed_tensor *s = run(HEED_OPERATION_SCORES, heads), *pairs = run(HEED_OPERATION_PAIRS, heads);
    heed_tensor *summed = call_1(HEED_OPERATION_SUM, pairs, 1, 1, 0, 0, 0.1f);
    summed = call_1(HEED_OPERATION_VIEW, summed, 0, 12, 3, 3, 0);
    s = call_3(HEED_OPERATION_ADD, s, summed, NULL);
    s = run(HEED_OPERATION_MASK,
            (heed_call){.inputs = {s, fresh(3, 3)}, .integers = {2, 2, 1, 0, 1, 1, 3, 0}, .ids = lengths, .n_ids = 2});
    heed_tensor *p = call_3(HEED_OPERATION_SOFTMAX, s, NULL, NULL);
    heed_tensor *z = run(HEED_OPERATION_COMBINE, (heed_call){.inputs = {p, k}, .integers = {2, 2, 1, 1}});
    for (int kind = 0; kind <= HEED_SIGMOID; kind++) z = call_1(HEED_OPERATION_ACTIVATION, z, kind, 0, 0, 0, 0);
    z = call_3(HEED_OPERATION_MUL, z, fresh(6, 1), NULL);
    z = call_3(HEED_OPERATION_MUL, z, x, NULL);
    z = call_1(HEED_OPERATION_AFFINE, z, 0, 0, 0, 0, 2);
    z = call_1(HEED_OPERATION_DROPOUT, z, 7, 0, 3, 0, 0.25f);
    z = call_3(HEED_OPERATION_MATMUL, z, fresh(8, 9), NULL);
    heed_tensor *state = call_3(HEED_OPERATION_LINEAR, fresh(6, 3), fresh(9, 3), NULL);
    static const int32_t ends[] = {1, 2, 3, 1, 2, 3};
    z = run(HEED_OPERATION_GRU,
            (heed_call){.inputs = {z, state, fresh(6, 3)}, .integers = {1}, .ids = ends, .n_ids = 6});
    static heed_tensor *list[2]; /* a backward reads it again */
    list[0] = z;
    list[1] = call_1(HEED_OPERATION_COPY, z, 0, 0, 0, 0, 0);
    z = run(HEED_OPERATION_CONCAT,
            (heed_call){.integers = {2}, .ids = (const int32_t *)(const void *)list, .n_ids = 2});
    heed_tensor *first = call_1(HEED_OPERATION_VIEW, z, 3, 6, 3, 6, 0);
    return run(HEED_OPERATION_CROSS_ENTROPY,
               (heed_call){.inputs = {first}, .integers = {-100}, .floats = {0.1f, 1}, .ids = targets, .n_ids = 6});
}

static void refused(heed_operation_kind kind, heed_call call, const char *what) {
    error.code = HEED_ERROR_NONE;
    size_t mark = heed_lab_mark(lab);
    heed_tensor *y = heed_operation(lab, kind, &call, &error);
    check(!y && error.code != HEED_ERROR_NONE && heed_lab_mark(lab) == mark, "refused, and nothing kept: %s", what);
    error.code = HEED_ERROR_NONE;
}

void test_learning(void) {
    /* Once to see how much it takes, then in just that. */
    size_t need = 1 << 20;
    for (int pass = 0; pass < 2; pass++) {
        void *memory = tiny_memory(need);
        lab = heed_lab_create(memory, need, heed_kernels_get(0), NULL);
        heed_lab_record(lab, 1);
        heed_tensor *loss = everything();
        heed_call look = {.inputs = {loss}, .integers = {0, 1, 1, 1}};
        heed_tensor *view = heed_operation(lab, HEED_OPERATION_VIEW, &look, &error);
        check(view && isfinite(*look.data) && heed_lab_backward(lab, loss, &error), "backward through every operation");
        need = heed_lab_bytes() + heed_lab_mark(lab);
        if (pass) {
            heed_call more = {.integers = {1, 1, 0}};
            refused(HEED_OPERATION_TENSOR, more, "one more tensor than fits");
        }
        heed_lab_release(lab, 0);
        heed_tensor *w = fresh(3, 4), *m = fresh(3, 4), *v = fresh(3, 4), *narrow = fresh(3, 3);
        run(HEED_OPERATION_ADAMW,
            (heed_call){.inputs = {w, m, v}, .floats = {0.1f, 0.9f, 0.99f, 1e-8f, 0.1f, 0.1f, 0.01f}});
        run(HEED_OPERATION_SGD, (heed_call){.inputs = {w, m}, .floats = {0.1f, 0.9f, 0.1f}});
        call_1(HEED_OPERATION_SHRINK, w, 0, 0, 0, 0, 0.5f);
        call_1(HEED_OPERATION_SQUARES, w, 0, 0, 0, 0, 0);
        static const int32_t far[] = {3};
        refused(HEED_OPERATION_COUNT, (heed_call){.inputs = {w}}, "no such operation");
        refused(HEED_OPERATION_LINEAR, (heed_call){.inputs = {w, narrow}}, "a weight of another width");
        refused(HEED_OPERATION_LINEAR, (heed_call){.inputs = {w}}, "no weight");
        refused(HEED_OPERATION_SOFTMAX, (heed_call){.inputs = {w}, .integers = {2, 1, 1, 0, 1, 0}},
                "causal rows that are no whole sequences");
        refused(HEED_OPERATION_SCORES, (heed_call){.inputs = {w, w}, .integers = {1, 1, 1, 1, 1, -1}},
                "fewer keys before the first query than none");
        refused(HEED_OPERATION_VIEW, (heed_call){.inputs = {w}, .integers = {1, 3, 4, 4}}, "a view past the end");
        heed_tensor *tall = call_1(HEED_OPERATION_VIEW, w, 0, 1 << 16, 1, 0, 0); /* one number again and again */
        refused(HEED_OPERATION_PAIRS, (heed_call){.inputs = {tall, tall}, .integers = {1, 1, 1}},
                "more pairs than a matrix can have rows");
        refused(HEED_OPERATION_GATHER, (heed_call){.inputs = {w}, .integers = {1}, .ids = far, .n_ids = 1},
                "a row that is not there");
        refused(HEED_OPERATION_ADAMW, (heed_call){.inputs = {w, narrow, v}}, "state of another shape");
        refused(HEED_OPERATION_CROSS_ENTROPY, (heed_call){.inputs = {w}, .ids = far, .n_ids = 1}, "too few targets");
        refused(HEED_OPERATION_ROPE, (heed_call){.inputs = {w}, .integers = {0, 3, 1, 3, 2}, .floats = {10}},
                "an odd number that turns");
        free(memory);
    }
}
