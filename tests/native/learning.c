/* Every operation of the lab, forward and backward, in memory of exactly the required size. */
#include "check.h"
#include "tiny.h"

#include "heed_lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static heed_lab *lab;
static heed_error error;

/* Ids in the arena, where backward can read them. */
static const int32_t *in_lab(const int32_t *ids, int n) {
    int32_t *room = heed_lab_take(lab, (size_t)n * sizeof *ids, &error);
    return room ? memcpy(room, ids, (size_t)n * sizeof *ids) : NULL;
}

static heed_tensor *run(heed_operation_kind kind, heed_call call) {
    heed_tensor *y = heed_operation(lab, kind, &call, &error);
    if (!y) check(0, "operation %d: %s", (int)kind, error.message);
    return y;
}

static heed_tensor *fresh(int rows, int columns) {
    heed_call call = {.n.at = {rows, columns, 1}};
    heed_tensor *x = heed_operation(lab, HEED_OPERATION_TENSOR, &call, &error);
    for (int i = 0; i < rows * columns; i++) call.data[i] = (float)((i * 7 + rows) % 11 - 5) / 5;
    return x;
}

static heed_tensor *call_1(heed_operation_kind kind, heed_tensor *x, int a, int b, int c, int d, float f) {
    return run(kind, (heed_call){.inputs = {x}, .n.at = {a, b, c, d}, .f.at = {f, 1}});
}

static heed_tensor *call_3(heed_operation_kind kind, heed_tensor *x, heed_tensor *y, heed_tensor *z) {
    return run(kind, (heed_call){.inputs = {x, y, z}, .f.at = {1e-5f}});
}

/* Runs every operation on two sequences of three rows, with two heads over one key/value head. */
static heed_tensor *everything(void) {
    const int32_t *ids = in_lab((int32_t[]){0, 4, 1, -1, 2, 2}, 6), *known = in_lab((int32_t[]){0, 4, 1, 0, 2, 2}, 6);
    const int32_t *lengths = in_lab((int32_t[]){3, 2}, 2), *targets = in_lab((int32_t[]){1, 0, -100, 2, 1, 0}, 6);
    heed_tensor *x =
        run(HEED_OPERATION_EMBEDDING, (heed_call){.inputs = {fresh(5, 8)}, .n.at = {6}, .ids = known, .n_ids = 6});
    heed_tensor *g =
        run(HEED_OPERATION_GATHER, (heed_call){.inputs = {fresh(5, 8)}, .n.at = {6}, .ids = ids, .n_ids = 6});
    x = call_3(HEED_OPERATION_ADD, x, g, NULL);
    x = call_3(HEED_OPERATION_ADD, x, run(HEED_OPERATION_SINUSOIDAL, (heed_call){.n.at = {0, 3, 8}}), NULL);
    for (int kind = 0; kind < 2; kind++)
        x = run(HEED_OPERATION_NORM,
                (heed_call){.inputs = {x, fresh(1, 8), kind ? NULL : fresh(1, 8)}, .n.at = {kind}, .f.at = {1e-5f}});
    heed_tensor *q = call_3(HEED_OPERATION_LINEAR, x, fresh(8, 8), fresh(1, 8));
    heed_tensor *k = call_3(HEED_OPERATION_LINEAR, x, fresh(4, 8), NULL);
    q = run(HEED_OPERATION_ROPE, (heed_call){.inputs = {q}, .n.at = {0, 3, 2, 4, HEED_ROPE_HALVES}, .f.at = {100}});
    q = run(HEED_OPERATION_ROPE, (heed_call){.inputs = {q}, .n.at = {0, 3, 2, 2, HEED_ROPE_ADJACENT}, .f.at = {100}});
    heed_call heads = {.inputs = {q, k}, .n.at = {2, 2, 1, 1}, .f.at = {0.5f}};
    heed_call causal = {.inputs = {q, k}, .n.at = {2, 2, 1, 1, 1, 1}, .f.at = {0.5f}};
    causal.inputs[0] = run(HEED_OPERATION_SCORES, causal);
    causal.inputs[0] = run(HEED_OPERATION_SOFTMAX, causal);
    run(HEED_OPERATION_ATTEND_VALUES, causal);
    heed_tensor *s = run(HEED_OPERATION_SCORES, heads), *pairs = run(HEED_OPERATION_PAIRS, heads);
    heed_tensor *summed = call_1(HEED_OPERATION_SUM, pairs, 1, 1, 0, 0, 0.1f);
    summed = call_1(HEED_OPERATION_VIEW, summed, 0, 12, 3, 3, 0);
    s = call_3(HEED_OPERATION_ADD, s, summed, NULL);
    s = run(HEED_OPERATION_MASK,
            (heed_call){.inputs = {s, fresh(3, 3)}, .n.at = {2, 2, 1, 0, 1, 1, 3, 0}, .ids = lengths, .n_ids = 2});
    heed_tensor *p = call_3(HEED_OPERATION_SOFTMAX, s, NULL, NULL);
    heed_tensor *z = run(HEED_OPERATION_ATTEND_VALUES, (heed_call){.inputs = {p, k}, .n.at = {2, 2, 1, 1}});
    for (int kind = 0; kind <= HEED_SIGMOID; kind++) z = call_1(HEED_OPERATION_ACTIVATION, z, kind, 0, 0, 0, 0);
    z = call_3(HEED_OPERATION_MUL, z, fresh(6, 1), NULL);
    z = call_3(HEED_OPERATION_MUL, z, x, NULL);
    z = call_1(HEED_OPERATION_AFFINE, z, 0, 0, 0, 0, 2);
    z = call_1(HEED_OPERATION_DROPOUT, z, 7, 0, 3, 0, 0.25f);
    z = call_3(HEED_OPERATION_MATMUL, z, fresh(8, 9), NULL);
    heed_tensor *state = call_3(HEED_OPERATION_LINEAR, fresh(6, 3), fresh(9, 3), NULL);
    const int32_t *ends = in_lab((int32_t[]){1, 2, 3, 1, 2, 3}, 6);
    z = run(HEED_OPERATION_GRU, (heed_call){.inputs = {z, state, fresh(6, 3)}, .n.at = {1}, .ids = ends, .n_ids = 6});
    heed_tensor **list = heed_lab_take(lab, 2 * sizeof *list, &error);
    list[0] = z;
    list[1] = call_1(HEED_OPERATION_COPY, z, 0, 0, 0, 0, 0);
    z = run(HEED_OPERATION_CONCAT, (heed_call){.list = (heed_tensor_list)list, .n_list = 2});
    heed_tensor *first = call_1(HEED_OPERATION_VIEW, z, 3, 6, 3, 6, 0);
    return run(HEED_OPERATION_CROSS_ENTROPY,
               (heed_call){.inputs = {first}, .n.at = {-100}, .f.at = {0.1f, 1}, .ids = targets, .n_ids = 6});
}

