#include "arena.h"

void *heed_arena_take(heed_arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t bytes = heed_aligned(count * size);
    if (bytes > arena->size - arena->used) return NULL;
    void *p = arena->base + arena->used;
    arena->used += bytes;
    return p;
}
