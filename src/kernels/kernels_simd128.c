#ifdef __wasm_simd128__
#include "kernels/set.h"

const heed_kernels heed_kernels_simd128 = HEED_KERNEL_TABLE(simd128);

#endif