static void refused(heed_operation_kind kind, heed_call call, const char *what) {
    error.code = HEED_ERROR_NONE;
    size_t mark = heed_lab_mark(lab);
    heed_tensor *y = heed_operation(lab, kind, &call, &error);
    check(!y && error.code != HEED_ERROR_NONE && heed_lab_mark(lab) == mark, "refused, and the lab is unchanged: %s",
          what);
    error.code = HEED_ERROR_NONE;
}

/* Sizes whose products exceed 32 bits, and pointers outside of the lab. */
static void hostile(void) {
    size_t bytes = 1 << 20;
    void *memory = tiny_memory(bytes);
    lab = heed_lab_create(memory, bytes, heed_kernels_get(HEED_KERNELS_SCALAR), NULL);
    heed_lab_record(lab, 1);
    heed_tensor *tall = fresh(1 << 16, 1), *x = fresh(4, 4), *w = fresh(1, 4);
    enum { BIG = 1 << 16, MOST = INT32_MAX };
    refused(HEED_OPERATION_PAIRS, (heed_call){.inputs = {tall, tall}, .n.at = {1, 1, 1}},
            "more pairs than a matrix can have rows");
    refused(HEED_OPERATION_SCORES, (heed_call){.inputs = {x, x}, .n.at = {BIG, BIG, BIG}},
            "heads of scores whose product is 0 in 32 bits");
    refused(HEED_OPERATION_SOFTMAX, (heed_call){.inputs = {x}, .n.at = {BIG, BIG, 1, 0, 1}},
            "heads of a softmax whose product is 0 in 32 bits");
    refused(HEED_OPERATION_MASK, (heed_call){.inputs = {x}, .n.at = {BIG, BIG}},
            "heads of a mask whose product is 0 in 32 bits");
    refused(HEED_OPERATION_MASK, (heed_call){.inputs = {x, x}, .n.at = {1, 1, 0, 0, BIG, BIG, 4}},
            "sizes of a mask whose product is 0 in 32 bits");
    refused(HEED_OPERATION_ATTEND_VALUES, (heed_call){.inputs = {x, x}, .n.at = {1, 1, 1, 0, 1, -2}},
            "a pattern with a negative number of past keys");
    refused(HEED_OPERATION_SINUSOIDAL, (heed_call){.n.at = {MOST, 2, 4}}, "positions past 32 bits");
    refused(HEED_OPERATION_SINUSOIDAL, (heed_call){.n.at = {0, -1, -1}}, "rows below 0");
    heed_call rotate = {.inputs = {x}, .n.at = {MOST, 2, 1, 4, HEED_ROPE_HALVES}, .f.at = {100}};
    refused(HEED_OPERATION_ROPE, rotate, "a rope at positions past 32 bits");
    rotate.n.at[0] = 0, rotate.n.at[4] = HEED_POSITION_NONE;
    refused(HEED_OPERATION_ROPE, rotate, "an unknown kind of rope");
    rotate.n.at[4] = HEED_ROPE_HALVES, rotate.f.at[0] = INFINITY;
    refused(HEED_OPERATION_ROPE, rotate, "a rope of infinite theta");
    refused(HEED_OPERATION_VIEW, (heed_call){.inputs = {x}, .n.at = {0, INT32_MIN, 1, 1}}, "a view of -2^31 rows");
    refused(HEED_OPERATION_VIEW, (heed_call){.inputs = {x}, .n.at = {4, 2, 1, -1}}, "a view that goes backwards");
    refused(HEED_OPERATION_VIEW, (heed_call){.inputs = {x}, .n.at = {0, 2, 4, 3}}, "a view whose rows overlap");
    refused(HEED_OPERATION_NORM, (heed_call){.inputs = {x, w}, .n.at = {2}}, "an unknown kind of norm");
    refused(HEED_OPERATION_NORM, (heed_call){.inputs = {x, w, w}, .n.at = {HEED_RMSNORM}}, "an RMSNorm with an offset");
    refused(HEED_OPERATION_ACTIVATION, (heed_call){.inputs = {x}, .n.at = {-1}}, "an unknown kind of activation");
    heed_tensor *gaps = call_1(HEED_OPERATION_VIEW, x, 0, 4, 2, 4, 0);
    refused(HEED_OPERATION_SGD, (heed_call){.inputs = {gaps}, .f.at = {0.1f}}, "an optimizer of a view with gaps");

    static const int32_t outside[] = {0, 1, 2, 3};
    refused(HEED_OPERATION_GATHER, (heed_call){.inputs = {x}, .n.at = {4}, .ids = outside, .n_ids = 4},
            "ids outside of the arena");
    refused(HEED_OPERATION_GATHER, (heed_call){.inputs = {x}, .n.at = {-1}, .ids = in_lab(outside, 4), .n_ids = -1},
            "a negative number of ids");
    heed_tensor *list[] = {x, (heed_tensor *)(void *)&lab}, **listed = heed_lab_take(lab, sizeof list, &error);
    memcpy(listed, list, sizeof list);
    heed_call join = {.list = (heed_tensor_list)listed, .n_list = 2};
    refused(HEED_OPERATION_CONCAT, join, "a list whose second pointer is not a tensor");
    join.n_list = 0;
    refused(HEED_OPERATION_CONCAT, join, "an empty list of tensors");
    refused(HEED_OPERATION_COPY, (heed_call){.inputs = {(heed_tensor *)(void *)((char *)x + 8)}},
            "a pointer into a tensor");
    check(!heed_operation(lab, HEED_OPERATION_COPY, NULL, &error), "refused: no call");
    check(!heed_lab_backward(lab, list[1], &error), "refused: a loss that is not a tensor");
    error.code = HEED_ERROR_NONE;

    /* A mask with a gradient over scores without a gradient. */
    heed_call zeros = {.n.at = {4, 4, 0}};
    heed_tensor *scores = heed_operation(lab, HEED_OPERATION_TENSOR, &zeros, &error);
    run(HEED_OPERATION_MASK, (heed_call){.inputs = {scores, x}, .n.at = {1, 1, 0, 0, 1, 1, 4}});
    heed_tensor *loss = call_1(HEED_OPERATION_SUM, call_1(HEED_OPERATION_COPY, x, 0, 0, 0, 0, 0), 4, 1, 0, 0, 1);
    size_t before = heed_lab_mark(lab);
    loss = call_1(HEED_OPERATION_VIEW, loss, 0, 1, 1, 1, 0);
    check(heed_lab_backward(lab, loss, &error), "backward through a mask of scores without a gradient");
    heed_lab_release(lab, before);
    memset(heed_lab_take(lab, 256, &error), 0xff, 256); /* overwrites the released loss */
    check(heed_lab_check_gradients(lab, &error), "check_gradients does nothing after its loss was released");

    /* The largest `past`, and queries past the last key. */
    run(HEED_OPERATION_MASK, (heed_call){.inputs = {x}, .n.at = {1, 1, 1, MOST}});
    size_t mark = heed_lab_mark(lab);
    heed_lab_release(lab, mark + (1 << 20));
    check(heed_lab_mark(lab) == mark, "release to a mark beyond the bytes in use does nothing");
    heed_lab_release(lab, mark - 1);
    check(heed_lab_mark(lab) % 64 == 0, "marks are aligned");
    check(!heed_lab_create((char *)memory + 8, bytes - 8, heed_kernels_get(HEED_KERNELS_SCALAR), NULL) &&
              !heed_lab_create(memory, heed_lab_bytes() - 1, heed_kernels_get(HEED_KERNELS_SCALAR), NULL) &&
              !heed_lab_create(memory, bytes, NULL, NULL),
          "heed_lab_create returns NULL for memory not aligned or too small, or without kernels");
    free(memory);
}

