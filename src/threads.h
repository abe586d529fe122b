/* Several threads that run one task at a time, each its part of it.
 *
 * Threads come from outside: JavaScript starts a worker for each, which calls heed_pool_work (heed.h) and stays there.
 * Work is split by rows or heads and sums are never split, so the number of threads changes no result. */
#ifndef HEED_THREADS_H
#define HEED_THREADS_H

#include "heed.h"

/* Parts of one task at most; more threads than this are no use to models that a browser can hold. */
#define HEED_MAX_THREADS 16

typedef void heed_task(void *argument, int part, int parts);

/* The threads of a pool; 1 for NULL. */
int heed_pool_threads(const heed_pool *pool);

/* Calls task(argument, part, parts) once for every part, on as many threads, and returns when all have returned. */
void heed_parallel(heed_pool *pool, heed_task *task, void *argument);

/* Where part `part` of `parts` begins in n units of work; a multiple of `grain`. */
static inline int heed_share(int n, int part, int parts, int grain) {
    int grains = (n + grain - 1) / grain;
    int at = (int)((int64_t)grains * part / parts) * grain;
    return at < n ? at : n;
}

#endif
