/* Traits of the weight types: sizes, reading, packing and products, in one table. */
#ifndef HEED_KERNELS_TRAITS_H
#define HEED_KERNELS_TRAITS_H

#include "heed.h"
#include "kernels/kernels.h"

/* Rows of activations: floats, and the blocks of quantize_q8 for products with panels. */
typedef struct heed_activations {
    const float *x;
    size_t stride; /* floats between rows of x */
    const heed_block_q8 *q8;
} heed_activations;

typedef struct heed_format {
    int elements;      /* weights of a block; 1 for floats; 0: not a type */
    int block_bytes;   /* of a block in a file */
    int panel_bytes;   /* of eight blocks in memory; 0: memory holds rows, as the file does */
    heed_dtype held;   /* the type in memory, if loading changes only the layout */
    uint32_t exponent; /* exponent bits of the floats in four bytes; 0: not floats */
    /* The n weights of a row in a file. */
    void (*read_stored)(float *y, const void *row, int n, const heed_kernels *kernels);
    const affine_layout *layout; /* of an affine format */
    /* The kernels pack_<name> and matmul_<name>. */
    int (*pack)(const heed_kernels *kernels, void *to, const void *from, int blocks);
    void (*matmul)(const heed_kernels *kernels, float *y, size_t y_stride, const heed_activations *x, const void *w,
                   int T, int O, int K);
} heed_format;

/* The traits of a type; of an unknown type, all 0. */
const heed_format *heed_format_of(heed_dtype dtype);

/* Weights [from, from + n) of one row of a matrix in memory with K columns.  from and n are multiples of the block. */
void heed_format_read(float *y, heed_dtype dtype, const void *matrix, int row, int K, int from, int n,
                      const heed_kernels *kernels);

/* Columns [from, from + n) of rows [row, row + rows) of panels as codes, 32 columns in each block of y, in the layout
 * of keys.  row and rows are multiples of HEED_PANEL, rows <= HEED_READ_ROWS, from and n multiples of HEED_BLOCK. */
void heed_format_read_codes(heed_codes *y, heed_dtype dtype, const void *matrix, int row, int rows, int K, int from,
                            int n, const heed_kernels *kernels);

#endif
