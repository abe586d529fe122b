/* The pool of threads: work queues, and work stealing between them. */
#include "threads.h"

#include "arena.h"
#include "error.h"

#include <stdatomic.h>

/* The parts of one thread, on a cache line of its own: other threads write to it only when they steal. */
typedef struct deque {
    /* Parts next .. end - 1 of a round, in one atomic word: round << 32 | end << 16 | next.
     * The owner takes the first part, so that it reads its weights in order.  Idle threads steal the last. */
    _Alignas(64) _Atomic uint64_t ticket;
    _Atomic uint32_t asleep; /* the owner waits on its ticket, or will after one more check */
} deque;

struct heed_pool {
    /* Written by the caller only; a thread reads task and argument between taking a part and returning it. */
    int threads;
    heed_task *task;
    void *argument;
    int parts;
    uint32_t given; /* parts taken by helpers, in all rounds */
    double alone;   /* cost that the caller still computes alone, after a delayed helper */
    double penalty; /* `alone` after the last delay; 0 again after as much cost without a delay */
    double smooth;  /* cost since the last delay */
    /* The caller waits for these. */
    _Alignas(64) _Atomic uint32_t returned; /* parts that helpers have done, in all rounds */
    _Atomic uint32_t caller_asleep;
    _Atomic uint32_t closed;
    deque deques[HEED_MAX_THREADS];
};

/* The ticket of a closed pool: it has no parts, and no round reaches its number. */
#define CLOSED UINT64_MAX

/* Checks for the next task before a thread sleeps: some tens of microseconds.  To sleep and wake takes longer than the
 * time between two tasks of a forward pass. */
enum { SPINS = 50000 };

/* A helper that needs longer than this for a part has lost its processor to another program, and probably will again.
 * Threads then cost more time than they save, most of all in the short tasks of decoding.  The caller works alone for
 * some milliseconds, and twice as long after each further delay. */
enum { DELAY_NS = 2000000, DELAY_NS_PER_NUMBER = 8, MIN_ALONE = 1 << 22, MAX_ALONE = 1 << 28 };

/* Cost below which waking helpers takes longer than they save. */
enum { MIN_COST = 1 << 12 };

/* Fewest and most parts of a thread.  If its processor is slow, other threads take one of two parts.  More parts of
 * less than MIN_PART_COST, a megabyte of weights, would read memory slowly, because processors fetch ahead only after
 * some lines.  The largest cost of a part is half a millisecond of products. */
enum { FEWEST_PARTS = 2, MOST_PARTS = 4, MIN_PART_COST = 1 << 17, MAX_PART_COST = 1 << 21 };

size_t heed_pool_bytes(void) { return sizeof(heed_pool); }

heed_pool *heed_pool_create(void *memory, int threads, heed_error *error) {
    if (!heed_in_range(error, HEED_ERROR_ARGUMENT, "threads", threads, 1, HEED_MAX_THREADS) ||
        !heed_is_address(memory, HEED_ALIGN, error))
        return NULL;
    heed_pool *pool = memory;
    *pool = (heed_pool){.threads = threads};
    return pool;
}

static int next_of(uint64_t ticket) { return ticket & 0xffff; }
static int end_of(uint64_t ticket) { return ticket >> 16 & 0xffff; }
static int has_parts(uint64_t ticket) { return next_of(ticket) < end_of(ticket); }

/* Runs parts of one deque until it is empty.  Returns their number. */
static uint32_t take_parts(heed_pool *pool, int thread, int owner) {
    _Atomic uint64_t *ticket = &pool->deques[owner].ticket;
    uint32_t taken = 0;
    for (uint64_t seen = atomic_load(ticket); has_parts(seen); seen = atomic_load(ticket)) {
        int own = owner == thread;
        if (!atomic_compare_exchange_strong(ticket, &seen, own ? seen + 1 : seen - (1 << 16))) continue;
        pool->task(pool->argument, own ? next_of(seen) : end_of(seen) - 1, pool->parts, thread);
        taken++;
    }
    return taken;
}

/* Runs the thread's own parts, then steals. */
static uint32_t take_all(heed_pool *pool, int thread) {
    uint32_t taken = 0;
    for (int i = 0; i < pool->threads; i++) taken += take_parts(pool, thread, (thread + i) % pool->threads);
    return taken;
}

/* Waits for a round other than `seen`; returns its ticket.
 *
 * No round is missed: the caller publishes the ticket before it reads `asleep`, and the thread sets `asleep` before its
 * last check of the ticket.  The same holds for `returned` and `caller_asleep`.  Native builds, which only tests use,
 * spin instead. */
