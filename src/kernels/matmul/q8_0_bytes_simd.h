/* Q8_0 by products of whole bytes, for the sets relaxed-u8 and relaxed-s8.  Parameter, defined before the include:
 *
 *     CODE_FLIP   0x80 where the engine reads second operands as unsigned: codes are then 128 too high, and sums start
 *                 at -128·Σx; 0 where it reads them as signed. */
#define WHOLE_BYTES
#include "kernels/matmul/operands_simd.h"

#define PANELS(name) q8_0_##name
#define PANEL heed_panel_q8_0
enum { PANEL_ZERO = CODE_FLIP, UNPACKED_ZERO = CODE_FLIP };

ALWAYS_INLINE void q8_0_load_scales(v128_t d_f32x4[2], const heed_panel_q8_0 *w) {
    d_f32x4[0] = wasm_v128_load(w->d);
    d_f32x4[1] = wasm_v128_load(w->d + 4);
}

/* Four columns of rows 4r to 4r + 3, as second operands. */
ALWAYS_INLINE v128_t q8_0_codes(const heed_panel_q8_0 *w, int i, int r) {
    return wasm_v128_xor(wasm_v128_load(w->q[i][4 * r]), wasm_i8x16_splat((int8_t)CODE_FLIP));
}

ALWAYS_INLINE void q8_0_load_activations(int8_t *x, const int8_t *q) {
    for (int i = 0; i < HEED_BLOCK; i++) x[i] = q[i];
}

ALWAYS_INLINE void q8_0_multiply(v128_t to_i32x4[2], const heed_panel_q8_0 *w, const int8_t *x) {
    to_i32x4[0] = to_i32x4[1] = splat(0);
#pragma clang loop unroll(disable)
    for (int i = 0; i < HEED_BLOCK / 4; i++) {
        v128_t quad = wasm_v128_load32_splat(x + 4 * i);
        for (int r = 0; r < 2; r++) to_i32x4[r] = add_products(to_i32x4[r], q8_0_codes(w, i, r), quad);
    }
}

ALWAYS_INLINE void q8_0_unpack(int8_t *q, const heed_panel_q8_0 *w) {
    for (int i = 0; i < HEED_BLOCK / 4; i++)
        for (int r = 0; r < 2; r++, q += 16) wasm_v128_store(q, q8_0_codes(w, i, r));
}

ALWAYS_INLINE v128_t q8_0_initial_sum(int32_t zero) { return wasm_i32x4_splat(-zero); }
#include "kernels/matmul/panels_tile_simd.h"
