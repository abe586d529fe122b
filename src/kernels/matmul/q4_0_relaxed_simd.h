/* Q4_0 by relaxed products of bytes, of pairs or of fours (operands_simd.h).  Part of q4_0_relaxed.c and
 * q4_0_bytes_relaxed.c. */
ALWAYS_INLINE int32_t q4_0_load_activations(int8_t *x, const int8_t *q, int zero) {
    for (int i = 0; i < 2; i++) wasm_v128_store(x + 16 * i, wasm_v128_load(q + 16 * i));
    return -zero_term(q, zero);
}

/* Four columns of the low codes and four of the high codes of eight rows.  mask: bytes of 15. */
ALWAYS_INLINE void q4_0_add_columns(v128_t sums[][2], const char *codes, size_t apart, const int8_t *x, v128_t mask,
                                    const int panels) {
    v128_t low = wasm_v128_load32_splat(x), high = wasm_v128_load32_splat(x + HEED_BLOCK / 2);
    for (int p = 0; p < panels; p++, codes += apart)
        for (int r = 0; r < 2; r++) {
            v128_t both = wasm_v128_load(codes + 16 * r);
            sums[p][r] = add_products(sums[p][r], wasm_v128_and(both, mask), low);
            sums[p][r] = add_products(sums[p][r], wasm_v128_and(wasm_u16x8_shr(both, 4), mask), high);
        }
}

ALWAYS_INLINE void q4_0_multiply(v128_t sums_i32x4[][2], const heed_panel_q4_0 *w, size_t apart, const int8_t *x,
                                 v128_t initial_i32x4, int zero) {
    (void)zero;
    v128_t sums[TOGETHER][2], mask = wasm_i8x16_splat(15);
    HIDE(mask);
    for (int p = 0; p < TOGETHER; p++) sums[p][0] = sums[p][1] = splat(0);
    const char *codes = (const char *)w->q, *end = codes + sizeof w->q;
#pragma clang loop unroll(disable)
    for (; codes != end; codes += 4 * HEED_PANEL, x += 4) {
        HIDE(codes);
        HIDE(x);
        q4_0_add_columns(sums, codes, apart * sizeof *w, x, mask, TOGETHER);
    }
    for (int p = 0; p < TOGETHER; p++)
        for (int r = 0; r < 2; r++) sums_i32x4[p][r] = wasm_i32x4_add(widen_sums(sums[p][r]), initial_i32x4);
}
