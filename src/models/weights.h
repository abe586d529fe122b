/* Converts rows of a weight from the layout of the file to the layout of the kernels. */
#ifndef HEED_WEIGHTS_H
#define HEED_WEIGHTS_H

#include "kernels/formats/traits.h"
#include "tensor.h"

static inline int heed_is_float(heed_dtype dtype) { return heed_format_of(dtype)->exponent != 0; }

/* Types that products read as panels. */
static inline int heed_is_panels(heed_dtype dtype) { return heed_format_of(dtype)->panel_bytes != 0; }

/* The type in memory of a weight that is kept as `kept`: vectors are f32; an unknown type stays unknown. */
static inline heed_dtype heed_dtype_in_memory(heed_dtype kept, int rows) {
    const heed_format *format = heed_format_of(kept);
    return rows == 1 ? HEED_F32 : format->elements ? format->held : kept;
}

/* Whether a weight of this shape can be converted from type `stored` to `held`. */
int heed_can_convert(heed_dtype stored, heed_dtype held, int rows, int columns);

/* Whether n numbers of a float type are finite. */
int heed_all_finite(heed_dtype dtype, const void *numbers, size_t n);

/* Converts rows [first, first + n) of w, which is f32 or panels, from rows of type `stored` at `from`.
 * - first: a multiple of HEED_PANEL
 * - n: a multiple of HEED_PANEL, or to the last row of w; to panels, zeros must follow to the next multiple
 * - scratch: heed_convert_scratch bytes
 *
 * Returns whether every number is finite. */
int heed_convert_rows(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                      const heed_kernels *kernels, void *scratch);
/* The same for columns of a transposed matrix: n lines of w->rows numbers in F32, F16 or BF16.  To panels, first and n
 * are multiples of HEED_BLOCK. */
int heed_convert_columns(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                         const heed_kernels *kernels, void *scratch);
/* Most columns of one piece. */
#define HEED_COLUMNS_PER_PIECE 32
/* Bytes of scratch for both, for rows and columns of up to `widest` numbers. */
size_t heed_convert_scratch(int widest);

/* A view of rows [from, from + rows) of a matrix, or of elements of a vector.  In panels, `from` is a multiple of
 * HEED_PANEL. */
heed_tensor heed_weight_view(const heed_tensor *w, int from, int rows);

#endif
