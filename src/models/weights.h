/* A weight's way from the bytes of its file to what the kernels read. */
#ifndef HEED_WEIGHTS_H
#define HEED_WEIGHTS_H

#include "tensor.h"

/* Bytes that a weight takes: those of its file, or more; 0 when it cannot be, SIZE_MAX when it is too large.  rows 1 =
 * a vector, which is widened to f32. */
size_t heed_weight_room(heed_dtype stored, int rows, int columns);

/* Where the file's bytes go: to the end of the room, so that they can be converted in place from its front. */
void *heed_weight_file_bytes(const heed_tensor *w);

/* Converts a weight whose file's bytes are there: a vector to f32, a quantised matrix to panels.  scratch: eight rows
 * as in the file.  Whether every number, or scale, is finite. */
int heed_weight_settle(heed_tensor *w, void *scratch);

/* Rows [from, from + rows) of a settled matrix, or elements of a vector, as a tensor of their own; at panels, `from` is
 * a multiple of HEED_PANEL. */
heed_tensor heed_weight_part(const heed_tensor *w, int from, int rows);

#endif
