#include "kernels/matmul/float_simd.h"

FLOAT_MATMULS(relaxed)
