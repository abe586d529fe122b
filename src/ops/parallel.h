/* Divides the work of an operation among the threads of its context. */
#ifndef HEED_PARALLEL_H
#define HEED_PARALLEL_H

#include "tape.h"

/* Does units [from, to) of some work.  Two units must not write to the same place. */
typedef void heed_range_task(const void *work, int from, int to);

/* Runs `run` over units 0 .. n - 1, in ranges whose length is a multiple of `grain`; `cost`: of all units (threads.h).
 */
void heed_parallel_for(heed_context *c, heed_range_task *run, const void *work, int n, int grain, double cost);

/* Runs `task` for rows 0 .. T - 1; each computes about `columns` numbers. */
typedef void heed_row_task(const void *operands, int t);
void heed_parallel_rows(heed_context *c, int T, int columns, heed_row_task *task, const void *operands);

#endif
