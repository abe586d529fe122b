#ifdef __wasm_simd128__
#include "kernels/formats/pack_simd.h"
#include "kernels/kernels.h"

/* The first 16 bytes at `q` of eight rows, `stride` bytes apart, as four times four columns of a panel.  The bits of
 * `flip` are inverted in each 16 bits. */
ALWAYS_INLINE void pack_quads(void *to, const void *q, size_t stride, int flip) {
    for (int half = 0; half < 2; half++) {
        v128_t row[4];
        for (int r = 0; r < 4; r++)
            row[r] = wasm_v128_xor(wasm_v128_load((const char *)q + (size_t)(4 * half + r) * stride),
                                   wasm_i16x8_splat((int16_t)flip));
        put_quads(to, half, row);
    }
}

int heed_pack_q8_0_simd128(heed_panel_q8_0 *to, const heed_block_q8_0 *from, int blocks) {
    size_t stride = (size_t)blocks * sizeof *from;
    v128_t bad = wasm_i16x8_splat(0);
    for (int b = 0; b < blocks; b++, from++, to++) {
        v128_t d = load_scales(&from->d, stride);
        bad = wasm_v128_or(bad, not_finite(d));
        put_floats(to->d, d);
        pack_quads(to->q, from->q, stride, HEED_FLIP_Q8_0);
        pack_quads(to->q + 4, from->q + 16, stride, HEED_FLIP_Q8_0);
    }
    return !wasm_v128_any_true(bad);
}

int heed_pack_q4_0_simd128(heed_panel_q4_0 *to, const heed_block_q4_0 *from, int blocks) {
    size_t stride = (size_t)blocks * sizeof *from;
    v128_t bad = wasm_i16x8_splat(0);
    for (int b = 0; b < blocks; b++, from++, to++) {
        v128_t d = load_scales(&from->d, stride);
        bad = wasm_v128_or(bad, not_finite(d));
        wasm_v128_store(to->d, d);
        pack_quads(to->q, from->q, stride, 0);
    }
    return !wasm_v128_any_true(bad);
}

#endif
