#define WHOLE_BYTES
#include "kernels/matmul/operands_simd.h"
#include "kernels/matmul/q4_0_simd.h"

#define PANELS(name) q4_0_##name
#define PANEL heed_panel_q4_0
enum { UNPACKED_ZERO = PANEL_ZERO };

ALWAYS_INLINE v128_t q4_0_initial_sum(int32_t zero) { return wasm_i32x4_splat(-zero); }

ALWAYS_INLINE void q4_0_load_activations(int8_t *x, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK; i++) x[i] = q[i];
}

ALWAYS_INLINE void q4_0_multiply(v128_t to_i32x4[2], const heed_panel_q4_0 *w, const int8_t *x) {
    v128_t sums_i32x4[2] = {splat(0), splat(0)};
#pragma clang loop unroll(disable)
    for (int i = 0; i < HEED_BLOCK / 8; i++) {
        v128_t low = wasm_v128_load32_splat(x + 4 * i), high = wasm_v128_load32_splat(x + 4 * i + HEED_BLOCK / 2);
        for (int r = 0; r < 2; r++) {
            v128_t codes = wasm_v128_load(w->q[i][4 * r]);
            sums_i32x4[r] = add_products(sums_i32x4[r], low_codes(codes), low);
            sums_i32x4[r] = add_products(sums_i32x4[r], high_codes(codes), high);
        }
    }
    for (int i = 0; i < 2; i++) to_i32x4[i] = widen_sums(sums_i32x4[i]);
}

ALWAYS_INLINE void q4_0_unpack(int8_t *q, const heed_panel_q4_0 *w) {
    for (int i = 0; i < HEED_BLOCK / 8; i++) {
        for (int r = 0; r < 2; r++, q += 16) {
            v128_t codes = wasm_v128_load(w->q[i][4 * r]);
            wasm_v128_store(q, low_codes(codes));
            wasm_v128_store(q + 32 * HEED_BLOCK / 8, high_codes(codes));
        }
    }
}
#include "kernels/matmul/panels_tile_simd.h"

void heed_matmul_q4_0_bytes(float *y, size_t y_stride, const heed_block_q8 *x, const heed_panel_q4_0 *w, int T, int O,
                            int K) {
    q4_0_matmul(y, y_stride, x, w, T, O, K);
}
