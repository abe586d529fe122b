/* Packing of the operands of gemm_f32, shared by the SIMD sets. */
#ifndef HEED_GEMM_PACK_H
#define HEED_GEMM_PACK_H

#include <stddef.h>

/* to[k][i] = scale·from(i, k) for i < count, 0 for count <= i < width : from(i, k) at from + i·row + k·column; width is
 * a multiple of 4. */
void heed_gemm_pack(float *to, const float *from, size_t row, size_t column, int count, int K, int width, float scale);

#endif
