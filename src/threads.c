#include "threads.h"

#include <stdatomic.h>

struct heed_pool {
    int threads;
    heed_task *task;
    void *argument;
    _Atomic uint32_t round;   /* grows by one with every task; those who wait for work wait here */
    _Atomic uint32_t pending; /* parts that have not returned */
    _Atomic uint32_t closed;
};

/* A decoder waits for the next product some microseconds, so a thread looks this often before it sleeps: sleeping and
 * waking cost more than that.  No core is busy while nothing runs. */
enum { LOOKS = 20000 };

/* Until *at is no longer `value`. */
static void wait_while(_Atomic uint32_t *at, uint32_t value) {
    for (int i = 0; i < LOOKS; i++)
        if (atomic_load_explicit(at, memory_order_acquire) != value) return;
    while (atomic_load_explicit(at, memory_order_acquire) == value) {
#ifdef __wasm_atomics__
        __builtin_wasm_memory_atomic_wait32((int *)at, (int)value, -1);
#endif
    }
}

static void wake_all(_Atomic uint32_t *at) {
#ifdef __wasm_atomics__
    __builtin_wasm_memory_atomic_notify((int *)at, HEED_MAX_THREADS);
#else
    (void)at;
#endif
}

size_t heed_pool_bytes(void) { return sizeof(heed_pool); }

heed_pool *heed_pool_create(void *memory, int threads) {
    heed_pool *pool = memory;
    *pool = (heed_pool){.threads = threads < 1 ? 1 : threads > HEED_MAX_THREADS ? HEED_MAX_THREADS : threads};
    return pool;
}

void heed_pool_work(heed_pool *pool, int part) {
    for (uint32_t round = 0;; round++) {
        wait_while(&pool->round, round);
        if (atomic_load(&pool->closed)) return;
        pool->task(pool->argument, part, pool->threads);
        if (atomic_fetch_sub_explicit(&pool->pending, 1, memory_order_acq_rel) == 1) wake_all(&pool->pending);
    }
}

void heed_pool_close(heed_pool *pool) {
    atomic_store(&pool->closed, 1);
    atomic_fetch_add(&pool->round, 1);
    wake_all(&pool->round);
}

int heed_pool_threads(const heed_pool *pool) { return pool ? pool->threads : 1; }

void heed_parallel(heed_pool *pool, heed_task *task, void *argument) {
    int threads = heed_pool_threads(pool);
    if (threads > 1) {
        pool->task = task;
        pool->argument = argument;
        atomic_store(&pool->pending, (uint32_t)threads - 1);
        atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
        wake_all(&pool->round);
    }
    task(argument, 0, threads);
    if (threads > 1)
        for (uint32_t left; (left = atomic_load_explicit(&pool->pending, memory_order_acquire)) != 0;)
            wait_while(&pool->pending, left);
}
