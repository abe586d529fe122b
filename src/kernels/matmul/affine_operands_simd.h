/* The operands of a tile of an affine format. */
#ifndef HEED_KERNELS_AFFINE_OPERANDS_SIMD_H
#define HEED_KERNELS_AFFINE_OPERANDS_SIMD_H

#include "kernels/formats/affine.h"
#include "kernels/matmul/tile_simd.h"

/* A sub-block of four rows of activations. */
typedef struct affine_tile_x {
    _Alignas(16) tile_x x;
    float d[TILE_ROWS];
    int32_t initial[TILE_ROWS];   /* -zero·Σx */
    int16_t halves[TILE_ROWS][2]; /* Σx of both halves */
    float sum[2][TILE_ROWS];      /* d·Σx of the parts */
} affine_tile_x;

/* An unpacked sub-block of a panel. */
typedef struct affine_tile_w {
    _Alignas(16) float factor[HEED_PANEL];
    float minima[2][HEED_PANEL]; /* of the parts */
    /* Where halves have integer scales and codes are bytes: these scales as scale_sums() reads them, and -zero times
     * them. */
    int16_t scales[2][HEED_PANEL][2], zeros[HEED_PANEL][2];
    tile_w q;
} affine_tile_w;

#endif
