/* Loops that threads divide. */
#include "ops/parallel.h"

typedef struct ranges {
    heed_range_task *run;
    const void *work;
    int n, grain;
} ranges;

static void run_part(void *argument, int part, int parts, int thread) {
    (void)thread;
    const ranges *s = argument;
    int from = heed_part_begin(s->n, part, parts, s->grain), to = heed_part_begin(s->n, part + 1, parts, s->grain);
    if (from < to) s->run(s->work, from, to);
}

void heed_parallel_for(heed_context *c, heed_range_task *run, const void *work, int n, int grain, double cost) {
    if (n < 1) return;
    ranges s = {run, work, n, grain};
    heed_pool_run(c->pool, run_part, &s, heed_pool_parts(c->pool, (n + grain - 1) / grain, cost), cost);
}

typedef struct rows {
    heed_row_task *task;
    const void *operands;
} rows;

static void do_rows(const void *work, int from, int to) {
    const rows *r = work;
    for (int t = from; t < to; t++) r->task(r->operands, t);
}

void heed_parallel_rows(heed_context *c, int T, int columns, heed_row_task *task, const void *operands) {
    rows r = {task, operands};
    heed_parallel_for(c, do_rows, &r, T, 1, (double)T * columns);
}
