#include "dot.h"

#include <stdatomic.h>

/* The meaning of second operands above 127. */
typedef enum engine { U8, S8, SATURATING } engine;

/* The engine computes as `now` for `left` dot products, then as `later`.  Threads share these. */
static atomic_int now, later, left;

/* engine: of the next `calls` dot products; after: of later dot products. */
__attribute__((export_name("heed_emulate"))) void heed_emulate(int engine, int calls, int after) {
    atomic_store(&now, engine), atomic_store(&later, after), atomic_store(&left, calls);
}

/* The remaining dot products of the first engine. */
__attribute__((export_name("heed_emulated_left"))) int heed_emulated_left(void) { return atomic_load(&left); }

static engine next_engine(void) { return (engine)atomic_load(atomic_fetch_sub(&left, 1) > 0 ? &now : &later); }

static v128_t sums_of_pairs(v128_t x_i16x8, v128_t codes_i16x8) { return wasm_i32x4_dot_i16x8(x_i16x8, codes_i16x8); }

v128_t heed_emulated_dot(v128_t x, v128_t codes, v128_t c) {
    engine e = next_engine();
    v128_t low = e == S8 ? wasm_i16x8_extend_low_i8x16(codes) : wasm_u16x8_extend_low_u8x16(codes);
    v128_t high = e == S8 ? wasm_i16x8_extend_high_i8x16(codes) : wasm_u16x8_extend_high_u8x16(codes);
    v128_t first = sums_of_pairs(wasm_i16x8_extend_low_i8x16(x), low);
    v128_t second = sums_of_pairs(wasm_i16x8_extend_high_i8x16(x), high);
    if (e == SATURATING) /* vpmaddubsw, vpmaddwd */
        return wasm_i32x4_add(wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_narrow_i32x4(first, second)), c);
    v128_t fours =
        wasm_i32x4_add(wasm_i32x4_shuffle(first, second, 0, 2, 4, 6), wasm_i32x4_shuffle(first, second, 1, 3, 5, 7));
    return wasm_i32x4_add(fours, c);
}

v128_t heed_emulated_pairs(v128_t x, v128_t codes) {
    v128_t first = sums_of_pairs(wasm_i16x8_extend_low_i8x16(x), wasm_u16x8_extend_low_u8x16(codes));
    v128_t second = sums_of_pairs(wasm_i16x8_extend_high_i8x16(x), wasm_u16x8_extend_high_u8x16(codes));
    return wasm_i16x8_narrow_i32x4(first, second);
}
