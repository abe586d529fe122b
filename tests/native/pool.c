/* A pool of threads gives every part of every task to one thread, and waits for all. */
#include "check.h"
#include "crew.h"
#include "threads.h"
#include "tiny.h"

#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 3000, UNITS = 37, COST = 1 << 20 };

/* Every part marks its units; threads meet only at the end of a task. */
static void count(void *argument, int part, int parts, int thread) {
    (void)thread;
    int *units = argument;
    for (int i = heed_part_begin(UNITS, part, parts, 4); i < heed_part_begin(UNITS, part + 1, parts, 4); i++)
        units[i]++;
}

void test_pool(void) {
    heed_pool *pool = crew_start(THREADS);
    int units[UNITS] = {0}, complete = 1;
    for (int round = 1; round <= ROUNDS; round++) {
        heed_pool_run(pool, count, units, heed_pool_parts(pool, UNITS, COST), COST);
        for (int i = 0; i < UNITS; i++) complete = complete && units[i] == round;
    }
    check(complete, "%d tasks on %d threads: every part once, all before the next", ROUNDS, THREADS);
    heed_pool_run(NULL, count, units, heed_pool_parts(NULL, UNITS, COST), COST);
    for (int i = 0; i < UNITS; i++) complete = complete && units[i] == ROUNDS + 1;
    check(complete, "without a pool the caller runs every part");
    check(heed_pool_parts(pool, UNITS, 1) == 1, "tiny work is one part");
    check(heed_pool_parts(pool, 1000, 1 << 17) == 2 * THREADS, "small work is two parts for each thread");
    check(heed_pool_parts(pool, 1000, THREADS * 3.5 * (1 << 17)) == 3 * THREADS, "larger work is more");
    check(heed_pool_parts(pool, 1000, THREADS * 5.0 * (1 << 20)) == 4 * THREADS, "at most four");
    check(heed_pool_parts(pool, 1000, 100.0 * (1 << 21)) == 100, "a part has at most 2 million numbers");
    heed_pool_work(pool, 0); /* helpers start at 1, so the call returns at once */
    heed_pool_work(pool, THREADS);
    heed_pool_work(NULL, 1);
    crew_end(pool);
    heed_error error = {0};
    pool = tiny_memory(heed_pool_bytes());
    for (int wrong = 0; wrong <= HEED_MAX_THREADS + 1; wrong += HEED_MAX_THREADS + 1) {
        error = (heed_error){0};
        check(!heed_pool_create(pool, wrong, &error) && error.code == HEED_ERROR_ARGUMENT,
              "heed_pool_create refuses %d threads", wrong);
    }
    error = (heed_error){0};
    check(!heed_pool_create((char *)pool + 8, 1, &error) && error.code == HEED_ERROR_ARGUMENT,
          "heed_pool_create refuses memory that is not aligned");
    free(pool);

    int covered = 1;
    for (int n = 0; n < 70; n++)
        for (int parts = 1; parts <= HEED_MAX_THREADS; parts++) {
            covered = covered && heed_part_begin(n, 0, parts, 16) == 0 && heed_part_begin(n, parts, parts, 16) == n;
            for (int part = 0; part < parts; part++)
                covered = covered && heed_part_begin(n, part, parts, 16) <= heed_part_begin(n, part + 1, parts, 16);
        }
    check(covered, "parts cover all units without gaps");
}
