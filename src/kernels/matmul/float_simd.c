#ifdef __wasm_simd128__
#include "kernels/matmul/float_simd.h"

FLOAT_MATMULS(simd128)

#endif
