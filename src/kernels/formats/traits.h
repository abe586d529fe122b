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
    /* The kernels read_<name>, pack_<name> and matmul_<name>. */
    void (*read_panels)(const heed_kernels *kernels, float *y, size_t y_stride, size_t strip, const void *panels,
                        int n);
    int (*pack)(const heed_kernels *kernels, void *to, const void *from, int blocks);
    void (*matmul)(const heed_kernels *kernels, float *y, size_t y_stride, const heed_activations *x, const void *w,
                   int T, int O, int K);
} heed_format;

/* The traits of a type; of an unknown type, all 0. */
const heed_format *heed_format_of(heed_dtype dtype);

/* Weights [from, from + n) of one row of a matrix in memory with K columns.  from and n are multiples of the block. */
void heed_format_read(float *y, heed_dtype dtype, const void *matrix, int row, int K, int from, int n,
                      const heed_kernels *kernels);

/* The same of rows [row, row + rows) in strips, as gemm_f32 reads them: [rows][8] of eight columns, `strip` floats
 * apart.  row is a multiple of HEED_PANEL.  y has room for a multiple of it; rows of y past `rows` are undefined. */
void heed_format_read_strips(float *y, size_t strip, heed_dtype dtype, const void *matrix, int row, int rows, int K,
                             int from, int n, const heed_kernels *kernels);

#endif