void test_learning(void) {
    hostile();
    /* The first run measures the memory; the second run has exactly this size. */
    size_t need = 1 << 20;
    for (int pass = 0; pass < 2; pass++) {
        void *memory = tiny_memory(need);
        lab = heed_lab_create(memory, need, heed_kernels_get(HEED_KERNELS_SCALAR), NULL);
        heed_lab_record(lab, 1);
        heed_tensor *loss = everything();
        heed_call look = {.inputs = {loss}, .n.at = {0, 1, 1, 1}};
        heed_tensor *view = heed_operation(lab, HEED_OPERATION_VIEW, &look, &error);
        check(view && isfinite(*look.data) && heed_lab_backward(lab, loss, &error), "backward through every operation");
        need = heed_lab_bytes() + heed_lab_mark(lab);
        if (pass) {
            heed_call more = {.n.at = {1, 1, 0}};
            refused(HEED_OPERATION_TENSOR, more, "one more tensor than fits");
        }
        heed_lab_release(lab, 0);
        heed_tensor *w = fresh(3, 4), *m = fresh(3, 4), *v = fresh(3, 4), *narrow = fresh(3, 3);
        run(HEED_OPERATION_ADAMW,
            (heed_call){.inputs = {w, m, v}, .f.at = {0.1f, 0.9f, 0.99f, 1e-8f, 0.1f, 0.1f, 0.01f}});
        run(HEED_OPERATION_SGD, (heed_call){.inputs = {w, m}, .f.at = {0.1f, 0.9f, 0.1f}});
        call_1(HEED_OPERATION_SCALE_GRADIENT, w, 0, 0, 0, 0, 0.5f);
        call_1(HEED_OPERATION_SQUARED_NORM, w, 0, 0, 0, 0, 0);
        const int32_t *far = in_lab((int32_t[]){3}, 1);
        refused(HEED_OPERATION_COUNT, (heed_call){.inputs = {w}}, "an unknown operation");
        refused(HEED_OPERATION_LINEAR, (heed_call){.inputs = {w, narrow}}, "a weight of another width");
        refused(HEED_OPERATION_LINEAR, (heed_call){.inputs = {w}}, "no weight");
        refused(HEED_OPERATION_SOFTMAX, (heed_call){.inputs = {w}, .n.at = {2, 1, 1, 0, 1, 0}},
                "causal rows that are not whole sequences");
        refused(HEED_OPERATION_SCORES, (heed_call){.inputs = {w, w}, .n.at = {1, 1, 1, 1, 1, -1}},
                "a negative number of past keys");
        refused(HEED_OPERATION_VIEW, (heed_call){.inputs = {w}, .n.at = {1, 3, 4, 4}}, "a view past the end");
        refused(HEED_OPERATION_GATHER, (heed_call){.inputs = {w}, .n.at = {1}, .ids = far, .n_ids = 1},
                "a row past the end");
        refused(HEED_OPERATION_ADAMW, (heed_call){.inputs = {w, narrow, v}}, "state of another shape");
        refused(HEED_OPERATION_CROSS_ENTROPY, (heed_call){.inputs = {w}, .ids = far, .n_ids = 1}, "too few targets");
        refused(HEED_OPERATION_ROPE, (heed_call){.inputs = {w}, .n.at = {0, 3, 1, 3, 2}, .f.at = {10}},
                "an odd number of rotated elements");
        free(memory);
    }
}
