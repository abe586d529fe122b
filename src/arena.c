#include "arena.h"

void *heed_arena_take(heed_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t bytes = heed_aligned(count * size);
    if (bytes > arena->size - arena->used) return NULL;
    void *p = arena->base + arena->used;
    if (arena->used == 0) HEED_FORBID(p, arena->size);
    HEED_ALLOW(p, count * size);
    arena->used += bytes;
    return p;
}
