#ifdef __wasm_simd128__
#include "kernels/lanes.h"
#include "kernels/kernels.h"

/* Every tile sums an element over j in order: the same bits as the scalar reference. */

/* CHUNK values of 64 columns are 16 KB, which stay in the first-level cache while all rows and tiles read them. */
enum { ROWS = 4, CHUNK = 64 };

/* z[d] += Σ_j p[j]·v[j][d] over `values` values, a constant at every call; reads v in the order of memory. */
ALWAYS_INLINE void add_values(float *z, const float *p, const float *v, int D, const int values) {
    v128_t weighted[8];
    for (int j = 0; j < values; j++) weighted[j] = wasm_v128_load32_splat(p + j);
    int d = 0;
    for (; d + 4 <= D; d += 4) {
        v128_t sum = wasm_v128_load(z + d);
        for (int j = 0; j < values; j++)
            sum = wasm_f32x4_add(sum, wasm_f32x4_mul(weighted[j], wasm_v128_load(v + (size_t)j * D + d)));
        wasm_v128_store(z + d, sum);
    }
    for (; d < D; d++)
        for (int j = 0; j < values; j++) z[d] += p[j] * v[(size_t)j * D + d];
}

/* One row over from <= j < to. */
static void add_row(float *z, const float *p, const float *v, int from, int to, int D) {
    int j = from;
    for (; j + 8 <= to; j += 8) add_values(z, p + j, v + (size_t)j * D, D, 8);
    for (; j < to; j++) add_values(z, p + j, v + (size_t)j * D, D, 1);
}

/* z[t][d] += Σ_j p[t][j]·v[j][d] over from <= j < to, for four rows and 4·`vectors` columns: a constant at every call,
 * so the sums stay in registers while j runs. */
ALWAYS_INLINE void weighted_sum_tile(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v,
                                     int from, int to, int D, const int vectors) {
    v128_t sums[ROWS][2];
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < vectors; i++) sums[t][i] = wasm_v128_load(z + (size_t)t * z_stride + 4 * i);
    for (int j = from; j < to; j++) {
        const float *v_j = v + (size_t)j * D;
        for (int t = 0; t < ROWS; t++) {
            v128_t weight = wasm_v128_load32_splat(p + (size_t)t * p_stride + j);
            for (int i = 0; i < vectors; i++)
                sums[t][i] = wasm_f32x4_add(sums[t][i], wasm_f32x4_mul(weight, wasm_v128_load(v_j + 4 * i)));
        }
    }
    for (int t = 0; t < ROWS; t++)
        for (int i = 0; i < vectors; i++) wasm_v128_store(z + (size_t)t * z_stride + 4 * i, sums[t][i]);
}

static void add_four_rows(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int from, int to,
                          int D) {
    int d = 0;
    for (; d + 8 <= D; d += 8) weighted_sum_tile(z + d, z_stride, p, p_stride, v + d, from, to, D, 2);
    for (; d + 4 <= D; d += 4) weighted_sum_tile(z + d, z_stride, p, p_stride, v + d, from, to, D, 1);
    for (; d < D; d++) {
        for (int t = 0; t < ROWS; t++) {
            float sum = z[(size_t)t * z_stride + d];
            for (int j = from; j < to; j++) sum += p[(size_t)t * p_stride + j] * v[(size_t)j * D + d];
            z[(size_t)t * z_stride + d] = sum;
        }
    }
}

/* The length of a row without its trailing zeros. */
static int end_of(const float *p, int N) {
    while (N > 0 && p[N - 1] == 0) N--;
    return N;
}

static int smaller(int a, int b) { return a < b ? a : b; }

/* Four rows at once up to the shortest, then each alone: a causal pattern costs half of a full one. */
void heed_weighted_sum_f32_simd128(float *z, size_t z_stride, const float *p, size_t p_stride, const float *v, int T,
                                   int N, int D) {
    for (int t = 0, rows; t < T; t += rows) {
        rows = smaller(T - t, ROWS);
        float *z_t = z + (size_t)t * z_stride;
        const float *p_t = p + (size_t)t * p_stride;
        int ends[ROWS], common = N, longest = 0;
        for (int r = 0; r < rows; r++) {
            for (int d = 0; d < D; d++) z_t[(size_t)r * z_stride + d] = 0;
            ends[r] = end_of(p_t + (size_t)r * p_stride, N);
            common = smaller(common, ends[r]);
            if (ends[r] > longest) longest = ends[r];
        }
        if (rows < ROWS) common = 0;
        for (int j = 0; j < common; j += CHUNK)
            add_four_rows(z_t, z_stride, p_t, p_stride, v, j, smaller(j + CHUNK, common), D);
        for (int j = common; j < longest; j += CHUNK)
            for (int r = 0; r < rows; r++)
                add_row(z_t + (size_t)r * z_stride, p_t + (size_t)r * p_stride, v, j, smaller(j + CHUNK, ends[r]), D);
    }
}

#endif
