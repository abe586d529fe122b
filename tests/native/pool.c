/* A pool of threads gives every part of every task to one thread, and waits for all. */
#include "check.h"
#include "threads.h"
#include "tiny.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 3000, UNITS = 37, COST = 1 << 20 };

typedef struct helper {
    heed_pool *pool;
    int part;
} helper;

static void *work(void *argument) {
    helper *h = argument;
    heed_pool_work(h->pool, h->part);
    return NULL;
}

/* Each unit of work is done by the part whose share it is in; threads meet only at the end of a task. */
static void count(void *argument, int part, int parts, int thread) {
    (void)thread;
    int *units = argument;
    for (int i = heed_share(UNITS, part, parts, 4); i < heed_share(UNITS, part + 1, parts, 4); i++) units[i]++;
}

void test_pool(void) {
    heed_error error = {0};
    heed_pool *pool = heed_pool_create(tiny_memory(heed_pool_bytes()), THREADS, &error);
    pthread_t threads[THREADS];
    helper helpers[THREADS];
    for (int part = 1; part < THREADS; part++) {
        helpers[part] = (helper){pool, part};
        pthread_create(&threads[part], NULL, work, &helpers[part]);
    }
    int units[UNITS] = {0}, complete = 1;
    for (int round = 1; round <= ROUNDS; round++) {
        heed_parallel(pool, count, units, heed_pool_parts(pool, UNITS, COST), COST);
        for (int i = 0; i < UNITS; i++) complete = complete && units[i] == round;
    }
    check(complete, "%d tasks on %d threads: every part once, all before the next", ROUNDS, THREADS);
    heed_parallel(NULL, count, units, heed_pool_parts(NULL, UNITS, COST), COST);
    for (int i = 0; i < UNITS; i++) complete = complete && units[i] == ROUNDS + 1;
    check(complete, "without a pool the caller does it all");
    heed_pool_close(pool);
    for (int part = 1; part < THREADS; part++) pthread_join(threads[part], NULL);
    for (int wrong = 0; wrong <= HEED_MAX_THREADS + 1; wrong += HEED_MAX_THREADS + 1) {
        error = (heed_error){0};
        check(!heed_pool_create(pool, wrong, &error) && error.code == HEED_ERROR_ARGUMENT, "no pool of %d threads",
              wrong);
    }
    free(pool);

    int covered = 1;
    for (int n = 0; n < 70; n++)
        for (int parts = 1; parts <= HEED_MAX_THREADS; parts++) {
            covered = covered && heed_share(n, 0, parts, 16) == 0 && heed_share(n, parts, parts, 16) == n;
            for (int part = 0; part < parts; part++)
                covered = covered && heed_share(n, part, parts, 16) <= heed_share(n, part + 1, parts, 16);
        }
    check(covered, "shares cover the work without a gap");
}
