#ifdef __wasm_simd128__
#include "kernels/codes_i16_simd.h"
#include "kernels/set.h"

enum { ROWS = 4 };

/* The codes of n <= 32 shares p[j]·dv[j], then zeros.  Returns their scale. */
ALWAYS_INLINE float quantize_shares(int16_t code[HEED_BLOCK], const float *p, const float *dv, int n) {
    v128_t share[HEED_BLOCK / 4], largest = splat(0), part[2], scales[2];
    for (int j = 0; j < HEED_BLOCK; j += 8) {
        int rest = n > j ? n - j : 0;
        load_up_to_8(part, p + j, (size_t)rest);
        load_up_to_8(scales, dv + j, (size_t)rest);
        for (int i = 0; i < 2; i++) {
            share[j / 4 + i] = wasm_f32x4_mul(part[i], scales[i]);
            largest = larger_magnitude(largest, share[j / 4 + i]);
        }
    }
    float scale = scale_of(largest);
    v128_t inverse = inverse_of(scale);
    for (int j = 0; j < HEED_BLOCK; j += 8) wasm_v128_store(code + j, codes(share[j / 4], share[j / 4 + 1], inverse));
    return scale;
}

ALWAYS_INLINE void add_scaled(v128_t z[2], const v128_t sums[2], float scale) {
    for (int i = 0; i < 2; i++)
        z[i] = wasm_f32x4_add(z[i], wasm_f32x4_mul(splat(scale), wasm_f32x4_convert_i32x4(sums[i])));
}

/* z[t] += scale[t]·Σ over a block of values, for `rows` rows: a constant at every call. */
ALWAYS_INLINE void add_block(float *z, size_t z_stride, const int16_t code[][HEED_BLOCK], const float *scale,
                             const int16_t *v, int D, const int rows) {
    v128_t sums[ROWS][2], outputs[2];
    for (int d = 0; d < D; d += HEED_PANEL, v += HEED_BLOCK * HEED_PANEL, z += HEED_PANEL) {
        sum_steps(sums, v, code[0], HEED_BLOCK, HEED_BLOCK / 2, rows);
        if (D - d >= HEED_PANEL) {
            for (int t = 0; t < rows; t++) {
                float *z_t = z + (size_t)t * z_stride;
                load_up_to_8(outputs, z_t, 8);
                add_scaled(outputs, sums[t], scale[t]);
                store_outputs(z_t, outputs, 8);
            }
        } else {
            for (int t = 0; t < rows; t++) {
                float *z_t = z + (size_t)t * z_stride;
                load_up_to_8(outputs, z_t, (size_t)(D - d));
                add_scaled(outputs, sums[t], scale[t]);
                store_outputs(z_t, outputs, D - d);
            }
        }
    }
}

/* Where the zeros at the end of a row begin. */
static int end_of(const float *p, int N) {
    while (N > 0 && p[N - 1] == 0) N--;
    return N;
}

/* A block that no row has a share in, before a window as after the last position, is passed over: it would add 0. */
ALWAYS_INLINE void combine_rows(float *z, size_t z_stride, const float *p, size_t p_stride, const int16_t *v,
                                const float *dv, int N, int D, const int rows) {
    size_t block_codes = (size_t)((D + HEED_PANEL - 1) / HEED_PANEL) * HEED_BLOCK * HEED_PANEL;
    int16_t code[ROWS][HEED_BLOCK];
    float scale[ROWS];
    int ends[ROWS], longest = 0;
    for (int t = 0; t < rows; t++) {
        for (int d = 0; d < D; d++) z[(size_t)t * z_stride + d] = 0;
        ends[t] = end_of(p + (size_t)t * p_stride, N);
        if (ends[t] > longest) longest = ends[t];
    }
    for (int b = 0; b < longest; b += HEED_BLOCK, v += block_codes) {
        int any = 0;
        for (int t = 0; t < rows; t++) {
            scale[t] = quantize_shares(code[t], p + (size_t)t * p_stride + b, dv + b, ends[t] - b);
            any |= scale[t] != 0;
        }
        if (any) add_block(z, z_stride, (const int16_t(*)[HEED_BLOCK])code, scale, v, D, rows);
    }
}

/* Blocks are exact and added in order: the same bits as the scalar reference. */
void heed_combine_i16_simd128(float *z, size_t z_stride, const float *p, size_t p_stride, const int16_t *v,
                              const float *dv, int T, int N, int D) {
    for (int t = 0; t < T; t += ROWS) {
        float *z_t = z + (size_t)t * z_stride;
        const float *p_t = p + (size_t)t * p_stride;
        switch (T - t) {
        case 1: combine_rows(z_t, z_stride, p_t, p_stride, v, dv, N, D, 1); break;
        case 2: combine_rows(z_t, z_stride, p_t, p_stride, v, dv, N, D, 2); break;
        case 3: combine_rows(z_t, z_stride, p_t, p_stride, v, dv, N, D, 3); break;
        default: combine_rows(z_t, z_stride, p_t, p_stride, v, dv, N, D, 4);
        }
    }
}

#endif
