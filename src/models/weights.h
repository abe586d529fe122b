/* A weight's rows from the bytes of their file to what kernels read. */
#ifndef HEED_WEIGHTS_H
#define HEED_WEIGHTS_H

#include "kernels/formats/traits.h"
#include "tensor.h"

static inline int heed_is_float(heed_dtype dtype) { return heed_format_of(dtype)->exponent != 0; }

/* Types that products read as panels. */
static inline int heed_is_panels(heed_dtype dtype) { return heed_format_of(dtype)->panel_bytes != 0; }

/* The type in memory of a weight that is kept as `kept`: vectors are f32; an unknown type stays unknown. */
static inline heed_dtype heed_held_as(heed_dtype kept, int rows) {
    const heed_format *format = heed_format_of(kept);
    return rows == 1 ? HEED_F32 : format->elements ? format->held : kept;
}

/* Whether a weight of this shape can be turned from one type into the other. */
int heed_weight_can_be(heed_dtype stored, heed_dtype held, int rows, int columns);

/* Whether n numbers of a float type are finite. */
int heed_all_finite(heed_dtype dtype, const void *numbers, size_t n);

/* Rows [first, first + n) of w, which is f32 or panels, from those at `from`, stored as in a file.  first is a multiple
 * of HEED_PANEL; so is n, or the rows end w: where w is panels, `from` goes on with zeros to the next multiple.
 * scratch: heed_rows_scratch bytes. Whether every number is finite. */
int heed_rows_take(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                   const heed_kernels *kernels, void *scratch);
/* The same for columns: n lines of w->rows numbers in F32, F16 or BF16, as a transposed matrix is stored.  Where w is
 * panels, first and n are multiples of HEED_BLOCK. */
int heed_columns_take(const heed_tensor *w, int first, int n, heed_dtype stored, const void *from,
                      const heed_kernels *kernels, void *scratch);
/* Lines that come at once at most where they are columns. */
#define HEED_COLUMNS_AT_ONCE 32
/* Scratch for either, of rows and columns up to `widest`. */
size_t heed_rows_scratch(int widest);

/* Rows [from, from + rows) of a matrix, or elements of a vector, as a tensor of their own; at panels, `from` is a
 * multiple of HEED_PANEL. */
heed_tensor heed_weight_part(const heed_tensor *w, int from, int rows);

#endif
