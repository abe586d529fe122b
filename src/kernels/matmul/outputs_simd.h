/* Shared by all products with panels: scales of half precision, bands of rows, streams, and the outputs of the last
 * panel. */
#ifndef HEED_KERNELS_OUTPUTS_SIMD_H
#define HEED_KERNELS_OUTPUTS_SIMD_H

#include "kernels/kernels.h"
#include "kernels/lanes.h"

#include <string.h>

/* Eight finite halves to float, exact: exponent and mantissa moved to the places of a float mean 2^-112 of the value,
 * also for subnormals.  The arithmetic shift copies the sign into four bits; the mask keeps one. */
ALWAYS_INLINE void load_8_scales(v128_t to_f32x4[2], const void *halves) {
    for (int i = 0; i < 2; i++) {
        v128_t bits = wasm_i32x4_shl(wasm_i32x4_load16x4((const uint16_t *)halves + 4 * i), 13);
        to_f32x4[i] = wasm_f32x4_mul(wasm_v128_and(bits, wasm_i32x4_splat((int32_t)0x8fffffff)), splat(0x1p112f));
    }
}

/* Σ q·zero: the part of a sum of products from codes that are too high by `zero`. */
ALWAYS_INLINE int32_t zero_term(const int8_t *q, const int zero) {
    if (!zero) return 0;
    v128_t halves = sum_halves_i8(q);
    return zero * (wasm_i32x4_extract_lane(halves, 0) + wasm_i32x4_extract_lane(halves, 1));
}

/* Rows of the next band: `band` rows, the rows of whole tiles, or one row. */
ALWAYS_INLINE int band_of(int rows_left, int band, int tile_rows) {
    return rows_left >= band ? band : rows_left >= tile_rows ? rows_left / tile_rows * tile_rows : 1;
}

/* The place of the sums of outputs from o on.  The last panel may have fewer than eight outputs.  They are summed in
 * `last`; after the last chunk heed_copy_last() copies the outputs that exist. */
ALWAYS_INLINE float *outputs_at(float *y, int o, int O, float *last) { return o + HEED_PANEL <= O ? y + o : last; }

/* Rows of panels that are read in turns, `streams` of them, `apart` rows apart. */
typedef struct row_group {
    int first, apart, streams;
} row_group;

/* Group i; returns 0 after the last.  Most groups are `streams` rows far apart.  Then come the rows that remain, side
 * by side, and the last row if it has fewer than eight outputs.  These two may be empty.  (streams_simd.c) */
int heed_row_group(row_group *g, int i, int O, int streams);

/* Rows of a group that are multiplied together, and their sums, y_apart floats apart. */
typedef struct row_turn {
    float *y;
    size_t y_apart;
    int rows; /* `together` or 1 */
} row_turn;

/* The next rows of a group; y: the sums of the first of `left` rows.  If fewer than `together` are left, one row is
 * multiplied `together` times, because a loop for one row would be more code.  Its sums are the first of `alone`. */
ALWAYS_INLINE row_turn begin_turn(float *y, row_group g, int left, const int together, float *alone) {
    if (left >= together) return (row_turn){y, (size_t)(HEED_PANEL * g.apart), together};
    memcpy(alone, y, HEED_PANEL * sizeof *y);
    return (row_turn){alone, HEED_PANEL, 1};
}
ALWAYS_INLINE void end_turn(float *y, row_turn t) {
    if (t.rows == 1) memcpy(y, t.y, HEED_PANEL * sizeof *y);
}

/* Reads the first lines of `streams` streams of weights, `apart` bytes apart.  Processors fetch ahead only after some
 * lines of a stream.  The first lines of all streams, read together, wait for memory once. */
void heed_start_streams(const volatile char *at, size_t apart, int streams);

/* Copies the outputs of the last panel that exist.  (streams_simd.c) */
void heed_copy_last(float *y, const float *last, int O);

#endif
