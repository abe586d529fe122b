#include "threads.h"

#include "arena.h"
#include "error.h"

#include <stdatomic.h>

/* What a thread is to do, on a cache line of its own: others come by only when they have nothing left. */
typedef struct share {
    /* Parts next .. end - 1 of a round, in one word so that they change at once: round << 32 | end << 16 | next.  The
     * thread takes the next, so that it reads its weights in one run, and whoever has nothing left takes the last. */
    _Alignas(64) _Atomic uint64_t ticket;
    _Atomic uint32_t asleep; /* the thread sleeps on its ticket, or will after one more look */
} share;

struct heed_pool {
    /* The caller's alone; task and argument are read by whoever took a part, and stay until it is returned. */
    int threads;
    heed_task *task;
    void *argument;
    int parts;
    uint32_t given; /* parts that helpers took, of all rounds */
    double alone;   /* cost of what the caller still does alone, for helpers kept it waiting */
    double penalty; /* so much after the last delay; forgotten after as much without one */
    double smooth;  /* since the last delay */
    /* What the caller looks at, and sleeps on. */
    _Alignas(64) _Atomic uint32_t returned; /* parts, of all rounds, that helpers are done with */
    _Atomic uint32_t caller_asleep;
    share shares[HEED_MAX_THREADS];
};

/* The ticket of a pool that has no more rounds: it has no parts, and no round comes so far. */
#define CLOSED UINT64_MAX

/* Sleeping and waking cost more than the time between two tasks of a forward pass, so a thread looks for the next this
 * often before it sleeps: some tens of microseconds.  No core is busy while nothing runs. */
enum { LOOKS = 50000 };

/* A helper that keeps a part for so long, and as long again for each number of it on a slow machine, has lost its
 * processor to another program, and will again: sharing then costs more than it gives, most when tasks are as short as
 * a decoder's.  The caller works alone for a while, some milliseconds of numbers, and twice as long each time. */
enum { DELAY_NS = 2000000, DELAY_NS_PER_NUMBER = 8, FIRST_ALONE = 1 << 22, MOST_ALONE = 1 << 28 };

/* Cost below which waking others costs more than they save; parts a thread; most of one part, half a millisecond of
 * products. */
enum { WORTH_SHARING = 1 << 12, SHARES = 4, MOST_IN_PART = 1 << 21 };

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

/* Takes parts of a share until none is left.  Returns how many. */
static uint32_t take_parts(heed_pool *pool, int thread, int owner) {
    _Atomic uint64_t *ticket = &pool->shares[owner].ticket;
    uint32_t taken = 0;
    for (uint64_t seen = atomic_load(ticket); has_parts(seen); seen = atomic_load(ticket)) {
        int own = owner == thread;
        if (!atomic_compare_exchange_strong(ticket, &seen, own ? seen + 1 : seen - (1 << 16))) continue;
        pool->task(pool->argument, own ? next_of(seen) : end_of(seen) - 1, pool->parts, thread);
        taken++;
    }
    return taken;
}

/* Its own parts first, then those of the others. */
static uint32_t take_all(heed_pool *pool, int thread) {
    uint32_t taken = 0;
    for (int i = 0; i < pool->threads; i++) taken += take_parts(pool, thread, (thread + i) % pool->threads);
    return taken;
}

/* Until the share's ticket is of another round than `seen`; returns it.
 *
 * No round is missed: the caller publishes it before it looks whether the thread sleeps, and the thread says so before
 * it looks for a round the last time.  So it is with parts returned and the caller's sleep.  Outside of WebAssembly,
 * where only tests run, nobody sleeps. */
static uint64_t await_round(share *s, uint64_t seen) {
    uint64_t ticket;
    for (int i = 0; i < LOOKS; i++)
        if ((ticket = atomic_load(&s->ticket)) >> 32 != seen) return ticket;
    atomic_store(&s->asleep, 1);
    while ((ticket = atomic_load(&s->ticket)) >> 32 == seen) {
#ifdef __wasm_atomics__
        __builtin_wasm_memory_atomic_wait64((long long *)&s->ticket, (long long)ticket, -1);
#endif
    }
    atomic_store(&s->asleep, 0);
    return ticket;
}

static void publish(share *s, uint64_t ticket) {
    atomic_store(&s->ticket, ticket);
#ifdef __wasm_atomics__
    if (atomic_load(&s->asleep)) __builtin_wasm_memory_atomic_notify((int *)&s->ticket, 1);
#endif
}

/* Until helpers have returned all that they took.  Whether they took longer than `patience`, in nanoseconds. */
static int await_return(heed_pool *pool, int64_t patience) {
    (void)patience; /* outside of WebAssembly nobody sleeps */
    for (int i = 0; i < LOOKS; i++)
        if (atomic_load(&pool->returned) == pool->given) return 0;
    int delayed = 0;
    atomic_store(&pool->caller_asleep, 1);
    for (uint32_t returned; (returned = atomic_load(&pool->returned)) != pool->given;) {
#ifdef __wasm_atomics__
        enum { TIMED_OUT = 2 };
        delayed |= __builtin_wasm_memory_atomic_wait32((int *)&pool->returned, (int)returned, patience) == TIMED_OUT;
#endif
    }
    atomic_store(&pool->caller_asleep, 0);
    return delayed;
}

static void judge(heed_pool *pool, double cost, int delayed) {
    pool->smooth = delayed ? 0 : pool->smooth + cost;
    if (delayed) {
        double more = pool->penalty > 0 ? 2 * pool->penalty : FIRST_ALONE;
        pool->alone = pool->penalty = more < MOST_ALONE ? more : MOST_ALONE;
    } else if (pool->smooth > pool->penalty) {
        pool->penalty = pool->smooth = 0;
    }
}

static void give_back(heed_pool *pool, uint32_t parts) {
    atomic_fetch_add(&pool->returned, parts);
#ifdef __wasm_atomics__
    if (atomic_load(&pool->caller_asleep)) __builtin_wasm_memory_atomic_notify((int *)&pool->returned, 1);
#endif
}

void heed_pool_work(heed_pool *pool, int thread) {
    if (!pool || thread < 1 || thread >= pool->threads) return;
    for (uint64_t ticket = 0; (ticket = await_round(&pool->shares[thread], ticket >> 32)) != CLOSED;) {
        uint32_t taken = take_all(pool, thread);
        if (taken) give_back(pool, taken);
    }
}

void heed_pool_close(heed_pool *pool) {
    for (int thread = 1; pool && thread < pool->threads; thread++) publish(&pool->shares[thread], CLOSED);
}

int heed_pool_threads(const heed_pool *pool) { return pool ? pool->threads : 1; }

int heed_pool_parts(const heed_pool *pool, int n, double cost) {
    if (!pool || cost < WORTH_SHARING) return 1;
    int parts = pool->threads * SHARES, most = n < HEED_MAX_PARTS ? n : HEED_MAX_PARTS;
    double finer = cost / MOST_IN_PART;
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
    uint64_t round = (atomic_load(&pool->shares[0].ticket) >> 32) + 1;
    for (int thread = threads - 1; thread >= 0; thread--) {
        uint64_t next = (uint64_t)heed_part_begin(parts, thread, threads, 1);
        uint64_t end = (uint64_t)heed_part_begin(parts, thread + 1, threads, 1);
        publish(&pool->shares[thread], round << 32 | end << 16 | next);
    }
    pool->given += (uint32_t)parts - take_all(pool, 0);
    judge(pool, cost, await_return(pool, DELAY_NS + (int64_t)(DELAY_NS_PER_NUMBER * cost / parts)));
}
