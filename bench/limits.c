/* Loops that reach the limits of one thread: reading memory and multiply-adds. `heed bench` compares the kernels with
 * them. They are a separate module to keep the shipped binaries small. */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Sum of 16-byte words [n], n % 32 == 0: reading memory as kernels read weights for one row, in far streams. Hardware
 * prefetchers stop at the end of a page, and one stream waits there. Each turn reads a cache line of every stream. */
enum { STREAMS = 8, LINE = 4 };
EXPORT(read_words) int32_t read_words(const v128_t *x, int n) {
    const int far = n / STREAMS;
    v128_t sum[LINE];
    for (int j = 0; j < LINE; j++) sum[j] = wasm_i32x4_splat(0);
    for (int i = 0; i < far; i += LINE)
        for (int s = 0; s < STREAMS; s++)
            for (int j = 0; j < LINE; j++) sum[j] = wasm_i32x4_add(sum[j], wasm_v128_load(&x[s * far + i + j]));
    for (int j = 1; j < LINE; j++) sum[0] = wasm_i32x4_add(sum[0], sum[j]);
    return wasm_i32x4_extract_lane(sum[0], 0) + wasm_i32x4_extract_lane(sum[0], 1) +
           wasm_i32x4_extract_lane(sum[0], 2) + wasm_i32x4_extract_lane(sum[0], 3);
}

/* The tile of a matrix product, with eight sums in registers. Each turn loads two vectors of weights and four of
 * activations, and adds eight products. The buffer fits into the first-level cache. */
enum { TURNS = 64, PER_TURN = 6 };
typedef v128_t (*multiply_add)(v128_t a, v128_t b, v128_t sum);

static inline __attribute__((always_inline)) int32_t tile(const v128_t *x, int rounds, multiply_add f) {
    v128_t sum[4][2];
    for (int i = 0; i < 4; i++) sum[i][0] = sum[i][1] = wasm_i32x4_splat(0);
    for (int r = 0; r < rounds; r++)
        for (int t = 0; t < TURNS; t++) {
            const v128_t *at = x + PER_TURN * t;
            v128_t low = wasm_v128_load(at), high = wasm_v128_load(at + 1);
            for (int i = 0; i < 4; i++) {
                v128_t a = wasm_v128_load(at + 2 + i);
                sum[i][0] = f(a, low, sum[i][0]);
                sum[i][1] = f(a, high, sum[i][1]);
            }
        }
    for (int i = 0; i < 4; i++) sum[0][0] = wasm_v128_xor(sum[0][0], wasm_v128_xor(sum[i][0], sum[i][1]));
    return wasm_i32x4_extract_lane(sum[0][0], 0);
}

/* Multiplications and additions of one call of the loops below, a round. */
EXPORT(wide_operations) int wide_operations(void) { return TURNS * 8 * 16; }
EXPORT(f32_operations) int f32_operations(void) { return TURNS * 8 * 8; }

/* Codes of 16 bits, and codes of eight bits that kernels widen before. */
static inline v128_t wide_dot(v128_t a, v128_t b, v128_t sum) {
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(a, b));
}
EXPORT(wide_products) int32_t wide_products(const v128_t *x, int rounds) { return tile(x, rounds, wide_dot); }

#ifdef __wasm_relaxed_simd__
EXPORT(byte_operations) int byte_operations(void) { return TURNS * 8 * 32; }
static inline v128_t byte_dot(v128_t a, v128_t b, v128_t sum) {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, b, sum);
}
EXPORT(byte_products) int32_t byte_products(const v128_t *x, int rounds) { return tile(x, rounds, byte_dot); }
#endif

static inline v128_t multiply(v128_t a, v128_t b, v128_t sum) {
#ifdef __wasm_relaxed_simd__
    return wasm_f32x4_relaxed_madd(a, b, sum);
#else
    return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b));
#endif
}
EXPORT(f32_products) int32_t f32_products(const v128_t *x, int rounds) { return tile(x, rounds, multiply); }
