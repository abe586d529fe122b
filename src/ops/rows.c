#include "ops/ops.h"

typedef struct rows {
    heed_row_task *task;
    const void *operands;
    int T;
} rows;

static void do_rows(void *argument, int part, int parts, int thread) {
    (void)thread;
    const rows *r = argument;
    int end = heed_share(r->T, part + 1, parts, 1);
    for (int t = heed_share(r->T, part, parts, 1); t < end; t++) r->task(r->operands, t);
}

/* Elements below which waking others costs more than they save. */
enum { WORTH_SHARING = 1 << 12 };

void heed_each_row(heed_context *c, int T, int columns, heed_row_task *task, const void *operands) {
    heed_pool *pool = (int64_t)T * columns < WORTH_SHARING ? NULL : c->pool;
    rows r = {task, operands, T};
    heed_parallel(pool, do_rows, &r, heed_pool_parts(pool, T));
}
