/* The operands of a tile of an affine format. */
#ifndef HEED_KERNELS_AFFINE_OPERANDS_SIMD_H
#define HEED_KERNELS_AFFINE_OPERANDS_SIMD_H

#include "kernels/formats/affine.h"
#include "kernels/matmul/tile_simd.h"

/* Numbers 4·half to 4·half + 3 of eight, each twice. */
ALWAYS_INLINE v128_t twice(v128_t i16x8, int half) {
    return half ? wasm_i16x8_shuffle(i16x8, i16x8, 4, 4, 5, 5, 6, 6, 7, 7)
                : wasm_i16x8_shuffle(i16x8, i16x8, 0, 0, 1, 1, 2, 2, 3, 3);
}

/* A sub-block of four rows of activations. */
typedef struct affine_tile_x {
    _Alignas(16) tile_x x;
    float d[TILE_ROWS];
    float sum[2][TILE_ROWS];      /* d·Σx of the parts */
    int32_t initial[TILE_ROWS];   /* -zero·Σx; only tiles of bytes read this and the next field */
    int16_t halves[TILE_ROWS][2]; /* Σx of both halves */
} affine_tile_x;

/* An unpacked sub-block of a panel. */
typedef struct affine_tile_w {
    _Alignas(16) float factor[HEED_PANEL];
    float minima[2][HEED_PANEL]; /* of the parts */
    /* Of tiles of bytes, where halves have integer scales: each scale twice, and -zero times the scales. */
    int16_t scales[2][HEED_PANEL][2], zeros[HEED_PANEL][2];
    tile_w q;
} affine_tile_w;

#endif
