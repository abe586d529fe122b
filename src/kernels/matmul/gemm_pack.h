/* What the products of every SIMD set pack their factors with. */
#ifndef HEED_GEMM_PACK_H
#define HEED_GEMM_PACK_H

#include <stddef.h>

/* to[k][i] = scale·from(i, k) for i < count, 0 for count <= i < width, with from(i, k) at from + i·row + k·step; width
 * is a multiple of 4. */
void heed_gemm_pack(float *to, const float *from, size_t row, size_t step, int count, int K, int width, float scale);

#endif