static uint64_t await_round(deque *d, uint64_t seen) {
    uint64_t ticket;
    for (int i = 0; i < SPINS; i++)
        if ((ticket = atomic_load(&d->ticket)) >> 32 != seen) return ticket;
    atomic_store(&d->asleep, 1);
    while ((ticket = atomic_load(&d->ticket)) >> 32 == seen) {
#ifdef __wasm_atomics__
        __builtin_wasm_memory_atomic_wait64((long long *)&d->ticket, (long long)ticket, -1);
#endif
    }
    atomic_store(&d->asleep, 0);
    return ticket;
}

static void publish(deque *d, uint64_t ticket) {
    atomic_store(&d->ticket, ticket);
#ifdef __wasm_atomics__
    if (atomic_load(&d->asleep)) __builtin_wasm_memory_atomic_notify((int *)&d->ticket, 1);
#endif
}

/* Waits until helpers have returned all their parts.  Returns whether that took longer than `patience` nanoseconds.
 * Traps when a helper that failed has closed the pool, because its parts never return. */
static int await_return(heed_pool *pool, int64_t patience) {
    (void)patience; /* unused in native builds */
    for (int i = 0; i < SPINS; i++)
        if (atomic_load(&pool->returned) == pool->given) return 0;
    int delayed = 0;
    atomic_store(&pool->caller_asleep, 1);
    for (uint32_t returned; (returned = atomic_load(&pool->returned)) != pool->given;) {
#ifdef __wasm_atomics__
        enum { TIMED_OUT = 2 };
        delayed |= __builtin_wasm_memory_atomic_wait32((int *)&pool->returned, (int)returned, patience) == TIMED_OUT;
#endif
        if (atomic_load(&pool->closed)) __builtin_trap();
    }
    atomic_store(&pool->caller_asleep, 0);
    return delayed;
}

/* Makes the caller work alone after a delay. */
static void adapt(heed_pool *pool, double cost, int delayed) {
    pool->smooth = delayed ? 0 : pool->smooth + cost;
    if (delayed) {
        double more = pool->penalty > 0 ? 2 * pool->penalty : MIN_ALONE;
        pool->alone = pool->penalty = more < MAX_ALONE ? more : MAX_ALONE;
    } else if (pool->smooth > pool->penalty) {
        pool->penalty = pool->smooth = 0;
    }
}

static void return_parts(heed_pool *pool, uint32_t parts) {
    atomic_fetch_add(&pool->returned, parts);
#ifdef __wasm_atomics__
    if (atomic_load(&pool->caller_asleep)) __builtin_wasm_memory_atomic_notify((int *)&pool->returned, 1);
#endif
}

void heed_pool_work(heed_pool *pool, int thread) {
    if (!pool || thread < 1 || thread >= pool->threads) return;
    for (uint64_t ticket = 0; (ticket = await_round(&pool->deques[thread], ticket >> 32)) != CLOSED;) {
        uint32_t taken = take_all(pool, thread);
        if (taken) return_parts(pool, taken);
    }
}

void heed_pool_close(heed_pool *pool) {
    if (pool) atomic_store(&pool->closed, 1);
    for (int thread = 1; pool && thread < pool->threads; thread++) publish(&pool->deques[thread], CLOSED);
}

int heed_pool_threads(const heed_pool *pool) { return pool ? pool->threads : 1; }

int heed_pool_parts(const heed_pool *pool, int n, double cost) {
    if (!pool || cost < MIN_COST) return 1;
    double of_thread = cost / pool->threads / MIN_PART_COST;
    int parts = of_thread < FEWEST_PARTS ? FEWEST_PARTS : of_thread < MOST_PARTS ? (int)of_thread : MOST_PARTS;
    parts *= pool->threads;
    int most = n < HEED_MAX_PARTS ? n : HEED_MAX_PARTS;
    double finer = cost / MAX_PART_COST;
    if (finer > parts) parts = finer < most ? (int)finer : most;
    return parts < most ? parts : most;
}

void heed_pool_run(heed_pool *pool, heed_task *task, void *argument, int parts, double cost) {
    int threads = heed_pool_threads(pool);
    if (threads == 1 || parts == 1 || pool->alone > 0) {
        if (threads > 1 && pool->alone > 0) pool->alone -= cost;
        for (int part = 0; part < parts; part++) task(argument, part, parts, 0);
        return;
    }
    pool->task = task;
    pool->argument = argument;
    pool->parts = parts;
    uint64_t round = (atomic_load(&pool->deques[0].ticket) >> 32) + 1;
    for (int thread = threads - 1; thread >= 0; thread--) {
        uint64_t next = (uint64_t)heed_part_begin(parts, thread, threads, 1);
        uint64_t end = (uint64_t)heed_part_begin(parts, thread + 1, threads, 1);
        publish(&pool->deques[thread], round << 32 | end << 16 | next);
    }
    pool->given += (uint32_t)parts - take_all(pool, 0);
    adapt(pool, cost, await_return(pool, DELAY_NS + (int64_t)(DELAY_NS_PER_NUMBER * cost / parts)));
}
