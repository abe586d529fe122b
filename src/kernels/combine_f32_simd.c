#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/set.h"

/* z[t][d] += Σ_j p[t][j]·v[j][d] over from <= j < to, for `rows` rows and 4·`vectors` columns: constants at every call,
 * so the sums stay in registers while j runs. */
ALWAYS_INLINE void tile(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int from, int to,
                        int D, const int rows, const int vectors) {
    v128_t sums[4][8];
    for (int t = 0; t < rows; t++)
        for (int i = 0; i < vectors; i++) sums[t][i] = wasm_v128_load(z + (size_t)t * z_stride + 4 * i);
    for (int j = from; j < to; j++) {
        const float *v_j = v + (size_t)j * D;
        for (int t = 0; t < rows; t++) {
            v128_t share = wasm_v128_load32_splat(p + (size_t)t * p_stride + j);
            for (int i = 0; i < vectors; i++)
                sums[t][i] = wasm_f32x4_add(sums[t][i], wasm_f32x4_mul(share, wasm_v128_load(v_j + 4 * i)));
        }
    }
    for (int t = 0; t < rows; t++)
        for (int i = 0; i < vectors; i++) wasm_v128_store(z + (size_t)t * z_stride + 4 * i, sums[t][i]);
}

/* All columns.  Every element is summed over j in order, whatever the tile: the same bits as the scalar reference. */
ALWAYS_INLINE void add_rows(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int from,
                            int to, int D, const int rows) {
    const int wide = rows == 1 ? 8 : 2;
    int d = 0;
    for (; d + 4 * wide <= D; d += 4 * wide) tile(z + d, z_stride, p, p_stride, v + d, from, to, D, rows, wide);
    for (; d + 4 <= D; d += 4) tile(z + d, z_stride, p, p_stride, v + d, from, to, D, rows, 1);
    for (; d < D; d++) {
        for (int t = 0; t < rows; t++) {
            float sum = z[(size_t)t * z_stride + d];
            for (int j = from; j < to; j++) sum += p[(size_t)t * p_stride + j] * v[(size_t)j * D + d];
            z[(size_t)t * z_stride + d] = sum;
        }
    }
}

/* Where the zeros at the end of a row begin. */
static int end_of(const float *p, int N) {
    while (N > 0 && p[N - 1] == 0) N--;
    return N;
}

static void clear(float *z, int D) {
    for (int d = 0; d < D; d++) z[d] = 0;
}

/* Four rows together as far as all four reach, then each alone: a causal pattern costs the half of a full one. */
void heed_combine_f32_simd128(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int T, int N,
                              int D) {
    for (int t = 0, rows; t < T; t += rows) {
        rows = T - t >= 4 ? 4 : 1;
        float *z_t = z + (size_t)t * z_stride;
        const float *p_t = p + (size_t)t * p_stride;
        int ends[4], common = N;
        for (int r = 0; r < rows; r++) {
            clear(z_t + (size_t)r * z_stride, D);
            ends[r] = end_of(p_t + (size_t)r * p_stride, N);
            if (ends[r] < common) common = ends[r];
        }
        if (rows == 4)
            add_rows(z_t, z_stride, p_t, p_stride, v, 0, common, D, 4);
        else
            common = 0;
        for (int r = 0; r < rows; r++)
            add_rows(z_t + (size_t)r * z_stride, z_stride, p_t + (size_t)r * p_stride, p_stride, v, common, ends[r], D,
                     1);
    }
}

#endif
