/* A thread pool that runs one task at a time.  Each thread owns a range of parts; idle threads steal work.
 *
 * JavaScript starts one worker per thread, which calls heed_pool_work (heed.h).  Tasks divide rows or heads, never
 * sums, so results do not depend on the number of threads.  The caller runs parts too, so a thread without a processor
 * delays nothing. */
#ifndef HEED_THREADS_H
#define HEED_THREADS_H

#include "heed.h"

/* Models that fit into a browser gain nothing from more threads. */
#define HEED_MAX_THREADS 16

#define HEED_MAX_PARTS 0xffff

/* Runs part 0 .. parts - 1 of a task, on thread 0 .. heed_pool_threads - 1. */
typedef void heed_task(void *argument, int part, int parts, int thread);

/* The number of threads; 1 for NULL. */
int heed_pool_threads(const heed_pool *pool);

/* The cost of a task is about the count of numbers that it computes.  A sum of n products costs n / 8. */
#define HEED_PRODUCTS(n) ((double)(n) / 8)

/* Into how many parts to divide n units of this cost.  A thread has several if they are large, so that a slow thread
 * delays the end only briefly.  1 for NULL, and when waking threads takes longer than they save. */
int heed_pool_parts(const heed_pool *pool, int n, double cost);

/* Runs every part of a task, 1 <= parts <= HEED_MAX_PARTS, and returns when all are done. */
void heed_pool_run(heed_pool *pool, heed_task *task, void *argument, int parts, double cost);

/* The first unit of part `part` of `parts`, of n units: a multiple of `grain`. */
static inline int heed_part_begin(int n, int part, int parts, int grain) {
    int grains = (n + grain - 1) / grain;
    int at = (int)((int64_t)grains * part / parts) * grain;
    return at < n ? at : n;
}

#endif
