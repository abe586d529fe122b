/* The address sanitizer watches the memory of an arena. */
#include "check.h"
#include "tiny.h"

#include "arena.h"

void test_arena(void) {
#ifdef __SANITIZE_ADDRESS__
    _Alignas(HEED_ALIGN) static uint8_t memory[4 * HEED_ALIGN];
    heed_arena arena = {memory, sizeof memory, 0};
    uint8_t *first = heed_arena_take(&arena, 10, 1);
    check(!__asan_address_is_poisoned(first + 9) && __asan_address_is_poisoned(first + 10),
          "memory of an arena ends with its last byte");
    size_t mark = heed_arena_mark(&arena);
    uint8_t *second = heed_arena_take(&arena, 1, 1);
    check(!__asan_address_is_poisoned(second), "memory that was taken can be used");
    heed_arena_release(&arena, mark);
    check(__asan_address_is_poisoned(second) && !__asan_address_is_poisoned(first), "memory that was released cannot");
    HEED_ALLOW(memory, sizeof memory);
#endif
}
