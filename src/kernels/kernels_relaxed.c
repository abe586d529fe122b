/* The set of binaries with relaxed SIMD: that of simd128, but for the kernels that gain by it. */
#include "kernels/set.h"

const heed_kernels heed_kernels_relaxed = HEED_KERNEL_TABLE(simd128);
