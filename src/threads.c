#include "threads.h"

#include "error.h"

#include <stdatomic.h>

struct heed_pool {
    int threads;
    heed_task *_Atomic task;
    void *_Atomic argument;
    /* What is to be taken, in one word so that it changes at once: round << 32 | parts << 16 | next part.  While a part
     * of a round is left, task and argument are that round's. */
    _Atomic uint64_t ticket;
    _Atomic uint32_t round; /* grows by one with every task; those who wait for work wait here */
    _Atomic uint32_t left;  /* parts that have not returned; the caller waits here */
    _Atomic uint32_t closed;
};

/* A decoder waits for the next product some microseconds, so a thread looks this often before it sleeps: sleeping and
 * waking cost more than that.  No core is busy while nothing runs. */
enum { LOOKS = 20000 };

/* Parts a thread, on average. */
enum { SHARES = 4 };

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

heed_pool *heed_pool_create(void *memory, int threads, heed_error *error) {
    if (threads < 1 || threads > HEED_MAX_THREADS) {
        heed_fail(error, HEED_ERROR_ARGUMENT, "there cannot be %d threads; between 1 and %d are possible", threads,
                  (int)HEED_MAX_THREADS);
        return NULL;
    }
    heed_pool *pool = memory;
    *pool = (heed_pool){.threads = threads};
    return pool;
}

/* Takes parts of the round there is until none is left. */
static void take_parts(heed_pool *pool, int thread) {
    for (;;) {
        uint64_t ticket = atomic_load_explicit(&pool->ticket, memory_order_acquire);
        heed_task *task = atomic_load_explicit(&pool->task, memory_order_relaxed);
        void *argument = atomic_load_explicit(&pool->argument, memory_order_relaxed);
        int parts = ticket >> 16 & 0xffff, part = ticket & 0xffff;
        if (part >= parts) return;
        if (!atomic_compare_exchange_weak(&pool->ticket, &ticket, ticket + 1)) continue;
        task(argument, part, parts, thread);
        if (atomic_fetch_sub_explicit(&pool->left, 1, memory_order_acq_rel) == 1) wake_all(&pool->left);
    }
}

void heed_pool_work(heed_pool *pool, int thread) {
    for (uint32_t seen = 0;;) {
        wait_while(&pool->round, seen);
        if (atomic_load(&pool->closed)) return;
        seen = atomic_load(&pool->round);
        take_parts(pool, thread);
    }
}

void heed_pool_close(heed_pool *pool) {
    atomic_store(&pool->closed, 1);
    atomic_fetch_add(&pool->round, 1);
    wake_all(&pool->round);
}

int heed_pool_threads(const heed_pool *pool) { return pool ? pool->threads : 1; }

int heed_pool_parts(const heed_pool *pool, int n) {
    int parts = pool ? pool->threads * SHARES : 1;
    return parts < n ? parts : n;
}

void heed_parallel(heed_pool *pool, heed_task *task, void *argument, int parts) {
    if (heed_pool_threads(pool) == 1) {
        for (int part = 0; part < parts; part++) task(argument, part, parts, 0);
        return;
    }
    uint32_t round = atomic_load(&pool->round) + 1;
    atomic_store_explicit(&pool->task, task, memory_order_relaxed);
    atomic_store_explicit(&pool->argument, argument, memory_order_relaxed);
    atomic_store_explicit(&pool->left, (uint32_t)parts, memory_order_relaxed);
    atomic_store_explicit(&pool->ticket, (uint64_t)round << 32 | (uint64_t)parts << 16, memory_order_release);
    atomic_store(&pool->round, round);
    wake_all(&pool->round);
    take_parts(pool, 0);
    for (uint32_t left; (left = atomic_load_explicit(&pool->left, memory_order_acquire)) != 0;)
        wait_while(&pool->left, left);
}
