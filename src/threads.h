/* Several threads that run one task at a time, each a run of its parts; who has none left takes from the others.
 *
 * Threads come from outside: JavaScript starts a worker for each, which calls heed_pool_work (heed.h) and stays there.
 * Work is split by rows or heads and sums are never split, so neither the number of threads nor who took what changes a
 * result.  The caller takes parts too: a thread that gets no processor holds nothing up. */
#ifndef HEED_THREADS_H
#define HEED_THREADS_H

#include "heed.h"

/* More threads than this are no use to models that a browser can hold. */
#define HEED_MAX_THREADS 16

#define HEED_MAX_PARTS 0xffff

/* part: 0 .. parts - 1; thread: 0 .. heed_pool_threads - 1, of whoever runs it. */
typedef void heed_task(void *argument, int part, int parts, int thread);

/* The threads of a pool; 1 for NULL. */
int heed_pool_threads(const heed_pool *pool);

/* The cost of a task is about how many numbers it computes; of those that are sums of products, a sum counts as an
 * eighth of its products. */
#define HEED_PRODUCTS(n) ((double)(n) / 8)

/* Parts that n units of work of this cost are split into: several a thread, so that a slow one is waited for only
 * briefly; 1 for NULL, and where waking others costs more than it saves. */
int heed_pool_parts(const heed_pool *pool, int n, double cost);

/* Calls the task once for every part, 1 <= parts <= HEED_MAX_PARTS, and returns when all have returned. */
void heed_pool_run(heed_pool *pool, heed_task *task, void *argument, int parts, double cost);

/* Where part `part` of `parts` begins in n units of work; a multiple of `grain`. */
static inline int heed_part_begin(int n, int part, int parts, int grain) {
    int grains = (n + grain - 1) / grain;
    int at = (int)((int64_t)grains * part / parts) * grain;
    return at < n ? at : n;
}

#endif
