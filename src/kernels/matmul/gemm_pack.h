/* Packing of the operands of gemm_f32, shared by the SIMD sets. */
#ifndef HEED_GEMM_PACK_H
#define HEED_GEMM_PACK_H

#include <stddef.h>

/* Rows of a strip. */
enum { GEMM_STRIP = 8 };

/* to[s][k][i] = scale·from(GEMM_STRIP·s + i, k) : from(i, k) at from + i·row + k·column; 0 for rows from `count` on. */
void heed_gemm_pack(float *to, const float *from, size_t row, size_t column, int count, int K, float scale);

#endif
