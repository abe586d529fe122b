/* An arena: allocations from one block of memory, released to a mark. */
#ifndef HEED_ARENA_H
#define HEED_ARENA_H

#include <stddef.h>
#include <stdint.h>

#define HEED_ALIGN 64 /* a cache line; every vector width fits */

/* Tests are compiled with the address sanitizer, which then reports any use of memory that was not taken. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define HEED_FORBID(at, bytes) __asan_poison_memory_region(at, bytes)
#define HEED_ALLOW(at, bytes) __asan_unpoison_memory_region(at, bytes)
#else
#define HEED_FORBID(at, bytes) ((void)0)
#define HEED_ALLOW(at, bytes) ((void)0)
#endif

typedef struct heed_arena {
    uint8_t *base;
    size_t size, used;
} heed_arena;

/* n rounded up to HEED_ALIGN; SIZE_MAX on overflow. */
static inline size_t heed_aligned(size_t n) {
    return n > SIZE_MAX - (HEED_ALIGN - 1) ? SIZE_MAX : (n + HEED_ALIGN - 1) & ~(size_t)(HEED_ALIGN - 1);
}

/* The same in 64 bits, for sums that may exceed the address space. */
static inline uint64_t heed_aligned_64(uint64_t n) { return (n + HEED_ALIGN - 1) / HEED_ALIGN * HEED_ALIGN; }

/* count·size bytes, aligned; NULL when the arena is too small. */
void *heed_arena_take(heed_arena *arena, size_t count, size_t size);

static inline size_t heed_arena_mark(const heed_arena *arena) { return arena->used; }
static inline void heed_arena_release(heed_arena *arena, size_t mark) {
    arena->used = mark;
    HEED_FORBID(arena->base + mark, arena->size - mark);
}

#endif
